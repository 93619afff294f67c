"""Server-sent events of a contest: a page that is open hears when there is something new."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

EVERY: Final = 3.0  # seconds between looks
LIFETIME: Final = 600.0  # seconds of a connection; browsers come back by themselves
CHANGED: Final = "event: changed\ndata: 1\n\n"
MAX_LISTENERS: Final = 200  # at once; others see what is new when they load the page again


class Listeners:
    """How many pages are listening, so that they cannot take all connections."""

    def __init__(self, most: int = MAX_LISTENERS) -> None:
        self.most = most
        self.count = 0


async def changes(
    state_of: Callable[[], Awaitable[object]],
    is_gone: Callable[[], Awaitable[bool]],
    listeners: Listeners,
    every: float = EVERY,
    lifetime: float = LIFETIME,
    drawn: object = None,
) -> AsyncIterator[str]:
    """An event whenever the state has become another one, and a sign of life in between.

    What the page was drawn of may have changed before it listens, if it says what that was.
    """
    if listeners.count >= listeners.most:
        yield "retry: 60000\n\n"
        return
    listeners.count += 1
    try:
        known = await state_of()
        yield "retry: 5000\n\n"
        if drawn is not None and drawn != known:
            yield CHANGED
        for _ in range(max(1, round(lifetime / every))):
            await asyncio.sleep(every)
            if await is_gone():
                return
            found = await state_of()
            yield ": nothing new\n\n" if found == known else CHANGED
            known = found
    finally:
        listeners.count -= 1

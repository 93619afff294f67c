"""A place for things that take time to make."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, TypeVar

T = TypeVar("T")

KEPT: Final = 64


class Cache:
    """Things each made once, the latest used kept."""

    def __init__(self, room: int = KEPT, clock: Callable[[], float] = time.monotonic) -> None:
        self.spent = 0.0  # seconds for what is made here
        self._room = room
        self._clock = clock
        self._kept: OrderedDict[Hashable, tuple[float, object]] = OrderedDict()
        self._making: dict[Hashable, threading.RLock] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def take(
        self,
        key: Hashable,
        make: Callable[[], T],
        holds: Callable[[T, float], bool] = lambda _thing, _age: True,
    ) -> T:
        """What was made for this key, if it still holds at its age; others do not wait for it."""
        with self._lock:
            making = self._making.setdefault(key, threading.RLock())
        with making:
            with self._lock:
                found = self._kept.get(key)
            try:
                if found is not None:
                    thing: T = found[1]  # type: ignore[assignment]
                    if holds(thing, self._clock() - found[0]):
                        self._keep(key, found)
                        return thing
                began = self._clock()
                made = make()
            except BaseException:
                with self._lock:
                    self._making.pop(key, None)  # who asks for what is not leaves nothing
                raise
            with self._lock:
                self.spent += self._clock() - began
            self._keep(key, (began, made))
            return made

    def _keep(self, key: Hashable, found: tuple[float, object]) -> None:
        with self._lock:
            self._kept[key] = found
            self._kept.move_to_end(key)
            while len(self._kept) > self._room:
                self._making.pop(self._kept.popitem(last=False)[0], None)

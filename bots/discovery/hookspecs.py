"""The one door of a plugin, for strangers and for the house alike."""

from collections.abc import Callable
from typing import Final, Protocol

from pluggy import HookspecMarker

from bots.api import Bot, Decision, Option

hookspec: Final = HookspecMarker("arena")

# A plain function that decides is a bot too.
Decider = Callable[[Decision], Option | str]
Maker = Callable[..., Bot]


class Register(Protocol):
    """Enters one bot under a name; `make` is called with the parameters of its spec."""

    def __call__(self, name: str, make: Maker) -> None:
        """Enter the bot."""
        ...


@hookspec
def register_bots(register: Register) -> None:
    """Call register(name, make) for every bot this plugin brings."""

"""The hook of a plugin, for strangers' bots and the house's alike."""

from typing import Final

from pluggy import HookspecMarker

from bots.api import Register

hookspec: Final = HookspecMarker("arena")


@hookspec
def register_bots(register: Register) -> None:
    """Call register(name, make) for every bot this plugin brings."""

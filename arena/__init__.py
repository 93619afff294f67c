"""The arena makes it happen: it schedules, referees, runs and shows.

From Python: `arena.play`, `arena.play_games`, `arena.tournament` and `arena.compare`, and the
classes of what they return. They are loaded when they are used first.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from inspect import Signature

    from arena.api.comparison import BotComparison, compare
    from arena.api.games import BotFailedError, play, play_games
    from arena.api.hooks import Hook, Step
    from arena.api.match import Match, Matches
    from arena.api.tournaments import TournamentResult, tournament

__all__ = [
    "BotComparison",
    "BotFailedError",
    "Hook",
    "Match",
    "Matches",
    "Step",
    "TournamentResult",
    "compare",
    "play",
    "play_games",
    "tournament",
]

_MODULES: Final = {  # of arena.api, by what they define
    "BotComparison": "comparison",
    "BotFailedError": "games",
    "Hook": "hooks",
    "Match": "match",
    "Matches": "match",
    "Step": "hooks",
    "TournamentResult": "tournaments",
    "compare": "comparison",
    "play": "games",
    "play_games": "games",
    "tournament": "tournaments",
}


def _load(name: str) -> Any:
    return getattr(import_module(f"arena.api.{_MODULES[name]}"), name)


class _CallablePackage(ModuleType):
    """A package that is called like the function of its name in `arena.api`."""

    @property
    def __call__(self) -> Callable[..., Any]:
        """The function itself, so that its signature is seen where somebody asks."""
        function: Callable[..., Any] = _load(self.__name__.rpartition(".")[2])
        return function

    @property
    def __signature__(self) -> Signature:
        from inspect import signature

        return signature(self.__call__)

    def __getattribute__(self, name: str) -> Any:
        return self.__call__.__doc__ if name == "__doc__" else super().__getattribute__(name)


for _name in ("compare", "tournament"):
    import_module(f"arena.{_name}")
    sys.modules[f"arena.{_name}"].__class__ = _CallablePackage


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return _load(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

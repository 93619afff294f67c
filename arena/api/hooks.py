"""What user code is told while games are played: statistics are gathered this way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from arena.api.match import Match, PlayedMove
from arena.playing.referee import Watcher
from engine.catalog import find
from engine.contract import Action, State
from engine.match import MatchSpec


@dataclass(frozen=True)
class Step:
    """One round of decisions, just applied: what was answered, and the position it led to."""

    spec: MatchSpec
    number: int  # of the round, from 0
    moves: tuple[PlayedMove, ...]  # one for each seat that was asked
    state: State  # the whole position; clone it to keep it, as it is played on

    @property
    def over(self) -> bool:
        """Whether the game ended with this round."""
        return not self.state.pending()


class Hook:
    """Base class of hooks: override what you need."""

    def start(self, spec: MatchSpec) -> None:
        """A match begins."""

    def step(self, step: Step) -> None:
        """A round of decisions was applied."""

    def finish(self, match: Match) -> None:
        """A match is over."""


HookLike: TypeAlias = Hook | Callable[[Step], None]  # a function is called at every step


class HookRunner:
    """Calls hooks; what they raise ends the run, as it is the user's own code."""

    def __init__(self, hooks: Sequence[HookLike]) -> None:
        self.hooks = [each if isinstance(each, Hook) else _StepHook(each) for each in hooks]

    def watcher(self, spec: MatchSpec) -> Watcher | None:
        """What the referee calls during a match; None where nobody listens."""
        if not self.hooks:
            return None
        game = find(spec.game)
        number = -1

        def watch(state: State, moves: list[tuple[int, Action]]) -> None:
            nonlocal number
            if number >= 0:
                written = tuple(
                    PlayedMove(seat, spec.bots[seat], action, game.text(action))
                    for seat, action in moves
                )
                step = Step(spec, number, written, state)
                for hook in self.hooks:
                    hook.step(step)
            number += 1

        for hook in self.hooks:
            hook.start(spec)
        return watch

    def finish(self, match: Match) -> None:
        """Tell that a match is over."""
        for hook in self.hooks:
            hook.finish(match)


class _StepHook(Hook):
    """A plain function as a hook."""

    def __init__(self, function: Callable[[Step], None]) -> None:
        self.function = function

    def step(self, step: Step) -> None:
        self.function(step)

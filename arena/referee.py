"""One match: ask every seat that owes a decision, check the answer, apply it."""

from collections.abc import Callable, Sequence

from bots.api import Bot, Decision
from engine.catalog import find
from engine.contract import Action, State
from engine.record import MatchResult, MatchSpec

# Told after each round of decisions: the position, and who just did what.
Watcher = Callable[[State, list[tuple[int, Action]]], None]


def play(spec: MatchSpec, chairs: Sequence[Bot], watch: Watcher | None = None) -> MatchResult:
    """Play the match to its end."""
    game = find(spec.game)
    state = game.deal(spec.setup, spec.seed)
    decisions: list[Action] = []
    if watch:
        watch(state, [])
    while seats := state.pending():
        asked = [Decision(game, state, seat) for seat in seats]
        answers = [chairs[decision.seat].decide(decision) for decision in asked]
        for decision, answer in zip(asked, answers, strict=True):
            if answer not in decision.actions:
                raise ValueError(
                    f"expected one of {decision.options()} from {spec.bots[decision.seat]}, "
                    f"got {answer!r}"
                )
            state.apply(decision.seat, answer)
        decisions += answers
        if watch:
            watch(state, list(zip(seats, answers, strict=True)))
    return MatchResult(spec, decisions, state.scores(), state.ranks())

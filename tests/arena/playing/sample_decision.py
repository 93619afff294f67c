"""The first question of a game."""

from arena.playing.referee import build_decision
from bots.api import Decision
from engine.catalog import find


def first_decision(game: str, seat: int = 0, seed: int = 1) -> Decision:
    """What a seat of three is asked first."""
    rules = find(game)
    setup = rules.setup(3, seed)
    return build_decision(rules, rules.deal(setup, seed), seat, 1.0)

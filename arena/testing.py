"""A match for a bot author's own tests: the bot in this process, random opponents around it."""

from arena.playing.referee import play
from bots.api import Bot
from bots.chairs.base import Chair
from bots.chairs.in_process import InProcessChair
from bots.chairs.limits import Limits
from bots.chairs.steward import Steward
from engine.catalog import find
from engine.match import MatchResult, MatchSpec, Variant


def practice(
    bot: type[Bot], game: str, players: int, seed: int, edition: str | None = None
) -> MatchResult:
    """Seat 0 is the bot; what it does wrong is in the result's faults."""
    rules = find(game)
    setup = rules.setup(players, seed, (), Variant(game, edition))
    chairs: list[Chair] = [
        InProcessChair(bot),
        *(Steward(seed, seat) for seat in range(1, players)),
    ]
    names = (bot.__name__, *("steward",) * (players - 1))
    return play(MatchSpec(setup, seed, names, rules.version), chairs, Limits())

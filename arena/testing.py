"""For a bot author's own tests: practice matches, and one decision again, in this process."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from arena.api.local_bots import BotLike, bot_name, open_local
from arena.playing.referee import build_decision, play
from bots.api import Seating, Setup
from bots.chairs.base import Chair
from bots.chairs.limits import Limits
from bots.chairs.steward import Steward
from engine.catalog import find
from engine.errors import ArenaError
from engine.match import MatchResult, Variant


def practice(
    bot: BotLike,
    game: str,
    players: int,
    seed: int,
    edition: str | None = None,
    opponents: Sequence[BotLike] = (),
) -> MatchResult:
    """Play one match with the bot in seat 0; what it does wrong is in the result's `faults`.

    The opponents take the other seats in turn, as often as there are seats; without any, those
    seats answer at random.
    """
    rules = find(game)
    setup = rules.setup(players, seed, (), Variant(game, edition))
    chairs: list[Chair] = [open_local(bot)]
    names = [bot_name(bot)]
    for seat in range(1, players):
        other = opponents[(seat - 1) % len(opponents)] if opponents else None
        chairs.append(Steward(seed, seat) if other is None else open_local(other))
        names.append("steward" if other is None else bot_name(other))
    return play(rules.spec(setup, seed, tuple(names)), chairs, Limits())


def decide_again(
    bot: BotLike, game: str, setup: Setup, seat: int, seed: int, view: str, options: Sequence[str]
) -> str:
    """The text of the option a bot chooses, given a view and options that were written down.

    `arena match debug --save` writes a test that calls it.
    """
    rules = find(game)
    decision = build_decision(rules, rules.load(view), seat, Limits.move)
    texts = [option.text for option in decision.options]
    if texts != list(options):
        raise ArenaError(f"expected the options {', '.join(options)}, got {', '.join(texts)}")
    with closing(open_local(bot)) as chair:
        chair.start(Seating(rules, setup, seat, seed))
        chair.ask(decision)
        return rules.text(chair.answer())

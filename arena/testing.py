"""For a bot author's own tests: practice matches, and one decision again, in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

from arena.playing.referee import build_decision, play
from bots.api import Bot, Seating, Setup
from bots.chairs.base import Chair
from bots.chairs.in_process import InProcessChair, open_in_process
from bots.chairs.limits import Limits
from bots.chairs.steward import Steward
from bots.discovery.finder import find_bot
from bots.discovery.spec import parse_spec
from engine.catalog import find
from engine.errors import ArenaError
from engine.match import MatchResult, Variant

BotLike = str | Callable[[], Bot]  # a spec such as "greedy:worlds=1" or "./mybot", or a class


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
    chairs: list[Chair] = [_chair(bot)]
    names = [_name(bot)]
    for seat in range(1, players):
        other = opponents[(seat - 1) % len(opponents)] if opponents else None
        chairs.append(Steward(seed, seat) if other is None else _chair(other))
        names.append("steward" if other is None else _name(other))
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
    with closing(_chair(bot)) as chair:
        chair.start(Seating(rules, setup, seat, seed))
        chair.ask(decision)
        return rules.text(chair.answer())


def _chair(bot: BotLike) -> InProcessChair:
    if not isinstance(bot, str):
        return InProcessChair(bot)
    spec = parse_spec(bot)
    return open_in_process(spec, find_bot(spec))


def _name(bot: BotLike) -> str:
    return bot if isinstance(bot, str) else getattr(bot, "__name__", "bot")

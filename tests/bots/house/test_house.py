"""The built-in bots: they play every game at every table, and the same again."""

import time
from contextlib import closing
from functools import cache

import pytest

from arena.playing.referee import play
from bots.api import Bot, Decision, Option, Seating
from bots.chairs.base import Chair
from bots.chairs.in_process import InProcessChair
from bots.chairs.steward import Steward
from bots.house import LADDER
from bots.house.flat import Flat
from bots.house.ismcts import Ismcts
from bots.house.random import Random
from engine.catalog import GAMES, find
from engine.match import MatchResult, MatchSpec
from engine.rng import Rng
from tests.bots.matches import PATIENT, confirm, in_a_process, in_ours, story

pytestmark = pytest.mark.slow

# Work that does not depend on the clock, and little of it.
STEADY = {
    "random": "random",
    "greedy": "greedy:worlds=1",
    "planner": "planner:worlds=1",
    "flat": "flat:worlds=1",
    "ismcts": "ismcts:sims=3",
    "sage": "sage:worlds=1",
    "oracle": "oracle:worlds=1,options=2,depth=0",
    "military": "military:worlds=1",
    "science": "science:worlds=1",
    "builder": "builder:worlds=1",
}
TABLES = [(game.id, players) for game in GAMES for players in game.players]


def match(game: str, chairs: list[Chair], seed: int) -> MatchResult:
    setup = find(game).setup(len(chairs), seed)
    return story(play(MatchSpec(setup, seed, ("bot",) * len(chairs), 1), chairs, PATIENT))


def around(bot: Chair, players: int, seed: int) -> list[Chair]:
    """The bot at one seat, stewards at the others."""
    chairs: list[Chair] = [Steward(seed, seat) for seat in range(players)]
    chairs[seed % players] = bot
    return chairs


@cache
def played(name: str, game: str, players: int) -> MatchResult:
    return match(game, around(in_ours(STEADY[name]), players, players), players)


def test_the_whole_ladder_is_tried() -> None:
    assert STEADY.keys() == LADDER.keys()


@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.parametrize("name", LADDER)
def test_it_plays_without_fault(name: str, game: str, players: int) -> None:
    result = played(name, game, players)
    assert result.faults == ()
    confirm(result)


@pytest.mark.parametrize("game", [game.id for game in GAMES])
@pytest.mark.parametrize("name", LADDER)
def test_it_decides_the_same_again_in_either_kind_of_chair(name: str, game: str) -> None:
    players = find(game).players[0]
    first = played(name, game, players)
    assert match(game, around(in_ours(STEADY[name]), players, players), players) == first
    with closing(in_a_process(STEADY[name])) as own:
        for _ in range(2):
            assert match(game, around(own, players, players), players) == first


@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_a_table_of_the_house_is_the_same_in_either_kind_of_chair(game: str) -> None:
    names = ["random", "greedy:worlds=1", "ismcts:sims=2"]
    chairs = [in_a_process(name) for name in names]
    try:
        own = match(game, list(chairs), 5)
    finally:
        for chair in chairs:
            chair.close()
    assert own == match(game, [in_ours(name) for name in names], 5)
    assert own.faults == ()


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_bot_sees_its_own_view_only(game: str, players: int) -> None:
    asked: list[int] = []

    class Looks(Random):
        def decide(self, decision: Decision) -> Option:
            assert decision.view.viewer == decision.seat
            legal = [option.action for option in decision.options]
            assert legal == decision.view.legal(decision.seat)
            asked.append(decision.seat)
            return super().decide(decision)

    assert match(game, [InProcessChair(Looks) for _ in range(players)], 1).faults == ()
    assert set(asked) == set(range(players))


@pytest.mark.parametrize("kind", [Flat, Ismcts])
@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_a_search_by_the_clock_stops(kind: type[Flat] | type[Ismcts], game: str) -> None:
    took: list[float] = []

    class Watched(Bot):
        def __init__(self, ms: int) -> None:
            self.bot = kind(ms=ms)

        def start(self, seating: Seating) -> None:
            self.bot.start(seating)

        def decide(self, decision: Decision) -> Option:
            began = time.process_time()  # a busy machine is no fault of the bot
            option = self.bot.decide(decision)
            took.append(time.process_time() - began)
            return option

    players = find(game).players[0]
    bots = around(InProcessChair(lambda: Watched(ms=30)), players, 1)
    assert match(game, bots, 1).faults == ()
    assert sorted(took)[len(took) // 2] < 0.3


def test_a_search_keeps_to_the_time_it_has_left() -> None:
    """An hour is asked for, a moment is given."""
    game = GAMES[0]
    state = game.deal(game.setup(2, 1), 1)
    seat = state.pending()[0]
    options = tuple(Option(game.text(action), action) for action in state.legal(seat))
    asked = Decision(game, seat, "", options, state.view(seat), 0.02)
    for kind in (Flat, Ismcts):
        bot = kind(ms=3600000)
        bot.rng = Rng(1)
        assert bot.decide(asked) in options


@pytest.mark.parametrize("sims", ["1", "2", "40"])
def test_a_short_search_still_answers(sims: str) -> None:
    game = GAMES[0]
    chairs = around(in_ours(f"ismcts:sims={sims}"), 2, 1)
    assert match(game.id, chairs, 1).faults == ()

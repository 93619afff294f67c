"""Equal seeds, equal games: whatever dice a bot rolls, wherever it runs, and whoever else rolls."""

import ast
import random
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from arena.testing import practice
from bots.api import Bot, Decision, Option, Seating
from bots.chairs.base import Chair
from bots.chairs.dice import ModuleDice
from bots.chairs.in_process import InProcessChair
from engine.catalog import GAMES
from engine.match import MatchResult
from tests.bots.matches import GAME, bot, in_a_process, in_ours, match, story
from tests.bots.sandbox.matches import behind
from tests.support.command import ROOT

WAYS = ["random", "choice", "gauss", "seed", "imported", "own", "seldom"]
ROLLS = [bot(f"rolls.py:how={how}") for how in WAYS]
TABLES = [
    *([spec, "random", spec] for spec in ROLLS),  # one bot twice
    [*ROLLS],
]


def own_processes(table: list[str], seed: int, sandboxed: bool) -> MatchResult:
    with ExitStack() as stack:
        chairs: list[Chair] = []
        for spec in table:
            chair = behind(spec) if sandboxed else closing(in_a_process(spec))
            chairs.append(stack.enter_context(chair))
        return story(match(chairs, seed))


@pytest.mark.slow
@pytest.mark.parametrize("sandboxed", [False, pytest.param(True, marks=pytest.mark.sandbox)])
@pytest.mark.parametrize("table", TABLES, ids=[*WAYS, "all"])
def test_equal_seeds_give_equal_games_wherever_the_bots_run(
    table: list[str], sandboxed: bool
) -> None:
    ours = story(match([in_ours(spec) for spec in table], 5))
    assert ours.faults == ()
    assert own_processes(table, 5, sandboxed) == ours


@pytest.mark.parametrize("table", TABLES, ids=[*WAYS, "all"])
def test_the_same_chairs_play_the_same_again(table: list[str]) -> None:
    chairs = [in_ours(spec) for spec in table]
    first = story(match(chairs, 5))
    assert story(match(chairs, 6)).decisions != first.decisions
    assert story(match(chairs, 5)) == first


@pytest.mark.parametrize("table", TABLES, ids=[*WAYS, "all"])
def test_the_arena_rolls_on_where_it_was(table: list[str]) -> None:
    random.seed(8)
    random.gauss(0, 1)
    before = random.getstate()
    match([in_ours(spec) for spec in table], 5)
    assert random.getstate() == before


@pytest.mark.parametrize("at", ["construct", "start", "decide", "observe", "finish"])
def test_the_arena_rolls_on_when_a_bot_failed(at: str) -> None:
    before = random.getstate()
    result = match([in_ours(bot(f"crashes.py:at={at}")), in_ours(ROLLS[0])], 1)
    assert len(result.faults) == 1
    assert random.getstate() == before


def test_a_match_that_was_given_up_disturbs_no_other() -> None:
    class Leaves(Bot):
        def decide(self, decision: Decision) -> Option:
            random.random()
            raise KeyboardInterrupt

    chairs = [in_ours(spec) for spec in ROLLS]
    first = story(match(chairs, 5))
    before = random.getstate()
    with pytest.raises(KeyboardInterrupt):
        match([InProcessChair(Leaves), in_ours(ROLLS[0])], 5)
    assert story(match(chairs, 5)) == first
    assert random.getstate() == before


def test_two_bots_in_turn_roll_as_if_each_were_alone() -> None:
    alone = [random.Random(seed) for seed in (1, 2)]
    both = [ModuleDice(), ModuleDice()]
    for seed, dice in enumerate(both, 1):
        dice.seed(seed)
    for _ in range(700):  # more than the generator makes at once
        for dice, expected in zip(both, alone, strict=True):
            dice.take()
            rolled = (random.random(), random.gauss(0, 1), random.getrandbits(7))
            assert rolled == (expected.random(), expected.gauss(0, 1), expected.getrandbits(7))
    for dice in both:
        dice.put_back()


def test_a_seating_has_dice_of_its_own() -> None:
    seating = Seating(GAME, GAME.setup(2, 1), 0, 7)
    same = random.Random(7)
    assert [seating.random.random() for _ in range(3)] == [same.random() for _ in range(3)]
    assert seating == Seating(GAME, GAME.setup(2, 1), 0, 7)
    assert "random" not in repr(seating)


def test_the_house_needs_no_dice_of_the_module() -> None:
    """Chairs of its bots do not exchange them."""
    for file in (ROOT / "bots" / "house").rglob("*.py"):
        for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert "random" not in [alias.name for alias in node.names], file
            elif isinstance(node, ast.ImportFrom):
                assert node.module != "random", file


@pytest.mark.parametrize("spec", ["random", "greedy:worlds=1", "planner:worlds=1", "flat:worlds=1"])
def test_a_bot_of_the_house_leaves_the_dice_alone(spec: str) -> None:
    chair = in_ours(spec)
    assert chair.dice is None
    before = random.getstate()
    for game in GAMES:
        assert practice(spec, game.id, game.players[0], seed=1).faults == ()
    assert random.getstate() == before

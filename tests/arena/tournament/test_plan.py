"""A tournament asked for by flags or by file."""

import shlex
from pathlib import Path

import pytest

from arena.tournament.plan import Plan, parse_counts, plan_of, read_plan
from engine.errors import ArenaError

WRONG = [
    ({"bots": ["a", "b"], "rounds": "x"}, "expected int | null, got str - at $.rounds in f"),
    ({"bots": ["a", "b"], "rounds": 0}, "expected at least 1 round, got 0"),
    ({"bots": ["a"]}, "expected 2 to 200 bots, got 1"),
    ({}, "expected bots in f, got none"),
    ({"bots": ["a", "b"], "speed": 1}, "got speed"),
    ({"bots": ["a", 2]}, "expected str, got int - at $.bots[1] in f"),
    ({"bots": ["a", "b"], "players": "2-9"}, "between 2 and 7, got 2-9"),
    ({"bots": ["a", "b"], "players": "many"}, "such as 3-5, got many"),
    ({"bots": ["a", "b"], "design": "fair"}, "expected a design out of"),
    ({"bots": ["a", "b"], "game": "chess"}, "expected a game out of"),
    ({"bots": ["a", "b"], "game": "both", "wonders": ["giza"]}, "got both games"),
]


@pytest.mark.parametrize(("facts", "problem"), WRONG)
def test_a_wrong_plan_is_told_in_one_line(facts: dict[str, object], problem: str) -> None:
    with pytest.raises(ArenaError) as told:
        plan_of(facts, "f")
    assert problem in str(told.value)


@pytest.mark.parametrize(
    ("text", "counts"), [("", ()), ("3", (3,)), ("2-4,6", (2, 3, 4, 6)), ("4,3-4", (3, 4))]
)
def test_counts(text: str, counts: tuple[int, ...]) -> None:
    assert parse_counts(text) == counts


def test_a_file_says_the_same_as_flags(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('bots = ["greedy", "./mine.py", "flat:ms=5"]\nplayers = "2-3"\nrounds = 4\n')
    plan = read_plan(file)
    assert plan == Plan(("greedy", f"{tmp_path}/./mine.py", "flat:ms=5"), players="2-3", rounds=4)


@pytest.mark.parametrize("content", [b"bots = [", b"\xff", b"\x00"])
def test_a_file_that_is_none(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "cup.toml"
    file.write_bytes(content)
    with pytest.raises(ArenaError, match="expected TOML"):
        read_plan(file)
    with pytest.raises(ArenaError, match="expected to read"):
        read_plan(tmp_path)


def test_the_command_is_the_plan_again() -> None:
    plan = Plan(("a", "b c"), wonders=("x", "y"), expert=True, rounds=3, seed=9)
    assert shlex.split(plan.command()) == [
        *("arena", "tournament", "run", "a", "b c"),
        *("--wonders", "x,y", "--expert", "--rounds", "3", "--seed", "9"),
    ]

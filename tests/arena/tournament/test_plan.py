"""A tournament asked for by flags or by file."""

import shlex
from pathlib import Path

import pytest

from arena.playing.game_settings import parse_counts, write_counts
from arena.tournament.plan import plan_of, read_plan, write_plan
from arena.tournament.plan_command import plan_command
from engine.errors import ArenaError

WRONG = [
    (
        {"bots": ["a", "b"], "rounds": "x"},
        "expected a whole number or nothing for rounds in f, got a text",
    ),
    ({"bots": ["a", "b"], "rounds": 0}, "expected at least 1 round, got 0"),
    ({"bots": ["a"]}, "expected 2 to 200 bots, got 1"),
    ({}, "expected bots in f, got none"),
    ({"bots": ["a", "b"], "speed": 1}, "got speed"),
    ({"bots": ["a", 2]}, "expected a text for bots in f, got a whole number"),
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
    assert parse_counts(write_counts(counts)) == counts


@pytest.mark.parametrize(("counts", "text"), [(2, "2"), ([2, 3], "2-3"), ("2,3", "2-3")])
def test_numbers_of_players_may_be_numbers(counts: object, text: str) -> None:
    assert write_plan(plan_of({"bots": ["a", "b"], "players": counts}, "f"))["players"] == text


def test_a_file_says_the_same_as_flags(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('bots = ["greedy", "./mine.py", "flat:ms=5"]\nplayers = "2-3"\nrounds = 4\n')
    plan = read_plan(file)
    bots = ["greedy", f"{tmp_path}/./mine.py", "flat:ms=5"]
    assert plan == plan_of({"bots": bots, "players": "2-3", "rounds": 4}, "the options")
    assert read_plan(file, {"rounds": 5}).rounds == 5


@pytest.mark.parametrize("content", [b"bots = [", b"\xff", b"\x00"])
def test_a_file_that_is_none(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "cup.toml"
    file.write_bytes(content)
    with pytest.raises(ArenaError, match="expected TOML"):
        read_plan(file)
    with pytest.raises(ArenaError, match="expected to read"):
        read_plan(tmp_path)


def test_the_command_is_the_plan_again() -> None:
    facts = {"bots": ["a", "b c"], "wonders": ["x", "y"], "expert": True, "rounds": 3, "seed": 9}
    assert shlex.split(plan_command(plan_of(facts, "f"))) == [
        *("arena", "tournament", "run", "a", "b c"),
        *("--wonders", "x,y", "--expert", "--rounds", "3", "--seed", "9"),
    ]
    timed = plan_of({"bots": ["a", "b"], "budget": "5400s", "time": "1000ms"}, "f")
    assert plan_command(timed).endswith(" a b --time 1s --budget 1h30m")


SAME = [
    ({"players": "2-3"}, {"players": "3,2"}),
    ({"players": "2,3,4,6"}, {"players": "2-4,6"}),
    ({"time": "1s"}, {"time": "1000ms"}),
    ({"time": "700ms+1m/1.5s"}, {"time": "0.7s+60s/1500ms"}),
    ({}, {"time": "10s/20s"}),
    ({"until": "order"}, {"until": "order@95%"}),
    ({"until": "top2@99"}, {"until": "top2@99%"}),
    ({"time_factor": "0.50-2.0"}, {"time_factor": "0.5-2"}),
    ({"time_factor": "1-1"}, {"time_factor": "off"}),
    ({"budget": "90m"}, {"budget": "1h30m"}),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_spellings_are_one_plan(one: dict[str, str], other: dict[str, str]) -> None:
    bots = {"bots": ["a", "b", "c"]}
    first, second = plan_of(bots | one, "f"), plan_of(bots | other, "f")
    assert first == second
    assert write_plan(first) == write_plan(second)
    assert plan_of(dict(write_plan(first)), "f") == first


@pytest.mark.parametrize(
    "time", ["0.000001ms", "1.500001ms", "999999.999999m", "234567ms", "999999s+0.7s/3m"]
)
def test_any_time_can_be_written_and_read(time: str) -> None:
    plan = plan_of({"bots": ["a", "b"], "time": time}, "f")
    assert plan_of(dict(write_plan(plan)), "f") == plan


def test_a_plan_without_a_time_factor_is_written_as_older_programs_did() -> None:
    assert "time_factor" not in write_plan(plan_of({"bots": ["a", "b"]}, "f"))
    given = plan_of({"bots": ["a", "b"], "time_factor": "0.5-3"}, "f")
    assert plan_command(given) == "arena tournament run a b --time-factor 0.5-3"

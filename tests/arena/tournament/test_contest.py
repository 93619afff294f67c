"""A tournament is found again by what was asked for, however it was spelled."""

from pathlib import Path
from typing import Any

import pytest

from arena.playing.entrants import contenders
from arena.tournament.contest import open_contest, tournament_config
from arena.tournament.plan import plan_of
from arena.tournament.plan_command import plan_command
from engine.errors import ArenaError
from leagues.storage.handle import open_storage

pytestmark = pytest.mark.slow

BOTS = ("random", "greedy", "planner")


def opened(db: Path, **facts: Any) -> str:
    """The name of the tournament that is begun or continued."""
    with open_storage(db) as storage:
        plan = plan_of({"bots": BOTS} | facts, "the options")
        return open_contest(storage, plan, contenders(BOTS), plan_command).plan.name


SPELLINGS = [
    ({"players": "2-3"}, {"players": "3,2"}),
    ({"time": "1s"}, {"time": "1000ms"}),
    ({}, {"time": "10s"}),
    ({"until": "order"}, {"until": "order@95%"}),
]


@pytest.mark.parametrize(("first", "second"), SPELLINGS)
def test_another_spelling_continues(
    tmp_path: Path, first: dict[str, str], second: dict[str, str]
) -> None:
    name = opened(tmp_path / "arena.db", **first)
    assert opened(tmp_path / "arena.db", **second) == name
    assert opened(tmp_path / "arena.db", **second, name=name) == name


@pytest.mark.parametrize(("first", "second"), SPELLINGS)
def test_a_tournament_stored_as_it_was_spelled_continues(
    tmp_path: Path, first: dict[str, str], second: dict[str, str]
) -> None:
    db = tmp_path / "arena.db"
    with open_storage(db) as storage:
        plan = plan_of({"bots": BOTS, "seed": 4} | first, "the options")
        field = contenders(BOTS)
        ids = [
            storage.results.get_or_create_entrant(bot.label, bot.spec, bot.digest, bot.version).id
            for bot in field
        ]
        stored = storage.results.get_or_create_tournament(
            "old", 4, tournament_config(plan) | first, ids, [], "the command"
        )
    for facts in (first, second):
        assert opened(db, **facts) == "old"
        assert opened(db, **facts, seed=4) == "old"
        assert opened(db, **facts, name="old") == "old"
    with open_storage(db) as storage:
        kept = storage.reader.results.tournament("old")
    assert kept is not None
    assert kept == stored


def test_other_settings_are_another_tournament(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    name = opened(db, players="2-3")
    assert opened(db, players="2") != name
    told = f"tournament {name} was started with players 2-3, not 2: use another name"
    with pytest.raises(ArenaError, match=told):
        opened(db, players="2", name=name)
    with pytest.raises(ArenaError, match="time as usual, not 5s"):
        opened(db, players="2-3", time="5s", name=name)

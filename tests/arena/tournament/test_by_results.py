"""Swiss and knockout tournaments in a database: seeded, stopped, continued and verified."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.tournament.status import Status
from arena.tournament.verify import Verification
from engine.errors import ArenaError
from engine.match import MatchResult
from leagues.storage.handle import read_storage
from tests.arena.tournament.kill_soak import Story, story

BOTS = ("random",) * 5


class Stopped(Exception):
    """The run ends here."""


def play(db: Path, design: str, bots: tuple[str, ...] = BOTS, **more: Any) -> None:
    settings: dict[str, Any] = {"players": 2, "seed": 4, "name": "cup", "rounds": 1} | more
    arena.tournament(list(bots), "architects", design=design, db=db, **settings)


def problems(db: Path) -> list[str]:
    with read_storage(str(db)) as reader:
        [row] = [row for row in reader.results.tournaments() if row.name == "cup"]
        return [str(each) for each in Verification(reader, row, 1).problems(lambda _: None)]


def status(db: Path) -> Status:
    with read_storage(str(db)) as reader:
        row = reader.results.tournament("cup")
        assert row is not None
        return Status(reader, row, str(db))


@pytest.fixture(scope="module", params=["swiss", "knockout", "double"])
def whole(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path, Story]:
    db = tmp_path_factory.mktemp(request.param) / "arena.db"
    play(db, request.param)
    return request.param, db, story(db)


@pytest.mark.slow
def test_it_is_what_the_results_say(whole: tuple[str, Path, Story]) -> None:
    design, db, matches = whole
    assert problems(db) == []
    assert {match[1] for match in matches.values()} == {design}
    found = status(db)
    assert found.complete
    order = found.standings()
    assert order is not None
    assert sorted(row["seed"] for row in order) == [1, 2, 3, 4, 5]
    assert f"won by {order[0]['bot']}" in found.line()
    assert found.facts()["standings"] == order


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 3])
def test_stopped_it_goes_on_with_the_same_tables(
    whole: tuple[str, Path, Story], tmp_path: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    design, _, matches = whole
    db = tmp_path / "arena.db"
    keep = arena.api.tournaments.Match
    left = after

    def stop(result: MatchResult) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise Stopped
        return keep(result)

    monkeypatch.setattr("arena.api.tournaments.Match", stop)
    with pytest.raises(Stopped):
        play(db, design)
    monkeypatch.undo()
    stored = len(story(db))
    assert stored <= after
    found = status(db)
    assert not found.complete
    assert found.standings() is None
    assert "to play" in found.line()
    play(db, design)
    assert story(db) == matches


def test_a_changed_result_is_found(whole: tuple[str, Path, Story], tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    shutil.copy(whole[1], db)
    assert problems(db) == []
    with closing(sqlite3.connect(db)) as base, base:
        base.execute("UPDATE seat SET rank = 1 - rank WHERE match <= 2")
    assert any("expected ranks" in text for text in problems(db))


def test_other_rounds_are_another_tournament(whole: tuple[str, Path, Story]) -> None:
    design, db, _ = whole
    with pytest.raises(ArenaError, match=r"was started with rounds .*: use another name"):
        play(db, design, rounds=9)


def test_seeds_are_by_skill_in_this_database(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    bots = ("random", "greedy:worlds=1", "greedy:worlds=2")
    arena.tournament(list(bots[:2]), "architects", players=2, rounds=10, seed=1, db=db, name="one")
    with read_storage(str(db)) as reader:
        skills = arena.reports.leaderboard.boards(
            reader, arena.reports.leaderboard.Query(tournament="one", unrated=True, db=str(db))
        )
        best = skills[0].rows[0]["bot"]
    assert best == "greedy:worlds=1"
    play(db, "knockout", bots, rounds=1)
    play(db, "knockout", bots[::-1], rounds=1)  # the seeds are those of the beginning
    assert [entrant.label for entrant in status(db).entrants] == [
        "greedy:worlds=1",
        "random",
        "greedy:worlds=2",
    ]


def test_what_cannot_be_played_so_is_refused(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    with pytest.raises(ArenaError, match="expected one game and one number of players"):
        play(db, "swiss", players="2-3")
    with pytest.raises(ArenaError, match="expected 2 players for the double design, got 3"):
        play(db, "double", players=3)
    with pytest.raises(ArenaError, match="expected until for one game and the balanced design"):
        play(db, "swiss", until="top1@95%", rounds=None)
    assert not db.exists()

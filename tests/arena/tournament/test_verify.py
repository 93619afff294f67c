"""What is stored is checked against its checksums, the rules, the schedule and the table."""

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from arena.tournament import verify
from arena.tournament.verify import contradiction
from engine.match import Fault
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import open_storage
from tests.arena.conftest import Run
from tests.arena.reports.sample_tournament import FAULTY, NAME, Change, build, with_result

pytestmark = pytest.mark.slow

FLIPS = [
    ("UPDATE match SET decisions = x'00' || substr(decisions, 2) WHERE id = 4", "match 4"),
    ("UPDATE match SET decisions = x'80' WHERE id = 4", "match 4"),
    ("UPDATE match SET seed = seed + 1 WHERE id = 5", "match 5"),
    ("UPDATE match SET round = 7 WHERE id = 5", "match 5"),
    ("UPDATE match SET rules = 9 WHERE id = 5", "match 5"),
    ("UPDATE match SET expansions = '[' WHERE id = 5", "match 5"),
    ("UPDATE match SET game = 'chess' WHERE id = 5", "match 5"),
    ("UPDATE match SET checksum = x'00' WHERE id = 6", "match 6"),
    ("UPDATE match SET rated = 0 WHERE id = 6", "match 6"),
    ("UPDATE seat SET score = score + 1 WHERE match = 7 AND seat = 0", "match 7"),
    ("UPDATE seat SET rank = 2 - rank WHERE match = 7", "match 7"),
    ("UPDATE seat SET wonder = 'babel' WHERE match = 7 AND seat = 2", "match 7"),
    ("UPDATE seat SET computed = NULL WHERE match = 7 AND seat = 2", "match 7"),
    ("UPDATE seat SET fault = 'time' WHERE match = 7 AND seat = 1", "match 7"),
    ("DELETE FROM seat WHERE match = 8 AND seat = 1", "match 8"),
    ("DELETE FROM seat WHERE match = 9; DELETE FROM match WHERE id = 9", "batch 1"),
    ("UPDATE tournament SET config = replace(config, 'both', 'bath')", "tournament 1"),
    ("UPDATE tournament SET cycles = '{'", "tournament 1"),
    ("UPDATE participant SET entrant = 1", "participant 1 1"),
    ("UPDATE entrant SET label = 'x' WHERE id = 1", "entrant 1"),
]

CONFIRMED = "checksums, rules, schedule, table and ratings confirmed\n"


@pytest.mark.parametrize(("damage", "name"), FLIPS, ids=[damage for damage, _ in FLIPS])
def test_damage_is_found_and_named(db: Path, run: Run, damage: str, name: str) -> None:
    base = sqlite3.connect(db)
    base.executescript(damage)
    base.close()
    said = run("tournament", "verify", NAME)
    assert said.code == 1
    assert any(line.startswith(name) for line in said.out.splitlines())
    facts = json.loads(run("tournament", "verify", NAME, "-o", "json").out)
    assert any(problem["problem"].startswith(name) for problem in facts["problems"])


@pytest.mark.parametrize("words", [("match", "list"), ("match", "show", 4), ("match", "trace", 4)])
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE match SET decisions = x'80' WHERE id = 4",
        "UPDATE match SET expansions = '[' WHERE id = 4",
        "UPDATE seat SET computed = NULL WHERE match = 4",
        "DELETE FROM seat WHERE match = 4 AND seat = 1",
    ],
)
def test_a_reader_names_a_match_that_cannot_be_read(
    db: Path, run: Run, words: tuple[object, ...], damage: str
) -> None:
    base = sqlite3.connect(db)
    base.executescript(damage)
    base.close()
    said = run(*words)
    assert (said.code, said.out) == (2, "")
    assert "match 4" in said.err
    assert said.err.count("\n") == 1


def test_all_is_well(db: Path, run: Run) -> None:
    expected = f"12 matches of spring: {CONFIRMED}"
    for words in ((), (NAME,)):
        said = run("tournament", "verify", *words)
        assert (said.code, said.out, said.err) == (0, expected, "")
    said = run("match", "verify", 1, FAULTY + 1)
    assert said.code == 0
    assert said.out.splitlines() == [
        "match 1: confirmed by the rules",
        f"match {FAULTY + 1}: confirmed by the rules",
    ]


def test_many_matches_are_replayed_on_all_cores(
    db: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify, "MANY", 1)
    monkeypatch.setattr(verify, "PORTION", 2)
    base = sqlite3.connect(db)
    base.execute("UPDATE seat SET score = score + 1 WHERE match = 7 AND seat = 0")
    base.commit()
    base.close()
    said = run("tournament", "verify", NAME, "--jobs", 2)
    assert said.code == 1
    assert [line[:24] for line in said.out.splitlines() if "scores" in line] == [
        "match 7: expected scores"
    ]


def _scores(played: ScheduledResult) -> ScheduledResult:
    return with_result(played, scores=[score + 1 for score in played.result.scores])


def _ranks(played: ScheduledResult) -> ScheduledResult:
    return with_result(played, ranks=[2 - rank for rank in played.result.ranks])


def _fewer(played: ScheduledResult) -> ScheduledResult:
    return with_result(played, decisions=played.result.decisions[:-1])


def _more(played: ScheduledResult) -> ScheduledResult:
    return with_result(played, decisions=[*played.result.decisions, 0])


def _illegal(played: ScheduledResult) -> ScheduledResult:
    return with_result(played, decisions=[10**6, *played.result.decisions[1:]])


def _blamed(played: ScheduledResult) -> ScheduledResult:
    winner = played.result.ranks.index(0)
    return with_result(played, faults=(Fault(winner, "time", "", 1),))


def _seats(played: ScheduledResult) -> ScheduledResult:
    return replace(played, entrants=(*played.entrants[1:], played.entrants[0]))


def _deal(played: ScheduledResult) -> ScheduledResult:
    """A match that is true, but was not to be played."""
    other = replace(played.result.spec, seed=played.result.spec.seed + 1)
    return with_result(played, spec=other)


def _fixture(played: ScheduledResult) -> ScheduledResult:
    return replace(played, fixture="mine")


def _stage(played: ScheduledResult) -> ScheduledResult:
    return replace(played, stage="adaptive")


LIES = [
    (_scores, "expected scores ["),
    (_ranks, "expected ranks ["),
    (_fewer, "got the end"),
    (_more, "decisions, got"),
    (_illegal, "expected a legal decision 0 by seat"),
    (_blamed, "expected ranks ["),
    (_seats, "expected seats ("),
    (_deal, "expected deal"),
    (_fixture, "got mine"),
    (_stage, "expected stage balanced, got adaptive"),
]


@pytest.mark.parametrize(("lie", "problem"), LIES, ids=[lie.__name__ for lie, _ in LIES])
def test_lies_with_good_checksums_are_found_and_named(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, lie: Change, problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    build(
        tmp_path / "arena.db", change=lambda played: lie(played) if played.number == 6 else played
    )
    said = run("tournament", "verify", NAME)
    assert said.code == 1
    assert any(problem in line for line in said.out.splitlines() if line.startswith("match 7: "))
    assert all(line.startswith("match 7: ") for line in said.out.splitlines()[:-1])
    alone = run("match", "verify", 7, 8)
    first, second = json.loads(run("match", "verify", 7, 8, "--json").out)
    assert (first["match"], first["problem"] is None) == (7, alone.code == 0)
    assert second == {"match": 8, "problem": None}
    assert alone.out.splitlines()[1] == "match 8: confirmed by the rules"
    told = lie in (_seats, _deal, _fixture, _stage)
    assert alone.code == (1 if not told or lie is _deal else 0)


def test_a_fault_after_the_last_decision_may_count_or_not(original: Path) -> None:
    with open_storage(original) as storage:
        result = storage.reader.results.match(1).result
    winner = result.ranks.index(0)
    late = replace(result, faults=(Fault(winner, "crash", "", len(result.decisions)),))
    assert contradiction(late) is None
    last = [rank - 1 if seat != winner else 2 for seat, rank in enumerate(result.ranks)]
    assert contradiction(replace(late, ranks=last)) is None
    assert contradiction(replace(result, ranks=last)) is not None

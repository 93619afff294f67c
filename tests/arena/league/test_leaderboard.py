"""A league's table: versions, those that left, reliability, and ratings with and without drift."""

import time

import pytest

from arena.league.leaderboard import LeagueLeaderboard, league_leaderboard
from arena.league.planning.agenda import agenda
from arena.league.reports import board_report, collusion_report, entry_facts, entry_lines
from arena.league.rules import parse_rules
from leagues.records import League
from leagues.storage.handle import Storage
from leagues.storage.match_filter import MatchFilter
from leagues.storage.reliability import FaultCounter, reliability
from tests.arena.league.sample_league import enter, found, play


def settle(storage: Storage, league: League) -> LeagueLeaderboard:
    """Play all that is due, and look at the table."""
    while (due := agenda(storage, league, parse_rules(league.rules)).due) is not None:
        play(storage, due, level=False)
    return league_leaderboard(storage.reader, league)


def test_a_new_version_takes_the_place_of_the_old_one(storage: Storage) -> None:
    league = found(storage, games=40)
    for name in "abcd":
        enter(storage, league, name)
    first = settle(storage, league)
    assert [first.entries[row.entrant].name for row in first.rows()] == ["a", "b", "c", "d"]
    enter(storage, league, "d", version="2")
    fresh = league_leaderboard(storage.reader, league)
    (new,) = (row for row in fresh.rows() if fresh.entries[row.entrant].version == "2")
    old = next(row for row in fresh.rows(everyone=True) if row.entrant == first.rows()[-1].entrant)
    assert new.games == 0
    assert new.mu == pytest.approx(old.mu)  # it begins where its parent is
    assert new.skill.value == pytest.approx(old.skill.value)
    assert new.sigma > old.sigma
    last = settle(storage, league)
    rows = last.rows()
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert all(1 <= row.best_rank <= row.worst_rank <= 4 for row in rows)
    assert rows[-1].superior is None
    assert len(last.rows(everyone=True)) == 5
    assert last.table.matches == storage.reader.results.count(MatchFilter(league=league.id))
    report = board_report(storage.reader, league, last)
    assert [row["rank"] for row in report.rows] == [1, 2, 3, 4]
    assert collusion_report(storage.reader, league).rows
    for row in report.rows:
        entry = storage.reader.leagues.find_submission(league.id, row["bot"])
        assert entry_facts(last, entry)["standing"] == row
        assert f"rank {row['rank']} (range {row['rank_range']}), " in entry_lines(last, entry)[2]


def test_a_league_without_games_has_a_table(storage: Storage) -> None:
    league = found(storage)
    assert league_leaderboard(storage.reader, league).rows() == []
    enter(storage, league, "a")
    (row,) = league_leaderboard(storage.reader, league).rows()
    assert (row.rank, row.games) == (1, 0)


def test_drift_is_of_the_live_ratings_alone(storage: Storage) -> None:
    tables = {}
    for name, drift in (("still", 0.0), ("moving", 0.5)):
        league = found(storage, name, drift=drift, placement=10, games=30)
        for bot in "abc":
            enter(storage, league, bot)
        begun = agenda(storage, league, parse_rules(league.rules)).due
        assert begun is not None
        play(storage, begun, 24)
        enter(storage, league, "late")
        tables[name] = settle(storage, league)
    still, moving = tables["still"], tables["moving"]
    oldest = min(still.entries), min(moving.entries)
    assert moving.live[oldest[1]].sigma > still.live[oldest[0]].sigma
    assert [row.skill for row in moving.rows()] == [row.skill for row in still.rows()]


def test_faults_are_counted_on(storage: Storage) -> None:
    league = found(storage, games=30)
    for name in "abc":
        enter(storage, league, name)
    now = agenda(storage, league, parse_rules(league.rules)).due
    assert now is not None
    counting = FaultCounter(storage.database, 1)
    since = {entry.entrant: entry.since for entry in storage.reader.leagues.playing(1)}
    assert counting.count(since) == dict.fromkeys(since, (0, {}))
    for most in (2, 5, None):
        play(storage, now, most, faulty=1)
        seen = reliability(storage.database, 1)
        wanted = {id: (each.games, each.faults) for id, each in seen.items()}
        assert wanted[now.entrants[1]][1].keys() == {"exception"}
        assert counting.count(since) == FaultCounter(storage.database, 1).count(since) == wanted
    # Who is let play again begins anew, the others go on; who is out is not counted.
    first, second, _ = since
    late = {first: since[first], second: int(time.time()) + 1000}
    assert counting.count(late) == {first: wanted[first], second: (0, {})}
    assert counting.count(since) == wanted
    elsewhere = FaultCounter(storage.database, 2)
    assert elsewhere.count(since) == dict.fromkeys(since, (0, {}))

"""A league's table: versions, those that left, reliability, and ratings with and without drift."""

import time

import pytest

from arena.league.agenda import agenda
from arena.league.leaderboard import LeagueLeaderboard, board
from arena.league.reports import board_report, collusion_report, entry_facts, entry_lines
from arena.league.rules import parse_rules
from leagues.records import League
from leagues.storage.handle import Storage
from leagues.storage.queries import MatchFilter
from leagues.storage.reliability import FaultCounter, reliability
from tests.arena.league.sample_league import enter, found, play


def settle(roster: Storage, league: League) -> LeagueLeaderboard:
    """Play all that is due, and look at the table."""
    while (due := agenda(roster, league, parse_rules(league.rules)).due) is not None:
        play(roster, due, level=False)
    return board(roster.reader, league)


def test_a_new_version_takes_the_place_of_the_old_one(roster: Storage) -> None:
    league = found(roster, games=40)
    for name in "abcd":
        enter(roster, league, name)
    first = settle(roster, league)
    assert [first.entries[row.entrant].name for row in first.rows()] == ["a", "b", "c", "d"]
    enter(roster, league, "d", version="2")
    fresh = board(roster.reader, league)
    (new,) = (row for row in fresh.rows() if fresh.entries[row.entrant].version == "2")
    old = next(row for row in fresh.rows(everyone=True) if row.entrant == first.rows()[-1].entrant)
    assert new.games == 0
    assert new.mu == pytest.approx(old.skill.value)  # it begins where its parent is
    assert new.sigma > old.sigma
    last = settle(roster, league)
    rows = last.rows()
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert all(1 <= row.best_rank <= row.worst_rank <= 4 for row in rows)
    assert rows[-1].superior is None
    assert len(last.rows(everyone=True)) == 5
    assert last.table.matches == roster.reader.results.count(MatchFilter(league=league.id))
    report = board_report(roster.reader, league, last)
    assert [row["rank"] for row in report.rows] == [1, 2, 3, 4]
    assert collusion_report(league, last).rows
    for row in report.rows:
        entry = roster.reader.leagues.find_submission(league.id, row["bot"])
        assert entry_facts(last, entry)["standing"] == row
        assert f"rank {row['rank']} (range {row['rank_range']}), " in entry_lines(last, entry)[2]


def test_a_league_without_games_has_a_table(roster: Storage) -> None:
    league = found(roster)
    assert board(roster.reader, league).rows() == []
    enter(roster, league, "a")
    (row,) = board(roster.reader, league).rows()
    assert (row.rank, row.games) == (1, 0)


def test_drift_is_of_the_live_ratings_alone(roster: Storage) -> None:
    tables = {}
    for name, drift in (("still", 0.0), ("moving", 0.5)):
        league = found(roster, name, drift=drift, rounds=1, games=30)
        for bot in "abc":
            enter(roster, league, bot)
        settle(roster, league)
        enter(roster, league, "late")
        tables[name] = settle(roster, league)
    still, moving = tables["still"], tables["moving"]
    oldest = min(still.entries), min(moving.entries)
    assert moving.live[oldest[1]].sigma > still.live[oldest[0]].sigma
    assert [row.skill for row in moving.rows()] == [row.skill for row in still.rows()]


def test_faults_are_counted_on(roster: Storage) -> None:
    league = found(roster, games=30)
    for name in "abc":
        enter(roster, league, name)
    now = agenda(roster, league, parse_rules(league.rules)).due
    assert now is not None
    counting = FaultCounter(roster.database, 1)
    since = {entry.entrant: entry.since for entry in roster.reader.leagues.playing(1)}
    assert counting.count(since) == dict.fromkeys(since, (0, {}))
    for most in (2, 5, None):
        play(roster, now, most, faulty=1)
        seen = reliability(roster.database, 1)
        wanted = {id: (each.games, each.faults) for id, each in seen.items()}
        assert wanted[now.entrants[1]][1].keys() == {"exception"}
        assert counting.count(since) == FaultCounter(roster.database, 1).count(since) == wanted
    # Who is let play again begins anew, the others go on; who is out is not counted.
    first, second, _ = since
    late = {first: since[first], second: int(time.time()) + 1000}
    assert counting.count(late) == {first: wanted[first], second: (0, {})}
    assert counting.count(since) == wanted
    elsewhere = FaultCounter(roster.database, 2)
    assert elsewhere.count(since) == dict.fromkeys(since, (0, {}))

"""Seasons: what a league says of itself, its final, and how its bots come along to the next."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from unittest.mock import Mock

import pytest

from arena.league.organiser.moderation import describe_act
from arena.league.organiser.seasons import (
    archive_league,
    begin_final,
    edit_league,
    follow_league,
    promote,
)
from arena.league.planning.agenda import agenda
from arena.league.rules import parse_rules
from arena.league.submit import submit
from engine.errors import ArenaError
from leagues.errors import StorageError
from leagues.ratings.trueskill_fold import Rating
from leagues.records import League, LeagueState, SubmissionState
from leagues.storage.handle import Storage, open_storage
from leagues.submissions.lifecycle import REJECTED_AS_ONE
from tests.arena.league.sample_league import code, enter, folder, found, play


def play_all(storage: Storage, league: League) -> int:
    """Play until nothing is due; the matches."""
    before = storage.reader.results.count()
    rules = parse_rules(storage.reader.leagues.by_id(league.id).rules)
    while due := agenda(storage, league, rules).due:
        play(storage, due, level=False)
    return storage.reader.results.count() - before


def test_a_league_says_what_it_is_and_changes_its_budgets(tmp_path: Path) -> None:
    db = str(tmp_path / "arena.db")
    with open_storage(db) as storage:
        league = found(storage)
    told = {"title": "Spring Cup 2027", "text": "# Prizes\nnone", "closes": "2027-05-31"}
    edit_league("spring", told, {"games": 60}, "announced", "ref", db)
    edit_league("spring", {"title": "Spring Cup"}, {}, "shorter", "ref", db)
    with open_storage(db) as storage:
        row = storage.reader.leagues.by_name("spring")
        assert parse_rules(row.rules).games == 60
        details = storage.reader.leagues.details(league.id)
        assert (details.title, details.text) == ("Spring Cup", "# Prizes\nnone")
        assert [act.reason for act in storage.reader.moderation.acts(league.id)[-2:]] == [
            "announced",
            "shorter",
        ]
        edited = storage.reader.moderation.acts(league.id)[-2]
        assert "text # Prizes none, title Spring Cup 2027" in describe_act(edited)
        assert len(describe_act(replace(edited, facts={"text": "x\n" * 900}))) < 100
        assert not list(storage.reader.results.damages())
    with pytest.raises(ArenaError, match="got players: they decide what a match is"):
        edit_league("spring", {}, {"players": "2"}, "", "ref", db)
    with pytest.raises(ArenaError, match="expected a date like 2027-03-31, got soon"):
        edit_league("spring", {"opens": "soon"}, {}, "", "ref", db)
    with pytest.raises(ArenaError, match="expected something to change"):
        edit_league("spring", {}, {}, "", "ref", db)


def test_a_final_plays_more_games_on_deals_nobody_could_know(tmp_path: Path) -> None:
    db = str(tmp_path / "arena.db")
    with open_storage(db) as storage:
        league = found(storage, players="2", games=4, extra=0, final=8)
        for name in ("ann", "bob", "cyd"):
            enter(storage, league, "bot", name)
        play_all(storage, league)
        stages = len(storage.reader.stages.of_league(league.id))
    said = begin_final("spring", "deadline", "ref", db)
    with open_storage(db) as storage:
        final = storage.reader.leagues.final(league.id)
        assert final is not None
        assert final.seed_sha256 == sha256(final.seed.encode()).hexdigest()
        assert final.seed_sha256 in said
        assert final.seed not in said
        assert final.seed not in str(storage.reader.moderation.acts())
        with pytest.raises(StorageError, match="takes submissions, got one that is FINAL"):
            submit(storage, league, code("late"), "dan")
        assert play_all(storage, league) >= 3 * 8 / 2
        added = storage.reader.stages.of_league(league.id)[stages:]
        assert {tournament.seed for _, tournament in added}.isdisjoint(
            tournament.seed for _, tournament in storage.reader.stages.of_league(league.id)[:stages]
        )
        with pytest.raises(StorageError, match="spring is FINAL: expected CLOSED"):
            storage.leagues.set_league_state(league.id, LeagueState.OPEN)
        assert not list(storage.reader.results.damages())


def test_a_final_begins_with_its_seed_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = str(tmp_path / "arena.db")
    with open_storage(db) as storage:
        league = found(storage)
        with monkeypatch.context() as patched:
            patched.setattr(
                "leagues.storage.leagues.draw_final", Mock(side_effect=KeyboardInterrupt)
            )
            with pytest.raises(KeyboardInterrupt):
                begin_final("spring", "deadline", "ref", db)
        assert storage.reader.leagues.state(league.id) == LeagueState.OPEN
        begin_final("spring", "deadline", "ref", db)
        assert storage.reader.leagues.state(league.id) == LeagueState.FINAL
        assert storage.reader.leagues.final(league.id) is not None


def test_the_next_season_begins_where_the_last_ended(tmp_path: Path) -> None:
    db = str(tmp_path / "arena.db")
    with open_storage(db) as storage:
        league = found(storage, players="2", games=6, extra=0)
        for name in ("ann", "bob", "cyd", "dan"):
            enter(storage, league, "bot", name)
        play_all(storage, league)
    with pytest.raises(ArenaError, match="expected a league that is CLOSED, got spring"):
        follow_league(["spring"], "autumn", 0, "ref", db)
    with open_storage(db) as storage:
        storage.leagues.set_league_state(league.id, LeagueState.CLOSED, "over", "ref")
    (said,) = follow_league(["spring"], "autumn", 0, "ref", db)
    assert said.startswith("autumn: season 2, 4 bots")
    with open_storage(db) as storage:
        autumn = storage.reader.leagues.by_name("autumn")
        assert len(storage.reader.leagues.playing(autumn.id)) == 4
        details = storage.reader.leagues.details(autumn.id)
        assert (details.season, details.previous, details.division) == (2, "spring", 0)
        assert storage.reader.leagues.details(league.id).following == ("autumn",)
        assert not list(storage.reader.results.damages())
        # A new version of a bot that came along is one of the same bot.
        new, _ = submit(storage, autumn, folder("bot", "2"), "ann")
        assert new.parent is not None
    with pytest.raises(ArenaError, match="which is a league already"):
        follow_league(["spring"], "autumn", 0, "ref", db)


def test_a_large_field_is_cut_into_divisions(tmp_path: Path) -> None:
    db = str(tmp_path / "arena.db")
    with open_storage(db) as storage:
        league = found(storage, players="2", games=4, extra=0)
        for number in range(6):
            enter(storage, league, "bot", f"owner{number}")
        play_all(storage, league)
        storage.leagues.set_league_state(league.id, LeagueState.CLOSED)
    assert len(follow_league(["spring"], "autumn", 2, "ref", db)) == 2
    with open_storage(db) as storage:
        upper = storage.reader.leagues.by_name("autumn-d1")
        assert {e.owner for e in storage.reader.leagues.playing(upper.id)} == {
            "owner0",
            "owner1",
            "owner2",
        }
        assert storage.reader.leagues.details(upper.id).division == 1
        lower = storage.reader.leagues.by_name("autumn-d2")
        with pytest.raises(StorageError, match="in the lowest division, autumn-d2, got one in aut"):
            submit(storage, upper, folder("new", "1"), "owner0")
        assert submit(storage, lower, folder("new", "1"), "owner0")[1]
        with pytest.raises(StorageError, match="in autumn-d1, its division, got one in autumn-d2"):
            submit(storage, lower, folder("bot", "2"), "owner0")
        assert submit(storage, upper, folder("bot", "2"), "owner0")[1]


def test_the_best_go_up_and_the_last_go_down() -> None:
    rating = Rating()
    divisions = [[(10 * at + place, rating) for place in range(6)] for at in range(3)]
    made = promote(divisions, 3)  # but no more than a third
    assert [[bot for bot, _ in field] for field in made] == [
        [0, 1, 2, 3, 10, 11],
        [4, 5, 12, 13, 20, 21],
        [14, 15, 22, 23, 24, 25],
    ]


def test_an_archived_league_is_shown_again_only_as_it_was(tmp_path: Path) -> None:
    db = str(tmp_path / "arena.db")
    with open_storage(db) as storage:
        league = found(storage)
        storage.leagues.set_league_state(league.id, LeagueState.CLOSED)
    assert archive_league("spring", False, "a mistake", "ref", db) == "spring is ARCHIVED"
    with open_storage(db) as storage, pytest.raises(StorageError, match="permanently ARCHIVED"):
        storage.leagues.set_league_state(league.id, LeagueState.OPEN)
    assert archive_league("spring", True, "it was none", "ref", db) == "spring is CLOSED"
    with pytest.raises(ArenaError, match="expected a league that is ARCHIVED"):
        archive_league("spring", True, "again", "ref", db)


def test_an_owner_has_so_many_bots_and_rejected_ones_count_less(storage: Storage) -> None:
    league = found(storage, active=2, submissions=2)
    first = enter(storage, league, "one", "ann")
    for number in range(REJECTED_AS_ONE - 1):
        entry, _ = submit(storage, league, code("two", note=str(number)), "ann")
        storage.leagues.set_submission_state(entry.id, SubmissionState.REJECTED, "broken")
    enter(storage, league, "two", "ann")
    with pytest.raises(StorageError, match="expected at most 2 bots of an owner that play"):
        submit(storage, league, code("three"), "ann")
    with pytest.raises(StorageError, match="too many submissions: 2 a day"):
        submit(storage, league, code("two", note="mended"), "ann")
    storage.leagues.set_submission_state(first.id, SubmissionState.WITHDRAWN)
    with pytest.raises(StorageError, match="too many submissions"):
        submit(storage, league, code("three"), "ann")

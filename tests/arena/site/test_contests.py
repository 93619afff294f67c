"""What is read for a page: a contest once in a while, lists in few questions, a row for one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from arena.site.app.factory import create_app
from arena.site.cache import Cache
from arena.site.contests import AGE_PER_COST, MAX_AGE, MAX_CONTESTS, MIN_AGE, Contests
from arena.site.links import Links, address
from arena.site.pages.leaderboards import PAGE, board_page
from arena.site.static_build import build
from leagues.ratings.leaderboard import build_leaderboard
from leagues.records import LeagueState, StageKind, SubmissionState
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import Storage
from leagues.storage.match_filter import MatchFilter
from tests.arena.site.markup import Markup
from tests.arena.site.sample_site import TABLES, Visitor, played, stock
from tests.support.setups import random_match

pytestmark = pytest.mark.slow


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with stock(tmp_path / "arena.db", 12) as it:
        yield it


@contextmanager
def questions(storage: Storage) -> Iterator[list[str]]:
    """What the database is asked meanwhile."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    sa.event.listen(storage.database.engine, "before_cursor_execute", note)
    yield asked
    sa.event.remove(storage.database.engine, "before_cursor_execute", note)


def matches_read(asked: list[str]) -> int:
    """How many of the questions are about matches."""
    return sum('FROM "match"' in " ".join(statement.split()) for statement in asked)


def test_a_whole_leaderboard_is_made_of_stored_ratings(storage: Storage) -> None:
    contest = Contests(storage.reader).tournament(1)
    with questions(storage) as asked:
        found = {game: contest.whole_board(game) for game in contest.games}
    assert asked
    assert [statement for statement in asked if "FROM seat" in " ".join(statement.split())] == []
    for game, log in contest.logs.items():
        assert found[game].rows == build_leaderboard(log).rows
        assert contest.board(log) is found[game]


def test_when_each_bot_played_last_takes_two_questions(storage: Storage) -> None:
    bots = [each.id for each in storage.reader.results.entrants(1)]
    row = storage.results.get_or_create_tournament("later", 9, {}, bots)
    storage.results.add(row.id, [played(bots, 0)], at=1_800_000_000)  # the first and the second
    storage.results.add(row.id, [played(bots, 3)], at=1_800_000_060)  # the fourth and the first
    contest = Contests(storage.reader).tournament(row.id)
    (game,) = contest.games
    contest.whole_board(game)
    with questions(storage) as asked:
        last = contest.last_played(game)
        assert contest.last_played(game) is last
    assert last == {bots[0]: 1_800_000_060, bots[1]: 1_800_000_000, bots[3]: 1_800_000_060}
    assert matches_read(asked) == 2  # which are the last, and when they were


def test_the_last_match_that_counts_is_found_however_long_ago(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leagues.storage.queries.LOOKED_BACK", 1)
    results = storage.reader.results
    for tournament in (1, 2):
        which = MatchFilter(tournament=tournament)
        for unrated in (False, True):
            logs = results.logs(which, unrated)
            for game, log in logs.items():
                of_game = replace(which, game=game)
                last = results.last_matches(of_game, unrated, log.entrants)
                assert last == log.last_matches()
    log = results.logs(MatchFilter(tournament=1))["architects"]
    entrant, match = next(iter(log.last_matches().items()))
    storage.results.exclude(match, "by a test")
    which = MatchFilter(tournament=1, game="architects")
    after = results.logs(which)["architects"].last_matches()
    assert after[entrant] < match
    assert results.last_matches(which, False, log.entrants) == after


def test_a_leaderboard_reads_no_match(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.site.pages.leaderboards.MAX_CURVES", 0)
    contest = Contests(storage.reader).tournament(2)
    counts = {game: log.counts() for game, log in contest.logs.items()}
    again = Contests(storage.reader).tournament(2)
    monkeypatch.setattr(type(again.source), "results", None)
    assert {game: again.counts(game) for game in again.games} == counts
    assert "last played" in board_page(again, Links(address(again.path)), None, None)


def begin(storage: Storage, many: int) -> None:
    bots = [each.id for each in storage.reader.results.entrants(1)]
    for number in range(many):
        row = storage.results.get_or_create_tournament(f"more {number}", number, {}, bots)
        storage.results.add(row.id, [played(bots, number)])


def add_match(storage: Storage, number: int) -> None:
    ((_, stage),) = storage.reader.stages.of_league(1)
    bots = tuple(entry.entrant for entry in storage.reader.leagues.submissions(1)[:2])
    result = random_match(TABLES[0], number)
    storage.results.add(
        stage.id, [ScheduledResult(number, f"summer-{number}", "balanced", 0, bots, result)]
    )


def test_a_league_that_is_played_is_read_once_in_a_while(storage: Storage) -> None:
    clock = Clock()
    contests = Contests(storage.reader, clock=clock)
    first = contests.league("summer")
    assert (first.matches, len(first.logs["architects"])) == (4, 4)
    for number in range(4, 8):
        add_match(storage, number)
        clock.now += MIN_AGE / 5
        assert contests.league("summer") is first
    with questions(storage) as asked:
        assert len(contests.league("summer").logs["architects"]) == 4
    assert asked  # who is in it
    assert matches_read(asked) == 0
    clock.now = MIN_AGE
    again = contests.league("summer")
    assert (again.matches, len(again.logs["architects"])) == (8, 8)
    assert len(contests._contests) == 1


def test_what_is_not_played_is_kept_for_longer_yet_not_for_ever(storage: Storage) -> None:
    clock = Clock()
    contests = Contests(storage.reader, clock=clock)
    summer, spring = contests.league("summer"), contests.tournament(1)
    clock.now = MAX_AGE - 1
    assert contests.league("summer") is summer
    assert contests.tournament(1) is spring
    clock.now = MAX_AGE
    assert contests.league("summer") is not summer
    assert contests.tournament(1) is not spring


def test_what_takes_long_is_not_made_all_the_time(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, computed = Clock(), Clock()
    monkeypatch.setattr("arena.site.cache.thread_time", lambda: computed.now)
    contests = Contests(storage.reader, clock=clock)
    first = contests.league("summer")

    def wait() -> None:
        clock.now += 2 * MIN_AGE

    def compute() -> None:
        clock.now += 2 * MIN_AGE
        computed.now += 2 * MIN_AGE

    first.cache.get_or_create("waited for", wait)  # a busy machine: that is no cost
    first.cache.get_or_create("computed", compute)
    add_match(storage, 4)
    clock.now = 2 * MIN_AGE * AGE_PER_COST - 1
    assert contests.league("summer") is first
    clock.now += 1
    assert contests.league("summer").matches == 5


def test_what_becomes_of_a_league_or_a_bot_is_seen_at_once(storage: Storage) -> None:
    contests = Contests(storage.reader, clock=Clock())
    assert contests.league("summer").playing == 2
    storage.leagues.set_submission_state(1, SubmissionState.WITHDRAWN)
    assert contests.league("summer").playing == 1
    storage.leagues.set_league_state(1, LeagueState.CLOSED)
    assert contests.league("summer").seed == "5"


def test_a_page_makes_what_it_shows_and_no_more(storage: Storage) -> None:
    storage.ratings.complete()
    summer = Contests(storage.reader).league("summer")
    with questions(storage) as asked:
        log = summer.logs["architects"]
        for players in (None, 2):
            assert [row.games for row in summer.board(log, players).rows] == [4, 4]
    # The log, and the last match there is: none is newer than the stored ratings.
    assert matches_read(asked) == 2


def test_lists_say_of_a_contest_what_its_results_say(storage: Storage) -> None:
    begin(storage, 2)
    storage.results.exclude(storage.reader.results.ids(limit=1)[0], "spoiled")
    contests = Contests(storage.reader)
    found = contests.tournaments(9)
    assert [each.name for each in found][:3] == ["more 1", "more 0", "empty"]
    for each in found:
        contest = contests.contest(each.path)
        assert each.games == contest.games == tuple(contest.logs)
        assert each.bots == tuple(contest.entrants)
        assert each.matches == storage.reader.results.count(contest.which)
    assert [each.rated for each in found] == [True, True, True, False, True]
    assert found[0].games == ()  # its match is excluded


def test_a_list_takes_as_many_questions_however_long_it_is(storage: Storage) -> None:
    visitor = Visitor(create_app(storage))
    with questions(storage) as few:
        assert len(visitor.get("/api/tournaments?most=3").json()) == 3
    begin(storage, 9)
    with questions(storage) as many:
        assert len(visitor.get("/api/tournaments").json()) == 12
    assert len(many) == len(few)
    names = [row["name"] for row in visitor.get("/api/tournaments?most=2&after=1").json()]
    assert names == ["more 7", "more 6"]


def test_a_match_takes_as_many_questions_whatever_else_is_stored(storage: Storage) -> None:
    def look(match: int) -> int:
        visitor = Visitor(create_app(storage))
        with questions(storage) as asked:
            assert visitor.get(f"/matches/{match}").status_code == 200
        return len(asked)

    before = [look(match) for match in (1, 20)]
    begin(storage, 3)
    for name in ("autumn", "winter"):
        league = storage.leagues.create(name, storage.reader.leagues.by_name("summer").rules, 1)
        assert storage.stages.open_stage(league, 1, StageKind.BALANCED, 1, {}, [])
    assert [look(match) for match in (1, 20)] == before


def test_the_league_of_matches_is_asked_once(storage: Storage) -> None:
    contests = Contests(storage.reader, static=True)
    contests.contest_of(contests.match(1))
    with questions(storage) as asked:
        contests.contest_of(contests.match(1))
    assert asked == []


@pytest.mark.slow
def test_old_tournaments_are_on_further_pages(storage: Storage, tmp_path: Path) -> None:
    begin(storage, PAGE)
    visitor = Visitor(create_app(storage))
    pages = [visitor.get(url) for url in ("/", "/?page=2", "/?page=3")]
    assert [page.status_code for page in pages] == [200, 200, 404]
    found = []
    for page in pages[:2]:
        links = [tag["href"] or "" for tag in Markup(page.text).with_attribute("href")]
        found += [link for link in links if link.startswith("/tournaments/")]
    newest = PAGE + 4  # one of the numbers before is a stage of the league
    assert found == [f"/tournaments/{id}" for id in range(newest, 0, -1) if id != 4]
    assert "/leagues/summer" not in pages[1].text
    build(Contests(storage.reader), tmp_path / "site", replays=0)
    assert "tournaments/1/" in (tmp_path / "site/page-2.html").read_text()


def test_a_shelf_has_room_for_few() -> None:
    cache = Cache(MAX_CONTESTS)
    for key in range(3 * MAX_CONTESTS):
        cache.get_or_create(key, object)
    assert len(cache) == len(cache._locks) == MAX_CONTESTS

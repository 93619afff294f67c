"""What fails without a bot's doing: tried again, held against nobody, told at the end."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from arena import log_config
from arena.cli import run
from arena.cluster.workers import Workers
from arena.league.planning.agenda import Agenda, agenda
from arena.league.retry import RetryList
from arena.league.rules import LeagueRules, parse_rules
from arena.league.submit import submit
from arena.league.unpacked_bots import WorkerOptions
from arena.league.worker import LeagueWorker, open_league_worker
from arena.playing import worker
from arena.playing.conformance import BotCheck, CheckStep
from arena.playing.machine_failures import RETRY, RetryPolicy
from arena.playing.runner import MatchOutcome, NotPlayed
from arena.tempdirs import TempFolder
from bots.sandbox.errors import SandboxError
from engine.errors import ArenaError
from engine.match import FaultKind, MatchResult, MatchSpec
from leagues.records import League, LeagueState, SubmissionState
from leagues.storage import leases
from leagues.storage.handle import Storage, open_storage
from leagues.storage.leases import LeasesWriter
from tests.arena.league.sample_league import FIRST, code, enter, found, play

pytestmark = pytest.mark.slow

OPTIONS = WorkerOptions(Workers(1), in_process=True)
AT_ONCE = RetryPolicy(delay=0.0)


@pytest.fixture
def league_worker(storage: Storage) -> Iterator[LeagueWorker]:
    with (
        log_config.SharedLog(worker.SPAWN) as queue,
        open_league_worker(storage, OPTIONS, queue) as opened,
    ):
        yield opened


def receive(storage: Storage, *names: str) -> None:
    league = found(storage)
    storage.leagues.set_league_state(
        1, LeagueState.PAUSED
    )  # in which bots are checked, and nothing is played
    for name in names:
        submit(storage, league, code(name, FIRST, name), f"o-{name}")


def states(storage: Storage) -> dict[str, str]:
    return {entry.name: entry.state for entry in storage.reader.leagues.submissions(1)}


@contextmanager
def failing(problem: Callable[[str], Exception | None]) -> Iterator[None]:
    """Bots pass their checks, but those that a problem is known of."""

    def run(check: BotCheck) -> Iterator[CheckStep]:
        found = problem(check.manifest.name)
        if found is not None:
            raise found
        yield CheckStep(1, "is there", "ok", "yes")

    with patch.object(BotCheck, "run", run):
        yield


def test_a_starved_moment_costs_nobody_a_check(
    storage: Storage, league_worker: LeagueWorker
) -> None:
    receive(storage, "one")
    moments = [SandboxError("starved")] * (RETRY.attempts - 1)
    with failing(lambda _: moments.pop() if moments else None):
        league_worker.work([], follow=False)
    assert states(storage) == {"one": "ACCEPTED"}
    league_worker.retries.raise_first()


def test_a_machine_that_stays_ill_is_told_at_the_end(
    storage: Storage, league_worker: LeagueWorker
) -> None:
    receive(storage, "ill", "well")
    tried = []

    def problem(name: str) -> Exception | None:
        tried.append(name)
        return SandboxError("starved", FaultKind.TIME) if name == "ill" else None

    league_worker.retries.policy = AT_ONCE
    with failing(problem):
        league_worker.work([], follow=False)
    assert states(storage) == {"ill": "RECEIVED", "well": "ACCEPTED"}
    assert tried.count("ill") == RETRY.attempts * RETRY.max_deferrals
    with pytest.raises(SandboxError, match="starved"):
        league_worker.retries.raise_first()


def test_a_bot_that_the_machine_never_checks_is_rejected_if_it_works_without(
    storage: Storage, league_worker: LeagueWorker
) -> None:
    receive(storage, "ill", "well")
    tried = []

    def problem(name: str) -> Exception | None:
        tried.append(name)
        return SandboxError("the container ended") if name == "ill" else None

    league_worker.retries.policy = AT_ONCE
    with failing(problem):
        league_worker.work([], follow=False)
    assert states(storage) == {"ill": "REJECTED", "well": "ACCEPTED"}
    assert tried.count("ill") == RETRY.attempts * RETRY.max_deferrals
    league_worker.retries.raise_first()


def test_an_error_of_ours_at_one_bot_leaves_the_others_their_checks(
    storage: Storage, league_worker: LeagueWorker, caplog: pytest.LogCaptureFixture
) -> None:
    receive(storage, "one", "two", "three")
    tried = []

    def problem(name: str) -> Exception | None:
        tried.append(name)
        return ZeroDivisionError("ours") if name == "one" else None

    logging.getLogger("arena").addHandler(caplog.handler)
    with failing(problem):
        league_worker.work([], follow=False)
    logging.getLogger("arena").removeHandler(caplog.handler)
    assert states(storage) == {"one": "RECEIVED", "two": "ACCEPTED", "three": "ACCEPTED"}
    assert tried.count("one") == 1
    assert "o-one/one@" in caplog.text
    assert "Traceback" in caplog.text
    with pytest.raises(ZeroDivisionError):
        league_worker.retries.raise_first()
    # Another worker, of a program that was mended, has the check to itself.
    assert not storage.reader.leases.is_claimed(leases.check_task(1))
    storage.leagues.set_submission_state(1, SubmissionState.ACCEPTED)
    league_worker.work([], follow=False)
    league_worker.retries.raise_first()


def test_an_error_of_ours_is_how_the_command_ends(tmp_path: Path) -> None:
    place = str(tmp_path / "arena.db")
    with open_storage(place) as storage:
        receive(storage, "one", "two")
    words = ["league", "work", "--in-process", "--jobs", "1", "--db", place]

    def problem(name: str) -> Exception | None:
        return ZeroDivisionError("ours") if name == "one" else None

    with failing(problem), pytest.raises(ZeroDivisionError):
        run(words)
    with open_storage(place) as storage:
        assert states(storage) == {"one": "RECEIVED", "two": "ACCEPTED"}
        assert storage.reader.leases.active_workers() == {}
    with failing(lambda _: None):
        assert not run(words)


@contextmanager
def played_in_threads(problem: Callable[[MatchSpec], NotPlayed | None]) -> Iterator[None]:
    """Matches without games, but where there is trouble."""

    def outcome(spec: MatchSpec) -> MatchOutcome:
        seats = len(spec.bots)
        return problem(spec) or MatchResult(spec, [1, 2], [9] * seats, [0] * seats)

    with (
        patch.object(worker, "play", lambda specs: [outcome(spec) for spec in specs]),
        patch.object(worker, "open_pool", lambda *_: ThreadPoolExecutor(1)),
    ):
        yield


@pytest.mark.parametrize("ours", [True, False])
def test_a_match_that_cannot_be_played_keeps_no_other_from_it(
    storage: Storage, league_worker: LeagueWorker, ours: bool
) -> None:
    league = found(storage, players="2", games=12, extra=0)
    for name in "ab":
        enter(storage, league, name)
    due = agenda(storage, league, parse_rules(league.rules)).due
    assert due is not None
    unplayable = due.fixtures[1].spec.seed, due.fixtures[1].spec.bots
    tried = []

    def problem(spec: MatchSpec) -> NotPlayed | None:
        if (spec.seed, spec.bots) != unplayable:
            return None
        tried.append(spec)
        return NotPlayed("ZeroDivisionError: of ours", ours)

    league_worker.retries.policy = AT_ONCE
    with played_in_threads(problem):
        league_worker.work([], follow=False)
    stage = due.stage.tournament
    assert set(range(len(due.fixtures))) - set(storage.reader.results.played(stage)) == {1}
    assert len(tried) == (1 if ours else RETRY.max_deferrals)
    assert [incident.number for incident in storage.reader.results.incidents(stage)] == [1] * len(
        tried
    )
    with pytest.raises(ArenaError, match="spring/1-1 was not played: ZeroDiv") as told:
        league_worker.retries.raise_first()
    assert isinstance(told.value, SandboxError) == (not ours)
    # When another worker has played it there is nothing to be told.
    play(storage, due, numbers=[1])
    storage.leagues.set_league_state(1, LeagueState.PAUSED)
    league_worker.work([], follow=False)
    league_worker.retries.raise_first()


def test_a_league_at_rest_is_not_fitted_again_and_again(
    storage: Storage, league_worker: LeagueWorker
) -> None:
    league = found(storage, games=5, extra=0)
    for name in "abc":
        enter(storage, league, name)
    other = found(storage, "autumn")
    due = agenda(storage, league, parse_rules(league.rules)).due
    assert due is not None
    play(storage, due)
    (match, *_) = storage.reader.results.ids()
    changes = [
        lambda: None,
        lambda: None,
        lambda: storage.results.exclude(match, "odd"),
        lambda: enter(storage, other, "d"),
        lambda: storage.leagues.set_league_state(1, LeagueState.FROZEN),
        lambda: storage.leagues.set_submission_state(
            storage.reader.leagues.submissions(1)[0].id, SubmissionState.WITHDRAWN
        ),
        league_worker.stop,
    ]
    looks: list[list[str]] = [[]]

    def look(storage: Storage, league: League, rules: LeagueRules, may_open: bool) -> Agenda:
        looks[-1].append(league.name)
        return agenda(storage, league, rules, may_open)

    def rest(seconds: float) -> None:
        looks.append([])
        changes.pop(0)()

    with patch("arena.league.worker.agenda", look), patch.object(league_worker, "_pause", rest):
        league_worker.work([], follow=True)
    both, spring = ["spring", "autumn"], ["spring"]
    replaced = [*spring, *spring]  # by a match for the one that was taken out
    assert looks == [both, [], [], replaced, ["autumn"], spring, spring, []]


@pytest.mark.parametrize("step", ["register", "unregister"])
def test_a_database_that_fails_leaves_no_folder(storage: Storage, step: str) -> None:
    made: list[TempFolder] = []
    begin = TempFolder.__init__

    def remember(scratch: TempFolder) -> None:
        begin(scratch)
        made.append(scratch)

    with (
        log_config.SharedLog(worker.SPAWN) as queue,
        patch.object(TempFolder, "__init__", remember),
        patch.object(LeasesWriter, step, side_effect=ArenaError("no database")),
        pytest.raises(ArenaError, match="no database"),
        open_league_worker(storage, OPTIONS, queue),
    ):
        assert step == "leave"
    assert [scratch.path.exists() for scratch in made] == [False]


def test_what_the_machine_spoils_is_tried_later_and_later() -> None:
    now = 0.0
    retries = RetryList(clock=lambda: now)
    retries.endless = True
    assert not retries
    for failures in range(1, RETRY.max_deferrals + 1):
        retries.defer("check/1", SandboxError("starved"))
        assert retries.is_exhausted("check/1") == (failures == RETRY.max_deferrals)
        now += RETRY.delay * 2 ** (failures - 1) - 1
        assert "check/1" in retries
        now += 1
        assert "check/1" not in retries
    retries.endless = False
    assert "check/1" in retries
    retries.defer("check/2", ValueError("ours"))
    now += 1e9
    assert "check/2" in retries
    with pytest.raises(ValueError, match="ours"):
        retries.raise_first()
    retries.drop("check/2")
    with pytest.raises(SandboxError):
        retries.raise_first()

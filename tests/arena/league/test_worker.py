"""Workers: checks, stages and suspensions; several on one database, some of them killed."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from arena.league.planning.agenda import is_played
from arena.league.rules import LeagueRules
from arena.league.submit import submit as hand_in
from arena.league.unpacked_bots import WorkerOptions, league_isolation
from arena.new_bot import BotTemplate, write
from engine.errors import ArenaError
from leagues.records import LeagueState, SubmissionState
from leagues.storage.handle import Storage, open_storage
from tests.arena.league.sample_league import BROKEN, FIRST, FLAKY, LAST, code, found
from tests.support.command import arena, environment
from tests.support.waiting import wait_until

pytestmark = pytest.mark.slow

FAST = ("--in-process", "--jobs", "2")
BOTS = {"first": FIRST, "last": LAST, "third": FIRST + "# third\n", "broken": BROKEN}


def submit(place: str, **bots: str) -> None:
    with open_storage(place) as storage:
        for name, source in bots.items():
            hand_in(
                storage, storage.reader.leagues.by_name("spring"), code(name, source), f"o-{name}"
            )


def accept(place: str) -> None:
    """Everybody, without a check."""
    with open_storage(place) as storage:
        for entry in storage.reader.leagues.submissions(1):
            storage.leagues.set_submission_state(entry.id, SubmissionState.ACCEPTED)


def start(place: str, folder: Path, *more: str, **extra: str) -> "subprocess.Popen[str]":
    words = ("league", "work", "spring", *FAST, "--lease", "2", "--db", place, *more)
    return subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        env=environment(**extra),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def work(place: str, folder: Path, *more: str) -> str:
    process = start(place, folder, *more)
    _, errors = process.communicate(timeout=200)
    assert process.returncode == 0, errors
    return errors


def assert_whole(storage: Storage) -> int:
    """Every match of every stage that was not given up is there once; how many matches."""
    league = storage.reader.leagues.by_name("spring").id
    counts = storage.reader.stages.matches_by_stage(league)
    stages = storage.reader.stages.of_league(league)
    assert all(is_played(tournament, counts) for _, tournament in stages)
    for stage, tournament in stages:
        wanted = len(json.loads(tournament.config)["tables"])
        assert list(storage.reader.results.played(stage.tournament)) == list(range(wanted))
    assert not list(storage.reader.results.damages())
    return sum(counts.values())


def test_a_league_from_its_bots_to_its_table(tmp_path: Path) -> None:
    place = str(tmp_path / "arena.db")
    with open_storage(place) as storage:
        found(storage, games=30)
    submit(place, **BOTS)
    errors = work(place, tmp_path)
    with open_storage(place) as storage:
        states = {entry.name: entry for entry in storage.reader.leagues.submissions(1)}
        assert {name: entry.status for name, entry in states.items()} == {
            "first": "ACCEPTED",
            "last": "ACCEPTED",
            "third": "ACCEPTED",
            "broken": "REJECTED",
        }
        broken = states["broken"]
        assert broken.reason.endswith("RuntimeError: <b>broken</b> twice (broken.py, line 3)")
        assert "step 3, whole games" in broken.reason
        assert 'File "broken.py", line 3, in decide' in broken.detail
        assert "\x1b" not in broken.detail
        kinds = [stage.kind for stage, _ in storage.reader.stages.of_league(1)]
        assert kinds[0] == "balanced"
        played = assert_whole(storage)
    assert f"{played} matches played" in errors
    assert "matches played" not in work(place, tmp_path)
    table = arena("league", "table", "spring", "-o", "json", "--db", place, cwd=tmp_path)
    rows = json.loads(table.stdout)
    assert {row["bot"].partition("@")[0] for row in rows} == {
        "o-first/first",
        "o-last/last",
        "o-third/third",
    }
    assert [row["rank"] for row in rows] == [1, 2, 3]
    whole = arena(
        "rank", "effects", "--tournament", "spring", "--unrated", "--db", place, cwd=tmp_path
    )
    assert f"{played} matches" in whole.stdout
    # A new version begins where its parent was, and the old one leaves the table.
    submit(place, last=LAST + "# better\n")
    work(place, tmp_path)
    with open_storage(place) as storage:
        assert "placement" in [stage.kind for stage, _ in storage.reader.stages.of_league(1)]
    table = arena("league", "table", "spring", "--all", "-o", "json", "--db", place, cwd=tmp_path)
    states_now = Counter(row["state"] for row in json.loads(table.stdout))
    assert states_now == {"ACCEPTED": 3, "RETIRED": 1}


def test_who_fails_too_often_is_suspended_and_the_rest_goes_on(tmp_path: Path) -> None:
    place = str(tmp_path / "arena.db")
    with open_storage(place) as storage:
        found(storage, games=60)
    submit(place, first=FIRST, last=LAST, flaky=FLAKY)
    accept(place)  # luck would have to be good to pass the check
    errors = work(place, tmp_path)
    with open_storage(place) as storage:
        flaky = storage.reader.leagues.find_submission(1, "flaky")
        assert flaky.status == "SUSPENDED"
        found_words = re.fullmatch(
            r"it failed in (\d+) of (\d+) games: (\d+) exception", flaky.reason
        )
        assert found_words is not None
        failed, games, _ = map(int, found_words.groups())
        assert games >= 20
        assert failed > 0.2 * games
        assert flaky.reason in errors
        # What comes after the stage it was in is without it.
        for stage, _ in storage.reader.stages.of_league(1)[1:]:
            field = {entrant.id for entrant in storage.reader.results.entrants(stage.tournament)}
            assert flaky.entrant not in field
        storage.leagues.set_submission_state(flaky.id, SubmissionState.RESUMED, "mended")
        assert [entry.name for entry in storage.reader.leagues.playing(1)] == [
            "first",
            "last",
            "flaky",
        ]


def played_lines(*logs: Path) -> Counter[str]:
    """What workers say they played."""
    text = "".join(log.read_text() for log in logs)
    return Counter(re.findall(r"match architects (\d+): [^\n]*: ranks", text))


def test_two_workers_play_nothing_twice(place: str, tmp_path: Path) -> None:
    with open_storage(place) as storage:
        found(storage, games=60, extra=0)  # enough for both, as a rule
    submit(place, first=FIRST, last=LAST, third=FIRST + "# 3\n", more=LAST + "# 4\n")
    logs = [tmp_path / f"{number}.log" for number in range(2)]
    both = [start(place, tmp_path, "--log-file", str(log), "-v") for log in logs]
    for process in both:
        _, errors = process.communicate(timeout=200)
        assert process.returncode == 0, errors
    with open_storage(place) as storage:
        played = assert_whole(storage)
        checks = [
            event for entry in storage.reader.leagues.submissions(1) for event in entry.events
        ]
        assert Counter(event.state for event in checks) == {"RECEIVED": 4, "ACCEPTED": 4}
    assert sum(played_lines(*logs).values()) == played


def test_workers_that_are_killed_lose_nothing(place: str, tmp_path: Path) -> None:
    dice = random.Random(4)
    with open_storage(place) as storage:
        found(storage, games=100, extra=0)
    submit(place, first=FIRST, last=LAST, third=FIRST + "# 3\n")
    accept(place)
    with open_storage(place) as storage:
        workers = [start(place, tmp_path) for _ in range(2)]
        stored = []
        killed = 0
        for _ in range(3):
            before = sum(storage.reader.stages.matches_by_stage(1).values())
            end = time.monotonic() + 60
            while (
                sum(storage.reader.stages.matches_by_stage(1).values()) == before
                and time.monotonic() < end
            ):
                if workers[0].poll() is not None:
                    break
                time.sleep(0.02)
            time.sleep(dice.uniform(0.0, 0.3))
            workers[0].kill()
            workers[0].communicate()
            killed += workers[0].returncode == -signal.SIGKILL
            stored.append(sum(storage.reader.stages.matches_by_stage(1).values()))
            workers = [workers[1], start(place, tmp_path)]
        assert stored == sorted(stored)
        assert killed, "every worker had ended by itself"
        for process in workers:
            _, errors = process.communicate(timeout=200)
            assert process.returncode == 0, errors
        assert_whole(storage)


def test_what_a_killed_worker_unpacked_is_cleared_by_the_next_command(tmp_path: Path) -> None:
    place = str(tmp_path / "arena.db")
    temp = tmp_path / "temp"
    temp.mkdir()
    with open_storage(place) as storage:
        found(storage, games=5000)
        submit(place, first=FIRST, last=LAST)
        accept(place)
        workers: list[subprocess.Popen[str]] = []

        def unpacked(files: int) -> bool:
            return len(list(temp.glob("arena-*/*/bot/*.py"))) >= files

        for count in (1, 2):
            workers.append(start(place, tmp_path, "--follow", TMPDIR=str(temp)))
            wait_until(partial(unpacked, 2 * count), workers[-1])
            if count == 1:
                (dead,) = temp.glob("arena-*")
        (living,) = set(temp.glob("arena-*")) - {dead}
        workers[0].kill()
        workers[0].communicate()
        assert dead.exists()
        (tmp_path / "new.py").write_text(FIRST + "# new\n", "utf-8")
        words = ("league", "submit", "spring", tmp_path / "new.py", "--db", place)
        assert arena(*words, cwd=tmp_path, TMPDIR=str(temp)).returncode == 0
        assert list(temp.glob("arena-*")) == [living]
        workers[1].terminate()
        workers[1].communicate(timeout=100)
        assert list(temp.glob("arena-*")) == []


def test_stopped_it_says_how_to_go_on(tmp_path: Path) -> None:
    place = str(tmp_path / "arena.db")
    with open_storage(place) as storage:
        found(storage, games=5000)
        submit(place, first=FIRST, last=LAST)
        accept(place)
        process = start(place, tmp_path, "--follow", "-vv", "--log-file", "a log")
        wait_until(lambda: sum(storage.reader.stages.matches_by_stage(1).values()), process)
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=100)
        assert process.returncode == 130
        assert (
            "to go on: arena league work spring --jobs 2 --lease 2 --follow --in-process -vv "
            f"--log-file 'a log' --db {place}\n" in errors
        )
        stage = storage.reader.stages.of_league(1)[0][0].tournament
        assert len(storage.reader.results.played(stage)) > 0
        assert not list(storage.reader.results.damages())


def test_what_is_contained_is_as_contained_as_the_league_asks(tmp_path: Path) -> None:
    place = str(tmp_path / "arena.db")
    with open_storage(place) as storage:
        found(storage, sandbox="full", players="2", games=1)
    submit(place, first=FIRST)
    trusted = arena("league", "work", "--in-process", "--db", place, cwd=tmp_path)
    assert trusted.returncode == 2
    assert "expected bots in the sandbox full, as the league asks" in trusted.stderr


def test_a_program_has_no_place_in_our_process(tmp_path: Path) -> None:
    made = str(write("other", BotTemplate.PYTHON_STDIO, tmp_path))
    with pytest.raises(ArenaError, match="in this process, got other, a program"):
        league_isolation(LeagueRules(sandbox="none"), [made], WorkerOptions(in_process=True))
    assert (
        league_isolation(LeagueRules(sandbox="none"), [made], WorkerOptions(trust=True)).name
        == "trusted"
    )


@pytest.mark.parametrize("state", [LeagueState.PAUSED, LeagueState.CLOSED])
def test_a_league_that_does_not_play_says_so(tmp_path: Path, state: LeagueState) -> None:
    place = str(tmp_path / "arena.db")
    with open_storage(place) as storage:
        league = found(storage)
        submit(place, first=FIRST)
        storage.leagues.set_league_state(league.id, state)
        assert f"spring is {state}: " in work(place, tmp_path)
        assert storage.reader.stages.of_league(1) == []
        wanted = "RECEIVED" if state == "CLOSED" else "ACCEPTED"
        assert storage.reader.leagues.find_submission(1, "first").state == wanted

"""A tournament as a user runs it: again, stopped, killed, with a bot that changed."""

import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.arena.tournament.kill_soak import (
    count,
    killed_at_random,
    start,
    story,
    undisturbed,
    words,
)
from tests.support.command import arena
from tests.support.waiting import wait_until

pytestmark = pytest.mark.slow

FAST = ("--in-process", "--rounds")


def start_cold(*ask: object) -> subprocess.Popen[str]:
    """A command in a process group of its own, as a shell starts it."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "arena", *map(str, ask)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def run(db: Path, *more: object) -> str:
    done = arena(
        *("tournament", "run", "random", "random:", "greedy", "--players", "2-3", "--seed", 7),
        *("--db", db, *more),
        cwd=db.parent,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def paced(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[float, float]]:
    """Played without a break, and how long that took."""
    db = tmp_path_factory.mktemp("whole") / "arena.db"
    return db, undisturbed(db, *FAST, "30")


@pytest.fixture(scope="module")
def whole(paced: tuple[Path, tuple[float, float]]) -> Path:
    return paced[0]


def test_the_same_command_again_plays_nothing_twice(whole: Path, tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    run(db, *FAST, 10)
    assert count(db) == 10 * 2 * 3
    before = story(db)
    said = run(db, *FAST, 10)
    nothing = "nothing is left to play: all 60 matches are stored"
    assert re.fullmatch(rf"tournament \S+, seed \d+\n{nothing}\n", said)
    assert story(db) == before
    run(db, *FAST, 30)
    assert story(db) == story(whole)


def test_killed_at_any_moment_nothing_is_lost_or_played_twice(
    paced: tuple[Path, tuple[float, float]], tmp_path: Path
) -> None:
    whole, pace = paced
    db = tmp_path / "arena.db"
    stored = killed_at_random(db, 5, pace, random.Random(3), *FAST, "30")
    assert stored == sorted(stored)
    run(db, *FAST, 30)
    assert story(db) == story(whole)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_it_says_how_to_go_on(tmp_path: Path, number: signal.Signals) -> None:
    db = tmp_path / "arena.db"
    process = start(db, *FAST, "100000")
    wait_until(lambda: count(db) >= 10, process)
    os.kill(process.pid, number)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert "finishing what is under way" in errors
    (resume,) = (line for line in errors.splitlines() if line.startswith("to go on: "))
    assert "--seed 7" in resume
    assert str(db) in resume
    played = count(db)
    assert played >= 10
    assert [*story(db)] != []
    again = arena(*resume.split()[4:], "--budget", "1s", "--in-process", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert count(db) > played


def test_a_second_stop_is_at_once(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    process = start(db, *FAST, "100000")
    wait_until(lambda: count(db) >= 10, process)
    os.kill(process.pid, signal.SIGSTOP)  # both are there when it looks
    os.kill(process.pid, signal.SIGINT)
    os.kill(process.pid, signal.SIGTERM)
    os.kill(process.pid, signal.SIGCONT)
    _, errors = process.communicate()
    assert process.returncode in (130, 143)
    assert "to go on: arena tournament run" in errors
    assert "resource_tracker" not in errors
    assert count(db) >= 10


def test_two_at_once_are_one_too_many(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    process = start(db, *FAST, "100000")
    wait_until(lambda: count(db) >= 1, process)
    same = start(db, *FAST, "100000")
    _, errors = same.communicate()
    assert same.returncode == 2
    assert errors == "arena: this tournament is already running on this database\n"
    other = arena("tournament", "run", "random", "greedy", *FAST, 1, "--db", db, cwd=tmp_path)
    assert other.returncode == 0, other.stderr
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    run(db, *FAST, 1)  # the killed one holds nothing
    with closing(sqlite3.connect(db)) as rows:
        assert rows.execute("select count(*) from tournament").fetchone() == (2,)


def test_two_at_once_are_one_too_many_without_a_seed_too(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    ask = ("tournament", "run", "random", "greedy", "--players", "2", *FAST, "100000", "--db")
    first = start_cold(*ask, db)
    try:
        wait_until(lambda: count(db) >= 1, first)
        same = arena(*ask, db, cwd=tmp_path)
    finally:
        first.kill()
        first.communicate()
    assert same.returncode == 2
    assert same.stderr == "arena: this tournament is already running on this database\n"


@pytest.fixture
def slow_bot(tmp_path: Path) -> Path:
    """A bot with which no match ends before a test does."""
    bot = tmp_path / "slow.py"
    bot.write_text("import time\n\ndef decide(decision):\n    time.sleep(3600)\n", encoding="utf-8")
    return bot


def test_a_tournament_that_cannot_be_stored_ends_no_match_first(
    tmp_path: Path, slow_bot: Path
) -> None:
    ask = ("tournament", "run", slow_bot, "random", "--players", "2", "--time", "7200s", *FAST, "1")
    nowhere = start_cold(*ask, "--db", tmp_path / "none" / "arena.db")
    _, errors = nowhere.communicate(timeout=120)
    assert nowhere.returncode == 2
    assert errors.endswith("its folder does not exist\n")


def test_ctrl_c_before_a_tournament_is_stored_ends_it(tmp_path: Path, slow_bot: Path) -> None:
    ask = ("tournament", "run", slow_bot, "random", "--players", "2", "--time", "7200s", *FAST, "1")
    db = tmp_path / "arena.db"
    process = start_cold(*ask, "--db", db)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    wait_until(lambda: children.read_text() != "", process)  # its first worker
    os.killpg(process.pid, signal.SIGINT)
    try:
        process.communicate(timeout=20)
    except subprocess.TimeoutExpired:  # it had begun to store: then the second one ends it
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
    # 130 to a shell either way: Python ends by the signal if it came while a text was executed.
    assert process.returncode in (130, -signal.SIGINT)


def test_what_counts_and_what_does_not_are_two_tournaments(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    ask = ("tournament", "run", "random", "greedy", "--rounds", 1, "--seed", 3, "--db", db)
    first = arena(*ask, "--in-process", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    assert "sandbox: in-process" in first.stdout
    assert "NOT RATED" in first.stdout
    assert arena(*ask, cwd=tmp_path).returncode == 0
    with closing(sqlite3.connect(db)) as rows:
        counted = rows.execute("select tournament, rated, count(*) from match group by 1, 2")
        assert counted.fetchall() == [(1, 0, 2), (2, 1, 2)]


def test_a_drawn_seed_is_beyond_guessing(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    for number in range(3):
        done = arena(
            *(
                "tournament",
                "run",
                "random",
                "greedy",
                "--design",
                "random",
                "--name",
                f"cup{number}",
            ),
            *("--rounds", 1, "--db", db, "--in-process"),
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(db)) as rows:
        seeds = [int(seed) for (seed,) in rows.execute("select seed from tournament")]
    assert len(set(seeds)) == 3
    assert max(seeds) > 2**56


def test_a_bot_that_changed_is_another_entrant(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text("def decide(decision):\n    return decision.options[0]\n")
    db = tmp_path / "arena.db"
    ask = ("tournament", "run", "./mine.py", "random", "--rounds", 2, "--in-process", "--db", db)
    assert arena(*ask, cwd=tmp_path).returncode == 0
    assert arena(*ask, cwd=tmp_path).returncode == 0
    with closing(sqlite3.connect(db)) as rows:
        assert rows.execute("select count(*) from tournament").fetchone() == (1,)
    bot.write_text("def decide(decision):\n    return decision.options[-1]\n")
    assert arena(*ask, cwd=tmp_path).returncode == 0
    with closing(sqlite3.connect(db)) as rows:
        assert rows.execute("select count(*) from tournament").fetchone() == (2,)
        assert rows.execute("select count(*) from entrant").fetchone() == (3,)


def test_a_bot_that_changes_while_it_plays_ends_the_run(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text("def decide(decision):\n    return decision.options[0]\n")
    db = tmp_path / "arena.db"
    process = start(db, "./mine.py", *FAST, "100000")
    wait_until(lambda: count(db) >= 10, process)
    bot.write_text("def decide(decision):\n    return decision.options[-1]\n")
    _, errors = process.communicate()
    assert process.returncode == 2
    assert "./mine.py changed while it was playing" in errors
    assert "Traceback" not in errors


def test_a_faulty_bot_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def decide(decision):\n    print('hm')\n    return 1 / 0\n")
    db = tmp_path / "arena.db"
    done = arena(
        *("tournament", "run", "./bad.py", "random", "greedy", "--rounds", 2, "--db", db),
        *("--players", 3, "--log-file", "arena.log"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert count(db) == 6
    assert all(len(match[-1]) == 1 for match in story(db).values())  # type: ignore[arg-type]
    log = (tmp_path / "arena.log").read_text()
    assert log.count("Traceback (most recent call last)") == 6
    assert "bad" in log


def test_a_file_equals_the_flags(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(
        'bots = ["random", "random:", "greedy"]\nplayers = "2-3"\nrounds = 30\nseed = 7\n'
    )
    db = tmp_path / "arena.db"
    done = arena("tournament", "run", "cup.toml", "--db", db, "--in-process", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert story(db) == story(whole)


def test_a_goal_ends_it_and_resuming_takes_the_same_way(tmp_path: Path) -> None:
    goal = ("--until", "order@60%", "--in-process")
    whole, killed = tmp_path / "whole.db", tmp_path / "killed.db"
    pace = undisturbed(whole, *goal)
    assert {match[1] for match in story(whole).values()} == {"balanced", "adaptive"}
    killed_at_random(killed, 3, pace, random.Random(5), *goal)
    run(killed, *goal)
    assert story(killed) == story(whole)


WRONG = [
    (("random",), "expected 2 to 200 bots, got 1"),
    (("random", "nobody"), "expected a bot out of"),
    (("random", "greedy", "--players", "4"), "expected at least 4 bots for 4 players, got 2"),
    (("random", "greedy", "--game", "seven"), "expected at least 3 bots for seven, got 2"),
    (("random", "greedy", "--until", "soon"), "expected a goal such as"),
    (("random", "greedy", "--until", "top9@95%"), "expected a top smaller than the field of 2"),
    (("random", "greedy", "--name", "a b/c"), "expected a name of letters, digits"),
    (("random", "greedy", "--budget", "soon"), "expected a time such as"),
    (("random", "greedy", "--newcomer", "planner"), "expected a newcomer out of random, greedy"),
    (("random", "greedy", "--wonders", "nowhere"), "nowhere"),
    (("random", "greedy", "--db", "/"), "expected"),
    (("cup.toml",), "expected to read cup.toml"),
]


@pytest.mark.parametrize(("words", "problem"), WRONG)
def test_bad_input_is_one_line(words: tuple[str, ...], problem: str, tmp_path: Path) -> None:
    done = arena("tournament", "run", *words, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert problem in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_tells_the_whole_and_the_rest(whole: Path, tmp_path: Path) -> None:
    def dry(rounds: int) -> list[str]:
        done = arena(
            *words(whole, *FAST, str(rounds), "--dry-run")[3:],
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()[-2:]

    before = whole.read_bytes()
    played = len(story(whole))
    all_of_it, rest = dry(30)
    assert all_of_it.startswith(f"{played} matches take about ")
    assert rest == f"{played} are played already, none is left"
    all_of_it, rest = dry(40)
    assert all_of_it.startswith(f"{played * 4 // 3} matches take about ")
    assert rest.startswith(f"{played} are played already; the {played // 3} left take about ")
    assert whole.read_bytes() == before


def test_a_dry_run_leaves_nothing(tmp_path: Path) -> None:
    done = arena("tournament", "run", "random", "greedy", "--dry-run", "--in-process", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 bots: random, greedy" in done.stdout
    assert "matches take about" in done.stdout
    assert list(tmp_path.iterdir()) == []

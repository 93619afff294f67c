"""The life of a league with its bots behind the walls, where this machine has them."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.league.planning.agenda import is_played
from arena.league.submit import submit
from bots.chairs.base import MAX_PRINTED
from bots.sandbox.container import Layers
from bots.sandbox.probe import probe
from leagues.records import Submission, SubmissionState
from leagues.storage.handle import Storage, open_storage
from leagues.storage.match_filter import MatchFilter
from leagues.submissions.archive import BotArchive, Item, receive
from tests.arena.league.sample_league import FIRST, LAST, code, found
from tests.bots.matches import compiled
from tests.bots.sandbox.matches import need
from tests.support.command import arena, environment
from tests.support.waiting import wait_until

pytestmark = pytest.mark.slow

TALK = """#!/usr/bin/env python3
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    answer = {"type": "ready", "id": message.get("id")}
    if message["type"] == "start":
        ill = message["seat"] == 2 and message["players"] == 3
    if message["type"] == "decide":
        answer = {"type": "choice", "id": message["id"], "option": 0}
        HERE
    if message["type"] == "bye":
        break
    print(json.dumps(answer), flush=True)
"""
# A check has it sit in the first two seats of a table of three, so that it never meets the third.
LATE = """
class Bot:
    def start(self, seating):
        self.ill = seating.seat == 2
    def decide(self, decision):
        if self.ill:
            raise ValueError("not in this seat")
        return decision.options[0]
"""
GOOD = {
    "first": FIRST,
    "loud": 'def decide(decision):\n    print("loud " * 40_000)\n    return decision.options[-1]\n',
    "late": LATE,
}
BAD = {
    "import": "raise RuntimeError('no import of mine')\n",
    "loop": "def decide(decision):\n    while True:\n        pass\n",
    "illegal": "def decide(decision):\n    return 'resign'\n",
    "exits": "import os\ndef decide(decision):\n    os._exit(3)\n",
    "hog": "def decide(decision):\n    x = bytearray(2 << 30)\n    return decision.options[0]\n",
    "spy": "def decide(decision):\n    open('/etc/passwd')\n",
}
PROGRAMS = {
    "program": "pass",
    "late-program": "if ill: sys.exit(7)",
    "chatty": 'print("let me think")',
    "eater": "x = bytearray(3 << 30)",
}
LATER = {"late": "exception", "late-program": "crash"}  # than when they are checked
REASONS = {
    "import": "step 2, startup: .*RuntimeError: no import of mine \\(import.py, line 1\\)",
    "loop": "step 3, .*: time in architects, 2 players, seed 2000, .*expected an answer within .*",
    "illegal": "step 3, .*: illegal in .* got 'resign'",
    "exits": "step 3, .*: crash in .*: expected an answer, got exit code 3",
    "hog": "step 3, .*: memory in .*MemoryError.*",
    "spy": "step 3, .*: exception in .*Error: .*'/etc/passwd'.*",
    "chatty": "step 3, .*: protocol in .*: expected a message alone on stdout .*, got 'let me .*",
    "foreign": "expected brainwaves for bot.py, got none on this machine",
    "eater": "step 3, .*: memory in .*MemoryError.*",
}
# Whatever the worker starts is this process's to bury: it ends when nothing of that is left.
REAPER = """
import ctypes, os, subprocess, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
worker = subprocess.Popen(sys.argv[1:])
print(worker.pid, flush=True)
code = worker.wait()
try:
    while True:
        os.wait()
except ChildProcessError:
    sys.exit(abs(code))
"""


def program(name: str, here: str = "pass", language: str = "python3") -> BotArchive:
    """A program as it comes out of an archive that forgot what is executable."""
    facts = f'name = "{name}"\nversion = "1"\nprogram = "bot.py"\n'
    source = TALK.replace("HERE", here).replace("python3", language)
    return BotArchive(
        (Item("bot.py", False, source.encode()), Item("bot.toml", False, facts.encode()))
    )


class Club:
    """A league in a folder, and its workers."""

    def __init__(self, folder: Path, **rules: Any) -> None:
        self.folder = folder
        self.place = str(folder / "arena.db")
        self.temp = folder / "temp"
        self.temp.mkdir()
        with open_storage(self.place) as storage:
            found(storage, players="3", sandbox="reduced", time="500ms/60s", **rules)

    def submit(self, name: str, archive: BotArchive) -> None:
        with open_storage(self.place) as storage:
            submit(storage, storage.reader.leagues.by_name("spring"), archive, f"o-{name}")

    def work(self, *more: str) -> "subprocess.Popen[str]":
        words = ("league", "work", "spring", "--jobs", "2", "--db", self.place)
        return subprocess.Popen(
            [sys.executable, "-c", REAPER, sys.executable, "-m", "arena", *words, *more],
            env=environment(TMPDIR=str(self.temp)),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


def test_a_league_behind_the_walls_from_its_bots_to_its_table(tmp_path: Path) -> None:
    need(Layers(container=False))
    club = Club(tmp_path, games=21, extra=0)
    for name, source in (GOOD | BAD).items():
        club.submit(name, code(name, source))
    for name, here in PROGRAMS.items():
        club.submit(name, program(name, here))
    club.submit("foreign", program("foreign", language="brainwaves"))
    fit = [*GOOD, "program", "late-program"]
    if shutil.which("gcc"):
        club.submit("compiled", receive(compiled(tmp_path / "compiled")))
        fit.append("compiled")
    process = club.work()
    _, errors = process.communicate(timeout=500)
    assert process.returncode == 0, errors
    assert list(club.temp.iterdir()) == []
    with open_storage(club.place) as storage:
        entries = {entry.name: entry for entry in storage.reader.leagues.submissions(1)}
        assert_judged(entries, fit)
        assert_faults_are_at_the_right_door(storage, entries)
        # Stages may have been given up, but one of all who are left is whole.
        counts = storage.reader.stages.matches_by_stage(1)
        left = {entry.entrant for entry in storage.reader.leagues.playing(1)}
        assert any(
            is_played(tournament, counts)
            and left
            <= {entrant.id for entrant in storage.reader.results.entrants(stage.tournament)}
            for stage, tournament in storage.reader.stages.of_league(1)
        )
        assert not list(storage.reader.results.damages())
    table = arena("league", "table", "spring", "-o", "json", "--db", club.place, cwd=tmp_path)
    rows = {row["bot"].partition("@")[0]: row for row in json.loads(table.stdout)}
    assert rows.keys() == {f"o-{name}/{name}" for name in fit if name not in LATER}
    assert sorted(row["rank"] for row in rows.values()) == list(range(1, len(rows) + 1))


def assert_judged(entries: dict[str, Submission], fit: list[str]) -> None:
    """Who is fit was accepted, who is not was rejected for its own reason."""
    assert entries.keys() == {*fit, *REASONS}
    for name, entry in entries.items():
        verdict = entry.events[1]
        assert verdict.state == ("ACCEPTED" if name in fit else "REJECTED"), (name, verdict)
        assert re.fullmatch(REASONS.get(name, ""), verdict.reason), verdict.reason
        assert "arena-" not in verdict.reason + verdict.detail  # where it was unpacked
        assert entry.kind == ("Python" if name in GOOD | BAD else "program over stdio")
    for name, kind in LATER.items():
        assert entries[name].status == "SUSPENDED"
        told = re.fullmatch(rf"it failed in (\d+) of (\d+) games: \1 {kind}", entries[name].reason)
        assert told is not None, entries[name].reason


def assert_faults_are_at_the_right_door(storage: Storage, entries: dict[str, Submission]) -> None:
    """Those fail who do, where they do, each time; nobody else, and the machine neither."""
    names = {entry.entrant: name for name, entry in entries.items()}
    for stored in storage.reader.results.matches(MatchFilter(league=1)):
        assert stored.result.sandbox == probe().level
        third = names[stored.entrants[2].id]
        found = [(fault.seat, fault.kind) for fault in stored.result.faults]
        assert not any("arena-" in fault.detail for fault in stored.result.faults)
        assert found == ([(2, LATER[third])] if third in LATER else [])
        for account in stored.result.accounts:
            assert len(account.printed) <= MAX_PRINTED
        if third == "loud":
            assert "loud loud" in stored.result.accounts[2].printed
    for stage, _ in storage.reader.stages.of_league(1):
        assert not list(storage.reader.results.incidents(stage.tournament))


def test_a_worker_that_is_killed_leaves_nothing_behind(tmp_path: Path) -> None:
    need(Layers(container=False))
    club = Club(tmp_path, games=3000)
    for name, archive in (
        ("first", code("first")),
        ("last", code("last", LAST)),
        ("program", program("program")),
    ):
        club.submit(name, archive)
    with open_storage(club.place) as storage:
        for entry in storage.reader.leagues.submissions(1):
            storage.leagues.set_submission_state(entry.id, SubmissionState.ACCEPTED)
        process = club.work("--follow")
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        wait_until(lambda: storage.reader.results.count(MatchFilter(league=1)), process)
    os.kill(worker, signal.SIGKILL)
    process.communicate(timeout=100)  # all it had started has ended too
    assert process.returncode == signal.SIGKILL
    assert len(list(club.temp.glob("arena-*/*/bot"))) == 3
    words = ("league", "submit", "spring", club.folder / "new.py", "--db", club.place)
    (club.folder / "new.py").write_text(LAST + "# new\n", "utf-8")
    assert arena(*words, cwd=tmp_path, TMPDIR=str(club.temp)).returncode == 0
    assert list(club.temp.glob("arena-*")) == []


def test_a_machine_that_cannot_run_a_bot_blames_itself(tmp_path: Path) -> None:
    need(Layers(container=False))
    club = Club(tmp_path, games=3)
    for name, language in (("one", "python3"), ("two", "python3"), ("other", "brainwaves")):
        club.submit(name, program(name, language=language))
    with open_storage(club.place) as storage:
        for entry in storage.reader.leagues.submissions(1):
            storage.leagues.set_submission_state(
                entry.id, SubmissionState.ACCEPTED, by="a worker elsewhere"
            )
        process = club.work()
        _, errors = process.communicate(timeout=500)
        assert process.returncode == 2
        assert "arena: expected brainwaves for bot.py, got none on this machine\n" in errors
        assert list(club.temp.iterdir()) == []
        assert storage.reader.results.count(MatchFilter(league=1)) == 0
        assert {entry.state for entry in storage.reader.leagues.submissions(1)} == {"ACCEPTED"}
        assert storage.reader.leases.active_workers() == {}

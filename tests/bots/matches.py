"""Tables for the sample bots: one misbehaving bot between two that play on."""

import io
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir, closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from multiprocessing import forkserver, resource_tracker
from pathlib import Path
from subprocess import CompletedProcess, run
from unittest.mock import patch

from arena.cli import main
from arena.playing.progress import notify_once
from arena.playing.referee import play
from bots.api import Decision
from bots.chairs.base import Chair
from bots.chairs.in_process import InProcessChair, open_in_process
from bots.chairs.limits import Limits
from bots.chairs.remote import RemoteChair
from bots.chairs.subprocess import PipeTransport
from bots.discovery.finder import find_bot
from bots.discovery.spec import parse_spec
from bots.house.random import Random
from engine.catalog import GAMES
from engine.match import MatchResult
from engine.replay import Replay, read_trace, trace, write_trace
from tests.support.needs import require
from tests.support.warm_command import PIDS

SAMPLES = Path(__file__).parent / "sample_bots"
PATIENT = Limits(start=120, move=120)
BAD_SEAT = 1
GAME = GAMES[0]


def bot(name: str) -> str:
    """The spec of a Python bot of the samples; parameters may follow its name."""
    return f"{SAMPLES}/{name}"


def program(name: str, *words: str) -> str:
    """The spec of a program of the samples."""
    return f"cmd:{shlex.join([sys.executable, f'{SAMPLES}/programs/{name}', *words])}"


class Hurried(RemoteChair):
    """A chair with little time, whatever the others have: for bots that never answer at all."""

    def ask(self, decision: Decision) -> None:
        game, seat, prompt = decision.game, decision.seat, decision.prompt
        super().ask(Decision(game, seat, prompt, decision.options, decision.view, 0.3))


def in_a_process(spec: str) -> RemoteChair:
    found = parse_spec(spec)
    return RemoteChair(PipeTransport(found, find_bot(found)), PATIENT)


def pid_of(chair: RemoteChair) -> int:
    """The process of a bot in a process of its own."""
    assert isinstance(chair.transport, PipeTransport)
    return chair.transport.process.pid


def in_a_hurry(spec: str, start: float = PATIENT.start) -> RemoteChair:
    found = parse_spec(spec)
    return Hurried(PipeTransport(found, find_bot(found)), Limits(start, PATIENT.move))


def in_ours(spec: str) -> InProcessChair:
    found = parse_spec(spec)
    return open_in_process(found, find_bot(found))


@contextmanager
def seated(bad: Chair, good: RemoteChair) -> Iterator[list[Chair]]:
    """The bad one at its seat; one good bot in our process and one in its own."""
    with closing(bad):
        yield [InProcessChair(Random), bad, good]


def match(chairs: Sequence[Chair], seed: int) -> MatchResult:
    setup = GAME.setup(len(chairs), seed)
    return play(GAME.spec(setup, seed, ("bot",) * len(chairs)), chairs, PATIENT)


def story(result: MatchResult) -> MatchResult:
    """What happened, whatever it cost."""
    return replace(result, accounts=(), seconds=0.0)


def confirm(result: MatchResult) -> None:
    """The rules confirm the game that was played."""
    record = Replay(read_trace(write_trace(trace(result))))
    decisions = []
    while move := record.advance():
        decisions.append(move[1])
    assert decisions == result.decisions
    assert record.state.scores() == result.scores


def children() -> set[int]:
    """Processes we started that are still there, even as zombies; not Python's or our helpers."""
    ours = set()
    helpers = {resource_tracker._resource_tracker._pid, forkserver._forkserver._forkserver_pid}  # type: ignore[attr-defined]
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and _parent(int(entry.name)) == os.getpid():
            ours.add(int(entry.name))
    return ours - helpers - PIDS


def _stat(pid: int) -> list[str]:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ["gone", "0"]
    return text.rpartition(")")[2].split()


def _parent(pid: int) -> int:
    return int(_stat(pid)[1])


def runs(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    return _stat(pid)[0] not in ("gone", "Z", "X")


def arena(*words: object, cwd: Path) -> CompletedProcess[str]:
    """The command in our own process, for tests that run it often; the bots are in theirs."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    argv = ["arena", *map(str, words)]
    code: object = 0
    cores = os.sched_getaffinity(0)  # of which the command takes one
    notify_once.cache_clear()  # as in a process of its own
    with chdir(cwd), patch("sys.argv", argv), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = end.code
        finally:
            os.sched_setaffinity(0, cores)
    texts = []
    for stream in (out, err):
        stream.seek(0)
        texts.append(stream.read())
    return CompletedProcess(argv, int(code or 0), *texts)  # type: ignore[call-overload]


def compiled(folder: Path) -> Path:
    """A bot in C: its program, with the language's library linked into it if that is there."""
    require("gcc")
    folder.mkdir()
    words = ["gcc", "-O1", "-o", f"{folder}/bot", f"{SAMPLES}/programs/option.c"]
    if run([*words, "-static"], capture_output=True, check=False).returncode:
        run(words, check=True)
    facts = 'name = "compiled"\nversion = "1"\nprogram = ["bot", "0"]\n'
    (folder / "bot.toml").write_text(facts, "utf-8")
    return folder

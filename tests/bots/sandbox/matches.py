"""One bot behind the walls, one question, and how that ended."""

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from arena.playing.referee import build_decision
from bots.api import Seating
from bots.chairs.base import Chair, ChairFault
from bots.chairs.limits import Limits
from bots.chairs.remote import RemoteChair
from bots.chairs.sandboxed import SandboxTransport
from bots.discovery.finder import find_bot
from bots.discovery.spec import parse_spec
from bots.sandbox.container import Container, Layers, Worker
from bots.sandbox.probe import probe
from engine.catalog import GAMES
from tests.support.needs import require

GAME = GAMES[0]
SETUP = GAME.setup(2, 1)
STATE = GAME.deal(SETUP, 1)
SEAT = STATE.pending()[0]
LIMITS = Limits(start=60, move=5)
LEVELS = {
    "full": Layers(),
    "strong": Layers(landlock=False),
    "reduced": Layers(container=False),
}


def need(layers: Layers) -> None:
    """Skip where this machine has not the layers a test is about."""
    if sys.platform != "linux":
        pytest.skip("the layers are Linux's")
    have = probe().layers
    if layers.container:
        require("bwrap")
    for name in ("container", "landlock", "seccomp"):
        if getattr(layers, name) and not getattr(have, name):
            pytest.skip(f"this machine has no {name}: {probe().line()}")


@contextmanager
def behind(spec: str, layers: Layers | None = None) -> Iterator[RemoteChair]:
    """A bot behind these walls."""
    layers = layers or Layers()
    need(layers)
    found = parse_spec(spec)
    with closing(
        RemoteChair(SandboxTransport(found, find_bot(found), layers, LIMITS.freeze), LIMITS)
    ) as chair:
        yield chair


def transport_of(chair: Chair) -> SandboxTransport:
    """The transport of a sandboxed bot."""
    assert isinstance(chair, RemoteChair)
    assert isinstance(chair.transport, SandboxTransport)
    return chair.transport


def worker_of(chair: Chair) -> Worker:
    """The process that plays; there must be one."""
    worker = transport_of(chair).worker
    assert worker is not None
    return worker


def container_of(chair: Chair) -> Container:
    """The container of a sandboxed bot; there must be one."""
    container = transport_of(chair).container
    assert container is not None
    return container


def outcome(chair: RemoteChair, seed: int = 1, seconds: float = 5.0) -> tuple[str, str]:
    """How one question ended: a fault's kind and detail, or well."""
    try:
        chair.start(Seating(GAME, SETUP, SEAT, seed))
        chair.ask(build_decision(GAME, STATE, SEAT, seconds))
        chair.answer()
    except ChairFault as fault:
        return fault.kind, fault.detail
    return "well", ""


def descriptors() -> int:
    """How many this process has open."""
    return len(os.listdir("/proc/self/fd"))


def below(pid: int) -> list[int]:
    """All that a process started, and what they started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            if int(stat.rpartition(")")[2].split()[1]) == pid:
                found += [int(entry.name), *below(int(entry.name))]
    return found

"""Every attack ends as it should on the arena's side, and touches nothing outside."""

import os
import platform
import select
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.chairs.remote import RemoteChair
from tests.bots.sandbox.attacker import ATTACKS
from tests.bots.sandbox.matches import LEVELS, behind, outcome

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the attacks know x86-64's system calls"
)
BOT = Path(__file__).parent / "attacker.py"
# What is known to get through, by level.
KNOWN = {"full": set(), "strong": set(), "reduced": {"stat_canary"}}
OURS = ("NameError", "AttributeError", "TypeError", "ImportError", "ModuleNotFoundError")


class Canary:
    """What lies outside: a file, a listener on the network and two on the machine."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "canary"
        self.file.write_text("sings", encoding="utf-8")
        self.seen = self.state()
        self.listeners = [socket.create_server(("127.0.0.1", 0))]
        self.port = self.listeners[0].getsockname()[1]
        for name in (f"{self.file}.socket", f"\0canary{self.port}"):
            self.listeners.append(socket.socket(socket.AF_UNIX))
            self.listeners[-1].bind(name)
            self.listeners[-1].listen()
        self.leak = os.open(self.file, os.O_RDONLY)
        os.set_inheritable(self.leak, True)

    def state(self) -> tuple[object, ...]:
        stat = self.file.stat()
        return self.file.read_text("utf-8"), stat.st_mtime_ns, stat.st_mode, stat.st_nlink

    def sings(self) -> bool:
        return self.state() == self.seen and not select.select(self.listeners, [], [], 0)[0]

    def close(self) -> None:
        for listener in self.listeners:
            listener.close()
        os.close(self.leak)


@pytest.fixture(scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Canary]:
    folder = tmp_path_factory.mktemp("outside")
    folder.chmod(0o755)  # what keeps bots out must be the sandbox
    found = Canary(folder)
    os.environ["ARENA_SECRET"] = "hush"
    yield found
    del os.environ["ARENA_SECRET"]
    found.close()


@pytest.fixture(scope="module", params=LEVELS)
def chair(request: pytest.FixtureRequest, canary: Canary) -> Iterator[tuple[str, RemoteChair]]:
    spec = f"{BOT}:canary={canary.file},port={canary.port}"
    with behind(spec, LEVELS[request.param]) as found:
        yield request.param, found


def test_there_are_many() -> None:
    assert len(ATTACKS) >= 100


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack(name: str, chair: tuple[str, RemoteChair], canary: Canary) -> None:
    level, bot = chair
    wanted = ATTACKS[name][1]
    seconds = 0.05 if "time" in wanted else 5.0
    kind, detail = outcome(bot, list(ATTACKS).index(name), seconds)
    if name in KNOWN[level]:
        assert (kind, "escaped" in detail) == ("illegal", True)
    else:
        assert kind in wanted, detail
        last = (detail.strip().splitlines() or [""])[-1]
        assert not last.startswith(OURS), "the attack itself is broken"
    assert canary.sings()

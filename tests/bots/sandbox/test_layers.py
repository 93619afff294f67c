"""Each layer bites: without it, attacks get through that it stopped."""

import os
import platform
from pathlib import Path

import pytest

from bots.sandbox.container import Layers
from bots.sandbox.errors import SandboxError
from bots.sandbox.verify_lockdown import expected_status, verify_lockdown
from bots.sandbox.zygote import limit_binds
from tests.bots.sandbox.attacker import ATTACKS
from tests.bots.sandbox.matches import behind, outcome

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the attacks know x86-64's system calls"
)
BOT = Path(__file__).parent / "attacker.py"
ONLY_CONTAINER = Layers(landlock=False, seccomp=False, limits=False)
# Without what, how it is stopped still (or not at all).
MUTANTS = {
    "seccomp and the socket to the host": (Layers(seccomp=False), "vsock"),
    "seccomp and a new process": (Layers(seccomp=False, limits=False), "fork"),
    "seccomp and shared memory": (Layers(seccomp=False), "shared_memory"),
    "seccomp and a file of memory": (Layers(seccomp=False), "memory_file"),
    "seccomp and a lock for others to see": (Layers(seccomp=False), "lock_file"),
    "seccomp and a thread": (Layers(seccomp=False, limits=False), "thread"),
    "seccomp and another core": (Layers(seccomp=False), "other_core"),
    "seccomp and a pair of sockets": (Layers(seccomp=False), "pair"),
    "limits and a block of memory": (Layers(limits=False), "one_block"),
    "limits and descriptors": (Layers(limits=False), "descriptors"),
    "limits and a mapping": (Layers(limits=False), "mapping"),
    "the container and what is outside": (Layers(container=False), "stat_canary"),
    "landlock and the container": (Layers(container=False, landlock=False), "read_passwd"),
    "the seal of the container": (
        Layers(landlock=False, seccomp=False, limits=False, sealed=False),
        "make_folder",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_without_it_an_attack_gets_through(name: str, tmp_path: Path) -> None:
    layers, attack = MUTANTS[name]
    if not layers.sealed and os.geteuid() == 0:
        pytest.skip("as root, the container's root belongs to another user than the bot's")
    with behind(str(BOT), layers) as bot:
        kind, detail = outcome(bot, list(ATTACKS).index(attack))
    assert kind == "illegal", (kind, detail)
    assert "escaped" in detail


def test_the_seal_keeps_the_container_alone_from_being_filled() -> None:
    with behind(str(BOT), ONLY_CONTAINER) as bot:
        kind, detail = outcome(bot, list(ATTACKS).index("make_folder"))
    assert kind == "exception"
    assert "OSError" in detail or "PermissionError" in detail


def test_who_may_fork_is_never_taken_for_locked() -> None:
    """The filter a worker inherits allows a fork: what stops it must be seen from outside."""
    with pytest.raises(SandboxError, match="processes of its own"):
        verify_lockdown(os.getpid(), [], childless=True)


def test_what_is_not_as_expected_is_told() -> None:
    with pytest.raises(SandboxError, match=r"Seccomp is 0, not 2|NoNewPrivs is 0, not 1"):
        verify_lockdown(os.getpid(), expected_status(os.getppid(), filtered=True), childless=False)
    with pytest.raises(SandboxError, match="PPid is"):
        verify_lockdown(os.getpid(), expected_status(1 << 30, filtered=True), childless=False)


def test_whether_a_limit_holds_this_user_is_found_by_doing() -> None:
    assert limit_binds() == (os.geteuid() != 0)


def test_a_zygote_keeps_nothing_for_a_worker_to_find(tmp_path: Path) -> None:
    """Each worker has the pipes of its own match, and not the line to the arena."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import os, stat\n"
        "def kind(fd):\n"
        "    try:\n"
        "        return stat.S_IFMT(os.fstat(fd).st_mode)\n"
        "    except OSError:\n"
        "        return 0\n"
        "def decide(decision):\n"
        "    raise OSError([kind(fd) for fd in range(10)])\n",
        encoding="utf-8",
    )
    pipe, device = 0o010000, 0o020000
    with behind(str(bot)) as chair:
        for _ in range(2):
            detail = outcome(chair)[1]
            assert f"{[device, pipe, pipe, pipe, pipe, 0, 0, 0, 0, 0]}" in detail

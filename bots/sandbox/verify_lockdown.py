"""What the kernel says of a worker, read from outside: nothing a worker reports is evidence."""

from __future__ import annotations

import os
import re
from typing import Final

from bots.sandbox.errors import SandboxError

NO_CAPABILITY: Final = "0000000000000000"
NO_PROCESS: Final = re.compile(rb"\nMax processes +0 +0 ")


def expected_status(zygote: int, filtered: bool, user: int = 0) -> list[bytes]:
    """Lines the kernel must write of a worker: the zygote's child, locked, and of this user."""
    wanted = {"PPid": str(zygote), "NoNewPrivs": "1", "Threads": "1"}
    wanted |= dict.fromkeys(("CapPrm", "CapEff", "CapAmb"), NO_CAPABILITY)
    if filtered:
        wanted["Seccomp"] = "2"
    if user:
        wanted |= dict.fromkeys(("Uid", "Gid"), "\t".join([str(user)] * 4))
    return [f"\n{key}:\t{value}\n".encode() for key, value in wanted.items()]


def verify_lockdown(pid: int, expected: list[bytes], childless: bool) -> None:
    """SandboxError unless all that is expected of a worker is true, and it may have no child."""
    status = _read(f"/proc/{pid}/status")
    for line in expected:
        if line not in status:
            key, _, value = line.decode().strip().partition(":\t")
            found = re.search(rf"^{key}:\t(.*)$".encode(), status, re.MULTILINE)
            got = found[1].decode("utf-8", "replace") if found else "not told"
            raise SandboxError(f"the worker is not locked down: {key} is {got}, not {value}")
    if childless and not NO_PROCESS.search(_read(f"/proc/{pid}/limits")):
        raise SandboxError("the worker is not locked down: it may have processes of its own")


def _read(path: str) -> bytes:
    """What a file of the kernel's says, in one read."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            return os.read(fd, 8192)
        finally:
            os.close(fd)
    except OSError as problem:
        raise SandboxError(f"the worker is gone: {problem.strerror}") from None

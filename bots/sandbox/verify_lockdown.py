"""What the kernel says of a worker, read from outside: nothing a worker reports is evidence."""

from __future__ import annotations

from typing import Final

from bots.sandbox.errors import SandboxError

WANTED: Final = {"NoNewPrivs": "1", "Threads": "1"}


def pid_of(pidfd: int) -> int:
    """The process, by its number out here."""
    with open(f"/proc/self/fdinfo/{pidfd}", encoding="ascii") as lines:
        for line in lines:
            if line.startswith("Pid:"):
                return int(line.split()[1])
    raise SandboxError("the kernel does not tell the worker's process id")


def status_of(pid: int) -> dict[str, str]:
    """The kernel's account of a process."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as lines:
            pairs = (line.partition(":") for line in lines)
            return {key: value.strip() for key, _, value in pairs}
    except OSError as problem:
        raise SandboxError(f"the worker is gone: {problem.strerror}") from None


def verify_lockdown(pid: int, filtered: bool, renamed: bool) -> None:
    """SandboxError unless the worker is locked: filtered by seccomp, and not root if renamed."""
    status = status_of(pid)
    wanted = WANTED | ({"Seccomp": "2"} if filtered else {})
    for key, value in wanted.items():
        if status.get(key) != value:
            raise SandboxError(
                f"the worker is not locked down: {key} is {status.get(key)}, not {value}"
            )
    for key in ("CapPrm", "CapEff", "CapAmb"):
        if int(status.get(key, "1"), 16) != 0:
            raise SandboxError(f"the worker is not locked down: {key} is {status.get(key)}, not 0")
    if renamed and "0" in status["Uid"].split():
        raise SandboxError("the worker is not locked down: it is root")

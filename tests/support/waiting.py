"""Waiting for what another process does, with a deadline."""

import subprocess
import time
from collections.abc import Callable

DEADLINE = 120.0  # seconds


def wait_until(
    check: Callable[[], object], process: subprocess.Popen[str], seconds: float = DEADLINE
) -> None:
    """Return when the check holds; fail if the process ends first, or if it takes too long."""
    end = time.monotonic() + seconds
    while not check():
        assert process.poll() is None, f"the process ended with {process.returncode}"
        assert time.monotonic() < end, f"nothing for {seconds} s"
        time.sleep(0.05)

"""What a test needs that a machine may lack, and what adds it."""

import shutil
from collections import Counter
from collections.abc import Iterable
from typing import Final

import pytest

NEEDS: Final = "needs "
# A need, as a reason to skip names it, and the package of Debian's that meets it.
PACKAGES: Final = {
    "bwrap": "bubblewrap",
    "chromium": "chromium",
    "gcc": "gcc libc6-dev",
    "git": "git",
    "go": "golang-go",
    "java": "default-jre-headless",
    "javac": "default-jdk-headless",
    "lua5.4": "lua5.4",
    "mcs": "mono-mcs",
    "mono": "mono-runtime",
    "node": "nodejs",
    "pg_ctl": "postgresql",
    "runuser": "util-linux",
    "rustc": "rustc",
    "systemd-analyze": "systemd",
    "unshare": "util-linux",
}
MODULES: Final = {"pandas": "pandas", "psycopg": "psycopg[binary]", "pyspiel": "open_spiel"}


def requires(*tools: str) -> pytest.MarkDecorator:
    """Skip a test where one of these programs is not installed."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    return pytest.mark.skipif(bool(missing), reason=NEEDS + " ".join(missing[:1]))


def require(*tools: str) -> None:
    """Skip the test that runs where one of these programs is not installed."""
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(NEEDS + tool)


def left_out(reasons: Iterable[str]) -> list[str]:
    """A line for every reason why tests were skipped, most first, with the command that helps."""
    counts = Counter(reason.removeprefix("Skipped: ") for reason in reasons)
    lines = []
    for reason, count in counts.most_common():
        name = reason.removeprefix(NEEDS)
        line = f"left out: {count} {'test' if count == 1 else 'tests'}: {reason}"
        if name in PACKAGES:
            line += f": apt-get install {PACKAGES[name]}"
        elif name in MODULES:
            line += f": pip install {MODULES[name]}"
        lines.append(line)
    return lines

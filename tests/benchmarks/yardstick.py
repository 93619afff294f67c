"""Compiling and running the yardstick."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.setups import Row

SOURCE = Path(__file__).with_name("yardstick.c")


class Result(NamedTuple):
    checksum: str
    decisions: int
    seconds: float


def compiler() -> str | None:
    """The C compiler at hand, if there is one."""
    return shutil.which((os.environ.get("CC") or "cc").split()[0])


def build(compiler: str, folder: Path) -> Path:
    binary = folder / "yardstick"
    command = [compiler, "-std=c11", "-O2", "-Wall", "-Wextra", "-o", str(binary), str(SOURCE)]
    subprocess.run(command, check=True)
    return binary


def run(binary: Path, row: Row, first: int, games: int) -> Result:
    numbers = (row.players, int("medals" in row.expansions), int(row.expert), first, games)
    command = [str(binary), *map(str, numbers)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return Result(answer[0], int(answer[1]), float(answer[2]))

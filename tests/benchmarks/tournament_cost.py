"""What a match of a tournament costs, and its start, by the processor time of all processes."""

import math
import sqlite3
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.cpu_time import cpu_seconds

ENTRANTS = 7  # so that every table can be filled
WAYS: dict[str, list[str]] = {"in process": ["--in-process"], "sandboxed": []}
SECONDS = 3.0


class Case(NamedTuple):
    """One kind of tournament."""

    game: str
    players: int
    bot: str
    way: str

    @property
    def name(self) -> str:
        return f"{self.game}, {self.players} {self.bot}, {self.way}"


class Cost(NamedTuple):
    """Seconds of processor time: of a match, and of all that is not a match."""

    match: float
    start: float


CASES = [
    Case(game, players, bot, way)
    for way in WAYS
    for bot in ("random", "greedy")
    for game, players in (
        *(("architects", players) for players in (2, 4, 7)),
        *(("seven", players) for players in (3, 4, 7)),
    )
]


def tournament(python: str, case: Case, rounds: int) -> tuple[int, float]:
    """Play a tournament: how many matches, and what they took."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *(python, "-m", "arena", "tournament", "run", *[case.bot] * ENTRANTS),
            *("--game", case.game, "--players", str(case.players), "--rounds", str(rounds)),
            *("--design", "random", "--seed", "1", "--jobs", "1", "--db", "cost.db"),
            *WAYS[case.way],
        ]
        seconds = cpu_seconds(command, Path(folder))
        with sqlite3.connect(Path(folder, "cost.db")) as database:
            [[count]] = database.execute("SELECT count(*) FROM match").fetchall()
        database.close()
        return count, seconds


def cost(python: str, case: Case, seconds: float = SECONDS) -> Cost:
    """What a match costs, by two tournaments that are at least so many seconds apart.

    The start is no shorter than that and varies by a tenth, so a small difference says nothing.
    """
    few, short = tournament(python, case, 1)
    rounds = 1
    many, long = few, short
    while (apart := long - short) < seconds:
        # Once there is something to go by, straight to where it is enough.
        known = apart > seconds / 10
        rounds = math.ceil(1.2 * rounds * seconds / apart) if known else 16 * rounds
        many, long = tournament(python, case, rounds)
    match = (long - short) / (many - few)
    return Cost(match, short - few * match)

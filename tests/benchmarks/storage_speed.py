"""What storing and reading results costs, against bare sqlite3 and a session per match.

Usage: storage_speed.py [MATCHES]; a million are read back if nothing else is asked for. With
`server [MATCHES]`, what SQLite and PostgreSQL store a second.
"""

import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import sqlalchemy as sa
from sqlmodel import Session

from engine.catalog import find
from engine.contract import Game
from engine.match import MatchResult, SeatUsage
from engine.rng import Rng, derive
from leagues.storage.codec import ScheduledResult, match_checksum, match_row, seat_rows
from leagues.storage.handle import Storage, open_storage
from leagues.storage.match_filter import MatchFilter
from leagues.storage.models.results import MatchRow, SeatRow
from tests.benchmarks.figures import keep
from tests.leagues.storage.server import running

PLAYERS = 4
BATCH = 500
COMPARED = 5000
ROUNDS = 3


def game_of(game: Game, seed: int) -> MatchResult:
    setup = game.setup(PLAYERS, seed)
    state = game.deal(setup, seed)
    rng = Rng(derive(seed, "play"))
    decisions = []
    while seats := state.pending():
        for seat in seats:
            options = state.legal(seat)
            decisions.append(options[rng.below(len(options))])
            state.apply(seat, decisions[-1])
    spec = game.spec(setup, derive(seed, "match"), ("bot",) * PLAYERS)
    accounts = tuple(
        SeatUsage(len(decisions) // PLAYERS, 0.012345, 0.001234) for _ in range(PLAYERS)
    )
    return MatchResult(
        spec, decisions, state.scores(), state.ranks(), (), accounts, "namespaces", 0.123456
    )


def matches(
    games: list[MatchResult], entrants: list[int], start: int = 0
) -> Iterator[ScheduledResult]:
    number = start
    while True:
        seats = tuple(entrants[(number + i) % len(entrants)] for i in range(PLAYERS))
        result = games[number % len(games)]
        yield ScheduledResult(number, f"{number:08x}", "round robin", number // 12, seats, result)
        number += 1


def fill(storage: Storage, tournament: int, source: Iterator[ScheduledResult], count: int) -> float:
    began = time.perf_counter()
    for _ in range(0, count, BATCH):
        storage.results.add(tournament, list(islice(source, BATCH)), "0.1.0")
    return time.perf_counter() - began


def fill_bare(path: Path, source: Iterator[ScheduledResult], count: int) -> float:
    """The same rows, ready made, by sqlite3 alone into tables with the same columns and keys."""
    rows = []
    for id, played in enumerate(islice(source, count), 1):
        row, seats = match_row(1, 1, played, "0.1.0", 0), seat_rows(played)
        rows.append(((id, *row, match_checksum(row, seats)), [(id, *seat) for seat in seats]))
    with open_storage(path):
        pass
    base = sqlite3.connect(path)
    base.execute("PRAGMA synchronous = NORMAL")
    began = time.perf_counter()
    for at in range(0, count, BATCH):
        part = rows[at : at + BATCH]
        with base:
            marks = ", ".join("?" * len(MatchRow.model_fields))
            names = ", ".join(MatchRow.model_fields)
            base.executemany(
                f"INSERT INTO match ({names}) VALUES ({marks})", [row for row, _ in part]
            )
            marks = ", ".join("?" * len(SeatRow.model_fields))
            base.executemany(
                f"INSERT INTO seat VALUES ({marks})", [seat for _, seats in part for seat in seats]
            )
    spent = time.perf_counter() - began
    base.close()
    return spent


def fill_by_session(
    storage: Storage, tournament: int, source: Iterator[ScheduledResult], count: int
) -> float:
    """A session and a commit for every match: the usual way, for reference."""
    storage.results.add(tournament, list(islice(source, 1)))
    began = time.perf_counter()
    for id, played in enumerate(islice(source, count), 2):
        row, seats = match_row(tournament, 1, played, "0.1.0", 0), seat_rows(played)
        names = list(MatchRow.model_fields)
        with Session(storage.database.engine) as session:
            content = dict(zip(names, (id, *row, match_checksum(row, seats)), strict=True))
            session.add(MatchRow(**content))
            session.flush()
            for seat in seats:
                session.add(SeatRow(**dict(zip(SeatRow.model_fields, (id, *seat), strict=True))))
            session.commit()
    return time.perf_counter() - began


def compare(folder: Path, games: list[MatchResult]) -> None:
    ours, bare, usual = [], [], []
    for round in range(ROUNDS):
        with open_storage(folder / f"ours{round}.db") as storage:
            tournament, entrants = begin(storage)
            ours.append(fill(storage, tournament, matches(games, entrants), COMPARED) / COMPARED)
        path = folder / f"bare{round}.db"
        bare.append(fill_bare(path, matches(games, entrants), COMPARED) / COMPARED)
        with open_storage(folder / f"usual{round}.db") as storage:
            tournament, entrants = begin(storage)
            few = COMPARED // 20
            usual.append(fill_by_session(storage, tournament, matches(games, entrants), few) / few)
    best = min(ours)
    keep(f"adding matches of {PLAYERS}, batches of {BATCH}", 1 / best, "a second", ">= 5,000")
    keep("our time / bare sqlite3 with prepared rows", best / min(bare), "times")
    keep("our time / one session per match", best / min(usual), "times")
    say(f"adding {PLAYERS}-player matches, batches of {BATCH}: {1 / best:,.0f} a second")
    say(
        f"  bare sqlite3, rows ready made:  {1 / min(bare):,.0f} ({best / min(bare):.2f}x our time)"
    )
    say(f"  a session a match:              {1 / min(usual):,.0f} ({best / min(usual):.3f}x)")


def on_server(folder: Path, games: list[MatchResult], count: int) -> None:
    """PostgreSQL and SQLite in turn, by the batches of a tournament."""
    with running() as server:
        found: dict[str, list[float]] = {}
        for round in range(ROUNDS):
            places = {"sqlite": str(folder / f"turn{round}.db")}
            places["postgresql"] = f"postgresql+psycopg://arena@/turn{round}?host={server}"
            url = f"postgresql+psycopg://arena@/postgres?host={server}"
            engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
            with engine.connect() as connection:
                connection.exec_driver_sql(f"CREATE DATABASE turn{round}")
            engine.dispose()
            for name, place in places.items():
                with open_storage(place) as storage:
                    tournament, entrants = begin(storage)
                    spent = fill(storage, tournament, matches(games, entrants), count)
                    found.setdefault(name, []).append(count / spent)
    for name, rates in found.items():
        keep(f"adding matches of {PLAYERS}, {name}", max(rates), "a second")
        say(f"{name}: {', '.join(f'{rate:,.0f}' for rate in rates)} matches stored a second")


def read(folder: Path, games: list[MatchResult], count: int) -> None:
    path = folder / "many.db"
    with open_storage(path) as storage:
        tournament, entrants = begin(storage)
        spent = fill(storage, tournament, matches(games, entrants), count)
        say(f"{count:,} matches added in {spent:.1f} s")
    with open_storage(path) as storage:
        say(f"size: {path.stat().st_size / count:.0f} bytes a match")
        keep("size of a match", path.stat().st_size / count, "bytes")
        results = storage.reader.results
        steps: tuple[tuple[str, Callable[[], int]], ...] = (
            ("numbers played", lambda: len(results.played(tournament))),
            (
                "logs of results",
                lambda: sum(map(len, results.logs(MatchFilter(tournament)).values())),
            ),
            ("whole matches", lambda: sum(1 for _ in results.matches(limit=20_000))),
            ("check", lambda: sum(1 for _ in results.damages())),
        )
        for what, step in steps:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            began = time.perf_counter()
            found = step()
            spent = time.perf_counter() - began
            after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            keep(f"reading: {what}", (found or count) / spent, "a second")
            say(
                f"{what}: {found:,} in {spent:.1f} s; most memory"
                f" {before / 1024:.0f} MB before, {after / 1024:.0f} MB after"
            )


def begin(storage: Storage) -> tuple[int, list[int]]:
    entrants = [
        storage.results.get_or_create_entrant(f"bot{i}", "random", f"{i}").id for i in range(12)
    ]
    return storage.results.get_or_create_tournament("bench", 1, {}, entrants).id, entrants


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def main() -> None:
    """Print figures, the ratios of one run among them; with `server`, of both databases."""
    if sys.argv[1:2] == ["server"]:
        games = [game_of(find(id), seed) for id in ("architects", "seven") for seed in range(20)]
        with tempfile.TemporaryDirectory() as folder:
            on_server(Path(folder), games, int(sys.argv[2]) if len(sys.argv) > 2 else COMPARED)
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    games = [game_of(find(id), seed) for id in ("architects", "seven") for seed in range(40)]
    with tempfile.TemporaryDirectory() as folder:
        compare(Path(folder), games)
        read(Path(folder), games, count)


if __name__ == "__main__":
    main()

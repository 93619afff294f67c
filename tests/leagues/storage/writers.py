"""Processes that write at the same time, and that die while they do."""

from multiprocessing import get_context
from multiprocessing.process import BaseProcess

from leagues.storage.handle import open_storage
from tests.leagues.storage.samples import begin, played

SIZE = 5  # matches in a batch
CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["leagues.storage.handle", "hypothesis.strategies", "psycopg"])


def open_only(place: str) -> None:
    open_storage(place).close()


def write(place: str, count: int) -> None:
    """Every match of the schedule that is not there yet, as a tournament would."""
    with open_storage(place) as storage:
        tournament, entrants = begin(storage)
        done = storage.reader.results.played(tournament)
        missing = [number for number in range(count) if number not in done]
        for at in range(0, len(missing), SIZE):
            batch = [played(number, entrants) for number in missing[at : at + SIZE]]
            storage.results.add(tournament, batch)


def start(target: object, *words: object) -> BaseProcess:
    process = CONTEXT.Process(target=target, args=words)  # type: ignore[arg-type]
    process.start()
    return process

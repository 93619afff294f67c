"""What is published of matches under way: late enough, once, and while it is the worker's."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.playing.live.publisher import MatchPublisher
from arena.playing.live.reporter import match_key
from arena.schedule import Fixture
from engine.catalog import find
from engine.match import MatchSpec
from leagues.records import StageKind
from leagues.storage.handle import Storage, open_storage
from leagues.storage.leases import match_task

LONG = 1000.0  # seconds


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with open_storage(tmp_path / "arena.db") as opened:
        league = opened.leagues.create("spring", "", 7)
        bots = [opened.results.get_or_create_entrant(f"b{at}", "", f"{at}", "").id for at in (1, 2)]
        assert opened.stages.open_stage(league, 1, StageKind.BALANCED, 1, {}, bots)
        yield opened


@pytest.fixture
def worker(storage: Storage) -> int:
    id = storage.leases.register("worker", LONG)
    for number in range(3):
        assert storage.leases.claim(id, match_task(1, number))
    return id


def fixture_of(number: int) -> Fixture:
    game = find("architects")
    spec = game.spec(game.setup(2, number), number, ("one", "two"))
    return Fixture(number, f"f{number}", "s", 0, (1, 0), spec)


def report(folder: Path, spec: MatchSpec, pid: int, rounds: list[tuple[float, int]]) -> None:
    """As a worker process writes it: each decision is its number."""
    now = time.monotonic()
    times = [(now - ago, count) for ago, count in rounds]
    content = json.dumps([match_key(spec), list(range(rounds[-1][1])), times])
    (folder / f"{pid}.json").write_text(content, encoding="utf-8")


def publisher_of(storage: Storage, worker: int, folder: Path, delay: float) -> MatchPublisher:
    found = MatchPublisher(storage, worker, 1, (11, 12), folder, delay)
    assert len(list(found.follow(map(fixture_of, range(3))))) == 3
    return found


def published(storage: Storage) -> dict[int, int]:
    """How many decisions are shown of each match."""
    return {each.number: len(each.decisions) for each in storage.reader.running.of_league(1)}


def test_what_is_younger_than_the_delay_is_in_no_database(
    storage: Storage, worker: int, tmp_path: Path
) -> None:
    publisher = publisher_of(storage, worker, tmp_path, 60.0)
    report(tmp_path, fixture_of(0).spec, 1, [(59.0, 0), (1.0, 5)])
    publisher.publish()
    assert published(storage) == {}
    report(tmp_path, fixture_of(0).spec, 1, [(99.0, 0), (70.0, 3), (59.0, 5), (0.0, 9)])
    publisher.publish()
    assert published(storage) == {0: 3}
    (row,) = storage.reader.running.of_league(1)
    assert row.spec == fixture_of(0).spec
    assert row.entrants == (12, 11)
    assert row.decisions == (0, 1, 2)


def test_of_a_match_that_is_played_again_the_newer_game_counts(
    storage: Storage, worker: int, tmp_path: Path
) -> None:
    publisher = publisher_of(storage, worker, tmp_path, 0.0)
    report(tmp_path, fixture_of(0).spec, 1, [(9.0, 0), (8.0, 5)])
    report(tmp_path, fixture_of(1).spec, 2, [(9.0, 0), (8.0, 4)])
    publisher.publish()
    assert published(storage) == {0: 5, 1: 4}
    report(tmp_path, fixture_of(0).spec, 3, [(2.0, 0), (1.0, 2)])  # process 1 died
    publisher.publish()
    assert published(storage) == {0: 2, 1: 4}


def test_what_is_stored_or_given_up_is_not_published_again(
    storage: Storage, worker: int, tmp_path: Path
) -> None:
    publisher = publisher_of(storage, worker, tmp_path, 0.0)
    report(tmp_path, fixture_of(0).spec, 1, [(9.0, 0), (8.0, 5)])
    publisher.publish()
    storage.leases.release(worker, [match_task(1, 0)])
    assert published(storage) == {}
    report(tmp_path, fixture_of(0).spec, 1, [(9.0, 0), (8.0, 5), (1.0, 9)])
    publisher.publish()
    assert published(storage) == {}


def test_matches_of_others_are_not_published(storage: Storage, worker: int, tmp_path: Path) -> None:
    publisher = publisher_of(storage, worker, tmp_path, 0.0)
    report(tmp_path, fixture_of(7).spec, 1, [(9.0, 0), (8.0, 5)])
    publisher.publish()
    assert published(storage) == {}


def test_it_publishes_by_itself_while_it_is_open(
    storage: Storage, worker: int, tmp_path: Path
) -> None:
    publisher = publisher_of(storage, worker, tmp_path, 0.0)
    publisher._every = 0.02
    report(tmp_path, fixture_of(2).spec, 1, [(9.0, 0), (8.0, 5)])
    end = time.monotonic() + 60
    with publisher:
        while not published(storage) and time.monotonic() < end:
            time.sleep(0.02)
    assert published(storage) == {2: 5}
    report(tmp_path, fixture_of(2).spec, 1, [(9.0, 0), (8.0, 7)])
    time.sleep(0.1)
    assert published(storage) == {2: 5}

"""Matches that are played: shown while their claim lasts, and not a moment longer."""

import sqlalchemy as sa

from engine.catalog import find
from engine.match import Variant
from leagues.records import StageKind
from leagues.running_matches import RunningMatch
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import Storage
from leagues.storage.leases import match_task
from leagues.storage.models.leagues import RunningMatchRow
from tests.support.setups import Row, random_match

LONG = 1000.0  # seconds


def rows(storage: Storage) -> int:
    """How many rows there are, whether they are shown or not."""
    with storage.database.reading() as connection:
        query = sa.select(sa.func.count()).select_from(RunningMatchRow)
        return int(connection.execute(query).scalar_one())


def running(
    storage: Storage, number: int = 0, decisions: tuple[int, ...] = (1, 300)
) -> RunningMatch:
    """A match of a league's only stage, made if need be."""
    reader = storage.reader
    if not reader.leagues.all():
        league = storage.leagues.create("spring", "", 7)
        add = storage.results.get_or_create_entrant
        bots = [add(f"b{at}", "", f"{at}", "").id for at in (1, 2)]
        assert storage.stages.open_stage(league, 1, StageKind.BALANCED, 1, {}, bots)
    ((stage, _),) = reader.stages.of_league(1)
    game = find("architects")
    variant = Variant("architects", None, ("medals",), True)
    spec = game.spec(game.setup(2, 5, (), variant), 2**61 + number, ("one", "two"))
    return RunningMatch(stage.tournament, number, spec, (1, 2), decisions)


def claim(storage: Storage, match: RunningMatch, lease: float = LONG) -> int:
    worker = storage.leases.register("worker", lease)
    assert storage.leases.claim(worker, match_task(match.tournament, match.number))
    return worker


def test_what_was_saved_is_read_until_the_claim_is_released(storage: Storage) -> None:
    match = running(storage)
    worker = claim(storage, match)
    storage.running.save(worker, [match])
    assert storage.reader.running.of_league(1) == [match]
    assert storage.reader.running.of_league(2) == []
    later = running(storage, decisions=(1, 300, 2, 0))
    storage.running.save(worker, [later])
    assert storage.reader.running.of_league(1) == [later]
    storage.leases.release(worker, [match_task(match.tournament, match.number)])
    assert storage.reader.running.of_league(1) == []
    assert rows(storage) == 0


def test_nothing_is_saved_without_a_claim(storage: Storage) -> None:
    mine, free = running(storage), running(storage, 1)
    worker = claim(storage, mine)
    other = storage.leases.register("other", LONG)
    storage.running.save(other, [mine, free])
    assert rows(storage) == 0
    storage.running.save(worker, [mine, free])
    assert storage.reader.running.of_league(1) == [mine]
    storage.running.save(other, [running(storage, decisions=())])
    assert storage.reader.running.of_league(1) == [mine]


def test_what_a_dead_worker_played_is_not_shown_and_goes_with_the_next_claim(
    storage: Storage,
) -> None:
    match = running(storage)
    worker = claim(storage, match)
    storage.running.save(worker, [match])
    storage.leases.renew(worker, -1.0)  # as if it had not been heard of for a while
    assert storage.reader.running.of_league(1) == []
    assert rows(storage) == 1
    storage.leases.register("another", LONG)
    assert rows(storage) == 0


def test_a_worker_that_ends_leaves_nothing(storage: Storage) -> None:
    match = running(storage)
    worker = claim(storage, match)
    storage.running.save(worker, [match])
    storage.leases.unregister(worker)
    assert rows(storage) == 0


def test_a_match_that_is_stored_is_under_way_no_more(storage: Storage) -> None:
    match = running(storage)
    storage.running.save(claim(storage, match), [match])
    result = random_match(Row("architects", 2), 1)
    found = storage.reader.running.stored_id
    assert found(1, match.tournament, match.number) is None
    storage.results.add(
        match.tournament, [ScheduledResult(match.number, "f", "s", 0, (1, 2), result)]
    )
    assert storage.reader.running.of_league(1) == []
    (stored,) = storage.reader.results.ids()
    assert found(1, match.tournament, match.number) == stored
    assert found(2, match.tournament, match.number) is None

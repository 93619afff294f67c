"""What goes into a store comes out of it, once, in order, and unchanged."""

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import ArenaError
from engine.match import Fault, MatchResult, MatchSpec, SeatUsage, Setup, Variant
from leagues.errors import StorageError
from leagues.ratings.placed_match import PlacedMatch
from leagues.storage.codec import ScheduledResult, decode_decisions, encode_decisions
from leagues.storage.handle import Storage, open_storage
from leagues.storage.match_filter import MatchFilter
from leagues.storage.results import identity
from tests.leagues.storage.samples import NAMES, SMALL, begin, played, rated, result, results

SHARED = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@given(st.lists(st.integers(0, 2**70)))
def test_decisions_are_unpacked_as_they_were(decisions: list[int]) -> None:
    assert decode_decisions(encode_decisions(decisions)) == decisions


def test_decisions_take_few_bytes() -> None:
    assert len(encode_decisions([0, 127, 128, 70_000])) == 1 + 1 + 2 + 3


@SHARED
@given(match=results(), fixture=NAMES, stage=NAMES, round=SMALL, rated=st.booleans())
def test_every_field_comes_back(
    storage: Storage, match: MatchResult, fixture: str, stage: str, round: int, rated: bool
) -> None:
    tournament, entrants = begin(storage, 7, "any")
    number = len(storage.reader.results.played(tournament))
    seats = tuple(entrants[: match.spec.setup.players])
    given = ScheduledResult(number, fixture, stage, round, seats, match, rated)
    assert storage.results.add(tournament, [given], "0.1.0", at=1234) == 1
    (stored,) = storage.reader.results.matches(MatchFilter(tournament), limit=1)
    row = stored
    kept = (row.number, row.fixture, row.stage, row.round)
    back = ScheduledResult(
        *kept, tuple(seat.entrant for seat in stored.seats), stored.result, row.rated
    )
    assert back == given
    assert (row.tournament, row.program, row.played_at) == (tournament, "0.1.0", 1234)
    assert storage.reader.results.match(row.id) == stored
    assert [entrant.id for entrant in stored.entrants] == list(seats)


def test_results_stream_in_the_order_of_the_schedule(storage: Storage) -> None:
    tournament, entrants = begin(storage)
    turned = list(reversed(entrants))
    storage.results.add(tournament, [played(5, entrants), played(2, turned)])
    storage.results.add(tournament, [played(3, entrants[:2]), played(0, entrants)])
    placings = rated(storage)
    numbers = [storage.reader.results.match(placing.match).number for placing in placings]
    assert numbers == [0, 2, 3, 5]
    assert placings[2] == PlacedMatch(
        placings[2].match,
        "seven",
        tuple(entrants[:2]),
        ("wonder0", "wonder1"),
        (0, 1),
        (1, 0),
        (True, False),
    )
    assert placings[1].entrants == tuple(turned)


def test_matches_of_several_tournaments_stay_apart(storage: Storage) -> None:
    first, entrants = begin(storage)
    second, _ = begin(storage, name="autumn")
    storage.results.add(second, [played(0, entrants)])
    storage.results.add(first, [played(0, entrants), played(1, entrants)])
    assert [len(storage.reader.results.played(each)) for each in (first, second)] == [2, 1]
    assert len(rated(storage, MatchFilter(first))) == 2
    assert len(rated(storage)) == 3
    assert not list(storage.reader.results.damages())


def test_slices(storage: Storage) -> None:
    tournament, entrants = begin(storage)
    storage.results.add(tournament, [played(0, entrants), played(1, entrants[:3], faults=())])
    storage.results.add(tournament, [played(2, entrants[1:], rated=False)])

    def numbers(which: MatchFilter) -> list[int]:
        return [stored.number for stored in storage.reader.results.matches(which)]

    assert numbers(MatchFilter()) == [2, 1, 0]
    assert numbers(MatchFilter(tournament, "seven", 3, "2nd", "round robin")) == [2, 1]
    assert numbers(MatchFilter(game="architects")) == []
    assert numbers(MatchFilter(edition="1st")) == []
    assert numbers(MatchFilter(stage="final")) == []
    assert numbers(MatchFilter(entrant=entrants[0])) == [1, 0]
    assert numbers(MatchFilter(faulty=True)) == [2, 0]
    assert [stored.number for stored in storage.reader.results.matches(latest_first=False)] == [
        0,
        1,
        2,
    ]
    assert len(list(storage.reader.results.matches(limit=2))) == 2
    assert storage.reader.results.count(MatchFilter(faulty=True)) == 2
    assert len(rated(storage)) == 2
    assert len(rated(storage, unrated=True)) == 3


def test_a_number_keeps_its_first_match(storage: Storage) -> None:
    tournament, entrants = begin(storage)
    assert storage.results.add(tournament, [played(1, entrants), played(1, entrants[:2])]) == 1
    other = replace(played(1, entrants), fixture="other")
    assert storage.results.add(tournament, [other, played(2, entrants)]) == 1
    assert storage.results.add(tournament, [other]) == 0
    assert storage.results.add(tournament, []) == 0
    assert [stored.fixture for stored in storage.reader.results.matches()] == [
        "fixture2",
        "fixture1",
    ]
    assert not list(storage.reader.results.damages())


def test_numbers_that_were_played(storage: Storage) -> None:
    tournament, entrants = begin(storage)
    assert len(storage.reader.results.played(tournament)) == 0
    storage.results.add(tournament, [played(number, entrants) for number in (9, 0, 4)])
    numbers = storage.reader.results.played(tournament)
    assert list(numbers) == [0, 4, 9]
    assert [number for number in range(-1, 12) if number in numbers] == [0, 4, 9]


def test_an_exclusion_is_an_event(storage: Storage) -> None:
    tournament, entrants = begin(storage)
    storage.results.add(tournament, [played(0, entrants), played(1, entrants)])
    id = rated(storage)[0].match
    storage.results.exclude(id, "the machine slept", "ref")
    assert [placing.match for placing in rated(storage)] == [id + 1]
    assert storage.reader.results.match(id).excluded
    storage.results.restore(id, "it did not")
    assert len(rated(storage)) == 2
    stored = storage.reader.results.match(id)
    assert not stored.excluded
    assert [(event.excluded, event.reason, event.by) for event in stored.events] == [
        (True, "the machine slept", "ref"),
        (False, "it did not", ""),
    ]
    with pytest.raises(StorageError, match="expected a match of this database, got 99"):
        storage.results.exclude(99, "there is none")


def test_incidents_are_remembered(storage: Storage) -> None:
    tournament, _ = begin(storage)
    storage.results.report_incident(tournament, 4, "worker 7 died")
    (incident,) = storage.reader.results.incidents(tournament)
    assert (incident.number, incident.detail) == (4, "worker 7 died")


def test_an_entrant_is_its_digest(storage: Storage) -> None:
    first = storage.results.get_or_create_entrant("bot", "./bot", "d1", "1.0", "ann")
    again = storage.results.get_or_create_entrant("renamed", "./elsewhere", "d1")
    second = storage.results.get_or_create_entrant(
        "bot", "./bot", "d2", "1.1", "ann", parent=first.id
    )
    assert (again.id, again.label) == (first.id, "bot")
    assert (second.parent, second.owner, second.version) == (first.id, "ann", "1.1")
    assert [entrant.id for entrant in storage.reader.results.entrants()] == [first.id, second.id]


def test_a_tournament_goes_on_only_as_itself(place: str) -> None:
    with open_storage(place) as storage:
        tournament, entrants = begin(storage)
    with open_storage(place) as storage:
        settings = {"game": "seven", "rounds": 90, "jobs": 2}
        assert (
            storage.results.get_or_create_tournament("spring", 7, settings, entrants).id
            == tournament
        )
        for seed, config, bots, wrong in (
            (
                8,
                settings,
                entrants,
                "tournament spring was started with seed=7, not 8; use another --name",
            ),
            (
                7,
                settings | {"players": 3},
                entrants,
                "tournament spring was started with players=null, not 3; use another --name",
            ),
            (
                7,
                settings,
                entrants[1:],
                "tournament spring was started with other entrants; use another --name",
            ),
        ):
            with pytest.raises(StorageError, match=wrong):
                storage.results.get_or_create_tournament("spring", seed, config, bots)
        assert [t.name for t in storage.reader.results.tournaments(identity(settings), 7)] == [
            "spring"
        ]
        assert (
            storage.reader.results.tournaments(identity(settings), 8)
            == storage.reader.results.tournaments("other")
            == []
        )
        assert [entrant.id for entrant in storage.reader.results.entrants(tournament)] == entrants
        assert storage.reader.results.tournament("autumn") is None


def spec_of(game: str) -> MatchSpec:
    """A match whose game has that name."""
    spec = result().spec
    variant = replace(spec.setup.variant, game=game)
    return replace(spec, setup=replace(spec.setup, variant=variant))


REFUSED = [
    ("expected a game without control", {"spec": spec_of("se\x00ven")}),
    ("control characters", {"sandbox": "\x1b[31m"}),
    ("control characters", {"sandbox": "two\nlines"}),
    ("control characters", {"sandbox": "\ud800"}),
    ("control characters", {"sandbox": "\x85"}),
    ("control characters", {"faults": (Fault(0, "time", "bell \x07", 1),)}),
    ("control characters", {"faults": (Fault(0, "ti\tme", "", 1),)}),
    ("control characters", {"accounts": (SeatUsage(1, 0.0, 0.0, "back\r"),) * 4}),
    ("expected 4 scores, got 3", {"scores": [1, 2, 3]}),
    ("expected 4 ranks, got 5", {"ranks": [0, 1, 2, 3, 4]}),
    ("expected 4 accounts, got 1", {"accounts": (SeatUsage(),)}),
    ("a fault or none for each seat", {"faults": (Fault(0, "a", "", 1), Fault(0, "b", "", 2))}),
    ("a fault or none for each seat", {"faults": (Fault(4, "time", "", 1),)}),
    ("actions from 0 on, got -1", {"decisions": [1, -1]}),
    ("in seconds, got nan", {"seconds": float("nan")}),
    ("in seconds, got -1", {"seconds": -1.0}),
    ("expected a time factor above 0", {"time_factor": 0.0}),
    ("expected a seed", {"spec": replace(result().spec, seed=2**63)}),
    ("expected a score", {"scores": [2**31, 0, 0, 0]}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("wrong", "changes"), REFUSED)
def test_what_is_not_valid_is_refused_and_nothing_of_its_batch_kept(
    tmp_path_factory: pytest.TempPathFactory, wrong: str, changes: dict[str, Any]
) -> None:
    with open_storage(tmp_path_factory.mktemp("refused") / "results.db") as storage:
        tournament, entrants = begin(storage)
        with pytest.raises(ArenaError, match=wrong):
            storage.results.add(tournament, [played(0, entrants), played(1, entrants, **changes)])
        assert len(storage.reader.results.played(tournament)) == 0
        assert not list(storage.reader.results.damages())


def test_strangers_are_refused(storage: Storage) -> None:
    tournament, entrants = begin(storage)
    with pytest.raises(StorageError, match="cannot use"):
        storage.results.add(tournament, [played(0, [*entrants[:3], 99])])
    with pytest.raises(StorageError, match="cannot use"):
        storage.results.add(99, [played(0, entrants)])
    with pytest.raises(StorageError, match="control characters"):
        storage.results.get_or_create_entrant("b\not", "spec", "digest")
    with pytest.raises(StorageError, match="JSON can say"):
        storage.results.get_or_create_tournament("other", 1, {"x": float("nan")}, entrants)
    assert not rated(storage)
    assert not list(storage.reader.results.damages())


def test_a_member_of_an_enumeration_is_stored_as_its_text(tmp_path: Path) -> None:
    class Level(StrEnum):
        FULL = "full"

    with open_storage(tmp_path / "arena.db") as storage:
        bots = [
            storage.results.get_or_create_entrant(label, label, label).id for label in ("a", "b")
        ]
        row = storage.results.get_or_create_tournament("cup", 1, {}, bots)
        spec = MatchSpec(Setup(Variant("architects"), 2, ("giza", "rhodes")), 1, ("a", "b"), 1)
        result = MatchResult(spec, [1], [3, 4], [1, 0], sandbox=Level.FULL)
        storage.results.add(row.id, [ScheduledResult(0, "one", "balanced", 0, tuple(bots), result)])
        assert list(storage.reader.results.damages()) == []


@pytest.mark.parametrize("id", [2**31, 2**63, 10**30])
def test_a_number_no_match_can_have_is_refused(storage: Storage, id: int) -> None:
    with pytest.raises(StorageError, match="expected"):
        storage.reader.results.match(id)

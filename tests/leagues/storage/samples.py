"""Matches to storage: one by hand, and any that could come."""

from typing import TypeVar

from hypothesis import strategies as st

from engine.match import Fault, MatchResult, MatchSpec, SeatUsage, Setup, Variant
from leagues.ratings.placed_match import PlacedMatch
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import Storage
from leagues.storage.match_filter import MatchFilter

T = TypeVar("T")
NAMES = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20)
TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs"], include_characters="\n\t"))
SMALL = st.integers(0, 2**31 - 1)
SECONDS = st.integers(0, 10**12).map(lambda micro: micro / 1_000_000)


def begin(storage: Storage, bots: int = 4, name: str = "spring") -> tuple[int, list[int]]:
    """A tournament and its entrants."""
    entrants = [
        storage.results.get_or_create_entrant(f"bot{i}", f"house:{i}", f"digest{i}").id
        for i in range(bots)
    ]
    tournament = storage.results.get_or_create_tournament(
        name, 7, {"game": "seven", "rounds": 3}, entrants
    )
    return tournament.id, entrants


def result(players: int = 4, seed: int = 1, **changes: object) -> MatchResult:
    """A match in which the last seat won and the first failed."""
    setup = Setup(
        Variant("seven", "2nd", ("leaders",)),
        players,
        tuple(f"wonder{i}" for i in range(players)),
    )
    fields: dict[str, object] = {
        "spec": MatchSpec(setup, seed, tuple(f"bot{i}" for i in range(players)), 3),
        "decisions": [0, 127, 128, 70_000, 25_989_184],
        "scores": list(range(players)),
        "ranks": list(reversed(range(players))),
        "faults": (Fault(0, "time", "first line\n\tsecond line", 2),),
        "accounts": tuple(SeatUsage(i, i / 8, i / 16, "said\nthis") for i in range(players)),
        "sandbox": "namespaces",
        "seconds": 1.25,
        "time_factor": 1.5,
    }
    return MatchResult(**(fields | changes))  # type: ignore[arg-type]


def played(
    number: int, entrants: list[int], rated: bool = True, **changes: object
) -> ScheduledResult:
    made = result(len(entrants), number, **changes)
    return ScheduledResult(
        number, f"fixture{number}", "round robin", number // 4, tuple(entrants), made, rated
    )


def rated(
    storage: Storage, which: MatchFilter | None = None, unrated: bool = False
) -> list[PlacedMatch]:
    """The matches that ratings are made of, game by game."""
    logs = storage.reader.results.logs(which or MatchFilter(), unrated)
    return [placing for log in logs.values() for placing in log.placings()]


@st.composite
def results(draw: st.DrawFn) -> MatchResult:
    """Any match that can be stored; bots go by the labels that `begin` gives."""
    players = draw(st.integers(2, 7))

    def each(what: st.SearchStrategy[T]) -> st.SearchStrategy[list[T]]:
        return st.lists(what, min_size=players, max_size=players)

    variant = Variant(
        draw(NAMES),
        draw(st.none() | NAMES),
        tuple(draw(st.lists(NAMES, max_size=3))),
        draw(st.booleans()),
    )
    setup = Setup(variant, players, tuple(draw(each(NAMES))))
    seed = draw(st.integers(-(2**63), 2**63 - 1))
    labels = tuple(f"bot{i}" for i in range(players))
    seats = draw(st.sets(st.integers(0, players - 1)))
    faults = [Fault(seat, draw(NAMES), draw(TEXTS), draw(SMALL)) for seat in sorted(seats)]
    account = st.builds(SeatUsage, SMALL, SECONDS, SECONDS, TEXTS)
    return MatchResult(
        MatchSpec(setup, seed, labels, draw(SMALL)),
        draw(st.lists(st.integers(0, 2**40))),
        draw(each(st.integers(-(2**31), 2**31 - 1))),
        draw(each(SMALL)),
        tuple(sorted(faults, key=lambda fault: fault.decision)),
        tuple(draw(st.one_of(st.just(list[SeatUsage]()), each(account)))),
        draw(NAMES),
        draw(SECONDS),
    )

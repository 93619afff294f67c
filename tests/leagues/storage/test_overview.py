"""Counts over a store: where matches come from, how far rounds are, who failed."""

from engine.match import Variant
from leagues.records import FaultCount, Origin, RoundProgress
from leagues.storage.handle import Storage
from leagues.storage.match_filter import MatchFilter
from tests.leagues.storage.samples import begin, played

VARIANT = Variant("seven", "2nd", ("leaders",))


def test_counts_by_origin_round_and_fault(storage: Storage) -> None:
    first, entrants = begin(storage)
    second, _ = begin(storage, name="autumn")
    storage.results.add(first, [played(number, entrants) for number in range(6)])
    storage.results.add(second, [played(0, entrants, False, sandbox="trusted", faults=())])
    spring = Origin(first, "round robin", VARIANT, 4, "namespaces", True, 6)
    autumn = Origin(second, "round robin", VARIANT, 4, "trusted", False, 1)
    assert storage.reader.results.origins() == [spring, autumn]
    assert storage.reader.results.origins(MatchFilter(second)) == [autumn]
    assert storage.reader.results.count(MatchFilter(variant=VARIANT)) == 7
    others = (Variant("seven", "2nd"), Variant("seven", None, ("leaders",)))
    assert [storage.reader.results.count(MatchFilter(variant=other)) for other in others] == [0, 0]
    assert (
        storage.reader.results.count(
            MatchFilter(variant=Variant("seven", "2nd", ("leaders",), True))
        )
        == 0
    )
    assert storage.reader.results.rounds(first) == [
        RoundProgress("round robin", "seven", 4, 0, 4),
        RoundProgress("round robin", "seven", 4, 1, 2),
    ]
    assert storage.reader.results.fault_counts() == [FaultCount(entrants[0], "time", 6, 6)]
    assert storage.reader.results.fault_counts(MatchFilter(second)) == []
    assert list(storage.reader.results.ids(MatchFilter(first), limit=2)) == [6, 5]

"""Counts over a store: where matches come from, how far rounds are, who failed."""

from leagues.storage.results import Failing, MatchFilter, Origin, Round, Store, Variant
from tests.leagues.storage.samples import begin, played

VARIANT = Variant("seven", "2nd", ("leaders",))


def test_counts_by_origin_round_and_fault(store: Store) -> None:
    first, entrants = begin(store)
    second, _ = begin(store, name="autumn")
    store.add(first, [played(number, entrants) for number in range(6)])
    store.add(second, [played(0, entrants, False, sandbox="trusted", faults=())])
    spring = Origin(first, "round robin", VARIANT, 4, "namespaces", True, 6)
    autumn = Origin(second, "round robin", VARIANT, 4, "trusted", False, 1)
    assert store.origins() == [spring, autumn]
    assert store.origins(MatchFilter(second)) == [autumn]
    assert store.count(MatchFilter(variant=VARIANT)) == 7
    others = (Variant("seven", "2nd"), Variant("seven", None, ("leaders",)))
    assert [store.count(MatchFilter(variant=other)) for other in others] == [0, 0]
    assert store.count(MatchFilter(variant=Variant("seven", "2nd", ("leaders",), True))) == 0
    assert store.rounds(first) == [
        Round("round robin", "seven", 4, 0, 4),
        Round("round robin", "seven", 4, 1, 2),
    ]
    assert store.failings() == [Failing(entrants[0], "time", 6, 6)]
    assert store.failings(MatchFilter(second)) == []
    assert list(store.ids(MatchFilter(first), limit=2)) == [6, 5]

"""What programs without the library are told of 7 Wonders is so."""

from collections import Counter

from engine.seven.components.lookup import CARD_IDS
from engine.seven.powers import in_pile
from engine.seven.state import CARD, ENTRY, SevenPosition, entries
from tests.support.setups import Row, states


def test_discards_known_are_in_the_pile_and_the_others_counted(many: int) -> None:
    known = 0
    for edition in ("2nd", "1st"):
        for seed in range(10 * many):
            row = Row("seven", 3, {"edition": edition})
            for state in states(row, seed):
                assert isinstance(state, SevenPosition)
                pile = [entry for entry in range(entries(state)) if in_pile(state, entry)]
                cards = Counter(CARD_IDS[state.log[entry * ENTRY + CARD]] for entry in pile)
                for seat in range(3):
                    told = row.rules.facts(state.view(seat))["discards"]
                    assert isinstance(told, list)
                    assert len(told) == len(pile)
                    assert not Counter(card for card in told if card) - cards
                    known += any(told)
    assert known

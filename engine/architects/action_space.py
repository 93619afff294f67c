"""Every action of a table: what the rules can ever offer, from the notation and the costs alone."""

from itertools import combinations_with_replacement

from engine.architects.actions import BUILD, BY_ECONOMY, BY_ENGINEERING, COINS_AT, STAGE_AT
from engine.architects.components.lookup import COST, GREY_COUNT, SAME, STAGE_COUNT
from engine.architects.formats.notation import SEATS, VERBS


def list_actions(players: int) -> list[int]:
    """Every action of a table of so many, whatever the expansions; the builds last."""
    found: list[int] = []
    for verb in VERBS:
        ones = players if verb.ones == SEATS else len(verb.ones)
        for one in range(ones):
            first = verb.head + verb.step * one
            found += range(first, first + len(verb.twos))
    return found + _builds()


def _builds() -> list[int]:
    """Every payment for a stage of any wonder."""
    found: set[int] = set()
    for place in range(len(COST)):
        head = int(BUILD) | place % int(STAGE_COUNT) << int(STAGE_AT)
        for payment in _payments(int(COST[place]), SAME[place] != 0):
            found.add(head | payment)
    return sorted(found)


def _payments(need: int, same: bool) -> list[int]:
    """Grey cards, up to all that a stage needs, and coins or Economy for the rest."""
    found: list[int] = []
    for count in range(need + 1):
        for cards in combinations_with_replacement(range(int(GREY_COUNT)), count):
            most = max([cards.count(kind) for kind in cards], default=0)
            # What is not all alike, or all different, is paid by Engineering.
            is_standard = most == (count if same else min(count, 1))
            code = 0 if is_standard else int(BY_ENGINEERING)
            for kind in cards:
                code += 1 << 3 * kind
            missing = need - count
            found.append(code | missing << int(COINS_AT))
            if missing >= 2:  # a coin counts double
                found.append(code | int(BY_ECONOMY) | missing - 1 << int(COINS_AT))
    return found

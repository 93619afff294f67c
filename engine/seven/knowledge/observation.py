"""What a view knows, by ids: for programs that do not use this library."""

from engine.seven.components.lookup import BOARD_IDS, CARD_IDS, HIDDEN
from engine.seven.knowledge.redact import city_rows, held, may_hold, pile_size, revived_unseen
from engine.seven.powers import in_pile
from engine.seven.score import total
from engine.seven.state import (
    AT_COINS,
    AT_DEFEATS,
    AT_SHIELDS,
    AT_STAGES,
    AT_VICTORIES,
    BURIED,
    CARD,
    CITY,
    ENTRY,
    KIND,
    MIXED,
    ROUNDS,
    SevenPosition,
    entries,
    hand_at,
)


def facts(p: SevenPosition) -> dict[str, object]:
    """The table; null stands for a card the seat does not know."""
    return {
        "age": p.age + 1,
        "turn": p.turn + 1,
        "seats": [_seat(p, seat) for seat in range(p.players)],
        "discards": _discards(p),
    }


def _seat(p: SevenPosition, seat: int) -> dict[str, object]:
    city = seat * CITY
    return {
        "wonder": BOARD_IDS[p.boards[seat]],
        "stages": p.city[city + AT_STAGES],
        "cards": [CARD_IDS[row] for row in city_rows(p, seat)],
        "coins": p.city[city + AT_COINS],
        "shields": p.city[city + AT_SHIELDS],
        "victories": p.city[city + AT_VICTORIES],
        "defeats": p.city[city + AT_DEFEATS],
        "points": total(p, seat),
        "hand": [None if card == HIDDEN else CARD_IDS[card] for card in held(p, seat)],
        "hand_may_hold": sorted([CARD_IDS[card] for card in may_hold(p, seat)]),
    }


def _discards(p: SevenPosition) -> list[str | None]:
    doubtful = _doubtful_hands(p)
    known: list[str] = []
    for entry in range(entries(p)):
        if not in_pile(p, entry):
            continue
        card = int(p.log[entry * ENTRY + CARD])
        mixed = int(p.log[entry * ENTRY + KIND]) & MIXED
        if card != HIDDEN and not (mixed and _hand_of_entry(p, entry) in doubtful):
            known.append(CARD_IDS[card])
    for card in revived_unseen(p):
        if CARD_IDS[card] in known:
            known.remove(CARD_IDS[card])
    return [*known, *[None] * (pile_size(p) - len(known))]


def _doubtful_hands(p: SevenPosition) -> set[tuple[int, int]]:
    """Hands some mixed card of which is buried: none of its mixed cards is surely in the pile."""
    return {
        _hand_of_entry(p, entry)
        for entry in range(entries(p))
        if int(p.log[entry * ENTRY + KIND]) == BURIED | MIXED
    }


def _hand_of_entry(p: SevenPosition, entry: int) -> tuple[int, int]:
    """The Age and the hand a card was played from."""
    round = entry // int(p.players)
    age = round // ROUNDS
    return age, int(hand_at(p.players, age, round % ROUNDS, entry % int(p.players)))

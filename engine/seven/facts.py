"""What a view knows, by ids: for programs that do not use this library."""

from engine.seven.columns import BOARD_IDS, CARD_IDS, COLOUR, HAND, HIDDEN, NAME_PLACES, NONE
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
    Position,
    entries,
    hand_at,
    hand_size,
)
from engine.seven.view import remembered


def facts(p: Position) -> dict[str, object]:
    """The table; null stands for a card the seat does not know."""
    return {
        "age": p.age + 1,
        "turn": p.turn + 1,
        "seats": [_seat(p, seat) for seat in range(p.players)],
        "discards": _discards(p),
    }


def _seat(p: Position, seat: int) -> dict[str, object]:
    start = seat * NAME_PLACES
    city = seat * CITY
    rows = [int(card) - 1 for card in p.built[start : start + NAME_PLACES] if card]
    hand = hand_at(p.players, p.age, p.turn, seat)
    held = [int(p.hands[hand * HAND + at]) for at in range(hand_size(p))]
    return {
        "wonder": BOARD_IDS[p.boards[seat]],
        "stages": p.city[city + AT_STAGES],
        "cards": [CARD_IDS[row] for row in sorted(rows, key=lambda row: (COLOUR[row], row))],
        "coins": p.city[city + AT_COINS],
        "shields": p.city[city + AT_SHIELDS],
        "victories": p.city[city + AT_VICTORIES],
        "defeats": p.city[city + AT_DEFEATS],
        "points": total(p, seat),
        "hand": [None if card == HIDDEN else CARD_IDS[card] for card in held],
        # Of a hidden hand: cards the seat saw in it that may still be there.
        "hand_may_hold": sorted(
            CARD_IDS[card] for card in remembered(p, p.age, hand) if card < NONE
        )
        if HIDDEN in held
        else [],
    }


def _discards(p: Position) -> list[str | None]:
    pile = [entry for entry in range(entries(p)) if in_pile(p, entry)]
    doubtful = _doubtful_hands(p)
    known: list[str] = []
    for entry in pile:
        card = int(p.log[entry * ENTRY + CARD])
        mixed = int(p.log[entry * ENTRY + KIND]) & MIXED
        if card != HIDDEN and not (mixed and _hand_of_entry(p, entry) in doubtful):
            known.append(CARD_IDS[card])
    left = len(pile)
    # A card revived out of a place the view does not know has left the pile all the same.
    for at in range(0, len(p.revived), 2):
        if p.revived[at] == HIDDEN:
            left -= 1
            if CARD_IDS[p.revived[at + 1]] in known:
                known.remove(CARD_IDS[p.revived[at + 1]])
    return [*known, *[None] * (left - len(known))]


def _doubtful_hands(p: Position) -> set[tuple[int, int]]:
    """Hands some mixed card of which is buried: none of its mixed cards is surely in the pile."""
    return {
        _hand_of_entry(p, entry)
        for entry in range(entries(p))
        if int(p.log[entry * ENTRY + KIND]) == BURIED | MIXED
    }


def _hand_of_entry(p: Position, entry: int) -> tuple[int, int]:
    """The Age and the hand a card was played from."""
    round = entry // int(p.players)
    age = round // ROUNDS
    return age, int(hand_at(p.players, age, round % ROUNDS, entry % int(p.players)))

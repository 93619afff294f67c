"""What a seat knows: its cards, every hand it has held, what was played openly, the pile it saw.

A hand comes by at most twice an Age. What went unseen before the first look is unknown. What went
between two looks is known, but not in which order: such entries of the log are marked MIXED and
hold their cards sorted. What went after the last look is one of the cards then seen.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.seven.actions import UNDECIDED
from engine.seven.components.lookup import AGES, COLOUR, HAND, HIDDEN, NAME_PLACES, NONE
from engine.seven.deal import sort_cards
from engine.seven.powers import in_pile, reviving_seat
from engine.seven.state import (
    BUILT,
    BURIED,
    CARD,
    ENTRY,
    KIND,
    MIXED,
    REVIVALS,
    ROUNDS,
    SevenPosition,
    entries,
    hand_at,
    hand_of,
    hand_size,
    holder,
    rounds_of,
)

NEVER: Final = 99


def redact_state(p: SevenPosition, viewer: i64) -> None:
    """Forget what the seat may not know."""
    p.viewer = viewer
    p.dealt = p.dealt[:]  # clones share it
    for seat in range(p.players):
        if seat != viewer:
            p.commits[seat] = UNDECIDED
    for age in range(i64(AGES)):
        for hand in range(p.players):
            _forget(p, age, hand)
    if viewer != reviving_seat(p):
        for i in range(i64(REVIVALS)):
            if p.revived[2 * i] != NONE:
                p.revived[2 * i] = HIDDEN
    settle_hands(p)


def _forget(p: SevenPosition, age: i64, hand: i64) -> None:
    """Forget what the viewer cannot know of one hand and the cards that left it."""
    log = p.log
    rounds = rounds_of(p, age)
    first = _first_look(p, age, hand)
    again = first + p.players
    if again > _last_round_seen(p, age):
        again = NEVER
    start = (age * p.players + hand) * HAND
    seen = p.dealt[start : start + HAND]
    if first == NEVER:
        _hide_all(seen)
    mixed: i64 = 0
    for turn in range(rounds):
        entry = entry_of(p, age, turn, hand)
        if _is_known(p, entry):
            if first == NEVER:
                swap_card(seen, 0, HIDDEN, log[entry * ENTRY + CARD])
        elif turn < first:
            if first != NEVER:
                swap_card(seen, 0, log[entry * ENTRY + CARD], HIDDEN)
            log[entry * ENTRY + CARD] = HIDDEN
        elif again == NEVER or turn >= again:
            log[entry * ENTRY + CARD] = HIDDEN
        else:
            mixed += 1
    if mixed > 1:
        _mix(p, age, hand, first, again)
    sort_cards(seen, 0, HAND)
    for i in range(i64(HAND)):
        p.dealt[start + i] = seen[i]


def entry_of(p: SevenPosition, age: i64, turn: i64, hand: i64) -> i64:
    """The entry of the log that tells what left a hand in a round."""
    return (age * ROUNDS + turn) * p.players + holder(p.players, age, turn, hand)


def _first_look(p: SevenPosition, age: i64, hand: i64) -> i64:
    last = _last_round_seen(p, age)
    for turn in range(last + 1):
        if hand_at(p.players, age, turn, p.viewer) == hand:
            return turn
    return NEVER


def _last_round_seen(p: SevenPosition, age: i64) -> i64:
    """The last turn of the Age whose hands have been picked up, -1 before the Age begins."""
    if age > p.age:
        return -1
    if age < p.age or p.turn > HAND - 2:
        return HAND - 2
    return p.turn


def _is_known(p: SevenPosition, entry: i64) -> bool:
    """Whether the viewer has seen the card of this entry leave."""
    kind = i64(p.log[entry * ENTRY + KIND])
    if kind == BUILT or entry % p.players == p.viewer:
        return True
    return kind != BURIED and entry < p.peeked and p.viewer == reviving_seat(p)


def _mix(p: SevenPosition, age: i64, hand: i64, first: i64, again: i64) -> None:
    """Keep the unseen cards between two looks, but not which seat played which."""
    cards = vec[u8]([NONE for _ in range(HAND)])
    count: i64 = 0
    for turn in range(first, again):
        entry = entry_of(p, age, turn, hand)
        if not _is_known(p, entry):
            cards[count] = p.log[entry * ENTRY + CARD]
            count += 1
    sort_cards(cards, 0, count)
    if cards[0] == cards[count - 1]:
        return
    count = 0
    for turn in range(first, again):
        entry = entry_of(p, age, turn, hand)
        if not _is_known(p, entry):
            p.log[entry * ENTRY + CARD] = cards[count]
            p.log[entry * ENTRY + KIND] |= MIXED
            count += 1


def _hide_all(cards: vec[u8]) -> None:
    for i in range(i64(len(cards))):
        cards[i] = HIDDEN


def swap_card(cards: vec[u8], start: i64, old: u8, new: u8) -> bool:
    """Put a card in the place of another of the seven from the start, if that one is there."""
    for at in range(start, start + HAND):
        if cards[at] == old:
            cards[at] = new
            return True
    return False


def remembered(p: SevenPosition, age: i64, hand: i64) -> vec[u8]:
    """The cards of a hand not known to have left it; HIDDEN where no card is known."""
    start = (age * p.players + hand) * HAND
    cards = p.dealt[start : start + HAND]
    for turn in range(rounds_of(p, age)):
        card = p.log[entry_of(p, age, turn, hand) * ENTRY + CARD]
        if card != HIDDEN:
            swap_card(cards, 0, card, NONE)
    return cards


def settle_hands(p: SevenPosition) -> None:
    """Set the hands to what is left of them; hidden unless every card is known."""
    size = hand_size(p)
    for hand in range(p.players):
        cards = remembered(p, p.age, hand)
        sort_cards(cards, 0, HAND)
        known: i64 = 0
        while known < HAND and cards[known] < NONE:
            known += 1
        for i in range(i64(HAND)):
            card: u8 = NONE
            if i < size:
                card = cards[i] if known == size else HIDDEN
            p.hands[hand * HAND + i] = card


def city_rows(p: SevenPosition, seat: i64) -> list[int]:
    """The cards that stand in a city, by colour."""
    start = seat * NAME_PLACES
    rows = [int(card) - 1 for card in p.built[start : start + NAME_PLACES] if card]
    return sorted(rows, key=lambda row: (COLOUR[row], row))


def held(p: SevenPosition, seat: i64) -> list[int]:
    """The cards in the hand of a seat, HIDDEN where they are not known."""
    start = hand_of(p, seat)
    return [int(p.hands[start + at]) for at in range(hand_size(p))]


def may_hold(p: SevenPosition, seat: i64) -> list[int]:
    """Of a hidden hand: the cards the viewer saw in it that may still be there."""
    if HIDDEN not in held(p, seat):
        return []
    cards = remembered(p, p.age, hand_at(p.players, p.age, p.turn, seat))
    return [int(card) for card in cards if card < NONE]


def revived_unseen(p: SevenPosition) -> list[int]:
    """Cards revived out of a place the view does not know: they have left the pile all the same."""
    return [int(p.revived[2 * i + 1]) for i in range(REVIVALS) if p.revived[2 * i] == HIDDEN]


def pile_size(p: SevenPosition) -> int:
    """How many cards lie in the discard pile."""
    size = sum([in_pile(p, entry) for entry in range(entries(p))])
    return size - len(revived_unseen(p))

"""Guessing what a view does not know: every unknown card lies somewhere it may lie."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.errors import HiddenError
from engine.rng import Rng
from engine.seven.actions import PLAY, REVIVING
from engine.seven.components.lookup import (
    AGES,
    CARD_COUNT,
    GUILDS,
    HAND,
    HIDDEN,
    NONE,
    POWERS,
    STAGE_PLACES,
    deck,
)
from engine.seven.components.rows import REVIVE
from engine.seven.deal import sort_hands
from engine.seven.knowledge.redact import entry_of, remembered, settle_hands
from engine.seven.options import add_options, new_option_buffer
from engine.seven.powers import in_pile, reviving_seat
from engine.seven.state import (
    BURIED,
    CARD,
    ENTRY,
    KIND,
    MIXED,
    ROUNDS,
    SevenPosition,
    entries,
    rounds_of,
)
from engine.seven.turn import commit_forced, is_committed

# A guess fails where nobody would be left to ask, or where a revived card finds no place to have
# come from. Both are rare, and the view of a real game always has a guess that holds.
TRIES: Final = 1000
IN_HAND: Final = 255
NO_PLACE: Final = 255


# As many places as there are cards, and some to spare.
ROOM: Final = 256
_BLANK: Final = vec[u8]([NO_PLACE for _ in range(ROOM)])
_NOUGHTS: Final = vec[u8]([0 for _ in range(ROOM)])


class Guess:
    """The unknown places in groups; within a group any order of its cards is possible."""

    def __init__(self) -> None:
        self.cards: vec[u8] = _BLANK[:]
        # For every place its entry of the log, or IN_HAND; its hand; its group.
        self.entries: vec[u8] = _BLANK[:]
        self.hands: vec[u8] = _BLANK[:]
        self.groups: vec[u8] = _BLANK[:]
        self.place_of: vec[u8] = _BLANK[:]
        self.group: i64 = 0
        self.start: i64 = 0
        self.card_count: i64 = 0
        self.place_count: i64 = 0

    def add_card(self, card: u8) -> None:
        """Add a card to the group."""
        self.cards[self.card_count] = card
        self.card_count += 1

    def add_place(self, entry: i64, hand: i64) -> None:
        """Add a place to the group; hands are counted through the Ages."""
        place = self.place_count
        if entry != IN_HAND:
            self.place_of[entry] = u8(place)
        self.entries[place] = u8(entry)
        self.hands[place] = u8(hand)
        self.groups[place] = u8(self.group)
        self.place_count = place + 1

    def close_group(self, rng: Rng) -> None:
        """Lay the cards of the group into its places at random."""
        rng.shuffle(self.cards, self.start, self.card_count)
        self.start = self.card_count
        self.group += 1


def imagine_state(p: SevenPosition, rng: Rng) -> None:
    """Fill in what the view does not know, consistently with what it does."""
    view = SevenPosition(p)
    p.viewer = -1
    for _ in range(TRIES):
        guess = Guess()
        _gather(view, guess, rng)
        p.dealt = view.dealt[:]
        p.log = view.log[:]
        p.revived = view.revived[:]
        p.commits = view.commits[:]
        if _trace_revivals(p, guess, rng):
            _write_down(p, guess)
            if _is_asked(p):
                return
    raise HiddenError("expected the view of a game that was played, got one no deal explains")


def _is_asked(p: SevenPosition) -> bool:
    """Whether somebody has a choice, now that forced answers are given."""
    if p.phase == PLAY:
        commit_forced(p)
        return not is_committed(p)
    return p.phase != REVIVING or add_options(p, p.reviver, new_option_buffer()) > 1


def _gather(view: SevenPosition, guess: Guess, rng: Rng) -> None:
    """Collect the groups: cards never seen, by Age; then what is known but for its order."""
    n = view.players
    for age in range(i64(AGES)):
        for hand in range(n):
            _add_unseen_places(view, guess, age, hand)
        _add_unseen_cards(view, guess, age, rng)
        guess.close_group(rng)
    for age in range(view.age + 1):
        for hand in range(n):
            _add_mixed(view, guess, age, hand)
            guess.close_group(rng)
            _add_remembered(view, guess, age, hand)
            guess.close_group(rng)


def _unseen_in(view: SevenPosition, age: i64, hand: i64) -> i64:
    """How many cards of a hand, as it was dealt, are unknown."""
    start = (age * view.players + hand) * HAND
    count: i64 = 0
    for i in range(i64(HAND)):
        if view.dealt[start + i] == HIDDEN:
            count += 1
    return count


def _add_unseen_places(view: SevenPosition, guess: Guess, age: i64, hand: i64) -> None:
    # What left the hand before it was first seen comes first; a hand never seen has it all.
    left = _unseen_in(view, age, hand)
    turn: i64 = 0
    while turn < rounds_of(view, age) and left > 0:
        entry = entry_of(view, age, turn, hand)
        if view.log[entry * ENTRY + CARD] == HIDDEN:
            guess.add_place(entry, age * view.players + hand)
            left -= 1
        turn += 1
    while left > 0:
        guess.add_place(IN_HAND, age * view.players + hand)
        left -= 1


def _add_unseen_cards(view: SevenPosition, guess: Guess, age: i64, rng: Rng) -> None:
    """Add the cards of the Age not seen anywhere; guilds nobody has seen fill up the third."""
    seen = _NOUGHTS[:]
    size = view.players * HAND
    for i in range(age * size, (age + 1) * size):
        seen[i64(view.dealt[i])] += 1
    cards = deck(view.edition, age, view.players)
    for i in range(i64(len(cards))):
        card: i64 = cards[i]
        if seen[card]:
            seen[card] -= 1
        else:
            guess.add_card(u8(card))
    if age == AGES - 1:
        _add_guilds(view, guess, seen, rng)


def _add_guilds(view: SevenPosition, guess: Guess, seen: vec[u8], rng: Rng) -> None:
    guilds = vec[u8]([u8(row) for row in GUILDS[view.edition]])
    rng.shuffle(guilds, 0, len(guilds))
    for card in guilds:
        if not seen[i64(card)] and guess.card_count < guess.place_count:
            guess.add_card(card)


def _add_mixed(view: SevenPosition, guess: Guess, age: i64, hand: i64) -> None:
    for turn in range(rounds_of(view, age)):
        entry = entry_of(view, age, turn, hand)
        if view.log[entry * ENTRY + KIND] & MIXED:
            guess.add_place(entry, age * view.players + hand)
            guess.add_card(view.log[entry * ENTRY + CARD])


def _add_remembered(view: SevenPosition, guess: Guess, age: i64, hand: i64) -> None:
    """Add what went unseen after the last look: some of the cards then left."""
    before = _unseen_in(view, age, hand)
    places: i64 = 0
    for turn in range(rounds_of(view, age)):
        entry = entry_of(view, age, turn, hand)
        if view.log[entry * ENTRY + CARD] == HIDDEN:
            before -= 1
            if before < 0:
                guess.add_place(entry, age * view.players + hand)
                places += 1
    if places == 0:
        return
    for card in remembered(view, age, hand):
        if card < NONE:
            guess.add_card(card)
            if guess.place_count < guess.card_count:
                guess.add_place(IN_HAND, age * view.players + hand)


def _trace_revivals(p: SevenPosition, guess: Guess, rng: Rng) -> bool:
    """Find for every revived card a discard it may have been; False if one has none."""
    for i in range(p.revivals):
        if p.revived[2 * i] == HIDDEN:
            entry = _trace(p, guess, p.revived[2 * i + 1], _pile_at(p, i), rng)
            if entry < 0:
                return False
            p.revived[2 * i] = u8(entry)
    return True


def _pile_at(p: SevenPosition, revival: i64) -> i64:
    """The entry of the log after which nothing lay in the pile at that revival."""
    seat = reviving_seat(p)
    stage = CARD_COUNT + i64(p.boards[seat]) * STAGE_PLACES
    entry = seat
    while True:
        if i64(p.log[entry * ENTRY + KIND]) & ~MIXED == BURIED:
            if POWERS[stage] & REVIVE:
                if revival == 0:
                    break
                revival -= 1
            stage += 1
        entry += p.players
    round = entry // p.players
    if round % ROUNDS == HAND - 2:
        round += 1  # leftover cards come first
    return (round + 1) * p.players


def _trace(p: SevenPosition, guess: Guess, card: u8, stop: i64, rng: Rng) -> i64:
    """Choose a discard that is or may be this card, and make it so; -1 if there is none."""
    found: i64 = -1
    count: i64 = 0
    for entry in range(stop):
        if in_pile(p, entry) and _may_be(p, guess, entry, card):
            count += 1
            if rng.below(count) == 0:
                found = entry
    if found >= 0 and guess.place_of[found] != NO_PLACE:
        place = i64(guess.place_of[found])
        other = _place_with(p, guess, place, card)
        guess.cards[other] = guess.cards[place]
        guess.cards[place] = card
    return found


def _may_be(p: SevenPosition, guess: Guess, entry: i64, card: u8) -> bool:
    if guess.place_of[entry] == NO_PLACE:
        return p.log[entry * ENTRY + CARD] == card
    return _place_with(p, guess, i64(guess.place_of[entry]), card) >= 0


def _place_with(p: SevenPosition, guess: Guess, place: i64, card: u8) -> i64:
    """A place of the same group with that card, not yet traced to a revival; -1 if none."""
    for other in range(guess.card_count):
        if guess.cards[other] == card and guess.groups[other] == guess.groups[place]:
            if guess.entries[other] == IN_HAND or not _is_traced(p, guess.entries[other]):
                return other
    return -1


def _is_traced(p: SevenPosition, entry: u8) -> bool:
    for i in range(p.revivals):
        if p.revived[2 * i] == entry:
            return True
    return False


def _write_down(p: SevenPosition, guess: Guess) -> None:
    """Put the guess into the deal, the log and the hands."""
    unseen = AGES  # the first groups
    for place in range(guess.card_count):
        entry = i64(guess.entries[place])
        if entry != IN_HAND:
            p.log[entry * ENTRY + CARD] = guess.cards[place]
        if guess.groups[place] < unseen:
            at = i64(guess.hands[place]) * HAND
            while p.dealt[at] != HIDDEN:
                at += 1
            p.dealt[at] = guess.cards[place]
    for entry in range(entries(p)):
        if p.log[entry * ENTRY + KIND] & MIXED:
            p.log[entry * ENTRY + KIND] -= MIXED
    sort_hands(p.dealt)
    settle_hands(p)

"""The course of play: commits, the turn they make, the end of an Age."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.contract import ENDLESS, draw_by_odds, left_of, right_of
from engine.rng import Rng
from engine.seven.actions import (
    BUILD,
    FREE,
    KIND_BITS,
    LAST,
    LEFT_SHIFT,
    NAME_BITS,
    OVER,
    PASS,
    PAY_BITS,
    PAY_WIDTH,
    PLAY,
    REVIVING,
    RIGHT_SHIFT,
    SELL,
    STAGE,
    UNDECIDED,
)
from engine.seven.battle import fight
from engine.seven.build import earn, newest_stage, place_building, place_stage
from engine.seven.components.lookup import AGES, HAND, NAME_PLACES, NONE, ROW_OF
from engine.seven.options import add_options, bank_price, new_option_buffer
from engine.seven.powers import add_revivals, find_in_pile, last_card_player
from engine.seven.state import (
    AT_COINS,
    AT_FREE_AGE,
    BUILT,
    BURIED,
    CARD,
    CITY,
    ENTRY,
    KIND,
    LEFT_OVER,
    MIXED,
    PAY,
    ROUNDS,
    SOLD,
    SevenPosition,
    entries,
    hand_of,
    hand_size,
    holder,
)

SALE: Final = 3
# The pay of a free building in the log: more than any cost comes to.
NOTHING_AT_ALL: Final = 255


def open_age(p: SevenPosition) -> None:
    """Take up the hands of the Age."""
    size = p.players * HAND
    start = p.age * size
    p.hands = p.dealt[start : start + size]
    p.turn = 0
    open_turn(p)


def open_turn(p: SevenPosition) -> None:
    """Ask everybody at once; whoever has no choice has answered."""
    p.phase = PLAY
    commit_forced(p)
    if is_committed(p):
        play_round(p)


def commit_forced(p: SevenPosition) -> None:
    """Answer for the seats that have one option: all their cards alike, good for nothing else."""
    hands = p.hands
    last = hand_size(p) - 1
    hand: i64 = 0
    while hand < p.players:
        if hands[hand * HAND] == hands[hand * HAND + last]:
            seat = holder(p.players, p.age, p.turn, hand)
            if p.commits[seat] == UNDECIDED:
                options = new_option_buffer()
                if add_options(p, seat, options) == 1:
                    p.commits[seat] = options[0]
        hand += 1


def is_committed(p: SevenPosition) -> bool:
    """Whether every seat has answered."""
    seat: i64 = 0
    while seat < p.players:
        if p.commits[seat] == UNDECIDED:
            return False
        seat += 1
    return True


def asked(p: SevenPosition) -> i64:
    """The one seat that is asked for its last card, or for a revival."""
    if p.phase == LAST:
        return last_card_player(p)
    return p.reviver


def answer(p: SevenPosition, seat: i64, action: i64) -> None:
    """Take an answer; the last one of a turn makes it happen."""
    if p.phase == PLAY:
        p.commits[seat] = action
        if is_committed(p):
            play_round(p)
    elif p.phase == LAST:
        lift(p, seat, action)
        carry_out(p, p.age * ROUNDS + p.turn)
        close_rounds(p)
    else:
        revive(p, seat, action)
        close_turn(p)


def play_round(p: SevenPosition) -> None:
    """Resolve the turn all seats have committed to."""
    seat: i64 = 0
    while seat < p.players:
        lift(p, seat, p.commits[seat])
        p.commits[seat] = UNDECIDED
        seat += 1
    carry_out(p, p.age * ROUNDS + p.turn)
    close_round(p)


def lift(p: SevenPosition, seat: i64, action: i64) -> None:
    """Move the chosen card from the hand into the log."""
    hands = p.hands
    at = hand_of(p, seat)
    stop = at + HAND - p.turn - 1
    kind = action & KIND_BITS
    row: i64
    if kind == PASS:
        row = i64(hands[at])
    else:
        row = ROW_OF[(p.edition * AGES + p.age) * NAME_PLACES + (action & NAME_BITS)]
    while i64(hands[at]) != row:
        at += 1
    while at < stop:
        hands[at] = hands[at + 1]
        at += 1
    hands[stop] = NONE
    entry = ((p.age * ROUNDS + p.turn) * p.players + seat) * ENTRY
    log = p.log
    log[entry + CARD] = u8(row)
    log[entry + PAY] = u8(
        (action >> LEFT_SHIFT & PAY_BITS) << PAY_WIDTH | (action >> RIGHT_SHIFT & PAY_BITS)
    )
    if kind == BUILD:
        log[entry + KIND] = BUILT
    elif kind == STAGE:
        log[entry + KIND] = BURIED
    elif kind == SELL:
        log[entry + KIND] = SOLD
    elif kind == FREE:
        log[entry + KIND] = BUILT
        log[entry + PAY] = NOTHING_AT_ALL
    else:
        log[entry + KIND] = LEFT_OVER


def carry_out(p: SevenPosition, round: i64) -> None:
    """Pay, place, then take the immediate coins of a round as the log has it."""
    n = p.players
    log = p.log
    start = round * n * ENTRY
    seat: i64 = 0
    entry = start
    while seat < n:
        _pay(p, seat, i64(log[entry + CARD]), i64(log[entry + KIND]), i64(log[entry + PAY]))
        seat += 1
        entry += ENTRY
    seat = 0
    entry = start
    while seat < n:
        kind = i64(log[entry + KIND]) & ~MIXED
        if kind == BUILT:
            place_building(p, seat, i64(log[entry + CARD]))
        elif kind == BURIED:
            place_stage(p, seat)
        seat += 1
        entry += ENTRY
    # Coins count what everybody has placed, so they wait for all.
    seat = 0
    entry = start
    while seat < n:
        kind = i64(log[entry + KIND]) & ~MIXED
        if kind == BUILT:
            earn(p, seat, i64(log[entry + CARD]))
        elif kind == BURIED:
            earn(p, seat, newest_stage(p, seat))
        seat += 1
        entry += ENTRY


def _pay(p: SevenPosition, seat: i64, row: i64, kind: i64, pay: i64) -> None:
    city = p.city
    base = seat * CITY
    kind = kind & ~MIXED
    if kind == SOLD:
        city[base + AT_COINS] += SALE
    elif pay == NOTHING_AT_ALL:
        city[base + AT_FREE_AGE] = p.age + 1
    elif kind:
        if kind == BUILT:
            city[base + AT_COINS] -= bank_price(p, seat, row)
        if pay:
            n = p.players
            city[base + AT_COINS] -= (pay >> PAY_WIDTH) + (pay & PAY_BITS)
            city[left_of(seat, n) * CITY + AT_COINS] += pay >> PAY_WIDTH
            city[right_of(seat, n) * CITY + AT_COINS] += pay & PAY_BITS


def close_round(p: SevenPosition) -> None:
    """Go on after a turn: the last card of the Age, or a revival, or the next turn."""
    if p.turn < HAND - 2:
        p.phase = REVIVING
        close_turn(p)
        return
    p.turn += 1
    p.phase = LAST
    if last_card_player(p) < 0:
        close_rounds(p)


def close_rounds(p: SevenPosition) -> None:
    """Discard the cards left over, once no seat may play its own any more."""
    entry = entries(p) * ENTRY
    seat: i64 = 0
    while seat < p.players:
        if p.log[entry + KIND] == 0:
            at = hand_of(p, seat)
            p.log[entry + CARD] = p.hands[at]
            p.log[entry + KIND] = LEFT_OVER
            p.hands[at] = NONE
        entry += ENTRY
        seat += 1
    p.phase = REVIVING
    close_turn(p)


def close_turn(p: SevenPosition) -> None:
    """Ask for a revival that is due and possible; else pass the hands, or end the Age."""
    if p.reviver >= 0:
        if add_revivals(p, p.reviver, new_option_buffer()) > 1:
            p.peeked = entries(p)
            return
        revive(p, p.reviver, PASS)
    if p.turn < HAND - 2:
        p.turn += 1
        open_turn(p)
        return
    fight(p)
    if p.age == AGES - 1:
        p.phase = OVER
        return
    p.age += 1
    open_age(p)


def revive(p: SevenPosition, seat: i64, action: i64) -> None:
    """Build a card of the discard pile for nothing, or none."""
    if action != PASS:
        entry = find_in_pile(p, action & NAME_BITS)
        row = p.log[entry * ENTRY + CARD]
        p.revived[2 * p.revivals] = u8(entry)
        p.revived[2 * p.revivals + 1] = row
        place_building(p, seat, i64(row))
        earn(p, seat, i64(row))
    p.revivals += 1
    p.reviver = -1


def play_alone(p: SevenPosition, seat: i64, action: i64) -> None:
    """Carry out what a seat answers, and nothing that follows: not what the others choose."""
    if p.phase == REVIVING:
        revive(p, seat, action)
        return
    lift(p, seat, action)
    entry = ((p.age * ROUNDS + p.turn) * p.players + seat) * ENTRY
    kind = i64(p.log[entry + KIND])
    row = i64(p.log[entry + CARD])
    _pay(p, seat, row, kind, i64(p.log[entry + PAY]))
    if kind == BUILT:
        place_building(p, seat, row)
        earn(p, seat, row)
    elif kind == BURIED:
        place_stage(p, seat)
        earn(p, seat, newest_stage(p, seat))


def play_out(p: SevenPosition, dice: Rng) -> None:
    """Answer at random until the game is over, every option as likely."""
    options = new_option_buffer()
    while p.phase != OVER:
        if p.phase == PLAY:
            seat: i64 = 0
            while seat < p.players:
                if p.commits[seat] == UNDECIDED:
                    count = add_options(p, seat, options)
                    p.commits[seat] = options[dice.below(count)]
                seat += 1
            play_round(p)
        else:
            seat = asked(p)
            count = add_options(p, seat, options)
            answer(p, seat, options[dice.below(count)])


# Odds by Age, what is done, and the name of the card.
ODDS_KEYS: Final = 3 * 1024
_ODDS_AGE: Final = 1024


def odds_key(p: SevenPosition, action: i64) -> i64:
    """Which of the odds an answer goes by, whatever is paid for it."""
    return p.age * _ODDS_AGE + (action & (KIND_BITS | NAME_BITS))


def play_out_by(p: SevenPosition, dice: Rng, odds: vec[i64], answers: i64) -> None:
    """Answer by the odds until the game is over, or so many answers are given; -1 for all."""
    options = new_option_buffer()
    keys = new_option_buffer()
    if answers < 0:
        answers = ENDLESS
    while p.phase != OVER and answers > 0:
        if p.phase == PLAY:
            seat: i64 = 0
            while seat < p.players:
                if p.commits[seat] == UNDECIDED:
                    p.commits[seat] = _draw(p, seat, dice, odds, options, keys)
                    answers -= 1
                seat += 1
            play_round(p)
        else:
            seat = asked(p)
            answer(p, seat, _draw(p, seat, dice, odds, options, keys))
            answers -= 1


def _draw(
    p: SevenPosition, seat: i64, dice: Rng, odds: vec[i64], options: vec[i64], keys: vec[i64]
) -> i64:
    count = add_options(p, seat, options)
    at: i64 = 0
    while at < count:
        keys[at] = odds_key(p, options[at])
        at += 1
    return draw_by_odds(options, keys, count, odds, dice)

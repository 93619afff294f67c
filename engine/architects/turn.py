"""A turn: draw a card, act as long as there is something to do, then battle and hand on."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.architects.actions import (
    ACT,
    ANY,
    BUILD,
    CENTRE,
    DRAW,
    END,
    EXTRA,
    KEEP,
    LEFT,
    LOOK,
    OVER,
    PICK,
    PROGRESS,
    RIGHT,
    SIDE,
    STAGE_AT,
    STEAL,
    STEAL_FROM,
    STUDY,
    TAKE,
    TAKE_DECK,
    TOKEN,
    TOKEN_STACK,
)
from engine.architects.battle import fight
from engine.architects.build import offer_builds, pay
from engine.architects.claim import claim
from engine.architects.components.lookup import (
    ARCHITECTURE,
    CONFLICTS,
    DECK_SIZE,
    DOMESTICATION,
    EXTRA_TOKENS,
    FACE_UP,
    FIRST_SCIENCE,
    KIND_COUNT,
    NO_TOKEN,
    SCIENCES,
)
from engine.architects.gain import (
    deck_at,
    lift_token,
    own_token,
    reveal_given,
    take_face_up,
    take_top,
)
from engine.architects.powers import keep, look, open_top, peek, steal, use_power
from engine.architects.state import BLANK, ArchitectsPosition
from engine.contract import ENDLESS, draw_by_odds, left_of
from engine.rng import Rng


def start_turn(p: ArchitectsPosition) -> None:
    """Clear the marks of the last turn, lay open what was given, look at the centre, then draw."""
    p.armed = 0
    p.used = 0
    claim(p)
    if len(p.given):
        reveal_given(p)
    if p.cat == p.turn or p.owned[p.turn] & DOMESTICATION:
        peek(p)
    p.ask = DRAW


def end_turn(p: ArchitectsPosition) -> None:
    """Fight if the last conflict token was flipped; then end the game or hand on."""
    if p.flipped == i64(CONFLICTS[p.players]):
        fight(p)
    if p.complete(p.turn) or _all_decks_empty(p):
        p.ask = OVER
        p.offered = 0
        return
    p.turn = left_of(p.turn, p.players)
    start_turn(p)


def _all_decks_empty(p: ArchitectsPosition) -> bool:
    for deck in range(p.players + 1):
        if p.size[deck]:
            return False
    return True


def advance(p: ArchitectsPosition) -> None:
    """Answer every question that has one answer or none, up to the next real decision."""
    while p.ask != OVER:
        offer(p)
        if p.offered > 1:
            return
        if p.offered == 1:
            step(p, p.options[0])
        else:
            p.ask = ACT  # nothing to take: that part of the turn is skipped


def offer(p: ArchitectsPosition) -> None:
    """List the options of the question being asked."""
    p.clear_options()
    ask = p.ask
    if ask == ACT:
        _offer_acts(p)
    elif ask == DRAW:
        _offer_takes(p, TAKE)
    elif ask == PROGRESS:
        _offer_tokens(p)
    elif ask == ANY:
        for deck in range(p.players):
            if p.size[deck]:
                p.offer(TAKE_DECK + deck)
        if p.size[p.players]:
            p.offer(TAKE + CENTRE)
    elif ask == SIDE:
        for which in range(LEFT, RIGHT + 1):
            if p.size[deck_at(p, which)]:
                p.offer(LOOK + which)
    elif ask == PICK:
        _offer_picks(p)
    elif ask == STEAL:
        for seat in range(p.players):
            if seat != p.turn:
                for kind in range(KIND_COUNT):
                    if p.cards[seat * KIND_COUNT + kind]:
                        p.offer(STEAL_FROM + seat * 16 + kind)


def _offer_takes(p: ArchitectsPosition, head: i64) -> None:
    for which in range(LEFT, CENTRE + 1):
        if p.size[deck_at(p, which)]:
            p.offer(head + which)


def _offer_acts(p: ArchitectsPosition) -> None:
    mandatory = offer_builds(p)
    if _token_left(p):
        hand = p.turn * KIND_COUNT + FIRST_SCIENCE
        cards = p.cards
        different = True
        for science in range(SCIENCES):
            if cards[hand + science] == 0:
                different = False
            elif cards[hand + science] > 1:
                p.offer(STUDY + science)
                mandatory = True
        if different:
            p.offer(STUDY + SCIENCES)
            mandatory = True
    if p.armed:
        for token in range(EXTRA_TOKENS):
            if p.armed >> token & 1:
                _offer_takes(p, EXTRA + token * 4)
    if not mandatory:
        p.offer(END)


def _token_left(p: ArchitectsPosition) -> bool:
    # A place among the face-up tokens stays empty only once the stack is.
    return p.stacked > 0 or (
        p.face_up[0] != NO_TOKEN or p.face_up[1] != NO_TOKEN or p.face_up[2] != NO_TOKEN
    )


def _offer_tokens(p: ArchitectsPosition) -> None:
    for place in range(FACE_UP):
        token = p.face_up[place]
        seen = token == NO_TOKEN
        for other in range(place):
            if p.face_up[other] == token:
                seen = True
        if not seen:
            p.offer(TOKEN + token)
    if p.stacked:
        p.offer(TOKEN_STACK)


def _offer_picks(p: ArchitectsPosition) -> None:
    top = p.looking * DECK_SIZE + p.size[p.looking]
    kinds: i64 = 0
    for at in range(top - open_top(p, p.looking), top):
        kinds |= 1 << i64(p.deck[at])
    for kind in range(KIND_COUNT):
        if kinds >> kind & 1:
            p.offer(KEEP + kind)


def step(p: ArchitectsPosition, action: i64) -> None:
    """Carry out one answer; the next question may turn out not to be one."""
    if action >= BUILD:
        pay(p, action)
        p.armed |= ARCHITECTURE & p.owned[p.turn] & ~p.used
        claim(p)
        use_power(p, action >> STAGE_AT & 7)
    elif action >= STEAL_FROM:
        steal(p, (action - STEAL_FROM) >> 4, action & 15)
    elif action >= EXTRA:
        token = (action - EXTRA) >> 2
        p.used |= 1 << token
        p.armed &= ~(1 << token)
        take_top(p, deck_at(p, action & 3))
    elif action >= STUDY:
        _study(p, action - STUDY)
    elif action >= KEEP:
        keep(p, action - KEEP)
    elif action >= TOKEN:
        p.ask = ACT
        if action == TOKEN_STACK:
            own_token(p, lift_token(p))
        else:
            take_face_up(p, action - TOKEN)
    elif action >= TAKE_DECK:
        p.ask = ACT
        take_top(p, action - TAKE_DECK)
    elif action >= LOOK:
        look(p, deck_at(p, action - LOOK))
    elif action == END:
        end_turn(p)
    else:
        p.ask = ACT
        take_top(p, deck_at(p, action - TAKE))


def _study(p: ArchitectsPosition, choice: i64) -> None:
    """Discard two green cards alike or three different ones, for a Progress token."""
    hand = p.turn * KIND_COUNT + FIRST_SCIENCE
    if choice < SCIENCES:
        p.cards[hand + choice] -= 2
    else:
        for science in range(SCIENCES):
            p.cards[hand + science] -= 1
    p.ask = PROGRESS


# Odds by what is done: with a card its kind, with a token which, with a stage which.
ODDS_KEYS: Final = 200
_UNSEEN: Final[i64] = 14  # the kind of a card that is drawn face down
_END_KEY: Final[i64] = 15
_LOOK_KEY: Final[i64] = 16
_EXTRA_KEY: Final[i64] = 128
_STEAL_KEY: Final[i64] = 160
_BUILD_KEY: Final[i64] = 192


def odds_key(p: ArchitectsPosition, action: i64) -> i64:
    """Which of the odds an answer goes by."""
    if action >= BUILD:
        return _BUILD_KEY + (action >> STAGE_AT & 7)
    if action >= STEAL_FROM:
        return _STEAL_KEY + (action & 15)
    if action >= EXTRA:
        return _EXTRA_KEY + _kind_on(p, deck_at(p, action & 3))
    if action >= TOKEN:
        return action  # tokens, cards to keep, studies
    if action >= TAKE_DECK:
        return _kind_on(p, action - TAKE_DECK)
    if action >= LOOK:
        return _LOOK_KEY + action - LOOK
    if action == END:
        return _END_KEY
    return _kind_on(p, deck_at(p, action - TAKE))


def _kind_on(p: ArchitectsPosition, deck: i64) -> i64:
    return _UNSEEN if deck == p.players else p.top(deck)


def play_out_by(p: ArchitectsPosition, dice: Rng, odds: vec[i64], answers: i64) -> None:
    """Answer by the odds until the game is over, or so many answers are given; -1 for all."""
    keys = BLANK[:]
    if answers < 0:
        answers = ENDLESS
    while p.ask != OVER and answers > 0:
        for at in range(p.offered):
            keys[at] = odds_key(p, p.options[at])
        step(p, draw_by_odds(p.options, keys, p.offered, odds, dice))
        advance(p)
        answers -= 1

"""What the wonders do when a stage that carries their effect is built."""

from typing import Final

from librt.vecs import append
from mypy_extensions import i64, u8

from engine.architects.actions import ACT, ANY, DRAW, LEFT, PICK, PROGRESS, RIGHT, SIDE, STEAL
from engine.architects.claim import claim
from engine.architects.components.lookup import (
    DECK_SIZE,
    EFFECT,
    HAS_EFFECT,
    KIND_COUNT,
    STAGE_COUNT,
)
from engine.architects.components.wonders import (
    ANY_DECK,
    BOTH_SIDES,
    CAT_DRAW,
    CENTRE_TOP,
    LOOK_THROUGH,
    STEAL_CARD,
    TAKE_PROGRESS,
)
from engine.architects.gain import deck_at, gain, lift, take_top
from engine.architects.state import NOBODY, ArchitectsPosition, give
from engine.errors import TraceError
from engine.rng import Rng

LOOKED_AT: Final[i64] = 5


def use_power(p: ArchitectsPosition, stage: i64) -> None:
    """Resolve the effect of the stage just built, or ask the question it puts."""
    wonder = p.wonder[p.turn]
    p.ask = ACT
    if not HAS_EFFECT[wonder * STAGE_COUNT + stage]:
        return
    effect = i64(EFFECT[wonder])
    if effect == ANY_DECK:
        p.ask = ANY
    elif effect == TAKE_PROGRESS:
        p.ask = PROGRESS
    elif effect == CENTRE_TOP:
        _take_if_any(p, p.players)
    elif effect == LOOK_THROUGH:
        p.ask = SIDE
    elif effect == BOTH_SIDES:
        _take_if_any(p, deck_at(p, LEFT))
        _take_if_any(p, deck_at(p, RIGHT))
    elif effect == STEAL_CARD:
        p.ask = STEAL
    elif effect == CAT_DRAW:
        p.cat = p.turn
        peek(p)
        claim(p)
        p.ask = DRAW


def _take_if_any(p: ArchitectsPosition, deck: i64) -> None:
    if p.size[deck]:
        take_top(p, deck)


def peek(p: ArchitectsPosition) -> None:
    """The seat whose turn it is looks at the centre's top, and knows it until it is taken."""
    if p.size[p.players]:
        p.peeked |= 1 << p.turn


def open_top(p: ArchitectsPosition, deck: i64) -> i64:
    """How many cards lie open on top of a deck the seat looks through."""
    return min(LOOKED_AT, p.size[deck])


def look(p: ArchitectsPosition, deck: i64) -> None:
    """Lay the top cards of a deck open to choose from."""
    p.looking = deck
    p.ask = PICK


def keep(p: ArchitectsPosition, kind: i64) -> None:
    """Gain one of the open cards and shuffle all others of that deck."""
    deck = p.looking
    p.looking = NOBODY
    bottom = deck * DECK_SIZE
    last = bottom + p.size[deck] - 1
    at = last
    while i64(p.deck[at]) != kind:
        at -= 1
    while at < last:
        p.deck[at] = p.deck[at + 1]
        at += 1
    p.size[deck] -= 1
    p.stock[deck * KIND_COUNT + kind] -= 1
    _shuffle(p, deck)
    p.ask = ACT
    gain(p, kind)


def _shuffle(p: ArchitectsPosition, deck: i64) -> None:
    bottom = deck * DECK_SIZE
    size = p.size[deck]
    script = p.script
    if script is None:
        rng = Rng(p.chance)
        rng.shuffle(p.deck, bottom, bottom + size)
        p.chance = rng.state
    else:
        _obey(p, deck, script)
    journal = p.journal
    if journal is not None:
        tops_first = [int(p.deck[bottom + size - 1 - at]) for at in range(size)]
        journal.append([int(deck), *tops_first])


def _obey(p: ArchitectsPosition, deck: i64, script: list[list[int]]) -> None:
    """Lay the deck as a recorded shuffle left it."""
    size = p.size[deck]
    if not script:
        raise TraceError("expected a recorded shuffle, got none")
    order = script.pop(0)
    kinds = [0] * int(KIND_COUNT)
    for at in range(size):
        kinds[p.deck[deck * DECK_SIZE + at]] += 1
    for kind in order[1:]:
        kinds[kind] -= 1
    if order[0] != deck or any(kinds):
        raise TraceError("expected a shuffle of the deck that was looked through, got other cards")
    for at in range(size):
        p.deck[deck * DECK_SIZE + at] = u8(order[size - at])


def steal(p: ArchitectsPosition, victim: i64, kind: i64) -> None:
    """Gain a card of an opponent, who gets the centre's top face down in return."""
    p.cards[victim * KIND_COUNT + kind] -= 1
    p.ask = ACT
    gain(p, kind)
    if p.size[p.players]:
        knowing = p.peeked
        p.given = append(p.given, give(victim, lift(p, p.players), knowing))

"""What a position promises a seat, in points: rough figures for bots to weigh."""

from typing import Final

from mypy_extensions import i64

from bots.house.evaluation.points import Evaluation
from engine.architects.battle import shields
from engine.architects.components.lookup import (
    COIN,
    CONFLICTS,
    COST,
    FIRST_SCIENCE,
    GREY_COUNT,
    HAS_EFFECT,
    KIND_COUNT,
    RESTS_ON,
    SAME,
    SCIENCES,
    STAGE_COUNT,
    STAGE_POINTS,
)
from engine.architects.score import total
from engine.architects.state import ArchitectsPosition
from engine.contract import left_of, right_of

# Found by play against the bot that looks at points alone.
TOKEN_WORTH: Final = 0.8
EFFECT_WORTH: Final = 2.0
BATTLE_WORTH: Final = 5.0
CARD_WORTH: Final = 0.38


def evaluate_architects(p: ArchitectsPosition, seat: i64) -> Evaluation:
    """Points so far, and what is under way."""
    return Evaluation(
        float(total(p, seat)),
        _wonder(p, seat),
        _science(p, seat),
        _military(p, seat),
        _economy(p, seat),
    )


def _wonder(p: ArchitectsPosition, seat: i64) -> float:
    """The stages within reach, each by how much of its cost is at hand; the best counts in full."""
    row = p.wonder[seat] * STAGE_COUNT
    built = p.built[seat]
    best = 0.0
    rest = 0.0
    for stage in range(STAGE_COUNT):
        rests_on = i64(RESTS_ON[row + stage])
        if built >> stage & 1 or built & rests_on != rests_on:
            continue
        cost = i64(COST[row + stage])
        share = float(min(cost, _at_hand(p, seat, SAME[row + stage] != 0))) / float(cost)
        worth = float(STAGE_POINTS[row + stage]) + (
            EFFECT_WORTH if HAS_EFFECT[row + stage] else 0.0
        )
        value = worth * share * share
        rest += min(best, value)
        best = max(best, value)
    return best + 0.3 * rest


def _at_hand(p: ArchitectsPosition, seat: i64, same: bool) -> i64:
    hand = seat * KIND_COUNT
    types: i64 = 0
    most: i64 = 0
    for kind in range(GREY_COUNT):
        held = p.cards[hand + kind]
        most = max(most, held)
        if held:
            types += 1
    return (most if same else types) + p.cards[hand + COIN]


def _science(p: ArchitectsPosition, seat: i64) -> float:
    """Progress tokens owned, and how near the next one is."""
    hand = seat * KIND_COUNT + FIRST_SCIENCE
    different: i64 = 0
    pair = False
    for science in range(SCIENCES):
        if p.cards[hand + science]:
            different += 1
        if p.cards[hand + science] > 1:
            pair = True
    near = 1.0 if pair else float(different * different) / 9.0 + 0.1 * float(different)
    return TOKEN_WORTH * (float(p.tokens(seat)) + min(near, 1.0))


def _military(p: ArchitectsPosition, seat: i64) -> float:
    """What the next battle would bring, the nearer it is the surer."""
    own = shields(p, seat)
    near = 0.4 + 0.6 * float(p.flipped) / float(CONFLICTS[p.players])
    left = left_of(seat, p.players)
    right = right_of(seat, p.players)
    spoils = _chance(own - shields(p, left)) + _chance(own - shields(p, right))
    return BATTLE_WORTH * near * spoils


def _chance(margin: i64) -> float:
    """How likely a lead of so many shields still stands at the battle."""
    return 0.25 + 0.25 * float(max(-1, min(3, margin)))


def _economy(p: ArchitectsPosition, seat: i64) -> float:
    """Cards to build with later, and the Cat's look at the centre."""
    hand = seat * KIND_COUNT
    cards = float(p.cards[hand + COIN]) * 1.2
    for kind in range(GREY_COUNT):
        cards += float(p.cards[hand + kind])
    return CARD_WORTH * (cards + (0.5 if p.cat == seat else 0.0))

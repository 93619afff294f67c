"""What a seat knows as a row of small integers: what a learned value is computed from.

Only what the seat sees is read, so a view and the whole position it was taken of give the same row.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.architects.actions import OVER, PICK, PROMPTS
from engine.architects.battle import shields
from engine.architects.components.cards import KINDS
from engine.architects.components.lookup import (
    AVAILABLE,
    CENTRE_MEDALS,
    COIN,
    CONFLICTS,
    COST,
    FIRST_SCIENCE,
    GREY_COUNT,
    KIND_COUNT,
    NO_MEDAL,
    NO_TOKEN,
    SAME,
    SCIENCES,
    STAGE_COUNT,
    STAGE_POINTS,
)
from engine.architects.components.medals import MEDALS
from engine.architects.components.tokens import TOKENS
from engine.architects.components.wonders import WONDERS
from engine.architects.score import total
from engine.architects.state import ArchitectsPosition, given_kind, given_known, given_seat
from engine.contract import left_of, right_of

# Where each block begins.
CARDS: Final = 0  # by kind: how many, at least one, at least two
STAGES: Final = CARDS + 3 * 14  # by wonder and stage, those built
BUILT: Final = STAGES + 9 * 5  # so many stages
TOKENS_AT: Final = BUILT + 6
MILITARY: Final = TOKENS_AT + 19  # tokens, medals, the Cat
SHIELD: Final = MILITARY + 3  # own; over the left and the right, one place for each lead
CONFLICT: Final = SHIELD + 15  # tokens still to be turned to battle
GREY: Final = CONFLICT + 7  # different kinds, most of a kind
STUDY: Final = GREY + 2  # different science, a pair
MISSING: Final = STUDY + 2  # cards missing to the nearest stage, and its points
OPEN: Final = MISSING + 6  # cards missing to the stages that may be built, by points in reach
OWN_TOP: Final = OPEN + 3  # the top of the own deck, to the left
RIGHT_TOP: Final = OWN_TOP + 15
LEFT_TOP: Final = RIGHT_TOP + 15  # the deck the left neighbour has to its own left
CENTRE_TOP: Final = LEFT_TOP + 15  # if the seat knows it
OWN_STOCK: Final = CENTRE_TOP + 15  # by kind
RIGHT_STOCK: Final = OWN_STOCK + 14
CENTRE_STOCK: Final = RIGHT_STOCK + 14
DECKS: Final = CENTRE_STOCK + 14  # sizes
GIVEN: Final = DECKS + 3  # by kind, then those not known
LEFT: Final = GIVEN + 15
NEIGHBOUR: Final = 21
RIGHT: Final = LEFT + NEIGHBOUR
LEAD: Final = RIGHT + NEIGHBOUR  # points: own, over the left, the right, the best other
OTHERS: Final = LEAD + 4  # so many stages of whoever has most; the most points
TURN: Final = OTHERS + 7  # how many seats before the turn is one's own
ASK: Final = TURN + 7  # the question, if it is one's own turn
ARMED: Final = ASK + 7  # tokens that may take a card now
FACE_UP_AT: Final = ARMED + 6  # Progress tokens to choose from
STACK: Final = FACE_UP_AT + 17
MEDALS_AT: Final = STACK + 1  # those within reach
TABLE: Final = MEDALS_AT + 12  # 2 to 7 players, medals, the expansion's tokens, expert
COUNT: Final = TABLE + 9

_MOST_LEAD: Final = 3


def fill_row(p: ArchitectsPosition, seat: i64, row: vec[i64]) -> None:
    """Write the numbers of a seat into a row of noughts."""
    n = p.players
    left = left_of(seat, n)
    right = right_of(seat, n)
    _fill_own(p, seat, row)
    _fill_stages(p, seat, row)
    _fill_decks(p, seat, left, right, row)
    own = total(p, seat)
    to_left = total(p, left)
    to_right = total(p, right)
    lead = shields(p, seat)
    row[SHIELD] = lead
    from_left = shields(p, left)
    from_right = shields(p, right)
    row[SHIELD + 4 + _within(lead - from_left)] = 1
    row[SHIELD + 11 + _within(lead - from_right)] = 1
    _fill_neighbour(p, left, to_left, from_left, LEFT, row)
    _fill_neighbour(p, right, to_right, from_right, RIGHT, row)
    most = max(to_left, to_right)
    stages: i64 = 0
    for other in range(n):
        if other != seat:
            if other != left and other != right:
                most = max(most, total(p, other))
            stages = max(stages, p.stages(other))
    row[LEAD] = own
    row[LEAD + 1] = own - to_left
    row[LEAD + 2] = own - to_right
    row[LEAD + 3] = own - most
    row[OTHERS + stages] = 1
    row[OTHERS + 6] = most
    _fill_table(p, seat, right, row)


def _within(lead: i64) -> i64:
    return max(i64(-_MOST_LEAD), min(i64(_MOST_LEAD), lead))


def _fill_own(p: ArchitectsPosition, seat: i64, row: vec[i64]) -> None:
    hand = seat * KIND_COUNT
    for kind in range(KIND_COUNT):
        held = p.cards[hand + kind]
        row[CARDS + kind * 3] = held
        if held:
            row[CARDS + kind * 3 + 1] = 1
            if held > 1:
                row[CARDS + kind * 3 + 2] = 1
    owned = p.owned[seat]
    token: i64 = 0
    while owned:
        if owned & 1:
            row[TOKENS_AT + token] = 1
        owned >>= 1
        token += 1
    row[MILITARY] = p.military[seat]
    row[MILITARY + 1] = p.won[seat]
    if p.cat == seat:
        row[MILITARY + 2] = 1
    different: i64 = 0
    for science in range(SCIENCES):
        held = p.cards[hand + FIRST_SCIENCE + science]
        if held:
            different += 1
            if held > 1:
                row[STUDY + 1] = 1
    row[STUDY] = different
    row[CONFLICT + i64(CONFLICTS[p.players]) - p.flipped] = 1
    for given in p.given:
        if given_seat(given) == seat:
            known = given_known(given, seat)
            row[GIVEN + (given_kind(given) if known else KIND_COUNT)] += 1


def _fill_stages(p: ArchitectsPosition, seat: i64, row: vec[i64]) -> None:
    """What is built, and how far the stages are that may be built next."""
    wonder = p.wonder[seat]
    built = p.built[seat]
    for stage in range(STAGE_COUNT):
        if built >> stage & 1:
            row[STAGES + wonder * STAGE_COUNT + stage] = 1
    row[BUILT + p.stages(seat)] = 1
    hand = seat * KIND_COUNT
    types: i64 = 0
    most: i64 = 0
    for kind in range(GREY_COUNT):
        held = p.cards[hand + kind]
        most = max(most, held)
        if held:
            types += 1
    row[GREY] = types
    row[GREY + 1] = most
    coins = p.cards[hand + COIN]
    open = AVAILABLE[wonder * (1 << STAGE_COUNT) + built]
    nearest: i64 = 5
    worth: i64 = 0
    for stage in range(STAGE_COUNT):
        if open >> stage & 1:
            place = wonder * STAGE_COUNT + stage
            at_hand = (most if SAME[place] else types) + coins
            missing = max(i64(0), i64(COST[place]) - at_hand)
            points = i64(STAGE_POINTS[place])
            if missing < 3:
                row[OPEN + missing] += points
            if missing < nearest or (missing == nearest and points > worth):
                nearest = missing
                worth = points
    if nearest < 5:
        row[MISSING + nearest] = 1
        row[MISSING + 5] = worth


def _fill_decks(p: ArchitectsPosition, seat: i64, left: i64, right: i64, row: vec[i64]) -> None:
    n = p.players
    _fill_top(p, seat, OWN_TOP, row)
    _fill_top(p, right, RIGHT_TOP, row)
    _fill_top(p, left, LEFT_TOP, row)
    if p.size[n] == 0:
        row[CENTRE_TOP + KIND_COUNT] = 1
    elif p.peeked >> seat & 1:
        row[CENTRE_TOP + p.top(n)] = 1
    for kind in range(KIND_COUNT):
        row[OWN_STOCK + kind] = p.stock[seat * KIND_COUNT + kind]
        row[RIGHT_STOCK + kind] = p.stock[right * KIND_COUNT + kind]
        row[CENTRE_STOCK + kind] = p.stock[n * KIND_COUNT + kind]
    row[DECKS] = p.size[seat]
    row[DECKS + 1] = p.size[right]
    row[DECKS + 2] = p.size[n]


def _fill_top(p: ArchitectsPosition, deck: i64, at: i64, row: vec[i64]) -> None:
    if p.size[deck] == 0:
        row[at + KIND_COUNT] = 1
    elif not (p.ask == PICK and p.looking == deck):  # then several cards lie open
        row[at + p.top(deck)] = 1


def _fill_neighbour(
    p: ArchitectsPosition, seat: i64, points: i64, strength: i64, at: i64, row: vec[i64]
) -> None:
    for kind in range(KIND_COUNT):
        row[at + kind] = p.cards[seat * KIND_COUNT + kind]
    row[at + 14] = p.stages(seat)
    row[at + 15] = p.tokens(seat)
    row[at + 16] = p.military[seat]
    row[at + 17] = strength
    row[at + 18] = points
    row[at + 19] = 1 if p.cat == seat else 0
    row[at + 20] = p.won[seat]


def _fill_table(p: ArchitectsPosition, seat: i64, right: i64, row: vec[i64]) -> None:
    n = p.players
    if p.ask != OVER:
        before = seat - p.turn
        row[TURN + (before if before >= 0 else before + n)] = 1
        if p.turn == seat:
            row[ASK + p.ask] = 1
            for token in range(6):
                row[ARMED + token] = p.armed >> token & 1
    for place in range(3):
        if p.face_up[place] != NO_TOKEN:
            row[FACE_UP_AT + p.face_up[place]] = 1
    row[STACK] = p.stacked
    if p.medals_used:
        _fill_medal(p.medal[seat], row)
        _fill_medal(p.medal[right], row)
        for place in range(n, n + CENTRE_MEDALS):
            _fill_medal(p.medal[place], row)
    row[TABLE + n - 2] = 1
    row[TABLE + 6] = p.medals_used
    row[TABLE + 7] = p.tokens_used
    row[TABLE + 8] = p.expert


def _fill_medal(medal: i64, row: vec[i64]) -> None:
    if medal != NO_MEDAL:
        row[MEDALS_AT + medal] = 1


def labels() -> list[str]:
    """What the numbers of a row are, in their order."""
    kinds = [kind.id for kind in KINDS]
    tokens = [token.id for token in TOKENS]
    leads = [f"{lead:+d}" for lead in range(-_MOST_LEAD, _MOST_LEAD + 1)]
    beside = [
        *[f"cards.{kind}" for kind in kinds],
        *["stages", "tokens", "military", "shields", "points", "cat", "medals"],
    ]
    return [
        *[f"cards.{kind}{least}" for kind in kinds for least in ("", ".1", ".2")],
        *[f"stage.{wonder.id}.{stage}" for wonder in WONDERS for stage in range(1, 6)],
        *[f"stages.{count}" for count in range(6)],
        *[f"token.{token}" for token in [*tokens, "culture_2", "culture_3"]],
        *["military", "medals", "cat", "shields"],
        *[f"shields.left.{lead}" for lead in leads],
        *[f"shields.right.{lead}" for lead in leads],
        *[f"conflict.{left}" for left in range(7)],
        *["grey.different", "grey.most", "science.different", "science.pair"],
        *[f"nearest.{missing}" for missing in range(5)],
        *["nearest.points", "open.0", "open.1", "open.2"],
        *[f"{deck}.top.{kind}" for deck in _TOPS for kind in [*kinds, "none"]],
        *[f"{deck}.stock.{kind}" for deck in ("own", "right", "centre") for kind in kinds],
        *["own.size", "right.size", "centre.size"],
        *[f"given.{kind}" for kind in [*kinds, "unknown"]],
        *[f"left.{name}" for name in beside],
        *[f"right.{name}" for name in beside],
        *["points", "points.over_left", "points.over_right", "points.over_best"],
        *[f"others.stages.{count}" for count in range(6)],
        "others.points",
        *[f"turn.{before}" for before in range(7)],
        *[f"ask.{prompt}" for prompt in PROMPTS],
        *[f"armed.{token}" for token in tokens[:6]],
        *[f"face_up.{token}" for token in tokens],
        "stack",
        *[f"medal.{medal.id}" for medal in MEDALS],
        *[f"players.{players}" for players in range(2, 8)],
        *["expansion.medals", "expansion.tokens", "expert"],
    ]


_TOPS: Final = ("own", "right", "left", "centre")

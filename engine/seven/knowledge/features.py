"""What a seat knows as a row of small integers: what a learned value is computed from.

Only what the seat sees is read, so a view and the whole position it was taken of give the same row.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.contract import left_of, right_of
from engine.seven.build import next_stage
from engine.seven.components.lookup import (
    BOARD_IDS,
    FACTS,
    HAND,
    MADE_NEED_AT,
    MADE_PLACES,
    MAX_PLAYERS,
    NAME,
    NAME_PLACES,
    NAMES,
    NONE,
    RAW_NEED,
    SET_BITS,
)
from engine.seven.components.rows import ANY_SYMBOL, COLOURS, FREE_ONCE, MADE, RAW
from engine.seven.powers import may_build_free
from engine.seven.score import science, total
from engine.seven.state import (
    AT_COINS,
    AT_COLOURS,
    AT_DEFEATS,
    AT_MADE_PRICE,
    AT_POWERS,
    AT_RAW_LEFT,
    AT_RAW_RIGHT,
    AT_SCIENCE,
    AT_SHIELDS,
    AT_STAGES,
    CITY,
    OWN_MADE,
    OWN_RAW,
    REACH,
    SOLD_MADE,
    SOLD_RAW,
    SevenPosition,
    hand_of,
)
from engine.seven.trade import joined, largest, less, meets

# Where each block begins.
BUILT: Final = 0  # by name
HELD: Final = BUILT + 80  # by name: the cards in hand
BOARD: Final = HELD + 80  # by board and stages built
TURN: Final = BOARD + 28 * 5
TABLE: Final = TURN + 7  # 3 to 7 players, and the second edition
PURSE: Final = TABLE + 6  # at least so many coins
SYMBOLS: Final = PURSE + 12  # at least so many of each
LEARNED: Final = SYMBOLS + 12  # symbols to choose, points, and what one more would bring
COLOUR: Final = LEARNED + 3
LEAD: Final = COLOUR + 7  # points: own, over the left, the right, the best other
SHIELD: Final = LEAD + 4  # own; over the left and the right, one place for each lead
OWN_SETS: Final = SHIELD + 19  # raw sets, then manufactured ones
ALL_SETS: Final = OWN_SETS + 22  # single resources, with what both neighbours sell
PRICE: Final = ALL_SETS + 7
POWER: Final = PRICE + 3
NEXT: Final = POWER + 8  # the next stage: payable alone, payable, units missing; or none is left
LEFT: Final = NEXT + 4
NEIGHBOUR: Final = 19
RIGHT: Final = LEFT + NEIGHBOUR
OTHERS: Final = RIGHT + NEIGHBOUR  # the most points, science and shields of all others
COUNT: Final = OTHERS + 3

_MOST_COINS: Final = 12
_MOST_SYMBOLS: Final = 4
_LEADS: Final = 9  # -4 to 4
_SETS: Final = 15
_MADE_SETS: Final = 7


def fill_row(p: SevenPosition, seat: i64, row: vec[i64]) -> None:
    """Write the numbers of a seat into a row of noughts."""
    n = p.players
    left = left_of(seat, n)
    right = right_of(seat, n)
    _fill_cards(p, seat, row)
    row[BOARD + i64(p.boards[seat]) * 5 + p.city[seat * CITY + AT_STAGES]] = 1
    row[TURN + p.turn] = 1
    row[TABLE + n - 3] = 1
    row[TABLE + 5] = p.edition
    _fill_city(p, seat, row)
    _fill_trade(p, seat, left, right, row)
    own = total(p, seat)
    to_left = total(p, left)
    to_right = total(p, right)
    _fill_neighbour(p, left, to_left, LEFT, row)
    _fill_neighbour(p, right, to_right, RIGHT, row)
    most = max(to_left, to_right)
    learned: i64 = 0
    shields: i64 = 0
    other: i64 = 0
    while other < n:
        if other != seat:
            if other != left and other != right:
                most = max(most, total(p, other))
            learned = max(learned, _science(p, other))
            shields = max(shields, p.city[other * CITY + AT_SHIELDS])
        other += 1
    row[LEAD] = own
    row[LEAD + 1] = own - to_left
    row[LEAD + 2] = own - to_right
    row[LEAD + 3] = own - most
    row[OTHERS] = most
    row[OTHERS + 1] = learned
    row[OTHERS + 2] = shields


def _fill_cards(p: SevenPosition, seat: i64, row: vec[i64]) -> None:
    built = p.built
    names = seat * NAME_PLACES
    name: i64 = 0
    while name < NAME_PLACES:
        if built[names + name]:
            row[BUILT + name] = 1
        name += 1
    at = hand_of(p, seat)
    stop = at + HAND
    while at < stop:
        card = i64(p.hands[at])
        if card < NONE:
            row[HELD + i64(NAME[card])] += 1
        at += 1


def _fill_city(p: SevenPosition, seat: i64, row: vec[i64]) -> None:
    city = p.city
    base = seat * CITY
    coins = min(city[base + AT_COINS], i64(_MOST_COINS))
    place: i64 = 0
    while place < coins:
        row[PURSE + place] = 1
        place += 1
    symbol: i64 = 0
    while symbol < ANY_SYMBOL:
        count = min(city[base + AT_SCIENCE + symbol], i64(_MOST_SYMBOLS))
        place = 0
        while place < count:
            row[SYMBOLS + symbol * _MOST_SYMBOLS + place] = 1
            place += 1
        symbol += 1
    learned = base + AT_SCIENCE
    any = city[learned + ANY_SYMBOL]
    points = science(city[learned], city[learned + 1], city[learned + 2], any)
    more = science(city[learned], city[learned + 1], city[learned + 2], any + 1)
    row[LEARNED] = any
    row[LEARNED + 1] = points
    row[LEARNED + 2] = more - points
    colour: i64 = 0
    while colour < 7:
        row[COLOUR + colour] = city[base + AT_COLOURS + colour]
        colour += 1
    own = city[base + AT_SHIELDS]
    row[SHIELD] = own
    lead = own - city[left_of(seat, p.players) * CITY + AT_SHIELDS]
    row[SHIELD + 5 + max(i64(-4), min(i64(4), lead))] = 1
    lead = own - city[right_of(seat, p.players) * CITY + AT_SHIELDS]
    row[SHIELD + 5 + _LEADS + max(i64(-4), min(i64(4), lead))] = 1
    powers = city[base + AT_POWERS]
    bit: i64 = 0
    while bit < 6:
        row[POWER + bit] = powers >> bit & 1
        bit += 1
    if powers & FREE_ONCE and may_build_free(p, seat):
        row[POWER + 6] = 1
    if p.reviver == seat:
        row[POWER + 7] = 1
    row[PRICE] = 2 - city[base + AT_RAW_LEFT]
    row[PRICE + 1] = 2 - city[base + AT_RAW_RIGHT]
    row[PRICE + 2] = 2 - city[base + AT_MADE_PRICE]


def _fill_trade(p: SevenPosition, seat: i64, left: i64, right: i64, row: vec[i64]) -> None:
    reach = p.reach
    own = seat * REACH
    raw = reach[own + OWN_RAW]
    made = reach[own + OWN_MADE]
    place: i64 = 0
    while place < _SETS:
        row[OWN_SETS + place] = raw >> SET_BITS * place & 7
        place += 1
    place = 0
    while place < _MADE_SETS:
        row[OWN_SETS + _SETS + place] = made >> SET_BITS * place & 7
        place += 1
    all_raw = joined(joined(raw, reach[left * REACH + SOLD_RAW]), reach[right * REACH + SOLD_RAW])
    all_made = joined(
        joined(made, reach[left * REACH + SOLD_MADE]), reach[right * REACH + SOLD_MADE]
    )
    _fill_singles(all_raw, all_made, ALL_SETS, row)
    stage = next_stage(p, seat)
    if stage < 0:
        row[NEXT + 3] = 1
        return
    raw_need = RAW_NEED[stage]
    made_need = FACTS[stage] >> MADE_NEED_AT
    if meets(raw, made, raw_need, made_need):
        row[NEXT] = 1
    elif meets(all_raw, all_made, raw_need, made_need):
        row[NEXT + 1] = 1
    row[NEXT + 2] = largest(less(raw_need, raw)) + largest(less(made_need, made))


def _fill_singles(raw: i64, made: i64, at: i64, row: vec[i64]) -> None:
    """Four raw resources, then three manufactured ones: sets 1, 2, 4 and 8 have one member."""
    place: i64 = 0
    while place < 4:
        row[at + place] = raw >> SET_BITS * ((1 << place) - 1) & 7
        place += 1
    place = 0
    while place < 3:
        row[at + 4 + place] = made >> SET_BITS * ((1 << place) - 1) & 7
        place += 1


def _fill_neighbour(p: SevenPosition, seat: i64, points: i64, at: i64, row: vec[i64]) -> None:
    city = p.city
    base = seat * CITY
    colour: i64 = 0
    while colour < 7:
        row[at + colour] = city[base + AT_COLOURS + colour]
        colour += 1
    _fill_singles(p.reach[seat * REACH + SOLD_RAW], p.reach[seat * REACH + SOLD_MADE], at + 7, row)
    row[at + 14] = min(city[base + AT_COINS], i64(_MOST_COINS))
    row[at + 15] = city[base + AT_STAGES]
    row[at + 16] = city[base + AT_DEFEATS]
    row[at + 17] = _science(p, seat)
    row[at + 18] = points


def _science(p: SevenPosition, seat: i64) -> i64:
    at = seat * CITY + AT_SCIENCE
    city = p.city
    return science(city[at], city[at + 1], city[at + 2], city[at + ANY_SYMBOL])


def labels() -> list[str]:
    """What the numbers of a row are, in their order."""
    names = [*NAMES, "no_name"]
    raw_sets = ["".join(RAW[i] for i in range(4) if s >> i & 1) for s in range(1, MADE_PLACES)]
    made_sets = ["".join(MADE[i] for i in range(3) if s >> i & 1) for s in range(1, 8)]
    singles = [*RAW, *MADE]
    leads = [f"{lead:+d}" for lead in range(-4, 5)]
    beside = [
        *[f"cards.{colour}" for colour in COLOURS],
        *[f"sells.{letter}" for letter in singles],
        *["coins", "stages", "defeats", "science", "points"],
    ]
    return [
        *[f"built.{name}" for name in names],
        *[f"held.{name}" for name in names],
        *[f"board.{board}.{stages}" for board in BOARD_IDS for stages in range(5)],
        *[f"turn.{turn}" for turn in range(1, HAND + 1)],
        *[f"players.{players}" for players in range(3, MAX_PLAYERS + 1)],
        "edition.2nd",
        *[f"coins.{coins}" for coins in range(1, _MOST_COINS + 1)],
        *[f"{name}.{n}" for name in ("compass", "gear", "tablet") for n in range(1, 5)],
        *["science.any", "science.points", "science.next"],
        *[f"cards.{colour}" for colour in COLOURS],
        *["points", "points.over_left", "points.over_right", "points.over_best"],
        "shields",
        *[f"shields.left.{lead}" for lead in leads],
        *[f"shields.right.{lead}" for lead in leads],
        *[f"own.{letters}" for letters in raw_sets + made_sets],
        *[f"reach.{letter}" for letter in singles],
        *["cheap.raw_left", "cheap.raw_right", "cheap.made"],
        *[f"power.{name}" for name in ("last", "free", "guild", "colour", "first", "sixth")],
        *["power.free_now", "power.revive_now"],
        *["stage.own", "stage.bought", "stage.missing", "stage.none"],
        *[f"left.{name}" for name in beside],
        *[f"right.{name}" for name in beside],
        *["others.points", "others.science", "others.shields"],
    ]

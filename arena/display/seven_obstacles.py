"""Why a seat of 7 Wonders cannot build a card of its hand, or the next stage of its wonder."""

from typing import Final

from arena.display import seven_texts as texts
from arena.display.seven_texts import count
from arena.i18n import N_, gettext, ngettext
from engine.contract import left_of, right_of
from engine.seven.actions import BUILD, STAGE
from engine.seven.components.lookup import (
    BOARDS,
    CARD_IDS,
    CARDS,
    HIDDEN,
    MADE_PLACES,
    NAME,
    NAME_PLACES,
    shift_of,
)
from engine.seven.components.rows import COIN, RESOURCES
from engine.seven.formats import notation
from engine.seven.knowledge.redact import held
from engine.seven.state import (
    AT_COINS,
    AT_STAGES,
    CITY,
    REACH,
    SOLD_MADE,
    SOLD_RAW,
    SevenPosition,
)
from engine.seven.trade import symbols_for

RICH: Final = 99  # coins that no price exceeds
RAW_KINDS: Final = 4  # the first of the resources

ALL_STAGES: Final = N_("All stages are built.")
STANDS: Final = N_("Your city has it already, and may not have it twice.")
COINS_SHORT: Final = N_("It costs {coins}; you have {own}.")
PRICE_SHORT: Final = N_("Buying what is missing takes {coins} at least; you have {own}.")
NOT_MADE: Final = N_("Even with your neighbours' goods you lack {missing}.")
NOT_TOGETHER: Final = N_("Even with your neighbours' goods, not all of it can be had at once.")


def obstacles(p: SevenPosition, seat: int, lang: str) -> dict[str, str]:
    """What cannot be built and why, by the key of a card; the next stage by an empty key."""
    payable = _prices(p, seat)
    rich = p.clone()
    assert isinstance(rich, SevenPosition)
    rich.city[seat * CITY + AT_COINS] = RICH
    prices = _prices(rich, seat)
    found = {}
    for row in set(held(p, seat)) - {HIDDEN}:
        name = int(NAME[row])
        if p.built[seat * NAME_PLACES + name]:
            found[CARD_IDS[row]] = gettext(STANDS, lang)
        elif (BUILD, name) not in payable:
            price = prices.get((BUILD, name))
            found[CARD_IDS[row]] = _reason(p, seat, CARDS[row].cost, price, lang)
    stages = BOARDS[p.boards[seat]].stages
    built = int(p.city[seat * CITY + AT_STAGES])
    if built == len(stages):
        found[""] = gettext(ALL_STAGES, lang)
    elif not any(kind == STAGE for kind, _ in payable):
        price = min((price for (kind, _), price in prices.items() if kind == STAGE), default=None)
        found[""] = _reason(p, seat, stages[built].cost, price, lang)
    return found


def _prices(p: SevenPosition, seat: int) -> dict[tuple[int, int], int]:
    """The least that is paid to the neighbours for what can be built, by kind and name."""
    found: dict[tuple[int, int], int] = {}
    for action in p.legal(seat):
        kind, name, left, right = notation.split(action)
        found[kind, name] = min(left + right, found.get((kind, name), RICH))
    return found


def _reason(p: SevenPosition, seat: int, cost: str, price: int | None, lang: str) -> str:
    """Why a cost cannot be paid; the price is what the neighbours would take, if they have it."""
    own = count(int(p.city[seat * CITY + AT_COINS]), "coins", lang)
    if price is None:
        missing = _missing(p, seat, cost, lang)
        return gettext(NOT_MADE, lang, missing=missing) if missing else gettext(NOT_TOGETHER, lang)
    message = COINS_SHORT if COIN in cost else PRICE_SHORT
    coins = cost.count(COIN) + price
    return gettext(message, lang, coins=count(coins, "coins", lang), own=own)


def _missing(p: SevenPosition, seat: int, cost: str, lang: str) -> str:
    """What the three cities together do not make as often as the cost asks for it."""
    beside = (left_of(seat, p.players), right_of(seat, p.players))
    short = []
    for at, letter in enumerate(RESOURCES):
        raw = at < RAW_KINDS
        place = 1 << at if raw else MADE_PLACES + (1 << at - RAW_KINDS)
        sold = SOLD_RAW if raw else SOLD_MADE
        made = int(symbols_for(p, seat, place))
        made += sum(int(p.reach[other * REACH + sold]) >> shift_of(place) & 7 for other in beside)
        if made < cost.count(letter):
            short.append(ngettext(*texts.AMOUNTS[letter], cost.count(letter) - made, lang))
    return " + ".join(short)

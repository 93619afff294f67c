"""The components of 7 Wonders as data: `arena rules seven --json`."""

from __future__ import annotations

from collections import Counter
from typing import Final, Literal, cast

from msgspec import Struct

from arena.display import seven_texts as texts
from arena.i18n import gettext
from engine.seven.components import rows
from engine.seven.components.lookup import (
    BOARD_IDS,
    BOARDS,
    CARD_IDS,
    CARDS,
    EDITION_BOARDS,
    EDITION_CARDS,
    EDITIONS,
)
from engine.seven.components.rows import COLOURS
from engine.seven.setup import edition_named

Resource = Literal["wood", "stone", "ore", "clay", "glass", "papyrus", "cloth"]
Payment = Literal["wood", "stone", "ore", "clay", "glass", "papyrus", "cloth", "coin"]
Colour = Literal["brown", "grey", "blue", "yellow", "red", "green", "purple"]
Edition = Literal["1st", "2nd"]
Symbol = Literal["compass", "gear", "tablet"]
Place = Literal["own", "left", "right"]
Counted = Literal[
    "brown",
    "grey",
    "blue",
    "yellow",
    "red",
    "green",
    "purple",
    "stage",
    "defeat",
    "complete_wonder",
]
PowerId = Literal[
    "play_last_card",
    "build_free_once_per_age",
    "copy_neighbour_guild",
    "first_of_each_colour_free",
    "first_card_of_age_free",
    "sixth_card_of_age_free",
    "build_from_discards",
]

SYMBOLS: Final[tuple[Symbol, ...]] = ("compass", "gear", "tablet")
PLACES: Final[tuple[tuple[int, Place], ...]] = (
    (rows.OWN, "own"),
    (rows.LEFT, "left"),
    (rows.RIGHT, "right"),
)
COUNTED: Final = (*COLOURS, "stage", "defeat", "complete_wonder")
POWERS: Final[dict[int, PowerId]] = {
    rows.LAST_CARD: "play_last_card",
    rows.FREE_ONCE: "build_free_once_per_age",
    rows.COPY_GUILD: "copy_neighbour_guild",
    rows.FREE_COLOUR: "first_of_each_colour_free",
    rows.FREE_FIRST: "first_card_of_age_free",
    rows.FREE_SIXTH: "sixth_card_of_age_free",
    rows.REVIVE: "build_from_discards",
}


class PointsEffect(Struct, tag="points", tag_field="kind", forbid_unknown_fields=True):
    """Points at the end."""

    amount: int


class CoinsEffect(Struct, tag="coins", tag_field="kind", forbid_unknown_fields=True):
    """Coins at once."""

    amount: int


class ShieldsEffect(Struct, tag="shields", tag_field="kind", forbid_unknown_fields=True):
    """Strength in every conflict from now on."""

    amount: int


class ScienceEffect(Struct, tag="science", tag_field="kind", forbid_unknown_fields=True):
    """One symbol; of several, the best at the end."""

    symbols: list[Symbol]


class ProductionEffect(Struct, tag="production", tag_field="kind", forbid_unknown_fields=True):
    """All of these resources every turn."""

    resources: dict[Resource, int]


class ChoiceEffect(Struct, tag="choice", tag_field="kind", forbid_unknown_fields=True):
    """One of these resources every turn."""

    resources: list[Resource]


class DiscountEffect(Struct, tag="discount", tag_field="kind", forbid_unknown_fields=True):
    """These resources for one coin each from those neighbours."""

    resources: list[Resource]
    neighbours: list[Place]


class CoinsEachEffect(Struct, tag="coins_each", tag_field="kind", forbid_unknown_fields=True):
    """Coins at once for everything counted in those cities."""

    amount: int
    counted: list[Counted]
    where: list[Place]


class PointsEachEffect(Struct, tag="points_each", tag_field="kind", forbid_unknown_fields=True):
    """Points at the end for everything counted in those cities."""

    amount: int
    counted: list[Counted]
    where: list[Place]


class PowerEffect(Struct, tag="power", tag_field="kind", forbid_unknown_fields=True):
    """A power of a wonder."""

    power: PowerId


AnyEffect = (
    PointsEffect
    | CoinsEffect
    | ShieldsEffect
    | ScienceEffect
    | ProductionEffect
    | ChoiceEffect
    | DiscountEffect
    | CoinsEachEffect
    | PointsEachEffect
    | PowerEffect
)


class SevenCard(Struct, forbid_unknown_fields=True):
    """A card: `copies` has the least number of players for each copy; a guild has none."""

    id: str
    name: str
    age: int
    colour: Colour
    cost: dict[Payment, int]
    effects: list[AnyEffect]
    copies: list[int]
    guild: bool
    free_from: list[str]
    chains_to: list[str]


class SevenStage(Struct, forbid_unknown_fields=True):
    """A stage of a wonder, built from the first to the last."""

    cost: dict[Payment, int]
    effects: list[AnyEffect]


class SevenBoard(Struct, forbid_unknown_fields=True):
    """One side of a wonder board."""

    id: str
    wonder: str
    side: str
    name: str
    monument: str
    starts_with: Resource
    stages: list[SevenStage]


class SevenRules(Struct, forbid_unknown_fields=True):
    """All components of one edition."""

    game: Literal["seven"]
    edition: Edition
    cards: list[SevenCard]
    boards: list[SevenBoard]


def seven_rules(edition: str | None, lang: str) -> SevenRules:
    """The components of an edition; names are in that language, ids are not."""
    number = edition_named(edition)
    ids = {CARDS[row].name: CARD_IDS[row] for row in EDITION_CARDS[number]}
    return SevenRules(
        "seven",
        EDITIONS[number],
        [_card(row, number, ids, lang) for row in EDITION_CARDS[number]],
        [_board(board, lang) for board in EDITION_BOARDS[number]],
    )


def _card(row: int, edition: int, ids: dict[str, str], lang: str) -> SevenCard:
    card = CARDS[row]
    cards = [CARDS[other] for other in EDITION_CARDS[edition]]
    return SevenCard(
        id=CARD_IDS[row],
        name=gettext(card.name, lang),
        age=card.age,
        colour=COLOURS[card.colour],
        cost=_counts(card.cost),
        effects=[_effect(each) for each in card.gives],
        copies=[int(digit) for digit in card.copies],
        guild=card.copies == rows.GUILD,
        free_from=[ids[giver.name] for giver in cards if card.name in giver.chains],
        chains_to=[ids[name] for name in card.chains],
    )


def _board(number: int, lang: str) -> SevenBoard:
    board = BOARDS[number]
    [starts_with] = _names(board.start)
    return SevenBoard(
        id=BOARD_IDS[number],
        wonder=board.id,
        side=board.side,
        name=gettext(texts.WONDERS[board.id], lang),
        monument=gettext(texts.MONUMENTS[board.id], lang),
        starts_with=starts_with,
        stages=[
            SevenStage(_counts(stage.cost), [_effect(each) for each in stage.gives])
            for stage in board.stages
        ],
    )


def _names(letters: str) -> list[Resource]:
    return [cast(Resource, texts.RESOURCES[letter]) for letter in letters]


def _counts(letters: str) -> dict[Payment, int]:
    return dict(Counter(cast(Payment, texts.RESOURCES[letter]) for letter in letters))


def _places(bits: int) -> list[Place]:
    return [name for bit, name in PLACES if bits & bit]


def _effect(effect: rows.Effect) -> AnyEffect:
    match effect.kind:
        case rows.POINTS:
            return PointsEffect(effect.amount)
        case rows.COINS:
            return CoinsEffect(effect.amount)
        case rows.SHIELDS:
            return ShieldsEffect(effect.amount)
        case rows.SCIENCE:
            any_symbol = rows.ANY_SYMBOL in effect.what
            return ScienceEffect(
                [s for at, s in enumerate(SYMBOLS) if any_symbol or at in effect.what]
            )
        case rows.MAKES:
            return ProductionEffect(dict(Counter(_names(effect.letters))))
        case rows.CHOICE:
            return ChoiceEffect(_names(effect.letters))
        case rows.DISCOUNT:
            return DiscountEffect(_names(effect.letters), _places(effect.where))
        case rows.POWER:
            return PowerEffect(POWERS[effect.amount])
    counted: list[Counted] = [COUNTED[each] for each in effect.what]
    kind = CoinsEachEffect if effect.kind == rows.COINS_EACH else PointsEachEffect
    return kind(effect.amount, counted, _places(effect.where))

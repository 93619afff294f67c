"""The components of 7 Wonders Architects as data: `arena rules architects --json`."""

from __future__ import annotations

from typing import Final, Literal, cast

from msgspec import Struct

from arena.display.architects_cards import name
from arena.display.architects_texts import OBJECTIVES, POWERS, TOKEN_EFFECTS
from arena.i18n import gettext
from engine.architects.components import medals as objectives
from engine.architects.components.cards import CENTRE_CARDS, KINDS
from engine.architects.components.medals import MEDALS
from engine.architects.components.tokens import TOKENS
from engine.architects.components.wonders import DIFFERENT, WONDERS, Wonder

CardColour = Literal["grey", "yellow", "blue", "green", "red"]
StageRule = Literal["different", "identical"]
EffectId = Literal[
    "take_from_any_deck",
    "take_progress_token",
    "take_centre_top",
    "none",
    "keep_one_of_five",
    "take_from_both_sides",
    "gain_shield",
    "steal_card",
    "cat_and_draw",
]
Objective = Literal[
    "grey_cards",
    "yellow_cards",
    "blue_cards",
    "green_cards",
    "red_cards",
    "cat_cards",
    "horned_cards",
    "cards",
    "stages",
    "progress_tokens",
    "military_tokens",
    "cat_pawn",
    "military_tokens_of_one_battle",
]

# In the order of the engine's numbers.
EFFECTS: Final[tuple[EffectId, ...]] = (
    *("take_from_any_deck", "take_progress_token", "take_centre_top", "none", "keep_one_of_five"),
    *("take_from_both_sides", "gain_shield", "steal_card", "cat_and_draw"),
)
OBJECTIVE_IDS: Final[dict[int, Objective]] = {
    objectives.GREY_CARDS: "grey_cards",
    objectives.YELLOW_CARDS: "yellow_cards",
    objectives.BLUE_CARDS: "blue_cards",
    objectives.GREEN_CARDS: "green_cards",
    objectives.RED_CARDS: "red_cards",
    objectives.CAT_CARDS: "cat_cards",
    objectives.HORNED_CARDS: "horned_cards",
    objectives.ALL_CARDS: "cards",
    objectives.STAGES: "stages",
    objectives.PROGRESS_TOKENS: "progress_tokens",
    objectives.MILITARY_TOKENS: "military_tokens",
    objectives.CAT_PAWN: "cat_pawn",
    objectives.BATTLE_TOKENS: "military_tokens_of_one_battle",
}


class ArchitectsCard(Struct, forbid_unknown_fields=True):
    """A kind of card, and how many of them are in the centre's deck."""

    id: str
    name: str
    colour: CardColour
    points: int
    cat: bool
    shields: int
    horns: int
    centre: int


class ArchitectsStage(Struct, forbid_unknown_fields=True):
    """A stage: so many different or identical resources; `rests_on` are stages to build before."""

    stage: int
    resources: int
    rule: StageRule
    points: int
    has_effect: bool
    rests_on: list[int]


class ArchitectsWonder(Struct, forbid_unknown_fields=True):
    """A wonder, its stages, and the 25 cards of its deck by kind."""

    id: str
    name: str
    monument: str
    effect: EffectId
    effect_text: str
    expansion: str | None
    provisional: bool
    stages: list[ArchitectsStage]
    deck: dict[str, int]


class ArchitectsToken(Struct, forbid_unknown_fields=True):
    """A Progress token; taking a card of `arms_on` lets its owner take an extra card."""

    id: str
    name: str
    effect_text: str
    arms_on: list[str]
    copies: int
    copies_expanded: int


class ArchitectsMedal(Struct, forbid_unknown_fields=True):
    """An objective: everything that it counts must reach its number."""

    id: str
    text: str
    needs: dict[Objective, int]


class ArchitectsRules(Struct, forbid_unknown_fields=True):
    """All components."""

    game: Literal["architects"]
    cards: list[ArchitectsCard]
    wonders: list[ArchitectsWonder]
    tokens: list[ArchitectsToken]
    medals: list[ArchitectsMedal]


def architects_rules(lang: str) -> ArchitectsRules:
    """The components; names and texts are in that language, ids are not."""
    return ArchitectsRules(
        "architects",
        [
            ArchitectsCard(
                id=kind.id,
                name=name(kind, lang),
                colour=cast(CardColour, kind.colour),
                points=kind.points,
                cat=bool(kind.cat),
                shields=kind.shields,
                horns=kind.horns,
                centre=count,
            )
            for kind, count in zip(KINDS, CENTRE_CARDS, strict=True)
        ],
        [_wonder(wonder, lang) for wonder in WONDERS],
        [
            ArchitectsToken(
                id=token.id,
                name=name(token, lang),
                effect_text=gettext(TOKEN_EFFECTS[token.id], lang),
                arms_on=list(token.arms_on),
                copies=token.copies,
                copies_expanded=token.copies_expanded,
            )
            for token in TOKENS
        ],
        [
            ArchitectsMedal(
                id=medal.id,
                text=gettext(OBJECTIVES[medal.id], lang),
                needs={OBJECTIVE_IDS[what]: least for what, least in medal.needs},
            )
            for medal in MEDALS
        ],
    )


def _wonder(wonder: Wonder, lang: str) -> ArchitectsWonder:
    return ArchitectsWonder(
        id=wonder.id,
        name=name(wonder, lang),
        monument=gettext(wonder.monument, lang),
        effect=EFFECTS[wonder.effect],
        effect_text=gettext(POWERS[wonder.id], lang),
        expansion=wonder.expansion or None,
        provisional=wonder.provisional,
        stages=[
            ArchitectsStage(
                stage=at,
                resources=stage.count,
                rule="different" if stage.rule == DIFFERENT else "identical",
                points=stage.points,
                has_effect=stage.effect,
                rests_on=list(stage.on),
            )
            for at, stage in enumerate(wonder.stages, 1)
        ],
        deck={kind.id: count for kind, count in zip(KINDS, wonder.deck, strict=True) if count},
    )

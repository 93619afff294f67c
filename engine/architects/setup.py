"""What may be set up: numbers of players, expansions, wonders; and drawing wonders by lot."""

from typing import Final

from engine.architects.components.ids import WONDER_IDS
from engine.architects.components.wonders import WONDERS
from engine.errors import SetupError
from engine.match import Setup, Variant
from engine.rng import Rng

PLAYERS: Final = range(2, 8)
MEDALS_EXPANSION: Final = "medals"
TOKENS_EXPANSION: Final = "tokens"  # its Progress tokens alone
EXPANSIONS: Final = (MEDALS_EXPANSION, TOKENS_EXPANSION)


def check(variant: Variant, players: int) -> None:
    """Refuse what architects does not know, wonders aside."""
    if variant.game != "architects":
        raise SetupError(
            "expected a variant of {game}, got {variant}", game="architects", variant=variant
        )
    if players not in PLAYERS:
        raise SetupError(
            "expected {least} to {most} players for {game}, got {players}",
            least=2,
            most=7,
            game="architects",
            players=players,
        )
    check_edition(variant.edition)
    for expansion in variant.expansions:
        if expansion not in EXPANSIONS:
            raise SetupError(
                "expected the expansion medals or tokens, got {expansion!r}", expansion=expansion
            )
    if len(set(variant.expansions)) != len(variant.expansions):
        raise SetupError(
            "expected every expansion once, got {expansions}",
            expansions=", ".join(variant.expansions),
        )
    if len(variant.expansions) > 1:
        raise SetupError("expected medals or tokens, got both: medals have the tokens with them")
    if variant.expert and MEDALS_EXPANSION not in variant.expansions:
        raise SetupError("expected the medals expansion for the expert variant, got none")


def check_edition(edition: str | None) -> None:
    """There is but one, and it has no name."""
    if edition is not None:
        raise SetupError("expected no edition for architects, got {edition!r}", edition=edition)


def check_wonders(setup: Setup) -> None:
    """Refuse wonders that cannot lie together."""
    wonders = setup.wonders
    if len(wonders) != setup.players:
        raise SetupError(
            "expected {players} wonders, got {count}: {wonders}",
            players=setup.players,
            count=len(wonders),
            wonders=", ".join(wonders),
        )
    for id in wonders:
        if id not in WONDER_IDS:
            raise SetupError(
                "expected a wonder out of {wonders}, got {wonder!r}",
                wonders=", ".join(WONDER_IDS),
                wonder=id,
            )
        expansion = WONDERS[WONDER_IDS.index(id)].expansion
        if expansion and expansion not in setup.variant.expansions:
            raise SetupError(
                "expected the {expansion} expansion for {wonder}, got none",
                expansion=expansion,
                wonder=id,
            )
    if len(set(wonders)) != len(wonders):
        raise SetupError("expected different wonders, got {wonders}", wonders=", ".join(wonders))


def wonders_of(expansions: tuple[str, ...]) -> list[str]:
    """The wonders of the boxes in play."""
    return [w.id for w in WONDERS if not w.expansion or w.expansion in expansions]


def draw_wonders(players: int, expansions: tuple[str, ...], rng: Rng) -> tuple[str, ...]:
    """Different wonders of the boxes in play, by lot."""
    box = wonders_of(expansions)
    return tuple([box.pop(rng.below(len(box))) for _ in range(players)])

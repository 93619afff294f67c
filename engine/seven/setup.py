"""What may be set up: editions, numbers of players, boards; and drawing boards by lot."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.errors import SetupError
from engine.match import Setup, Variant
from engine.rng import Rng
from engine.seven.components.lookup import (
    BOARD_IDS,
    BOARDS,
    EDITION_BOARDS,
    EDITIONS,
    MAX_PLAYERS,
    SECOND,
)

PLAYERS: Final = range(3, MAX_PLAYERS + 1)
DEFAULT: Final = EDITIONS[SECOND]
SIDES: Final = 2
_NUMBERS: Final = tuple(
    {BOARD_IDS[number]: number for number in numbers} for numbers in EDITION_BOARDS
)


def edition_named(edition: str | None) -> int:
    """The number of an edition, of the second where none is named; SetupError if it is unknown."""
    name = DEFAULT if edition is None else edition
    if name not in EDITIONS:
        raise SetupError("expected edition 2nd or 1st for seven, got {name}", name=name)
    return EDITIONS.index(name)


def check(variant: Variant, players: int) -> None:
    """Refuse what seven does not know, wonders aside."""
    if variant.game != "seven":
        raise SetupError(
            "expected a variant of {game}, got {variant}", game="seven", variant=variant
        )
    edition_named(variant.edition)
    if players not in PLAYERS:
        raise SetupError(
            "expected {least} to {most} players for {game}, got {players}",
            least=3,
            most=7,
            game="seven",
            players=players,
        )
    if variant.expansions:
        raise SetupError(
            "expected no expansions for seven, got {expansions}",
            expansions=", ".join(variant.expansions),
        )
    if variant.expert:
        raise SetupError("expected no expert variant for seven, got expert")


def boards_of(setup: Setup) -> list[int]:
    """The boards of the setup by seat; SetupError if they cannot lie together."""
    numbers = _NUMBERS[edition_named(setup.variant.edition)]
    if len(setup.wonders) != setup.players:
        raise SetupError(
            "expected {players} wonders, got {count}",
            players=setup.players,
            count=len(setup.wonders),
        )
    boards: list[int] = []
    taken: list[str] = []
    for wonder in setup.wonders:
        if wonder not in numbers:
            raise SetupError(
                "expected a wonder out of {wonders}, got {wonder}",
                wonders=", ".join(numbers),
                wonder=wonder,
            )
        boards.append(numbers[wonder])
        id = BOARDS[boards[-1]].id
        if id in taken:
            raise SetupError("expected different wonders, got {id} twice", id=id)
        taken.append(id)
    return boards


def wonders_of(edition: int) -> list[str]:
    """Both sides of every board of an edition."""
    return [BOARD_IDS[number] for number in EDITION_BOARDS[edition]]


def draw_wonders(edition: int, players: int, rng: Rng) -> tuple[str, ...]:
    """Different boards, and a side of each, by lot."""
    first = EDITION_BOARDS[edition].start
    wonders = vec[u8]([u8(number) for number in range(len(EDITION_BOARDS[edition]) // SIDES)])
    rng.shuffle(wonders, 0, len(wonders))
    return tuple(
        BOARD_IDS[first + SIDES * i64(wonders[seat]) + rng.below(SIDES)] for seat in range(players)
    )

"""Which wonders lie on the table: endless shuffled decks, so that all are used equally often."""

from dataclasses import dataclass
from functools import lru_cache
from math import lcm
from typing import Final, TypeVar

from engine.catalog import find
from engine.errors import SetupError
from engine.match import Variant
from engine.rng import Rng, derive

ALL: Final = "all"

T = TypeVar("T")


@dataclass(frozen=True)
class Pool:
    """The wonders a schedule draws from: of each the sides, of which one lies on a table."""

    wonders: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.wonders)


def open_pool(variant: Variant, names: tuple[str, ...] = (ALL,)) -> Pool:
    """The wonders of those names: `all`, a wonder with its sides, one side, or `:day` of all."""
    box = find(variant.game).wonders(variant)
    chosen: list[str] = []
    for name in names or (ALL,):
        found = [id for id in box if name in (ALL, id, _wonder(id), f":{id.partition(':')[2]}")]
        if not found:
            raise SetupError(f"expected a wonder out of {', '.join(box)}, got {name}")
        chosen += found
    by_wonder: dict[str, list[str]] = {}
    for id in box:
        if id in chosen:
            by_wonder.setdefault(_wonder(id), []).append(id)
    return Pool(tuple(tuple(sides) for sides in by_wonder.values()))


def _wonder(id: str) -> str:
    return id.partition(":")[0]


def draw_wonders(pool: Pool, players: int, seed: int, deal: int) -> tuple[str, ...]:
    """The wonders of a deal, by seat. After any deal no wonder is more than one use ahead.

    Where the wonders have as many sides each, that is true of the sides as well.
    """
    rounds = lcm(len(pool), players) // players
    laid = _lay_decks(pool, players, seed, deal // rounds)
    at = deal % rounds * players
    decks = rounds * players // len(pool)
    table = []
    for place in range(at, at + players):
        sides = pool.wonders[laid[place]]
        use = deal // rounds * decks + place // len(pool)
        order = _lay_sides(sides, seed, f"sides/{players}/{laid[place]}/{use // len(sides)}")
        table.append(order[use % len(sides)])
    return tuple(table)


@lru_cache(maxsize=512)  # each wonder's next time is some decks away
def _lay_sides(sides: tuple[str, ...], seed: int, label: str) -> list[str]:
    """The sides of a wonder in the order in which they are used."""
    return shuffled(sides, Rng(derive(seed, label)))


@lru_cache(maxsize=64)
def _lay_decks(pool: Pool, players: int, seed: int, turn: int) -> list[int]:
    """Whole decks that make up whole tables, no wonder twice at one of them."""
    if players > len(pool):
        raise SetupError(f"expected at least {players} wonders, got {len(pool)}")
    rng = Rng(derive(seed, f"decks/{players}/{turn}"))
    laid: list[int] = []
    while len(laid) < lcm(len(pool), players):
        unfinished = laid[len(laid) - len(laid) % players :]
        deck = shuffled(tuple(range(len(pool))), rng)
        missing = [wonder for wonder in deck if wonder not in unfinished]
        head = missing[: players - len(unfinished)]
        laid += head + [wonder for wonder in deck if wonder not in head]
    return laid


def shuffled(items: tuple[T, ...], rng: Rng) -> list[T]:
    """The items in a uniformly random order."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = rng.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order

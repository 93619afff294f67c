"""The count the slow and obvious way, from the cards that stand in the cities."""

from itertools import combinations_with_replacement

from engine.seven.components.lookup import BOARDS, NAME_PLACES
from engine.seven.components.rows import (
    BLUE,
    COMPLETE,
    COPY_GUILD,
    DEFEATS,
    POINTS,
    POINTS_EACH,
    PURPLE,
    SCIENCE,
    YELLOW,
    Effect,
    Gives,
)
from engine.seven.game import SevenState
from engine.seven.state import AT_COINS, AT_DEFEATS, AT_STAGES, AT_VICTORIES
from tests.engine.seven.slow_rules import Town, count_things
from tests.engine.seven.table import number


def towns_of(state: SevenState) -> list[Town]:
    """The cities of a position."""
    return [
        Town(
            int(state.boards[seat]),
            [c - 1 for c in state.built[seat * NAME_PLACES : (seat + 1) * NAME_PLACES] if c],
            number(state, seat, AT_STAGES),
            number(state, seat, AT_COINS),
            number(state, seat, AT_VICTORIES),
            number(state, seat, AT_DEFEATS),
        )
        for seat in range(state.players)
    ]


def best_science(symbols: list[int]) -> int:
    fixed = [symbols.count(kind) for kind in range(3)]
    best = 0
    for extra in combinations_with_replacement(range(3), symbols.count(3)):
        counts = [fixed[kind] + extra.count(kind) for kind in range(3)]
        best = max(best, sum(c * c for c in counts) + 7 * min(counts))
    return best


def late(towns: list[Town], seat: int, gives: Gives) -> int:
    """Points for things counted."""
    return sum(_late(towns, seat, e) for e in gives if e.kind == POINTS_EACH)


def _late(towns: list[Town], seat: int, e: Effect) -> int:
    town = towns[seat]
    if e.what == (COMPLETE,):
        return e.amount * (town.stages == len(BOARDS[town.board].stages))
    if e.what == (DEFEATS,):
        beside = (towns[(seat + 1) % len(towns)], towns[(seat - 1) % len(towns)])
        return e.amount * sum(other.defeats for other in beside)
    return e.amount * count_things(towns, seat, e.where, e.what)


def sheet(towns: list[Town], seat: int) -> dict[str, int]:
    """The points of a seat by category."""
    town = towns[seat]
    cards = town.cards()
    fixed = sum(e.amount for c in cards if c.colour == BLUE for e in c.gives if e.kind == POINTS)
    symbols = [e.what[0] for gives in town.gives() for e in gives if e.kind == SCIENCE]
    points = {
        "wonder": town.sum(POINTS) - fixed,
        "treasure": town.coins // 3,
        "military": town.victories - town.defeats,
        "civil": fixed,
        "commerce": sum(late(towns, seat, c.gives) for c in cards if c.colour == YELLOW),
        "science": best_science(symbols),
        "guilds": sum(late(towns, seat, c.gives) for c in cards if c.colour == PURPLE),
    }
    if town.has(COPY_GUILD):
        copy_best(towns, seat, points, symbols)
    points["total"] = sum(points.values())
    return points


def copy_best(towns: list[Town], seat: int, points: dict[str, int], symbols: list[int]) -> None:
    beside = (towns[(seat + 1) % len(towns)], towns[(seat - 1) % len(towns)])
    guilds = [card for other in beside for card in other.cards() if card.colour == PURPLE]
    gains = [(late(towns, seat, guild.gives), "guilds") for guild in guilds]
    if any(e.kind == SCIENCE for guild in guilds for e in guild.gives):
        gains.append((best_science([*symbols, 3]) - points["science"], "science"))
    if gains:
        gain, category = max(gains, key=lambda pair: (pair[0], pair[1] == "guilds"))
        points[category] += gain

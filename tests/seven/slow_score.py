"""The count the slow and obvious way, from the cards that stand in the cities."""

from itertools import combinations_with_replacement

from engine.seven.columns import BOARDS, CARDS
from engine.seven.game import SevenState
from engine.seven.rows import (
    BLUE,
    COMPLETE,
    COPY_GUILD,
    DEFEATS,
    POINTS,
    POINTS_EACH,
    POWER,
    PURPLE,
    SCIENCE,
    STAGES,
    YELLOW,
    Card,
    Gives,
)
from engine.seven.state import COINS, VICTORIES
from engine.seven.state import DEFEATS as DEFEAT_TOKENS
from engine.seven.state import STAGES as BUILT_STAGES
from seven.table import number


def cards_in(state: SevenState, seat: int) -> list[Card]:
    places = len(state.built) // state.players
    return [CARDS[c - 1] for c in state.built[seat * places : (seat + 1) * places] if c]


def stages_in(state: SevenState, seat: int) -> list[Gives]:
    built = number(state, seat, BUILT_STAGES)
    return [stage.gives for stage in BOARDS[state.boards[seat]].stages[:built]]


def best_science(symbols: list[int]) -> int:
    fixed = [symbols.count(kind) for kind in range(3)]
    best = 0
    for extra in combinations_with_replacement(range(3), symbols.count(3)):
        counts = [fixed[kind] + extra.count(kind) for kind in range(3)]
        best = max(best, sum(c * c for c in counts) + 7 * min(counts))
    return best


def each(state: SevenState, seat: int, gives: Gives) -> int:
    """Points for things counted."""
    seats = {1: seat, 2: (seat + 1) % state.players, 4: (seat - 1) % state.players}
    total = 0
    for e in gives:
        if e.kind != POINTS_EACH:
            continue
        for bit, other in seats.items():
            if not e.where & bit:
                continue
            for what in e.what:
                stages = len(stages_in(state, other))
                if what == STAGES:
                    total += e.amount * stages
                elif what == DEFEATS:
                    total += e.amount * number(state, other, DEFEAT_TOKENS)
                elif what == COMPLETE:
                    total += e.amount * (stages == len(BOARDS[state.boards[other]].stages))
                else:
                    cards = cards_in(state, other)
                    total += e.amount * sum(card.colour == what for card in cards)
    return total


def sheet(state: SevenState, seat: int) -> dict[str, int]:
    """The points of a seat by category."""
    cards = cards_in(state, seat)
    stages = stages_in(state, seat)
    fixed = {card.name: sum(e.amount for e in card.gives if e.kind == POINTS) for card in cards}
    symbols = [
        e.what[0]
        for gives in [*(card.gives for card in cards), *stages]
        for e in gives
        if e.kind == SCIENCE
    ]
    points = {
        "wonder": sum(e.amount for gives in stages for e in gives if e.kind == POINTS),
        "treasure": number(state, seat, COINS) // 3,
        "military": number(state, seat, VICTORIES) - number(state, seat, DEFEAT_TOKENS),
        "civil": sum(fixed[card.name] for card in cards if card.colour == BLUE),
        "commerce": sum(each(state, seat, c.gives) for c in cards if c.colour == YELLOW),
        "science": best_science(symbols),
        "guilds": sum(each(state, seat, c.gives) for c in cards if c.colour == PURPLE),
    }
    if any(e.kind == POWER and e.amount == COPY_GUILD for gives in stages for e in gives):
        copy_best(state, seat, points, symbols)
    points["total"] = sum(points.values())
    return points


def copy_best(state: SevenState, seat: int, points: dict[str, int], symbols: list[int]) -> None:
    neighbours = ((seat + 1) % state.players, (seat - 1) % state.players)
    guilds = [c for other in neighbours for c in cards_in(state, other) if c.colour == PURPLE]
    gains = [(each(state, seat, guild.gives), "guilds") for guild in guilds]
    if any(e.kind == SCIENCE for guild in guilds for e in guild.gives):
        gains.append((best_science([*symbols, 3]) - points["science"], "science"))
    if gains:
        gain, category = max(gains, key=lambda pair: (pair[0], pair[1] == "guilds"))
        points[category] += gain

"""Tables set up by hand, and moves by their texts."""

from collections.abc import Mapping

from engine.rng import Rng
from engine.seven.build import earn, place_building, place_stage
from engine.seven.components.lookup import (
    BOARD_IDS,
    CARD_IDS,
    EDITION_CARDS,
    HAND,
    NAME,
    NAMES,
    NONE,
)
from engine.seven.deal import lay_boards, shuffle_decks
from engine.seven.game import SEVEN, SevenState
from engine.seven.state import AT_COINS, CITY, hand_at

EDITIONS = {"1st": 0, "2nd": 1}
# Three quiet boards of either edition.
QUIET = {
    "2nd": ("gizah:day", "ephesos:day", "rhodos:day"),
    "1st": ("gizah:a", "ephesos:a", "rhodos:a"),
}


def row_of(id: str, edition: str = "2nd") -> int:
    """The row of a card by its id, or by its name where one Age has it."""
    rows = EDITION_CARDS[EDITIONS[edition]]
    return next(r for r in rows if CARD_IDS[r] == id or NAMES[NAME[r]] == id)


def table(
    wonders: tuple[str, ...] = (),
    edition: str = "2nd",
    age: int = 1,
    turn: int = 1,
    hands: Mapping[int, list[str]] | None = None,
    cities: Mapping[int, list[str]] | None = None,
    stages: Mapping[int, int] | None = None,
    coins: Mapping[int, int] | None = None,
) -> SevenState:
    """A table in the middle of a game; hands are filled up with cards nobody asked for."""
    wonders = wonders or QUIET[edition]
    state = SevenState(None)
    lay_boards(state, EDITIONS[edition], [BOARD_IDS.index(wonder) for wonder in wonders])
    shuffle_decks(state, Rng(7))
    state.age = age - 1
    state.turn = turn - 1
    for seat, ids in (cities or {}).items():
        for id in ids:
            place_building(state, seat, row_of(id, edition))
    for seat, count in (stages or {}).items():
        for _ in range(count):
            place_stage(state, seat)
    state.reviver = -1
    for seat, amount in (coins or {}).items():
        state.city[seat * CITY + AT_COINS] = amount
    for seat in range(len(wonders)):
        _hold(state, seat, (hands or {}).get(seat, []), edition)
    return state


def _hold(state: SevenState, seat: int, ids: list[str], edition: str) -> None:
    age = state.age + 1
    rows = [_row_of_age(id, age, edition) for id in ids]
    size = HAND - state.turn
    start = state.age * state.players * HAND
    filler = [int(card) for card in state.dealt[start : start + state.players * HAND]]
    names = {NAME[row] for row in rows}
    spare = [row for row in dict.fromkeys(filler) if NAME[row] not in names]
    cards = sorted([*rows, *spare[: size - len(rows)]])
    at = hand_at(state.players, state.age, state.turn, seat) * HAND
    for i in range(HAND):
        state.hands[at + i] = cards[i] if i < size else NONE


def _row_of_age(id: str, age: int, edition: str) -> int:
    rows = EDITION_CARDS[EDITIONS[edition]]
    ids = (id, f"{id}_{age}")
    return next(row for row in rows if CARD_IDS[row] in ids)


def options(state: SevenState, seat: int, card: str = "") -> list[str]:
    """What a seat may answer, in words; about one card if it is named."""
    texts = [SEVEN.text(action) for action in state.legal(seat)]
    return [
        text for text in texts if not card or text.split()[-1:] == [card] or f" {card} " in text
    ]


def play(state: SevenState, *moves: str) -> None:
    """The moves of all pending seats in seat order; an empty one sells the first card."""
    seats = state.pending()
    assert len(moves) <= len(seats)
    for seat, move in zip(seats, [*moves, *[""] * len(seats)], strict=False):
        legal = state.legal(seat)
        action = SEVEN.parse(move) if move else _any_sale(state, seat)
        assert action in legal, (move, options(state, seat))
        state.apply(seat, action)


def _any_sale(state: SevenState, seat: int) -> int:
    return next(a for a in state.legal(seat) if SEVEN.text(a).split()[0] in ("sell", "pass"))


def number(state: SevenState, seat: int, field: int) -> int:
    """A number of the city."""
    return state.city[seat * CITY + field]


def coins_of(state: SevenState) -> list[int]:
    return [number(state, seat, AT_COINS) for seat in range(state.players)]


def build_now(state: SevenState, seat: int, id: str, edition: str = "2nd") -> None:
    """A building that appears out of nowhere, immediate coins and all."""
    place_building(state, seat, row_of(id, edition))
    earn(state, seat, row_of(id, edition))


def view(state: SevenState, seat: int) -> SevenState:
    """What the seat knows, as a state of the game's own type."""
    found = state.view(seat)
    assert isinstance(found, SevenState)
    return found

"""What is shown of a match under way: what every seat knows, so that nobody learns anything."""

import random
from collections.abc import Iterator

import pytest

from arena.display import display_of
from arena.site.public_scene import public_position, public_scene
from engine.catalog import find
from engine.contract import State
from engine.match import MatchSpec
from engine.rng import Rng
from engine.seven.actions import KIND_BITS, LEFT_SHIFT, SELL, STAGE
from tests.support.setups import EXPERT, TOKENS, Row

NAMES = ("ann", "ben", "cyd", "dan")
ROWS = [
    Row("seven", 3),
    Row("seven", 4, {"edition": "1st"}),
    Row("architects", 2),
    Row("architects", 3, EXPERT),
    Row("architects", 4, TOKENS),
]


def positions(row: Row, seed: int) -> Iterator[State]:
    """A game of random decisions, round by round."""
    dice = random.Random(seed)
    state = row.deal(seed)
    while seats := state.pending():
        yield state
        for seat, action in [(seat, dice.choice(state.legal(seat))) for seat in seats]:
            state.apply(seat, action)
    yield state


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_worlds_that_a_seat_cannot_tell_apart_look_the_same(row: Row) -> None:
    """Whatever a seat does not know may be otherwise: nothing that is shown may change with it."""
    dice = Rng(4)
    display = display_of(row.game)
    differ = 0
    for state in positions(row, 1):
        shown = public_scene(row.game, state, "en")
        for seat in range(row.players):
            other = row.rules.load(row.scramble(state.dump(), seat, dice))
            assert public_scene(row.game, other, "en") == shown
            differ += any(
                display.scene(other.view(each), "en") != display.scene(state.view(each), "en")
                for each in range(row.players)
            )
    assert differ > 10  # the worlds were others, and views of seats would have told


def spec_of(seed: int) -> MatchSpec:
    """A deal of the same three cities."""
    game = find("seven")
    wonders = ("alexandria:day", "ephesos:day", "gizah:day")
    return game.spec(game.setup(3, 1, wonders, Row("seven", 3).variant), seed, NAMES[:3])


def first_of_a_kind(state: State, seat: int, kind: int, at: int = 0) -> int:
    return [action for action in state.legal(seat) if action & KIND_BITS == kind][at]


def test_two_deals_look_the_same_while_nothing_is_built() -> None:
    """Everybody sells: of no card that was dealt, passed on or sold anything is shown."""
    shown = []
    for seed in (1, 2, 3):
        spec = spec_of(seed)
        state = find("seven").deal(spec.setup, seed)
        decisions = []
        while state.pending() and "III" not in display_of("seven").scene(state, "en").heading:
            moves = [(seat, first_of_a_kind(state, seat, SELL)) for seat in state.pending()]
            for seat, action in moves:
                state.apply(seat, action)
                decisions.append(action)
        assert len(decisions) > 30
        shown.append(public_position(spec, decisions, NAMES, "en", 50))
    assert shown[0] == shown[1] == shown[2]
    assert len(shown[0].news) == 12


def test_which_card_is_buried_or_sold_is_not_shown() -> None:
    spec = spec_of(5)
    state = find("seven").deal(spec.setup, 5)
    found = 0
    decisions: list[int] = []
    for _ in range(12):
        seats = state.pending()
        moves = [state.legal(seat)[0] for seat in seats]
        for at, seat in enumerate(seats):
            for kind in (STAGE, SELL):
                alike: dict[int, list[int]] = {}
                for action in state.legal(seat):
                    if action & KIND_BITS == kind:
                        pays = action >> LEFT_SHIFT  # what is paid to whom is seen by all
                        alike.setdefault(pays, []).append(action)
                for group in alike.values():
                    pages = [
                        public_position(
                            spec, [*decisions, *moves[:at], one, *moves[at + 1 :]], NAMES, "en", 3
                        )
                        for one in group[:2]
                    ]
                    assert pages[0] == pages[-1]
                    found += len(pages) > 1
        for seat, action in zip(seats, moves, strict=True):
            state.apply(seat, action)
        decisions += moves
    assert found > 10


def test_a_choice_is_not_shown_before_all_have_made_theirs() -> None:
    spec = spec_of(7)
    state = find("seven").deal(spec.setup, 7)
    moves = [state.legal(seat)[0] for seat in state.pending()]
    before = public_position(spec, [], NAMES, "en", 5)
    assert public_position(spec, moves[:1], NAMES, "en", 5) == before
    assert public_position(spec, moves[:2], NAMES, "en", 5) == before
    after = public_position(spec, moves, NAMES, "en", 5)
    assert after.scene != before.scene
    assert len(after.news) == 1


def test_what_everybody_saw_is_told() -> None:
    spec = spec_of(7)
    state = find("seven").deal(spec.setup, 7)
    moves = [state.legal(seat)[0] for seat in state.pending()]
    game = find("seven")
    assert all(game.text(action).startswith("build") for action in moves)
    told = public_position(spec, moves, NAMES, "en", 5)
    assert told.news[0].when == "I · 1"
    display = display_of("seven")
    for (seat, name, text), action in zip(told.news[0].told, moves, strict=True):
        assert seat is not None
        assert name == NAMES[seat]
        face = display.move_face(action, "en", state, seat)
        assert face.card is not None
        assert text == f"built {face.card.text}"
    assert not any(line.id == "hand" for panel in told.scene.panels for line in panel.lines)
    sold = [game.parse(f"sell {game.text(action).split()[1]}") for action in moves]
    told = public_position(spec, sold, NAMES, "en", 5)
    assert told.news[0].told == ((None, "", f"{len(sold)} cards sold or discarded"),)

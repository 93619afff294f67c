"""Packed positions: what is unpacked is what was packed; what is hidden is in `test_views`."""

import random
from contextlib import suppress

import pytest

import engine
from engine.contract import Game, State
from engine.errors import ArenaError, DumpError
from engine.rng import Rng, derive
from tests.support.setups import ROWS, Row, every_row, states

pytestmark = pytest.mark.slow


@every_row
def test_an_unpacked_view_is_the_view(row: Row, many: int) -> None:
    every = 1 if engine.COMPILED else 17
    for seed in range(1 + many // 6):
        for number, state in enumerate(states(row, seed)):
            if number % every:
                continue
            for seat in range(row.players):
                view = state.view(seat)
                check_equal(row.rules, row.rules.unpack(view.pack()), view, number)


def check_equal(rules: Game, unpacked: State, view: State, number: int) -> None:
    loaded = rules.load(view.dump())
    assert unpacked.dump() == loaded.dump() == view.dump()
    assert unpacked.pack() == loaded.pack() == view.pack()
    assert (unpacked.players, unpacked.viewer) == (view.players, view.viewer)
    assert unpacked.pending() == loaded.pending()
    assert unpacked.scores() == loaded.scores()
    assert rules.facts(unpacked) == rules.facts(loaded)
    if view.viewer in view.pending():
        assert unpacked.legal(view.viewer) == loaded.legal(view.viewer)
        assert unpacked.prompt(view.viewer) == loaded.prompt(view.viewer)
    for world in (unpacked, loaded):
        world.imagine(Rng(derive(number, "imagine")))
    assert unpacked.dump() == loaded.dump()
    for world in (unpacked, loaded):
        world.playout(Rng(derive(number, "play on")))
    assert unpacked.dump() == loaded.dump()


@every_row
def test_a_whole_position_is_packed_too_and_plays_on(row: Row, many: int) -> None:
    for seed in range(many):
        for state in states(row, seed):
            again = row.rules.unpack(state.pack())
            assert again.dump() == state.dump()
            other = state.clone()
            for world in (again, other):
                world.playout(Rng(derive(seed, "play on")))
            assert again.dump() == other.dump()


@every_row
def test_other_sizes_and_games_are_refused(row: Row) -> None:
    views = [state.view(0).pack() for state in states(row, 3)]
    for data in (views[0], views[len(views) // 2], views[-1]):
        wrong = [data[:length] for length in range(len(data))]
        wrong += [data + b"\0", data + data, b"\0" + data]
        wrong += [bytes([data[0] ^ 1]) + data[1:], data[:1] + b"\2" + data[2:]]
        wrong += [data[:2] + bytes([players]) + data[3:] for players in range(256)]
        wrong.remove(data)
        for each in wrong:
            with pytest.raises(DumpError, match="expected"):
                row.rules.unpack(each)


@pytest.mark.parametrize("row", [row for row in ROWS if row.players == 3], ids=lambda row: row.id)
def test_wrong_bytes_are_refused_or_raise_but_break_nothing(row: Row, many: int) -> None:
    dice = random.Random(row.id)
    views = [state.view(0).pack() for seed in range(3) for state in states(row, seed)]
    for _ in range(10 * many):
        data = bytearray(dice.choice(views))
        for _ in range(dice.randrange(1, 4)):
            data[dice.randrange(3, len(data))] = dice.choice((0, 1, 127, 128, 255))
        with suppress(ArenaError, IndexError, ValueError, OverflowError, ZeroDivisionError):
            use(row.rules.unpack(bytes(data)))


def use(state: State) -> None:
    """What reads a position; counts of nonsense would take others for ever."""
    state.pack()
    state.dump()
    state.pending()
    state.clone().redact(0)
    state.legal(0)

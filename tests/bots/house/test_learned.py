"""The learned value: whole numbers, the same everywhere, by what the seat knows."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from bots.house.learned.halving import Halving, propose
from bots.house.learned.net import ONE, PARTS, SHIFT, Net, logistic, part_of, squash
from bots.house.learned.policy import Value, first_best, outcome
from bots.house.learned.selfplay import Explore, Notes, play_game
from bots.house.learned.weights import NetWeights, read_weights, write_weights
from bots.search import imagine_world
from engine.catalog import GAMES, find
from engine.contract import Game, State
from engine.rng import Rng, derive

HIDDEN = 3


def some_weights(game: Game, seed: int = 1) -> NetWeights:
    """Small weights by lot."""
    dice = Rng(derive(seed, "weights"))
    size = PARTS[game.id] * ((game.feature_count + 1) * (HIDDEN + 1) + HIDDEN)
    numbers = [int(dice.below(1001)) - 500 for _ in range(size)]
    return NetWeights(game.id, HIDDEN, seed, 7, "make train", numbers)


def some_value(game: Game, seed: int = 1) -> Value:
    return Value(some_weights(game, seed).nets())


def middle(game: Game, players: int, seed: int, rounds: int) -> State:
    state, dice = game.deal(game.setup(players, seed), seed), Rng(seed)
    for _ in range(rounds):
        for seat in state.pending():
            options = state.legal(seat)
            state.apply(seat, options[dice.below(len(options))])
    return state


def test_the_table_is_the_same_whatever_library_computes_the_exponential() -> None:
    """A last digit that is wrong cannot change the rounding: nothing lies near a half."""
    for step in range(-2048, 2049, 7):
        exact = Decimal(ONE) / (1 + (Decimal(-step) / 256).exp())
        assert abs(exact - exact.to_integral_value() - Decimal("0.5")) > Decimal("1e-7")
        assert abs(exact - exact.to_integral_value() + Decimal("0.5")) > Decimal("1e-7")
        assert logistic(step) == int(exact.to_integral_value())


def test_the_logistic_function_rises_and_is_bounded() -> None:
    one = 1 << 2 * SHIFT
    found = [squash(at * one // 100) for at in range(-1000, 1001)]
    assert found == sorted(found)
    assert squash(0) == ONE // 2
    assert squash(-(10**12)) == logistic(-2048)
    assert squash(10**12) == logistic(2048)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_value_is_that_of_the_sums_by_hand(game: Game) -> None:
    weights = some_weights(game)
    value = Value(weights.nets())
    state = middle(game, 4, 1, 9)
    columns, features = HIDDEN + 1, game.feature_count
    size = (features + 1) * columns + HIDDEN
    for seat in range(4):
        row = [0] * features + [1]
        for place, number in zip(*state.features(seat), strict=True):
            row[place] = number
        numbers = weights.numbers[part_of(state) * size :][:size]
        sums = [
            sum(row[at] * numbers[at * columns + column] for at in range(features + 1))
            for column in range(columns)
        ]
        outer = numbers[-HIDDEN:]
        hidden = sum(max(0, each) * outer[at] for at, each in enumerate(sums[:HIDDEN]))
        value.prepare(middle(game, 4, 2, 5), seat)  # another position: only the way is longer
        assert value.judge(state, seat) == squash((sums[HIDDEN] << SHIFT) + hidden)


def test_the_end_of_a_game_is_worth_what_it_brought() -> None:
    game = find("architects")
    state = game.deal(game.setup(3, 1), 1)
    state.playout(Rng(1))
    worth = [outcome(state, seat) for seat in range(3)]
    assert max(worth) == worth[state.ranks().index(0)] > ONE * 6 // 10
    assert all(0 <= each <= ONE for each in worth)
    assert some_value(game).judge(state, 0) == worth[0]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_choice_does_not_depend_on_what_the_seat_cannot_see(game: Game) -> None:
    value = some_value(game)
    for seed in range(1, 3):
        state = middle(game, 3, seed, 7)
        for seat in state.pending():
            other = imagine_world(state.view(seat), Rng(derive(seed, "another world")))
            assert value.choose(state, seat, 2, Rng(5)) == value.choose(other, seat, 2, Rng(5))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_search_is_the_same_again_and_counts_its_rollouts(game: Game) -> None:
    state = middle(game, 3, 2, 4)
    seat = state.pending()[0]
    view, actions = state.view(seat), state.legal(seat)
    found = []
    for _ in range(2):
        rng = Rng(3)
        value = some_value(game)
        sums = value.weigh_view(view, seat, actions, 2, rng)
        trials = propose(actions, sums, 2, 4)
        assert trials[0].place == first_best(sums)
        halving = Halving(value, 0, 1, rng)
        best = halving.search(view, seat, trials, 2, 0.0)
        assert halving.tried == sum(trial.count for trial in trials)
        assert best.count == max(trial.count for trial in trials)
        found.append((best.action, best.total))
    assert found[0] == found[1]


def test_self_play_notes_every_choice_with_what_it_came_to() -> None:
    game = find("architects")
    notes = Notes()
    state = game.deal(game.setup(2, 1), 1)
    play_game(state, some_value(game), Explore(0.01, 0.05, 1, 1.0), Rng(1), notes)
    assert state.pending() == []
    rows = len(notes.parts.getvalue())
    assert rows > 10
    assert len(notes.counts.getvalue()) == 2 * rows
    targets = memoryview(notes.targets.getvalue()).cast("i").tolist()
    # With lambda 1 every target is what the game brought the seat.
    assert set(targets) <= {outcome(state, seat) for seat in range(2)}
    counts = memoryview(notes.counts.getvalue()).cast("h").tolist()
    assert len(notes.places.getvalue()) == 2 * sum(counts)


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    weights = some_weights(find("architects"))
    write_weights(weights, tmp_path / "some.txt")
    assert read_weights(tmp_path / "some.txt") == weights
    head, body = (tmp_path / "some.txt").read_text().split("\n", 1)
    assert head.startswith("game=architects hidden=3 seed=1 games=7 sha256=")
    (tmp_path / "other.txt").write_text(head + "\n" + body.swapcase())
    with pytest.raises(ValueError, match="expected weights with the digest"):
        read_weights(tmp_path / "other.txt")
    with pytest.raises(ValueError, match=r"expected 2 x \d+ weights, got 3"):
        replace(weights, numbers=[1, 2, 3]).nets()


def test_a_network_wants_as_many_weights_as_it_has_places_for() -> None:
    with pytest.raises(ValueError, match="expected 7 weights, got 2"):
        Net(2, 1, [1, 2])

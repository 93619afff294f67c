"""Training from nothing, stopped and gone on with; small enough to be no more than a trial."""

from pathlib import Path

import numpy as np
import pytest

from bots.house.learned.net import SHIFT
from bots.house.learned.weights import read_weights
from bots.house.random import Random
from bots.house.training import __main__ as training_program
from bots.house.training import matches
from bots.house.training.__main__ import Training, parse
from bots.house.training.fit import Model, Rows
from bots.house.training.matches import Share, compare, share_of
from bots.house.training.tables import TABLES, deal
from engine.catalog import find
from tests.bots.house.test_learned import some_value


@pytest.mark.slow
def test_training_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_program, "compare", lambda *_: Share(0.7, 0.1, 2))
    few = "--round-games 1 --hidden 2 --worlds 1 --gate-deals 2 --planner-deals 2 --gate-every 99"
    wanted = ["architects", "--folder", str(tmp_path), *few.split()]
    training = Training(parse([*wanted, "--games", "1"]))
    training.run()
    again = Training(parse([*wanted, "--games", "2"]))
    assert (again.games, again.round) == (1, 1)
    assert again.models[0].integers() == training.models[0].integers()
    again.run()
    assert again.games == 2
    curve = (tmp_path / "architects" / "curve.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in curve] == ["1", "2"]
    best = read_weights(tmp_path / "architects" / "best.txt")
    assert best.games == 2  # it was found better
    assert best.nets()


def test_a_model_learns_what_decides() -> None:
    """Of three features the second decides the target; the first is large, the third is noise."""
    dice = np.random.default_rng(1)
    count = 4000
    numbers = np.stack(
        [dice.integers(20, 60, count), dice.integers(0, 2, count), dice.integers(0, 3, count)], 1
    ).astype(np.int16)
    rows = Rows(
        np.zeros(count, np.uint8),
        (0.2 + 0.6 * numbers[:, 1]).astype(np.float32),
        np.arange(count + 1) * 3,
        np.tile(np.arange(3, dtype=np.int16), count),
        numbers.ravel(),
    )
    model = Model.new(3, 4, dice)
    chosen = np.arange(count)
    model.set_scale(rows, chosen)
    assert model.scale[0] < 0.05
    assert model.scale[1] == 1
    for _ in range(12):
        loss = model.fit(rows, dice.permutation(chosen), 0.01)
    assert loss < 0.003
    whole = model.integers()
    assert len(whole) == 4 * 5 + 4
    assert abs(whole[0] - model.inner[0, 0] * model.scale[0] * (1 << SHIFT)) <= 0.5


def test_training_deals_every_set_up_and_none_of_a_ladder() -> None:
    for game in ("architects", "seven"):
        tables = TABLES[game]
        assert {players for players, _ in tables} == set(find(game).players)
        first = [deal(game, 1, number) for number in range(len(tables))]
        assert [state.players for state in first] == [players for players, _ in tables]
        assert first[0].dump() != deal(game, 2, 0).dump()
    assert {variant.edition for _, variant in TABLES["seven"]} == {"1st", "2nd"}
    assert any(variant.expert for _, variant in TABLES["architects"])


@pytest.mark.slow
def test_two_are_compared_on_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value against itself wins as much as it loses: every seating has its complement."""
    monkeypatch.setattr(matches, "WORLDS", 1)
    value = some_value(find("architects"))
    assert compare("architects", value, value, 2, 1, "trial").mean == 0.5
    assert 0 <= compare("architects", value, Random, 2, 1, "trial").mean <= 1


def test_deals_are_the_units_of_an_interval() -> None:
    share = share_of([0.5, 1.0, 0.5, 1.0])
    assert share.mean == 0.75
    assert share.error == pytest.approx(1.96 * 0.288675 / 2, abs=1e-4)
    assert share.low == share.mean - share.error

"""Recorded games and leaf counts: the same on every machine, interpreted or compiled."""

import json

import pytest

from tests.support.golden_games import GOLDEN, SHOWN, counts, digest, game_line
from tests.support.setups import ROWS, Row, every_row

FACTS = json.loads((GOLDEN / "counts.json").read_text(encoding="utf-8"))


@every_row
def test_games_are_the_recorded_ones(row: Row) -> None:
    assert digest(row) == FACTS[row.id]["digest"]


@every_row
def test_leaf_counts_are_the_recorded_ones(row: Row) -> None:
    assert counts(row) == FACTS[row.id]["perft"]


@pytest.mark.parametrize("row", SHOWN, ids=lambda row: row.game)
def test_a_game_in_full_is_the_recorded_one(row: Row) -> None:
    recorded = json.loads((GOLDEN / f"{row.game}.jsonl").read_text(encoding="utf-8"))
    played = json.loads(game_line(row))
    for number, (step, wanted) in enumerate(zip(played["steps"], recorded["steps"], strict=True)):
        assert step == wanted, f"step {number}"
    assert played == recorded


def test_nothing_is_recorded_that_is_not_played() -> None:
    assert set(FACTS) == {row.id for row in ROWS}

"""What a bot author imports: typed facts, helpers for search, and the game of any view."""

import ast
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import bots.api
from bots.api import (
    ArchitectsFacts,
    Rng,
    SevenFacts,
    State,
    architects_facts,
    game_of,
    imagine_world,
    play_round,
    seven_facts,
)
from engine.catalog import find
from tests.support.setups import Row, every_row, states

ROOT = Path(__file__).parents[2]
FACTS = {"seven": SevenFacts, "architects": ArchitectsFacts}
TYPED: dict[str, Callable[[State], object]] = {"seven": seven_facts, "architects": architects_facts}


@pytest.mark.slow
@every_row
def test_facts_are_of_their_types(row: Row) -> None:
    for state in states(row, 6):
        for seat in range(int(state.players)):
            view = state.view(seat)
            facts = row.rules.facts(view)
            # Converting drops keys the type does not have, so these are the same keys too.
            assert msgspec.to_builtins(msgspec.convert(facts, FACTS[row.game])) == facts
            assert TYPED[row.game](view) == facts


@every_row
def test_every_view_leads_to_its_game(row: Row) -> None:
    assert game_of(row.deal(1).view(0)) is row.rules


def test_facts_of_another_game_are_refused() -> None:
    game = find("architects")
    view = game.deal(game.setup(2, 1), 1).view(0)
    with pytest.raises(ValueError, match="expected a view of seven, got one of architects"):
        seven_facts(view)


@pytest.mark.slow
@every_row
def test_a_round_can_be_played_from_any_view(row: Row) -> None:
    rng = Rng(7)
    for state in states(row, 2):
        if not state.pending():
            continue
        seat = state.pending()[-1]
        view = state.view(seat)
        before = view.dump()
        world = imagine_world(view, rng)
        play_round(world, seat, world.legal(seat)[0], rng)
        assert view.dump() == before
        assert world.viewer < 0
        assert world.dump() != before


def test_all_names_are_there() -> None:
    for name in bots.api.__all__:
        assert hasattr(bots.api, name)


@pytest.mark.parametrize("folder", ["examples", "arena/templates", "bots/house"])
def test_bots_import_nothing_of_the_engine(folder: str) -> None:
    # What works on positions of its own, for searchers and for pages.
    inside = {"evaluation", "learned", "training", "tree_search.py", "hint.py", "judge.py"}
    files = [file for file in (ROOT / folder).rglob("*.py") if not inside.intersection(file.parts)]
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        found = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        assert not [name for name in found if name.partition(".")[0] == "engine"], file

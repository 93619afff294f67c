"""The bots that play by the learned value: their weights, and that they choose alike everywhere."""

import json
import re

import pytest

from bots.api import Decision, Seating
from bots.decision import ask_position
from bots.discovery.finder import find_bot
from bots.discovery.loader import find_maker, make_bot
from bots.discovery.spec import parse_spec
from bots.house.learned.weights import FOLDER, read_weights, shipped
from bots.house.oracle import Oracle
from bots.house.sage import Sage
from bots.house.training.__main__ import parse
from engine.catalog import GAMES, find
from engine.contract import Game
from tests.bots.house.recorded_choices import POSITIONS, RECORDED, choices
from tests.support.command import ROOT

MOST_BYTES = 150_000
LEARNED_BY = vars(parse(["seven"])).keys() - {"game", "folder", "seconds"}


def first_decision(game: Game, players: int) -> tuple[Seating, Decision]:
    setup = game.setup(players, 1)
    state = game.deal(setup, 1)
    seat = state.pending()[0]
    decision = ask_position(game, state, seat, state.legal(seat), 60.0)
    return Seating(game, setup, seat, 7), decision


def test_the_weights_are_small_and_say_where_they_come_from() -> None:
    paths = sorted(FOLDER.glob("*.txt"))
    assert [path.stem for path in paths] == sorted(game.id for game in GAMES)
    assert sum(path.stat().st_size for path in paths) <= MOST_BYTES
    for path in paths:
        weights = read_weights(path)  # which checks the digest
        program, _, words = weights.command.partition(f" {path.stem} ")
        assert program == "python -m bots.house.training"
        options = parse([path.stem, *words.split()])  # what is not given may change
        assert all(f"--{name.replace('_', '-')} " in words for name in LEARNED_BY)
        assert options.seconds is None  # a run by the clock would not repeat
        assert (options.seed, options.hidden) == (weights.seed, weights.hidden)
        assert 1000 < weights.games <= options.games


def test_weights_are_read_once() -> None:
    assert shipped("seven") is shipped("seven")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_recorded_choices_are_made_again(game: Game) -> None:
    recorded = json.loads(RECORDED.read_text())[game.id]
    assert len(recorded) == POSITIONS
    assert choices(game) == recorded


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_search_stays_in_its_time_and_proposes_what_sage_would(game: Game) -> None:
    seating, decision = first_decision(game, 3)
    oracle = Oracle(worlds=1, options=2, depth=0)
    oracle.start(seating)
    assert oracle.decide(decision) in decision.options
    assert 0 < oracle.halving.tried <= 2
    hurried = Oracle(ms=1, options=2)
    hurried.start(seating)
    hurried.decide(decision)
    assert hurried.halving.tried >= 2  # one world at least, however little time there is


def test_a_spec_out_of_range_is_refused() -> None:
    for make in (lambda: Sage(worlds=0), lambda: Oracle(ms=0), lambda: Oracle(options=1)):
        with pytest.raises(ValueError, match=r"expected \w+ from"):
            make()


def test_first_choices_are_buildings() -> None:
    """At 7 Wonders nobody sells the first card of a game."""
    seating, decision = first_decision(find("seven"), 4)
    sage = Sage()
    sage.start(seating)
    assert not sage.decide(decision).text.startswith("sell")


def test_the_page_tells_where_the_weights_come_from_and_names_bots_there_are() -> None:
    page = (ROOT / "docs" / "sage.md").read_text(encoding="utf-8")
    for path in FOLDER.glob("*.txt"):
        weights = read_weights(path)
        of = parse([path.stem, *weights.command.partition(f" {path.stem} ")[2].split()]).games
        assert f"| {path.stem} | {of:,} | {weights.games:,} |" in page
    specs = set(re.findall(r"(?:\| |`)((?:sage|oracle|ismcts)(?::[\w=,.]+)?)(?= \||`)", page))
    assert len(specs) > 5
    for spec in specs:
        parsed = parse_spec(spec)
        made = make_bot(spec, find_maker(find_bot(parsed)), dict(parsed.params))
        assert type(made).__name__.lower() == parsed.target

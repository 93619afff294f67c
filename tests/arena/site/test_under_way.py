"""Matches under way as pages: only where the league wants it, late, and what everybody knows."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.site import under_way
from arena.site.app.factory import create_app
from engine.catalog import find
from engine.seven.actions import KIND_BITS, SELL
from leagues.storage.handle import Storage
from tests.arena.site.sample_running import RunningGame, show_live
from tests.arena.site.sample_site import MANY, Visitor, stock

LIVE = "/leagues/summer/live"
DRAWN = re.compile(r"drawn=(\w+)")


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with stock(tmp_path / "arena.db", 3) as it:
        yield it


@pytest.fixture
def visitor(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> Visitor:
    monkeypatch.setattr(under_way, "MIN_AGE", 0.0)
    return Visitor(create_app(storage, limits=MANY))


def test_a_league_that_does_not_say_so_shows_nothing(storage: Storage, visitor: Visitor) -> None:
    game = RunningGame(storage)
    game.publish_rounds(2)
    page = visitor.get(LIVE).text
    assert "Under way" not in page
    assert "nobody but its bots sees anything" in page
    answer = visitor.get(game.path)
    assert (answer.status_code, answer.headers["location"]) == (303, LIVE)


def test_a_match_is_listed_followed_and_becomes_its_replay(
    storage: Storage, visitor: Visitor
) -> None:
    show_live(storage)
    assert "None just now" in visitor.get(LIVE).text
    game = RunningGame(storage)
    game.publish_rounds(2)
    listed = visitor.get(LIVE).text
    assert f'href="{game.path}"' in listed
    assert "age I, turn 3" in listed
    first = visitor.get(game.path)
    assert "age I, turn 3" in first.text
    assert "stood 30 s ago" in first.text
    game.publish_rounds(3)
    later = visitor.get(game.path)
    assert "age I, turn 4" in later.text
    assert DRAWN.findall(later.text) != DRAWN.findall(first.text)
    stored = game.finish()
    over = visitor.get(game.path)
    assert (over.status_code, over.headers["location"]) == (303, f"/matches/{stored}")
    assert "None just now" in visitor.get(LIVE).text


def test_it_is_told_in_french(storage: Storage, visitor: Visitor) -> None:
    show_live(storage)
    game = RunningGame(storage)
    game.publish_rounds(2)
    page = visitor.get(f"{game.path}?lang=fr").text
    assert "En cours" in page
    assert "elle était il y a 30 s" in page
    answer = visitor.get(f"/leagues/summer/live/{game.tournament}/1?lang=fr")
    assert answer.headers["location"].endswith("?lang=fr")


def test_a_match_that_nobody_plays_leads_to_the_live_page(
    storage: Storage, visitor: Visitor
) -> None:
    show_live(storage)
    game = RunningGame(storage)
    game.publish_rounds(2)
    storage.leases.release(game.worker)
    answer = visitor.get(game.path)
    assert (answer.status_code, answer.headers["location"]) == (303, LIVE)
    assert visitor.get("/leagues/nowhere/live/1/1").status_code == 404
    assert visitor.get(f"{LIVE}/1/x").status_code == 422


def test_the_league_may_stop_it_at_once(storage: Storage, visitor: Visitor) -> None:
    show_live(storage)
    game = RunningGame(storage)
    game.publish_rounds(2)
    assert visitor.get(game.path).status_code == 200
    show_live(storage, "off")
    assert visitor.get(game.path).status_code == 303
    assert game.path not in visitor.get(LIVE).text


def test_two_deals_give_the_same_page(storage: Storage, visitor: Visitor) -> None:
    """As sent, with the word that it is known by: nothing in it comes from what is hidden."""
    show_live(storage)
    game = RunningGame(storage)
    rules = find("seven")
    pages = []
    for seed in (1, 2):
        spec = replace(game.result.spec, seed=seed)
        state = rules.deal(spec.setup, seed)
        decisions = []
        for _ in range(5):
            moves = [
                next(action for action in state.legal(seat) if action & KIND_BITS == SELL)
                for seat in state.pending()
            ]
            for seat, action in zip(state.pending(), moves, strict=True):
                state.apply(seat, action)
            decisions += moves
        game.publish(decisions, spec)
        pages.append((visitor.get(game.path).text, visitor.get(LIVE).text))
    assert pages[0] == pages[1]
    assert "age I, turn 6" in pages[0][0]
    assert DRAWN.search(pages[0][0])


def test_decisions_that_these_rules_do_not_know_are_not_shown(
    storage: Storage, visitor: Visitor
) -> None:
    show_live(storage)
    game = RunningGame(storage)
    spec = replace(game.result.spec, version=game.result.spec.version + 1)
    game.publish(game.result.decisions[:6], spec)
    assert visitor.get(game.path).status_code == 303
    assert "None just now" in visitor.get(LIVE).text

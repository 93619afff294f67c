"""What followed from moves, as it is told at a visitor's table."""

import re

import pytest

from arena.display import display_of
from arena.site.live_games import PlayedRound
from arena.site.pages.news import consequences
from arena.site.pages.own_game.table import tell_round
from engine.replay import rounds
from tests.arena.site.sample_replays import ROWS
from tests.support.setups import random_match

NAMES = [f"bot{seat}" for seat in range(7)]


def told(row: int, lang: str = "en") -> list[tuple[int | None, str, str]]:
    """All consequences of a random game."""
    result = random_match(ROWS[row], 1)
    display = display_of(result.spec.game)
    found = []
    for round in rounds(result):
        scenes = [display.scene(state, lang) for state in (round.before, round.after)]
        found += list(consequences(scenes[0], scenes[1], NAMES, lang))
    return found


def test_the_end_of_an_age_is_told_with_its_battles() -> None:
    ends = [text for seat, _, text in told(3) if seat is None]
    assert [text.partition(":")[0] for text in ends][:2] == [
        "End of Age I. Battles",
        "End of Age II. Battles",
    ]
    assert any("bot0 +" in text or "bot0 −" in text for text in ends)


def test_a_stage_is_told_with_what_it_gives_and_the_cat_with_where_it_goes() -> None:
    found = told(0)
    stages = [(seat, name, text) for seat, name, text in found if seat is not None]
    assert stages
    assert all(name == f"bot{seat}" for seat, name, _ in stages)
    assert all(text.startswith("stage ") and "point" in text for _, _, text in stages)
    others = [text for seat, _, text in found if seat is None]
    assert any(text.startswith("The Cat goes to ") for text in others)
    battles = [text for text in others if text.startswith("Battle: bot")]
    assert battles
    assert "Red cards with horns are discarded." in others
    assert all(int(won) % 3 == 0 for text in battles for won in re.findall(r"\+(\d+)", text))


@pytest.mark.parametrize("row", [0, 3])
def test_a_stage_is_told_once(row: int) -> None:
    result = random_match(ROWS[row], 1)
    by_move = alone = 0
    for round in rounds(result):
        moves = tuple(zip(round.seats, round.actions, strict=True))
        played = PlayedRound(round.before, moves, round.after)
        told = tell_round(result.spec.game, 0, played, NAMES, "en")
        for seat in range(result.spec.setup.players):
            own = [text for at, _, text in told if at == seat]
            built = [re.search(r"built stage (\d)", text) for text in own]
            stood = [re.match(r"stage (\d) built: ", text) for text in own]
            numbers = [found[1] for found in (*built, *stood) if found]
            assert len(numbers) == len(set(numbers))
            assert all(": " in found.string for found in built if found)  # with what it gives
            by_move += any(built)
            alone += any(stood)
    assert by_move
    assert bool(alone) == (result.spec.game == "architects")

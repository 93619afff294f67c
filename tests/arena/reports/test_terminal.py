"""Tables in a terminal of 80 columns."""

import io

import pytest
from rich.console import Console

from arena.display import display_of
from arena.reports.terminal import render_scores
from engine.catalog import GAMES
from engine.contract import Game


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_score_pad_holds_every_player_in_80_columns(game: Game, lang: str) -> None:
    players = game.players[-1]
    state = game.deal(game.setup(players, 1), 1)
    data = display_of(game.id).score_pad(state, lang)
    out = Console(width=80, file=io.StringIO())
    out.print(render_scores(data, tuple(f"a_rather_long_name_{seat}" for seat in range(players))))
    text = out.file.getvalue()  # type: ignore[attr-defined]
    whole = set(text.split())
    assert {word for heading in data.headings[2:] for word in heading.split()} <= whole
    assert all(f"  {seat}  a_rather_long_name_{seat}, " in text for seat in range(players))

"""Run with pytest in this folder; pip install pytest if it is not there."""

from pathlib import Path
from runpy import run_path

from arena.testing import practice

FirstBot = run_path(str(Path(__file__).with_name("bot.py")))["FirstBot"]  # beside other bots too


def test_it_plays_whole_games() -> None:
    for game, players in (("architects", 2), ("seven", 7)):
        result = practice(FirstBot, game, players, seed=1)
        assert result.faults == ()
        assert len(result.scores) == players


def test_it_plays_against_other_bots() -> None:
    result = practice(FirstBot, "seven", 3, seed=1, opponents=["greedy:worlds=1", "random"])
    assert result.faults == ()
    assert sorted(result.ranks)[0] == 0  # result.ranks[0] is yours: 0 has won

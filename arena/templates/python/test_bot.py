"""Run with pytest in this folder; pip install pytest if it is not there."""

from bot import FirstBot

from arena.testing import practice


def test_it_plays_whole_games() -> None:
    for game, players in (("architects", 2), ("seven", 7)):
        result = practice(FirstBot, game, players, seed=1)
        assert result.faults == ()
        assert len(result.scores) == players

"""Run with pytest in this folder; pip install pytest if it is not there."""

from bot import FirstBot

from arena.testing import practice


def test_it_plays_whole_games() -> None:
    for game, players in (("architects", 2), ("seven", 7)):
        result = practice(FirstBot, game, players, seed=1)
        assert result.faults == ()
        assert len(result.scores) == players


def test_it_plays_against_other_bots() -> None:
    result = practice(FirstBot, "seven", 3, seed=1, opponents=["greedy:worlds=1", "random"])
    assert result.faults == ()
    assert sorted(result.ranks)[0] == 0  # result.ranks[0] is yours: 0 has won

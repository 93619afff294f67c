"""The vector environment: lockstep, masks, rewards; and the single seat among bots."""

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

from arena.adapters.single_agent import SeatEnv
from arena.adapters.vector import SeatsVectorEnv
from engine.catalog import find
from engine.errors import ArenaError
from tests.support.command import ROOT


def choose(mask: NDArray[np.int8], dice: np.random.Generator) -> NDArray[np.int64]:
    """A legal index for every sub-environment that has one, by lot."""
    return np.array([dice.choice(np.flatnonzero(row)) if row.any() else 0 for row in mask])


@pytest.mark.parametrize(("game", "players"), [("architects", 2), ("seven", 3)])
def test_tables_are_those_the_arena_deals_and_games_follow_each_other(
    game: str, players: int
) -> None:
    rules = find(game)
    env = SeatsVectorEnv(game, players, tables=2)
    dice = np.random.default_rng(1)
    seen, infos = env.reset(seed=5)
    own = [rules.deal(rules.setup(players, 5 + table), 5 + table) for table in range(2)]
    ended = 0
    while ended < 3:
        for table, state in enumerate(own):
            asked = infos["asked"][table * players : (table + 1) * players]
            assert np.flatnonzero(asked).tolist() == state.pending()
            for seat in state.pending():
                place = table * players + seat
                row = np.zeros(rules.feature_count, np.int16)
                places, numbers = state.features(seat)
                row[places] = numbers
                assert (seen["observation"][place] == row).all()
                legal = [env.actions[at] for at in np.flatnonzero(seen["action_mask"][place])]
                assert sorted(legal) == sorted(state.legal(seat))
        actions = choose(seen["action_mask"], dice)
        for table, state in enumerate(own):
            for seat in state.pending():
                state.apply(seat, env.actions[actions[table * players + seat]])
        seen, rewards, over, cut, infos = env.step(actions)
        assert env.observation_space.contains(seen)
        assert not cut.any()
        for table, state in enumerate(own):
            seats = slice(table * players, (table + 1) * players)
            assert over[seats].all() == over[seats].any() == (not state.pending())
            assert abs(rewards[seats].sum()) < 1e-6
            if not state.pending():
                assert rewards[seats].max() > 0
                assert rewards[seats].argmax() == state.ranks().index(0)
                seed = 7 + ended
                ended += 1
                own[table] = rules.deal(rules.setup(players, seed), seed)


def test_an_index_that_is_not_legal_is_refused_and_nothing_happens() -> None:
    env = SeatsVectorEnv("architects", 2, tables=1)
    seen, infos = env.reset(seed=1)
    before = seen["observation"].copy()
    illegal = np.flatnonzero(seen["action_mask"][infos["asked"].argmax()] == 0)[0]
    with pytest.raises(ArenaError, match="expected one of 3 legal indices, got"):
        env.step(np.full(2, illegal))
    assert (env._rows == before).all()
    with pytest.raises(ArenaError, match="expected at least one table"):
        SeatsVectorEnv(tables=0)


def test_gymnasium_finds_nothing_wrong_with_a_seat_among_bots() -> None:
    check_env(SeatEnv("architects", ("random",)), skip_render_check=True)


def test_a_seat_plays_to_the_end_and_the_same_again() -> None:
    ends = []
    for _ in range(2):
        env = SeatEnv("seven", ("greedy:worlds=1", "random"), seat=1)
        seen, told = env.reset(seed=4)
        assert told == {"seat": 1}
        over = False
        while not over:
            action = np.flatnonzero(seen["action_mask"])[0]
            seen, reward, over, _, told = env.step(action)
        ends.append((reward, told))
    assert ends[0] == ends[1]
    assert ends[0][1]["rank"] in (1, 2, 3)


def test_opponents_are_bots_of_the_house() -> None:
    with pytest.raises(ArenaError, match="expected a built-in bot as opponent"):
        SeatEnv("seven", (str(ROOT / "examples" / "first_bot.py"), "random"))
    with pytest.raises(ArenaError, match="expected a seat from 0 to 1, got 2"):
        SeatEnv("architects", ("random",), seat=2)

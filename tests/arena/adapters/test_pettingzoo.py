"""The environments pass PettingZoo's own tests, deal what the arena deals, and keep secrets."""

import contextlib
import copy
import io
import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test.api_test import api_test
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.seed_test import seed_test

from arena.adapters.pettingzoo import env, parallel_env, raw_env
from engine.errors import ArenaError, SetupError
from tests.support.setups import Row, every_row, random_match

# What its own board games do, by name, it advises others against.
advised_against = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]
MEDALS = {"expansions": ("medals",), "expert": True}
SETUPS: list[dict[str, Any]] = [
    {"game": "architects"},
    {"game": "architects", "players": 7, **MEDALS},
    {"game": "seven"},
    {"game": "seven", "players": 7, "edition": "1st"},
]
every_setup = pytest.mark.parametrize(
    "setup", SETUPS, ids=["architects", "architects-medals", "seven", "seven-1st"]
)


class TestItsOwnTests:
    pytestmark = advised_against

    @every_setup
    def test_api(self, setup: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
        api_test(env(**setup), num_cycles=20)
        assert "Passed API test" in capsys.readouterr().out

    @every_setup
    def test_parallel_api(self, setup: dict[str, Any]) -> None:
        parallel_api_test(parallel_env(**setup), num_cycles=60)

    @every_setup
    def test_seed(self, setup: dict[str, Any]) -> None:
        seed_test(lambda: env(**setup), num_cycles=20)

    @every_setup
    def test_render(self, setup: dict[str, Any]) -> None:
        def made(render_mode: str | None = None) -> Any:
            return env(render_mode=render_mode, **setup)

        with contextlib.redirect_stdout(io.StringIO()) as printed:
            render_test(made)
        assert "seat_0" in printed.getvalue()


@pytest.mark.slow
@every_row
def test_a_game_goes_as_in_the_arena(row: Row) -> None:
    played = random_match(row, 4)
    table = env(row.game, row.players, **row.options)
    table.reset(seed=4)
    inner = table.unwrapped
    assert isinstance(inner, raw_env)
    code = inner.encoding
    decisions = iter(played.decisions)
    rewards = dict.fromkeys(table.agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, over, cut, _ = table.last()
        rewards[agent] += reward
        assert not cut
        index = None
        if not over:
            assert seen is not None
            index = code.index(next(decisions))
            assert seen["action_mask"][index] == 1
        table.step(index)
    assert next(decisions, None) is None
    assert sum(rewards.values()) == pytest.approx(0)
    best = [seat for seat, rank in enumerate(played.ranks) if rank == 0]
    top = max(rewards.values())
    assert [seat for seat in range(row.players) if rewards[f"seat_{seat}"] == top] == best


@pytest.mark.parametrize("players", [3, 7])
def test_a_commit_is_not_seen_before_all_have_chosen(players: int) -> None:
    tried = 0
    for seed in range(3):
        shown = []
        table = raw_env("seven", players)
        table.reset(seed=seed)
        for index in np.flatnonzero(table.observe("seat_0")["action_mask"]):
            table.reset(seed=seed)
            table.step(int(index))
            assert table.agent_selection == "seat_1"
            seen = [table.observe(agent) for agent in table.agents[1:]]
            shown.append([(o["observation"].tobytes(), o["action_mask"].tobytes()) for o in seen])
            assert (list(table.rewards.values()), table.infos) == (
                [0.0] * players,
                {agent: {} for agent in table.agents},
            )
            tried += 1
        assert all(one == shown[0] for one in shown)
    assert tried > 6


def test_only_the_seat_that_is_asked_has_a_mask() -> None:
    table = raw_env("seven", 3)
    table.reset(seed=1)
    masks = [int(table.observe(agent)["action_mask"].sum()) for agent in table.agents]
    assert masks[0] > 1
    assert masks[1:] == [0, 0]


def test_without_a_seed_the_next_one_is_dealt() -> None:
    table, other = raw_env(), raw_env()
    table.reset(seed=4)
    table.reset()
    other.reset(seed=5)
    assert table.table.dump() == other.table.dump()
    assert raw_env().seed != raw_env().seed


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(SetupError, match="expected 3 to 7 players for seven, got 2"):
        env("seven", 2)
    with pytest.raises(ArenaError, match="expected a render mode human or ansi, got rgb"):
        env(render_mode="rgb")
    with pytest.raises(ArenaError, match="expected reset before anything else"):
        raw_env().observe("seat_0")
    table = env()
    table.reset(seed=1)
    with pytest.raises(ArenaError, match="legal indices, got 404"):
        table.step(404)


def test_all_seats_answer_at_once_and_are_told_how_it_ended() -> None:
    table = parallel_env("seven", 3, edition="1st")
    seen, infos = table.reset(seed=7)
    turns = 0
    reward: dict[str, float] = {}
    over: dict[str, bool] = {}
    while table.agents:
        assert not any(infos.values())
        actions = {agent: int(np.flatnonzero(seen[agent]["action_mask"])[0]) for agent in seen}
        waiting = [agent for agent in actions if actions[agent] == table.wait]
        assert waiting == [
            agent
            for seat, agent in enumerate(table.possible_agents)
            if seat not in table.learners.state.pending()
        ]
        seen, reward, over, _, infos = table.step(actions)
        turns += 1
    assert turns in range(18, 30)
    assert list(over.values()) == [True] * 3
    assert sum(reward.values()) == pytest.approx(0)
    points = table.learners.state.scores()
    assert [infos[agent]["points"] for agent in table.possible_agents] == points
    assert min(info["rank"] for info in infos.values()) == 1
    assert infos["seat_0"]["score_sheet"]["total"] == points[0]


def test_a_seat_that_is_asked_must_answer() -> None:
    table = parallel_env("seven")
    seen, _ = table.reset(seed=1)
    before = table.learners.state.clone()
    first = int(np.flatnonzero(seen["seat_0"]["action_mask"])[0])
    with pytest.raises(ArenaError, match="expected an action of seat_1, which is asked, got none"):
        table.step({"seat_0": first})
    with pytest.raises(ArenaError, match="legal indices, got"):
        table.step(dict.fromkeys(table.agents, table.wait))
    assert table.learners.state == before


def test_at_the_end_an_agent_is_told_points_and_rank() -> None:
    table = raw_env()
    table.reset(seed=1)
    while table.table.pending():
        table.step(int(np.flatnonzero(table.observe(table.agent_selection)["action_mask"])[0]))
    assert [table.infos[agent]["points"] for agent in table.agents] == table.table.scores()


@pytest.mark.parametrize("make", [env, parallel_env])
def test_environments_are_copied_and_pickled(make: Any) -> None:
    table = make("seven", 3)
    table.reset(seed=3)
    for again in (copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        assert again.unwrapped.learners.state == table.unwrapped.learners.state
        assert again.unwrapped.learners.state is not table.unwrapped.learners.state
        again.reset(seed=4)
    dealt = make("seven", 3)
    dealt.reset(seed=3)
    assert table.unwrapped.learners.state == dealt.unwrapped.learners.state

"""Steps a second of the vector environment and of PettingZoo's, in turn in one run, by CPU time.

Where RLCard is installed (`pip install rlcard`), its games follow, in the same run: other games, so
that the ratio tells of the way of a step, not of the rules.
"""

import importlib
import sys
import time
from importlib.util import find_spec

import numpy as np

from arena.adapters.pettingzoo import raw_env
from arena.adapters.vector import SeatsVectorEnv

STEPS = 40_000


def vector_rate(game: str, players: int) -> float:
    """Answers a second; the choice of each, by lot among the legal ones, is not counted."""
    env = SeatsVectorEnv(game, players, tables=64)
    dice = np.random.default_rng(1)
    env.reset(seed=1)
    tables = env._tables
    began, chosen = tables.steps, np.zeros(env.num_envs, np.int64)
    spent = 0.0
    while tables.steps - began < STEPS:
        places, indices = np.divmod(dice.permutation(env._legal), len(env.actions))
        chosen[places] = indices
        start = time.process_time()
        env.step(chosen)
        spent += time.process_time() - start
    return (tables.steps - began) / spent


def adapter_rate(game: str, players: int) -> float:
    """The same through one table that is asked seat by seat."""
    env = raw_env(game, players)
    dice = np.random.default_rng(1)
    env.reset(seed=1)
    spent, done = 0.0, 0
    mask = env.observe(env.agent_selection)["action_mask"]
    while done < STEPS // 20:
        action = int(dice.choice(np.flatnonzero(mask)))
        start = time.process_time()
        env.step(action)
        if env.terminations[env.agent_selection]:
            env.reset()
        mask = env.observe(env.agent_selection)["action_mask"]
        spent += time.process_time() - start
        done += 1
    return done / spent


def rlcard_rate(game: str) -> float:
    """The same through an environment of RLCard."""
    env = importlib.import_module("rlcard").make(game, config={"seed": 1})
    dice = np.random.default_rng(1)
    state, _ = env.reset()
    spent, done = 0.0, 0
    while done < STEPS // 20:
        action = int(dice.choice(list(state["legal_actions"])))
        start = time.process_time()
        state, _ = env.step(action)
        if env.is_over():
            state, _ = env.reset()
        spent += time.process_time() - start
        done += 1
    return done / spent


def main() -> None:
    sys.stdout.write("| table | vector | raw_env | times |\n| --- | --- | --- | --- |\n")
    slowest = 0.0
    for game, players in (("architects", 2), ("architects", 4), ("seven", 3), ("seven", 4)):
        vector, adapter = vector_rate(game, players), adapter_rate(game, players)
        line = f"| {game} {players} | {vector:,.0f} | {adapter:,.0f} | {vector / adapter:.1f} |\n"
        sys.stdout.write(line)
        sys.stdout.flush()
        slowest = min(slowest or vector, vector)
    if find_spec("rlcard") is None:
        sys.stdout.write("\nRLCard is not installed here.\n")
        return
    sys.stdout.write(
        "\n| RLCard | steps a second | slowest vector row, times |\n| --- | --- | --- |\n"
    )
    for name in ("leduc-holdem", "uno", "gin-rummy", "doudizhu"):
        rate = rlcard_rate(name)
        sys.stdout.write(f"| {name} | {rate:,.0f} | {slowest / rate:.1f} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Steps a second of the vector environment and of PettingZoo's, in turn in one run, by CPU time."""

import sys
import time

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


def main() -> None:
    sys.stdout.write("| table | vector | raw_env | times |\n| --- | --- | --- | --- |\n")
    for game, players in (("architects", 2), ("architects", 4), ("seven", 3), ("seven", 4)):
        vector, adapter = vector_rate(game, players), adapter_rate(game, players)
        line = f"| {game} {players} | {vector:,.0f} | {adapter:,.0f} | {vector / adapter:.1f} |\n"
        sys.stdout.write(line)
        sys.stdout.flush()


if __name__ == "__main__":
    main()

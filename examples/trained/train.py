"""Train the bot in this folder by self-play: it learns how games from its positions ended.

In every round it plays with its current weights, sometimes at random, and records the features of
each position it chose and the reward of its seat. The weights of the next round fit these records
by regularised least squares. The same seed gives the same weights. The built-in `sage` learned in
the same way, but with neural networks.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from bot import WEIGHTS, best, prospects
from numpy.typing import NDArray

from arena.adapters.encoding import zero_sum_rewards
from bots.api import Rng, State, derive, find

Numbers = NDArray[np.float64]
GAME = find("architects")
TABLES = (2, 3, 4, 5)  # players, in turn
KEPT = 3  # rounds that are learned from
AT_RANDOM = 0.1  # of all decisions, once there are weights
SMALL = 30.0  # how much weights are held back
DIGITS = 5  # of a weight: fewer than processors differ in


def worth(end: State) -> list[float]:
    """What a game brought each seat: half for the rank, half for the lead in points."""
    scores = end.scores()
    found = []
    for seat, rank in enumerate(zero_sum_rewards(end.ranks())):
        rivals = scores[:seat] + scores[seat + 1 :]
        lead = (scores[seat] - max(rivals)) / 20
        found.append(rank / 2 + min(1.0, max(-1.0, lead)) / 2)
    return found


def play(weights: Numbers | None, players: int, seed: int) -> tuple[Numbers, Numbers]:
    """One game against itself: what was chosen, and what it came to."""
    state = GAME.deal(GAME.setup(players, seed), seed)
    rng = Rng(derive(seed, "training"))
    chosen: list[list[NDArray[np.float32]]] = [[] for _ in range(players)]
    while seats := state.pending():
        view = state.view(seats[0])
        actions = view.legal(seats[0])
        rows = prospects(view, actions, rng)
        if weights is None or rng.below(1000) < 1000 * AT_RANDOM:
            at = rng.below(len(actions))
        else:
            at = best(rows @ weights)
        chosen[seats[0]].append(rows[at])
        state.apply(seats[0], actions[at])
    points = [np.full(len(rows), won) for rows, won in zip(chosen, worth(state), strict=True)]
    return np.concatenate(chosen).astype(float), np.concatenate(points)


def train(seed: int, rounds: int, games: int) -> Numbers:
    """The weights after so many rounds of so many games."""
    weights: Numbers | None = None
    notes: list[tuple[Numbers, Numbers]] = []
    for round in range(rounds):
        began = time.perf_counter()
        for game in range(games):
            number = derive(seed, f"round {round} game {game}")
            notes.append(play(weights, TABLES[game % len(TABLES)], number))
        notes = notes[-KEPT * games :]
        rows = np.concatenate([rows for rows, _ in notes])
        points = np.concatenate([points for _, points in notes])
        held = SMALL * np.eye(rows.shape[1])
        weights = np.linalg.solve(rows.T @ rows + held, rows.T @ points).round(DIGITS)
        missed = ((rows @ weights - points) ** 2).mean() / points.var()
        seconds = time.perf_counter() - began
        print(
            f"round {round + 1}: {len(rows)} positions, {missed:.0%} unexplained, {seconds:.0f} s"
        )
    assert weights is not None
    return weights


def main() -> None:
    """Train, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--games", type=int, default=300, help="a round")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    weights = train(options.seed, options.rounds, options.games)
    np.savetxt(options.out, weights, f"%.{DIGITS}f")


if __name__ == "__main__":
    main()

"""Train the learned value of a game by self-play, from nothing or from where it was stopped.

Rounds of games by the one-ply policy; every choice is noted with its lambda-return, and the
networks are fitted to the notes of the last rounds. Now and then the networks meet the best ones
so far: they take their place only if they win more, with 95 % certainty.
"""

from __future__ import annotations

import os

# Threads of BLAS would wait for each other longer than these small products take.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from bots.api import Rng, derive
from bots.house.learned.net import PARTS, Net
from bots.house.learned.policy import Value
from bots.house.learned.selfplay import Explore, Notes, play_game
from bots.house.learned.weights import NetWeights, read_weights, write_weights
from bots.house.planner import Planner
from bots.house.training.fit import Model, Rows
from bots.house.training.matches import compare
from bots.house.training.tables import deal
from engine.catalog import find


def say(text: str) -> None:
    """Tell how far it has come."""
    print(text, flush=True)  # noqa: T201


class Training:
    """The networks, how far they have come, and where that is kept."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.game: str = options.game
        self.folder: Path = options.folder / self.game
        self.folder.mkdir(parents=True, exist_ok=True)
        self.features = find(self.game).feature_count
        self.models: list[Model] = []
        self.best: Value | None = None
        self.window: list[Rows] = []
        self.games = 0
        self.round = 0
        self.cpu = 0.0
        self.kept = 0  # games behind the best weights
        self.compared = 0  # games behind those that met the best last
        if not self._restore():
            dice = np.random.default_rng(options.seed)
            self.models = [
                Model.new(self.features, options.hidden, dice) for _ in range(PARTS[self.game])
            ]

    def value(self) -> Value:
        """The networks as they are now, in integers."""
        hidden = self.options.hidden
        return Value([Net(self.features, hidden, model.integers()) for model in self.models])

    def run(self) -> None:
        """Train until as many games as asked for are learned from."""
        began = time.process_time() - self.cpu
        while self._progress() < 1:
            self._play()
            loss = self._fit()
            self.round += 1
            self.cpu = time.process_time() - began
            self._save()
            say(f"round {self.round}: {self.games} games, error {loss:.4f}, {self.cpu:.0f} s CPU")
            if self.round % self.options.gate_every == 0:
                self._compare()
        self._compare()

    def _progress(self) -> float:
        """How much is done, from 0 to 1: by games alone if no time is set, so that it repeats."""
        done = self.games / self.options.games
        if self.options.seconds:
            done = max(done, self.cpu / self.options.seconds)
        return float(min(1.0, done))

    def _play(self) -> None:
        """One more round of games; the first of all by chance alone."""
        left = 1 - self._progress()
        first = self.games == 0
        explore = Explore(
            noise=1.0 if first else 0.005 + 0.025 * left,
            at_random=1.0 if first else 0.02,
            worlds=self.options.worlds,
            keep=1.0 if first else self.options.keep,
        )
        value, notes = self.value(), Notes()
        for number in range(self.games, self.games + self.options.round_games):
            dice = Rng(derive(self.options.seed, f"choices {number}"))
            play_game(deal(self.game, self.options.seed, number), value, explore, dice, notes)
        self.games += self.options.round_games
        self.window = [*self.window, Rows.of(notes)][-self.options.window :]

    def _fit(self) -> float:
        """Learn from the last rounds: of each as many rows as make `passes` until it is dropped."""
        dice = np.random.default_rng([self.options.seed, self.round])
        rate = self.options.rate * max(0.05, 1 - self._progress())
        losses = []
        for part, model in enumerate(self.models):
            for rows in dice.permutation(len(self.window)):
                own = np.flatnonzero(self.window[rows].parts == part)
                if not len(own):
                    continue
                if model.steps == 0:
                    model.set_scale(self.window[rows], own[:5000])
                chosen = dice.permutation(own)
                share = self.options.passes / len(self.window)
                chosen = chosen[: int(len(own) * min(1.0, share))]
                losses.append(model.fit(self.window[rows], chosen, rate))
        return float(np.mean(losses))

    def _compare(self) -> None:
        """Meet the best so far and `planner`; write the weights down if they are better."""
        if self.games in (self.kept, self.compared):
            return
        self.compared = self.games
        value = self.value()
        seed = self.options.seed
        against_best = None
        if self.best is not None:
            label = f"gate {self.round}"
            deals = self.options.gate_deals
            against_best = compare(self.game, value, self.best, deals, seed, label)
        is_better = against_best is None or against_best.low > 0.5
        if is_better:
            self._keep(value)
        deals = self.options.planner_deals
        share = compare(self.game, value, Planner, deals, seed, f"planner {self.round}")
        line = f"{self.games},{self.cpu:.0f},{share},{against_best or '-'},{int(is_better)}"
        with (self.folder / "curve.csv").open("a") as file:
            file.write(line + "\n")
        word = ", kept" if is_better else ""
        say(f"games {self.games}: planner {share}, best so far {against_best or '-'}{word}")

    def _keep(self, value: Value) -> None:
        self.best, self.kept = value, self.games
        numbers = [number for model in self.models for number in model.integers()]
        weights = NetWeights(
            self.game,
            self.options.hidden,
            self.options.seed,
            self.games,
            command(self.options),
            numbers,
        )
        write_weights(weights, self.folder / "best.txt")
        self._save()

    def _save(self) -> None:
        arrays: dict[str, Any] = {
            "games": self.games,
            "round": self.round,
            "cpu": self.cpu,
            "kept": self.kept,
        }
        for part, model in enumerate(self.models):
            arrays |= model.saved(f"net{part}")
        with (self.folder / "part.npz").open("wb") as file:
            np.savez(file, **arrays)
        (self.folder / "part.npz").replace(self.folder / "state.npz")

    def _restore(self) -> bool:
        path = self.folder / "state.npz"
        if not path.exists():
            return False
        with np.load(path) as saved:
            self.games, self.round = int(saved["games"]), int(saved["round"])
            self.cpu, self.kept = float(saved["cpu"]), int(saved["kept"])
            self.models = [Model.restored(f"net{at}", saved) for at in range(PARTS[self.game])]
        best = self.folder / "best.txt"
        if best.exists():
            self.best = Value(read_weights(best).nets())
        say(f"going on after {self.games} games, {self.cpu:.0f} s CPU")
        return True


def parse(arguments: list[str]) -> argparse.Namespace:
    """What is asked for on the command line."""
    return _parser().parse_args(arguments)


def command(options: argparse.Namespace) -> str:
    """The command that comes to the same weights, with every option that they depend on."""
    given = {name: value for name, value in vars(options).items() if value is not None}
    words = ["python -m bots.house.training", given.pop("game")]
    del given["folder"]
    return " ".join([*words, *(f"--{name.replace('_', '-')} {given[name]}" for name in given)])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bots.house.training", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("game", choices=sorted(PARTS))
    parser.add_argument("--games", type=int, default=120_000, help="learned from in all")
    parser.add_argument("--seconds", type=float, help="of CPU time, at most; no limit if not given")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hidden", type=int, default=32, help="rectifiers of a network")
    parser.add_argument("--folder", type=Path, default=Path("build/training"))
    parser.add_argument("--round-games", type=int, default=600)
    parser.add_argument("--window", type=int, default=4, help="rounds that are learned from")
    parser.add_argument("--passes", type=float, default=1.5, help="times a row is learned from")
    parser.add_argument("--rate", type=float, default=0.0015, help="of learning, at first")
    parser.add_argument("--keep", type=float, default=0.85, help="lambda of the returns")
    parser.add_argument("--worlds", type=int, default=1, help="imagined for a choice")
    parser.add_argument("--gate-every", type=int, default=50, help="rounds")
    parser.add_argument("--gate-deals", type=int, default=400)
    parser.add_argument("--planner-deals", type=int, default=60)
    return parser


if __name__ == "__main__":
    Training(parse(sys.argv[1:])).run()

"""Random games on the engine that is first on the path; as a program, one task for the benchmark.

A task comes as JSON on standard input, its answer leaves as JSON on standard output.
"""

import json
import sys
from pathlib import Path
from statistics import median
from time import process_time

import engine
from engine.catalog import find
from engine.match import Setup, Variant
from engine.rng import Rng, derive
from tests.benchmarks.setups import Row

BATCH = 1000
WORD = 2**64 - 1


def starts(row: Row, first: int, games: int) -> list[tuple[Setup, int, int]]:
    """The setup, the seed of the deal and the state of the dice for every game."""
    rules = find(row.game)
    return [
        (
            rules.setup(
                row.players, seed, (), Variant(row.game, row.edition, row.expansions, row.expert)
            ),
            seed,
            derive(seed, "playout"),
        )
        for seed in range(first, first + games)
    ]


def count_decisions(row: Row, setup: Setup, seed: int, dice: Rng) -> int:
    """The decisions of a random game; in a game of single turns it is the game of `playout`."""
    state = find(row.game).deal(setup, seed)
    decisions = 0
    while seats := state.pending():
        options = state.legal(seats[0])
        state.apply(seats[0], options[dice.below(len(options))])
        decisions += 1
    return decisions


def check(row: Row, first: int, games: int) -> tuple[str, int]:
    """The checksum over scores, ranks and numbers of decisions, and all decisions together."""
    checksum = 14695981039346656037
    decisions = 0
    for setup, seed, dice in starts(row, first, games):
        state = find(row.game).deal(setup, seed)
        state.playout(Rng(dice))
        asked = count_decisions(row, setup, seed, Rng(dice))
        for number in (*state.scores(), *state.ranks(), asked):
            checksum = ((checksum ^ number & WORD) * 1099511628211) & WORD
        decisions += asked
    return f"{checksum:016x}", decisions


def time_games(row: Row, first: int, games: int) -> float:
    """CPU seconds to deal, play, score and rank; wonders and dice are drawn before."""
    rules = find(row.game)
    deal, table = rules.deal, starts(row, first, games)
    begin = process_time()
    for setup, seed, dice in table:
        state = deal(setup, seed)
        state.playout(Rng(dice))
        state.scores()
        state.ranks()
    return process_time() - begin


def time_copies(row: Row, first: int, games: int) -> tuple[float, float]:
    """CPU seconds of a clone and of a view, in the middle of the game: medians over some games."""
    clones, views = [], []
    loop = range(BATCH)
    for setup, seed, state_of_dice in starts(row, first, games):
        dice = Rng(state_of_dice)
        state = find(row.game).deal(setup, seed)
        for _ in range(count_decisions(row, setup, seed, Rng(state_of_dice)) // 2):
            seat = state.pending()[0]
            options = state.legal(seat)
            state.apply(seat, options[dice.below(len(options))])
        clone, view = state.clone, state.view
        begin = process_time()
        for _ in loop:
            clone()
        middle = process_time()
        for _ in loop:
            view(0)
        clones.append((middle - begin) / BATCH)
        views.append((process_time() - middle) / BATCH)
    return median(clones), median(views)


TASKS = {"check": check, "games": time_games, "copies": time_copies}


def main() -> None:
    task = json.load(sys.stdin)
    name, first, games = task["row"], task["first"], task["games"]
    row = Row(name[0], name[1], name[2], tuple(name[3]), name[4])
    if task["task"] == "games":
        time_games(row, first, min(games, 20))  # warm up
    answer = {
        "compiled": engine.COMPILED,
        "folder": str(Path(engine.__file__).parent),
        "answer": TASKS[task["task"]](row, first, games),
    }
    print(json.dumps(answer))  # noqa: T201


if __name__ == "__main__":
    main()

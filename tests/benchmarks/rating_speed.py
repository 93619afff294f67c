"""How long the standings of a million matches take, and how much memory, by CPU time."""

import argparse
import resource
from collections.abc import Iterator
from time import process_time

import numpy as np

from leagues.ratings import trueskill_kernel
from leagues.ratings.leaderboard import build_leaderboard
from leagues.ratings.placed_match import PlacedMatch
from leagues.ratings.thurstone import count_pairs, fit_skills
from leagues.ratings.trueskill_fold import BETA, environment, fold
from tests.benchmarks.figures import keep
from tests.support.object_logs import logs_by_game

ENTRANTS = 20
BATCH = 10_000
PACKAGE = 300  # matches rated by the trueskill package
WONDERS = ("Alexandria", "Babylon", "Ephesus", "Gizah", "Halikarnassos", "Olympia", "Rhodes")


def placings(matches: int, players: int) -> Iterator[PlacedMatch]:
    """Random tables of entrants a sixteenth of luck apart; some ties."""
    luck = np.random.default_rng(1)
    skill = np.linspace(20.0, 30.0, ENTRANTS)
    for first in range(0, matches, BATCH):
        table = np.argsort(luck.random((BATCH, ENTRANTS)), axis=1)[:, :players]
        performance = luck.normal(skill[table], BETA)
        rank = np.argsort(np.argsort(-performance, axis=1), axis=1)
        rank[:, 1] = np.where(luck.random(BATCH) < 0.1, rank[:, 0], rank[:, 1])
        rows = zip(
            table.tolist(),
            rank.tolist(),
            (50 + performance).astype(int).tolist(),
            strict=True,
        )
        for number, (entrants, ranks, scores) in enumerate(rows):
            yield PlacedMatch(
                match=first + number,
                game="seven",
                entrants=tuple(entrants),
                wonders=WONDERS[:players],
                scores=tuple(scores),
                ranks=tuple(ranks),
                faulty=(False,) * players,
            )


def by_package(players: int) -> float:
    """CPU seconds the package takes for a match, as a yardstick."""
    rules = environment(0.03)
    ratings = [(rules.create_rating(),) for _ in range(players)]
    began = process_time()
    for _ in range(PACKAGE):
        rules.rate(ratings, ranks=list(range(players)))
    return (process_time() - began) / PACKAGE


class Watch:
    """CPU time since it was last asked."""

    def __init__(self) -> None:
        self.last = process_time()

    def lap(self) -> float:
        before, self.last = self.last, process_time()
        return self.last - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=4)
    options = parser.parse_args()
    form = "interpreted" if trueskill_kernel.__file__.endswith(".py") else "compiled"
    watch = Watch()
    for _ in placings(options.matches, options.players):
        pass
    making = watch.lap()
    log = logs_by_game(placings(options.matches, options.players))["seven"]
    seconds = {"read": watch.lap() - making}
    fold(log)
    seconds["fold"] = watch.lap()
    fit_skills(count_pairs(log))
    seconds["fit"] = watch.lap()
    build_leaderboard(log)
    seconds["table, with both"] = watch.lap()
    seconds["as the package, a match"] = by_package(options.players)
    each = seconds["fold"] / len(log)
    keep(
        f"the trueskill package / fold, matches of {options.players}",
        seconds["as the package, a match"] / each,
        "times",
        ">= 20",
    )
    million = 1e6 / len(log)
    for name in ("read", "fold", "fit"):
        keep(f"{name}, a million matches of {options.players}", million * seconds[name], "s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(log)} matches of {options.players}, {form}, at most {peak:.0f} MB")  # noqa: T201
    for name, took in seconds.items():
        print(f"{name:26}{took:10.4f} s")  # noqa: T201


if __name__ == "__main__":
    main()

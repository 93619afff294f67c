"""How fast fixtures come, against naive permutations, and how long a balanced cycle takes to build.

The naive schedule shuffles nothing and balances nothing: itertools.permutations of the field in
its order, each with the same MatchSpec around it, on one deal. By CPU time; a figure is the median
of the rounds, a ratio the median of the ratios within a round.
"""

from collections.abc import Iterable
from itertools import islice, permutations
from statistics import median
from time import process_time

from arena.schedule import Balanced, Schedule, TrackRules, build_cycle, open_track
from engine.catalog import find
from engine.match import MatchSpec, Variant
from tests.benchmarks.figures import keep

ROUNDS = 5
FIXTURES = 20_000
FIELD = 12
PLAYERS = 4
CYCLES = ((8, 4), (16, 5), (24, 7))  # bots, players
SECONDS = 10.0  # aim for the largest


def naive(game: str, labels: tuple[str, ...]) -> Iterable[MatchSpec]:
    rules = find(game)
    setup = rules.setup(PLAYERS, 1)
    while True:
        for table in permutations(labels, PLAYERS):
            yield rules.spec(setup, 1, table)


def per_second(matches: Iterable[object]) -> float:
    began = process_time()
    count = sum(1 for _ in islice(matches, FIXTURES))
    return count / (process_time() - began)


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def main() -> None:
    labels = tuple(f"bot{at}" for at in range(FIELD))
    for game in ("architects", "seven"):
        track = open_track(TrackRules(Variant(game)), PLAYERS, range(FIELD))
        cycle = build_cycle(FIELD, PLAYERS)
        rounds = []
        for _ in range(ROUNDS):
            schedule = Schedule(labels, [track], Balanced(1, [cycle]), 1)
            rounds.append((per_second(schedule), per_second(naive(game, labels))))
        ours = median(speed for speed, _ in rounds)
        ratio = median(fast / speed for speed, fast in rounds)
        say(
            f"{game}, {FIELD} bots, {PLAYERS} players: {ours:,.0f} fixtures a second, "
            f"naive permutations {ratio:.1f} times as many"
        )
        keep(f"fixtures, {game}, {FIELD} bots, tables of {PLAYERS}", ours, "a second", ">= 20,000")
        keep(f"naive permutations to fixtures, {game}", ratio, "times")
    for bots, players in CYCLES:
        began = process_time()
        rounds_of = len(build_cycle(bots, players).blocks)
        took = process_time() - began
        say(f"cycle of {bots} bots, tables of {players}: {rounds_of} rounds in {took:.2f} s")
        aim = f"<= {SECONDS:g}" if (bots, players) == CYCLES[-1] else ""
        keep(f"cycle of {bots} bots, tables of {players}", took, "s", aim)


if __name__ == "__main__":
    main()

"""Does `arena compare` keep its word with real bots? Some 25 minutes; --write keeps the table.

Every run is a whole comparison with a seed of its own, in this process for speed; the verdicts
depend on the games alone. Equal bots are one bot twice, each with dice of its own, so that no
block is the same game twice over. "A fixed size" is the number of games a test of fixed size with
the same risks would have to play, by the spread of the blocks seen.
"""

import argparse
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from arena.compare.comparison import Comparison, Verdict
from arena.compare.pairs import PairDesign, PairSchedule
from arena.compare.sprt import Sprt
from arena.playing.referee import play
from arena.schedule.fixtures import TrackRules
from bots.api import Bot, Decision, Option, Seating
from bots.chairs.base import Chair
from bots.chairs.limits import Limits
from bots.discovery.finder import find_bot
from bots.discovery.loader import find_maker, make_bot
from bots.discovery.spec import parse_spec
from engine.contract import Action
from engine.match import Variant
from engine.rng import derive

PAGE = Path(__file__).parents[2] / "docs" / "compare.md"
MARK = "<!-- made by tests/benchmarks/compare_calibration.py -->"
MAX_BLOCKS = 20_000


class Case(NamedTuple):
    """Two bots at some tables, and the least gain asked for; equal bots have the same name."""

    game: str
    players: tuple[int, ...]
    new: str
    old: str
    gain: float
    design: PairDesign = PairDesign.SELF
    field: tuple[str, ...] = ()

    @property
    def tables(self) -> str:
        """Where they meet, in words."""
        counts = ", ".join(map(str, self.players))
        among = f" among {', '.join(self.field)}" if self.field else ""
        return f"{self.game} {counts}, {self.design}{among}"


CASES = (
    Case("architects", (4,), "random", "random", 20),
    Case("architects", (4,), "greedy", "greedy", 40),
    Case("architects", (2, 3, 4), "random", "random", 40),
    Case("architects", (3,), "random", "random", 40, PairDesign.FIELD, ("random",)),
    Case("architects", (3,), "random", "random", 40, PairDesign.MIRROR, ("random",)),
    Case("seven", (3,), "random", "random", 40),
    Case("architects", (4,), "greedy", "random", 20),
    Case("seven", (3,), "greedy", "random", 20),
    Case("architects", (4,), "planner", "greedy", 20),
    Case("architects", (4,), "planner", "greedy", 60),
)


class Bare(Chair):
    """A bot of the house without any care for the dice of others: fast."""

    def __init__(self, text: str, salt: str) -> None:
        super().__init__()
        spec = parse_spec(text)
        manifest = find_bot(spec)
        self.make = partial(make_bot, manifest.name, find_maker(manifest), dict(spec.params))
        self.salt = salt
        self.bot = Bot()
        self.asked: Decision | None = None

    def start(self, seating: Seating) -> None:
        seed = derive(seating.seed, self.salt) if self.salt else seating.seed
        self.bot = self.make()
        self.bot.start(Seating(seating.game, seating.setup, seating.seat, seed))

    def ask(self, decision: Decision) -> None:
        self.asked = decision

    def answer(self) -> Action:
        assert self.asked is not None
        answer = self.bot.decide(self.asked)
        assert isinstance(answer, Option)
        return answer.action


def compare(case: Case, seed: int) -> Comparison:
    """One comparison to its end."""
    texts = {"new": case.new, "old": case.old, **{bot: bot for bot in case.field}}
    salted = ("new", "old") if case.new == case.old else ()
    tables = PairSchedule(
        TrackRules(Variant(case.game)),
        "new",
        "old",
        case.field,
        case.design,
        case.players,
        derive(seed, "run"),
    )
    chairs = {
        (bot, seat): Bare(text, bot if bot in salted else "")
        for bot, text in texts.items()
        for seat in range(max(case.players))
    }
    comparison = Comparison(tables, Sprt(0, case.gain), MAX_BLOCKS)
    for key, spec in comparison.matches():
        seated = [chairs[bot, seat] for seat, bot in enumerate(spec.bots)]
        comparison.add(key, play(spec, seated, Limits()))
        if comparison.verdict is not None:
            break
    return comparison


def outcome(case: Case, seed: int) -> tuple[Verdict, int, int, float, tuple[float, float]]:
    """The verdict, games played, games of a fixed size, mean score and its interval."""
    comparison = compare(case, seed)
    assert comparison.verdict is not None
    sample = comparison.sample
    fixed = 2 * comparison.test.fixed_blocks(sample)
    return comparison.verdict, comparison.games, fixed, sample.mean, sample.interval(0.05)


def rows(cases: list[Case], runs: int, workers: int) -> Iterator[str]:
    """The lines of the table, as they are found."""
    with ProcessPoolExecutor(workers) as pool:
        for case in cases:
            began = time.monotonic()
            found = list(pool.map(partial(outcome, case), range(1, runs + 1), chunksize=5))
            verdicts = Counter(verdict for verdict, *_ in found)
            games = sum(count for _, count, *_ in found) / runs
            fixed = sum(count for _, _, count, *_ in found) / runs
            equal = case.new == case.old
            # Weighed by games: stopping early favours runs of luck.
            truth = 0.0 if equal else sum(m * n for _, n, _, m, _ in found) / (games * runs)
            held = sum(low <= truth <= high for *_, (low, high) in found) / runs
            who = f"{case.new}, twice" if equal else f"{case.new}, {case.old}"
            print(f"{case}: {time.monotonic() - began:.0f} s", file=sys.stderr)  # noqa: T201
            yield (
                f"| {case.tables} | {who} | {case.gain:g} | {verdicts[Verdict.BETTER] / runs:.1%} "
                f"| {verdicts[Verdict.NOT_BETTER] / runs:.1%} | {games:,.0f} | {fixed:,.0f} "
                f"| {held:.1%} |"
            )


def write(table: str) -> None:
    """Put the table where the page has it."""
    text = PAGE.read_text(encoding="utf-8")
    place = re.compile(re.escape(MARK) + r"\n\n(\|.*\n)*")
    assert place.search(text), f"expected {MARK} in {PAGE}"
    PAGE.write_text(place.sub(lambda _: f"{MARK}\n\n{table}\n", text), encoding="utf-8")


def main() -> None:
    """Run the cases and print their table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--case", type=int, action="append", help="only these, from 0")
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name}")
    options = parser.parse_args()
    chosen = options.case if options.case is not None else range(len(CASES))
    lines = [
        "| tables | bots | minimum gain | better | not better | games | fixed size | held |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for line in rows([CASES[at] for at in chosen], options.runs, options.workers):
        lines.append(line)
        print(line, file=sys.stderr)  # noqa: T201
    print("\n".join(lines))  # noqa: T201
    if options.write:
        write("\n".join(lines))


if __name__ == "__main__":
    main()

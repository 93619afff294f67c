"""A search for better parameters: candidates against one baseline, all on the same deals.

What a candidate scored in the search flatters it, as the best of many is lucky too; the gain is
told by a comparison on fresh deals that comes after.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from arena.compare.comparison import Comparison, Key, Verdict
from arena.compare.pairs import PairSchedule
from arena.compare.sprt import Sprt
from arena.playing.runner import Play, Runner
from arena.tune.optimiser import Optimiser
from arena.tune.ranges import Point, Range, spec_at
from bots.discovery.spec import BotSpec
from engine.match import MatchResult

FINALISTS: Final = 4
FINAL_FACTOR: Final = 4  # times the blocks of a candidate, for each of them
MAX_FAILED_CANDIDATES: Final = 3  # before the search ends, if there were no others
WORST: Final = -1.0  # the score of a block that was lost all along

Ticket: TypeAlias = tuple[int, Key]  # which turn of which candidate, and the game


@dataclass
class Candidate:
    """Parameters, and how they did."""

    spec: str
    params: dict[str, str]
    comparison: Comparison

    @property
    def words(self) -> str:
        """The parameters in a word."""
        return ",".join(f"{name}={value}" for name, value in self.params.items())

    @property
    def blocks(self) -> int:
        """Blocks it was asked to play."""
        return len(self.comparison.scores)

    @property
    def failed(self) -> bool:
        """Whether it forfeits too often to be of use."""
        return self.comparison.verdict is Verdict.FAULT

    @property
    def gain(self) -> float:
        """Mean rank points gained on the baseline."""
        return WORST if self.failed else self.comparison.sample.mean


class Search:
    """The candidates so far, and who they are played by."""

    def __init__(
        self,
        bot: BotSpec,
        ranges: Sequence[Range],
        optimiser: Optimiser,
        tables: Callable[[str], PairSchedule],
        play_as: Callable[[str], Play],
        blocks: int,
        on_game: Callable[[str, MatchResult], None] = lambda _spec, _result: None,
        is_baseline: Callable[[str], bool] = lambda _spec: False,
    ) -> None:
        self.bot = bot
        self.ranges = tuple(ranges)
        self.optimiser = optimiser
        self.tables = tables  # where the bot of a spec meets the baseline
        self.play_as = play_as  # how games with it are played
        self.blocks = blocks
        self.is_baseline = is_baseline  # whether the bot of a spec is what it is compared with
        self.on_game = on_game  # told of every game of the bot of a spec
        self.candidates: dict[str, Candidate] = {}  # by spec
        self.finalists: list[Candidate] = []
        self._turns = 0
        self._tried_all = False

    def run(
        self,
        most: int,
        runner: Runner[Ticket],
        on_candidate: Callable[[int, Candidate], None],
        over: Callable[[], bool],
    ) -> None:
        """Try points until there were as many, or time is over; then let the best play on.

        A point that comes up again plays further blocks: its mean becomes surer.
        """
        for turn in range(most):
            number, point = self.optimiser.ask()
            candidate = self._enter(point)
            if self.is_baseline(candidate.spec):  # it would gain 0 in every block
                self.optimiser.tell(number, 0.0)
                on_candidate(turn + 1, candidate)
                continue
            if not self._play(candidate, self.blocks, runner, over):
                return
            self.optimiser.tell(number, candidate.gain)
            on_candidate(turn + 1, candidate)
            if self.problem:
                return
        self._tried_all = True
        leaders = self.ranking[:FINALISTS]
        for place, candidate in enumerate(leaders):
            more = FINAL_FACTOR * self.blocks - candidate.blocks
            if not self._play(candidate, more, runner, over):
                return
            on_candidate(most + place + 1, candidate)
        self.finalists = leaders

    @property
    def ranking(self) -> list[Candidate]:
        """The candidates that are of use, best first."""
        tried = self.candidates.values()
        sound = [each for each in tried if each.blocks >= self.blocks and not each.failed]
        return sorted(sound, key=lambda each: -each.gain)

    @property
    def best(self) -> Candidate | None:
        """The best of those that went on, or of all if none did."""
        return max(self.finalists or self.ranking, key=lambda each: each.gain, default=None)

    @property
    def games(self) -> int:
        """Games that count."""
        return sum(each.comparison.games for each in self.candidates.values())

    @property
    def problem(self) -> str:
        """Why there is no use in going on, if so."""
        tried = list(self.candidates.values())
        for each in tried:
            compared = each.comparison
            if each.failed and (compared.has_machine_failed or compared.old.is_faulty):
                return compared.reason
        enough = len(tried) >= MAX_FAILED_CANDIDATES or self._tried_all
        if tried and enough and all(each.failed for each in tried):
            return tried[0].comparison.reason
        return ""

    def _enter(self, point: Point) -> Candidate:
        spec = spec_at(self.bot, self.ranges, point)
        if spec not in self.candidates:
            pairs = zip(self.ranges, point, strict=True)
            params = {each.name: each.text(value) for each, value in pairs}
            # Nothing is decided early: means are compared that took as many blocks each.
            comparison = Comparison(self.tables(spec), Sprt(), 0, decides_early=False)
            self.candidates[spec] = Candidate(spec, params, comparison)
        return self.candidates[spec]

    def _play(
        self, candidate: Candidate, blocks: int, runner: Runner[Ticket], over: Callable[[], bool]
    ) -> bool:
        """Play so many blocks more; whether there was time for all of them."""
        comparison = candidate.comparison
        if candidate.failed or blocks <= 0:
            return True
        comparison.extend(blocks)
        self._turns += 1
        turn = self._turns  # games of a turn that ended early may still come in
        runner.play = self.play_as(candidate.spec)
        games = (((turn, key), spec) for key, spec in comparison.matches())
        for (of, key), played in runner.run(games):
            if of == turn:
                if isinstance(played, MatchResult):
                    self.on_game(candidate.spec, played)
                comparison.add(key, played)
            if comparison.verdict is not None:
                return True
            if over():
                return False
        return True

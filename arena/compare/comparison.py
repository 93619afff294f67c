"""Is NEW better than OLD? Blocks of games in, a verdict as soon as it is sure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from arena.compare.pairs import PairSchedule, rank_points, score
from arena.compare.sprt import RunningMoments, Sample, Sprt
from arena.playing.machine_failures import MachineFailures
from arena.playing.runner import MatchOutcome, NotPlayed, Runner
from bots.sandbox.errors import SandboxError
from engine.match import Fault, MatchResult, MatchSpec

MAX_FORFEITS: Final = 0.05  # of a bot's seats
MAX_EARLY_FORFEITS: Final = 10  # forfeits, at which there is no waiting for the end
MAX_UNPLAYED: Final = 0.05  # of all blocks: more, and what was played may not be a fair sample

Key: TypeAlias = tuple[int, int]  # the number of a block, and which of its games


OnGame: TypeAlias = Callable[[Key, MatchResult], None]  # told of every game that was played


def ignore_game(_key: Key, _result: MatchResult) -> None:
    """Nothing is done with a game."""


class Verdict(StrEnum):
    """What was found out."""

    BETTER = "better"
    NOT_BETTER = "not better"
    UNDECIDED = "undecided"
    FAULT = "fault"

    @property
    def exit_code(self) -> int:
        """What the command ends with; 2 is bad input and 3 an unsafe machine, as everywhere."""
        return {"better": 0, "not better": 1, "undecided": 4, "fault": 5}[self.value]


@dataclass
class ComparedBot:
    """What one of the two bots did."""

    seats: int = 0
    games: int = 0
    wins: float = 0.0  # a shared one by its share
    forfeits: int = 0
    first: Fault | None = None

    def add(self, result: MatchResult, label: str) -> None:
        seats = [seat for seat, bot in enumerate(result.spec.bots) if bot == label]
        faults = [fault for fault in result.faults if fault.seat in seats]
        winners = [seat for seat, rank in enumerate(result.ranks) if rank == 0]
        self.seats += len(seats)
        self.games += bool(seats)
        self.wins += len(set(seats) & set(winners)) / len(winners)
        self.forfeits += len({fault.seat for fault in faults})
        self.first = self.first or next(iter(faults), None)

    @property
    def share(self) -> float:
        """Of the wins, in the games it sat in."""
        return self.wins / self.games if self.games else 0.0

    @property
    def forfeited(self) -> float:
        """Of its seats, the share it did not play to the end."""
        return self.forfeits / self.seats if self.seats else 0.0

    @property
    def is_faulty(self) -> bool:
        """Whether it forfeits too often to be compared."""
        return self.forfeited > MAX_FORFEITS


@dataclass
class Comparison:
    """The result of the blocks played so far, counted in their order alone.

    A block that finishes before those ahead of it waits: stopping on whichever is first would
    favour short games.
    """

    tables: PairSchedule
    test: Sprt
    max_blocks: int
    decides_early: bool = True  # or plays all of its blocks
    sample: Sample = field(default_factory=Sample)
    new: ComparedBot = field(default_factory=ComparedBot)
    old: ComparedBot = field(default_factory=ComparedBot)
    wonders: dict[str, RunningMoments] = field(default_factory=dict)
    scores: list[float | None] = field(default_factory=list)  # None where the machine failed
    verdict: Verdict | None = None
    reason: str = ""
    failures: MachineFailures = field(default_factory=MachineFailures)
    _waiting: dict[int, dict[int, MatchOutcome]] = field(default_factory=dict)

    def matches(self) -> Iterator[tuple[Key, MatchSpec]]:
        """The games to be played."""
        for number in range(len(self.scores), self.max_blocks):
            for which, spec in enumerate(self.tables.block(number).games):
                yield (number, which), spec

    def add(self, key: Key, played: MatchOutcome) -> bool:
        """Count a game that was played; whether a block is complete by it."""
        number, which = key
        self._waiting.setdefault(number, {})[which] = played
        before = len(self.scores)
        while self.verdict is None and len(self._waiting.get(len(self.scores), ())) == 2:
            games = self._waiting.pop(len(self.scores))
            self._count([games[0], games[1]])
        if self.verdict is None:
            self._watch_machine(played)
        return len(self.scores) > before

    def extend(self, blocks: int) -> None:
        """Go on with what stayed undecided, for so many more blocks."""
        self.max_blocks += blocks
        self.verdict, self.reason = None, ""

    def close(self, reason: str) -> None:
        """Make do with what there is, for this reason."""
        if self.verdict is None:
            self._end(Verdict.UNDECIDED, reason)

    @property
    def games(self) -> int:
        """Games that count."""
        return 2 * self.sample.blocks

    @property
    def unplayed_blocks(self) -> int:
        """Blocks that the machine kept from being played."""
        return len(self.scores) - self.sample.blocks

    @property
    def has_machine_failed(self) -> bool:
        """Whether the machine, and no bot, is why there is no verdict."""
        unplayed = self.unplayed_blocks > MAX_UNPLAYED * len(self.scores)
        return unplayed or self.failures.are_too_many

    def _watch_machine(self, played: MatchOutcome) -> None:
        if not isinstance(played, NotPlayed):
            self.failures.reset()
            return
        try:
            self.failures.add(played.detail)
        except SandboxError as problem:
            self.verdict, self.reason = Verdict.FAULT, str(problem)

    def _count(self, played: list[MatchOutcome]) -> None:
        results = [each for each in played if isinstance(each, MatchResult)]
        if len(results) == len(played):
            self._score(results)
        else:
            self.scores.append(None)
        self._judge()

    def _score(self, results: list[MatchResult]) -> None:
        new, old = self.tables.new, self.tables.old
        setup = results[0].spec.setup
        points = score(results, new, old)
        self.scores.append(points)
        self.sample.add(points, self.tables.design.factor(setup.players), setup.players)
        for result in results:
            self.new.add(result, new)
            self.old.add(result, old)
        by_game = [rank_points(result.ranks) for result in results]
        for seat, wonder in enumerate(setup.wonders):
            who = [result.spec.bots[seat] for result in results]
            if set(who) == {new, old}:
                gain = by_game[who.index(new)][seat] - by_game[who.index(old)][seat]
                self.wonders.setdefault(wonder, RunningMoments()).add(gain)

    def _judge(self) -> None:
        sides = (self.new, self.old)
        if any(side.is_faulty and side.forfeits >= MAX_EARLY_FORFEITS for side in sides):
            self._end(Verdict.FAULT, "")
        elif self.decides_early and (accepted := self.test.decide(self.sample)) is not None:
            self._end(Verdict.BETTER if accepted else Verdict.NOT_BETTER, "")
        elif len(self.scores) == self.max_blocks:
            self._end(Verdict.UNDECIDED, "the most games allowed were played")

    def _end(self, verdict: Verdict, reason: str) -> None:
        """With bots that fail, or a machine that does, nothing else was found out."""
        problems = list(self._problems())
        self.verdict = Verdict.FAULT if problems else verdict
        self.reason = "; ".join(problems) or reason

    def _problems(self) -> Iterator[str]:
        """What goes wrong too often, and how often."""
        for label, side in ((self.tables.new, self.new), (self.tables.old, self.old)):
            if side.is_faulty:
                got = f"{side.forfeits} of {side.seats} by {label}"
                yield f"expected at most {MAX_FORFEITS:.0%} forfeits, got {got}"
        if self.has_machine_failed:
            of = f"{self.unplayed_blocks} of {len(self.scores)} blocks"
            yield f"the machine failed to play {of}"


def play_until_decided(
    comparison: Comparison,
    runner: Runner[Key],
    on_progress: Callable[[], None],
    over: Callable[[], bool],
    on_game: OnGame = ignore_game,
) -> None:
    """Play until there is a verdict, or time is over; `on_progress` after every block."""
    for key, played in runner.run(comparison.matches()):
        if isinstance(played, MatchResult):
            on_game(key, played)
        if comparison.add(key, played):
            on_progress()
        if comparison.verdict is not None:
            return
        if over():
            comparison.close("the time allowed is over")
            return

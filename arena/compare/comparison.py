"""Is NEW better than OLD? Blocks of games in, a verdict as soon as it is sure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from arena.compare.pairs import Tables, rank_points, score
from arena.compare.sprt import Moments, Question, Sample
from arena.playing.runner import MatchOutcome, Runner
from engine.match import Fault, MatchResult, MatchSpec

MAX_FORFEITS: Final = 0.05  # of a bot's seats, or of all blocks those the machine spoiled
PLENTY: Final = 10  # forfeits, at which there is no waiting for the end

Key: TypeAlias = tuple[int, int]  # the number of a block, and which of its games


class Verdict(StrEnum):
    """What was found out."""

    BETTER = "better"
    NOT_BETTER = "not better"
    UNDECIDED = "undecided"
    FAULT = "fault"

    @property
    def exit_code(self) -> int:
        """What the command ends with."""
        return list(Verdict).index(self)


@dataclass
class Side:
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


@dataclass
class Comparison:
    """What the blocks played so far say, taken in their order alone.

    A block that finishes before those ahead of it waits: stopping on whichever is first would
    favour short games.
    """

    tables: Tables
    question: Question
    most_blocks: int
    sample: Sample = field(default_factory=Sample)
    new: Side = field(default_factory=Side)
    old: Side = field(default_factory=Side)
    wonders: dict[str, Moments] = field(default_factory=dict)
    scores: list[float | None] = field(default_factory=list)  # None where the machine failed
    verdict: Verdict | None = None
    reason: str = ""
    _waiting: dict[int, dict[int, MatchOutcome]] = field(default_factory=dict)

    def matches(self) -> Iterator[tuple[Key, MatchSpec]]:
        """The games to be played."""
        for number in range(len(self.scores), self.most_blocks):
            for which, spec in enumerate(self.tables.block(number).games):
                yield (number, which), spec

    def take(self, key: Key, played: MatchOutcome) -> bool:
        """Take a game that was played; whether it moved the standing."""
        number, which = key
        self._waiting.setdefault(number, {})[which] = played
        before = len(self.scores)
        while self.verdict is None and len(self._waiting.get(len(self.scores), ())) == 2:
            games = self._waiting.pop(len(self.scores))
            self._count([games[0], games[1]])
        return len(self.scores) > before

    def go_on(self, blocks: int) -> None:
        """Open what stayed undecided again, for so many more blocks."""
        self.most_blocks += blocks
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
    def spoiled(self) -> int:
        """Blocks that the machine kept from being played."""
        return len(self.scores) - self.sample.blocks

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
                self.wonders.setdefault(wonder, Moments()).add(gain)

    def _judge(self) -> None:
        if any(problem for problem, count in self._problems() if count >= PLENTY):
            self._end(Verdict.FAULT, "")
        elif (answer := self.question.answer(self.sample)) is not None:
            self._end(Verdict.BETTER if answer else Verdict.NOT_BETTER, "")
        elif len(self.scores) == self.most_blocks:
            self._end(Verdict.UNDECIDED, "the most games allowed were played")

    def _end(self, verdict: Verdict, reason: str) -> None:
        """With bots that fail, or a machine that does, nothing else was found out."""
        problems = [problem for problem, _ in self._problems()]
        self.verdict = Verdict.FAULT if problems else verdict
        self.reason = "; ".join(problems) or reason

    def _problems(self) -> Iterator[tuple[str, int]]:
        """What goes wrong too often, and how often."""
        for label, side in ((self.tables.new, self.new), (self.tables.old, self.old)):
            if side.forfeited > MAX_FORFEITS:
                got = f"{side.forfeits} of {side.seats} by {label}"
                yield f"expected at most {MAX_FORFEITS:.0%} forfeits, got {got}", side.forfeits
        if self.spoiled > MAX_FORFEITS * len(self.scores):
            got = f"{self.spoiled} of {len(self.scores)} spoiled"
            yield f"expected the machine to play the blocks, got {got}", self.spoiled


def settle(
    comparison: Comparison,
    runner: Runner[Key],
    tell: Callable[[], None],
    over: Callable[[], bool],
) -> None:
    """Play until there is a verdict, or time is over; tell whenever the standing moved."""
    for key, played in runner.run(comparison.matches()):
        if comparison.take(key, played):
            tell()
        if comparison.verdict is not None:
            return
        if over():
            comparison.close("the time allowed is over")
            return

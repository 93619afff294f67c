"""Matches on all cores: specs in, results out, whatever dies on the way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Generic, Self, TypeAlias, TypeVar

from arena.log_config import LOGGER
from arena.playing.machine_failures import Blame, BlameLedger
from bots.sandbox.errors import SandboxError
from engine.match import FaultKind, MatchResult, MatchSpec, SeatUsage

Key = TypeVar("Key")

PORTION: Final = 0.2  # seconds of matches handed to a worker at once
MAX_AT_ONCE: Final = 400  # matches
MAX_PORTIONS: Final = 100  # a second, of all workers: what hands them out takes milliseconds each
MAX_DEATHS: Final = 2  # of workers that played nothing else, before a match is given up
MAX_HELD: Final = 20  # matches that failed and wait for what other matches tell of their bots
MAX_ROUNDS: Final = 2  # of attempts, before a match is given up
MAX_LOSSES: Final = 3  # of the machines that played a match, before it is suspected
MAX_ALL_LOSSES: Final = 20  # of them, before it is given up
MAX_CONSECUTIVE_DEATHS: Final = 20  # of workers, without a result between them
LOOK: Final = 1.0  # seconds of a wait for results between two looks at whether to stop


@dataclass(frozen=True)
class NotPlayed:
    """The machine, and no bot, kept a match from being played."""

    detail: str
    internal_error: bool = False  # a bug of the arena, which comes back every time
    kind: FaultKind = FaultKind.CRASH  # of the fault, should it turn out to be a bot's
    seat: int | None = None  # in whose bot's process every attempt failed
    machine_works: bool = False  # whether it did right after, for a worker of our own


MatchOutcome: TypeAlias = MatchResult | NotPlayed
# May be called with those who are blamed, by `blamed`, and with fewer `attempts`.
Play: TypeAlias = Callable[..., list[MatchOutcome]]
# A result on its way back: who waits for it has the spec, and plain values are sent in no time.
_Sent: TypeAlias = tuple[Any, ...] | NotPlayed


def _play_and_pack(play: Play, specs: list[MatchSpec]) -> list[_Sent]:
    """In a worker: play the matches."""
    return [_pack(outcome) for outcome in play(specs)]


def _pack(outcome: MatchOutcome) -> _Sent:
    if isinstance(outcome, NotPlayed):
        return outcome
    accounts = [(a.asked, a.computed, a.longest, a.printed) for a in outcome.accounts]
    played = outcome.decisions, outcome.scores, outcome.ranks, outcome.faults
    return *played, accounts, outcome.sandbox, outcome.seconds, outcome.time_factor


def _unpack(spec: MatchSpec, sent: _Sent) -> MatchOutcome:
    if isinstance(sent, NotPlayed):
        return sent
    decisions, scores, ranks, faults, accounts, sandbox, *rest = sent
    usages = tuple([SeatUsage(*account) for account in accounts])
    return MatchResult(spec, decisions, scores, ranks, faults, usages, sandbox, *rest)


class PortionLostError(Exception):
    """Whatever played a portion is gone, and nothing else of the pool; no match is to blame."""


class WorkerDiedError(PortionLostError):
    """A worker died that played this portion alone, which one of its matches may have caused."""


@dataclass(eq=False)
class _Task(Generic[Key]):
    key: Key
    spec: MatchSpec
    suspect: bool = False  # whether it was under way when a worker died
    deaths: int = 0  # of workers that played nothing else then
    losses: int = 0
    failures: list[NotPlayed] = field(default_factory=list)
    blamed: dict[str, Blame] = field(default_factory=dict)  # bots that are not let play


class Runner(Generic[Key]):
    """Hands matches to the workers of a pool and yields what comes back, as it comes back.

    Any executor in the style of concurrent.futures will do; `play` is called in its workers. When
    it breaks, as it does when a worker of this machine dies, a new one is opened and what was under
    way is played again. An executor whose workers die one by one raises PortionLostError instead.
    """

    def __init__(
        self,
        open_pool: Callable[[], Executor],
        play: Play,
        jobs: Callable[[], int],
        ledger: BlameLedger | None = None,
        portion: float = PORTION,
        separate: bool = False,
    ) -> None:
        self.open_pool = open_pool
        self.play = play
        self.jobs = jobs  # matches at once, just now
        self.ledger = ledger or BlameLedger()
        self.portion = portion  # seconds of matches
        self.separate = separate  # whether portions under way do not die with each other
        self.stopping = False
        self._flying: dict[Future[list[_Sent]], list[_Task[Key]]] = {}
        self._again: deque[_Task[Key]] = deque()
        self._held: deque[_Task[Key]] = deque()
        self._begun: list[Key] = []  # matches that no run has asked for yet
        self._retried: deque[_Task[Key]] = deque()
        self._culprits: dict[str, str] = {}  # by whose doing matches fail
        self._mean = portion  # seconds of a match
        self._deaths = 0  # since the last result
        self._pool = open_pool()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def start_workers(self, prepare: Callable[[], object]) -> None:
        """Have the workers start and prepare themselves, before there is anything to play."""
        for _ in range(self.jobs()):
            self._pool.submit(prepare)

    def begin(self, matches: Iterable[tuple[Key, MatchSpec]]) -> None:
        """Begin as many of the matches as can be under way, before a run that asks for them."""
        self._fill((_Task(key, spec) for key, spec in matches), 1)
        self._begun = [task.key for portion in self._flying.values() for task in portion]

    @property
    def is_ahead(self) -> bool:
        """Whether matches are under way that no run has asked for."""
        return bool(self._begun)

    def drop(self) -> None:
        """Forget all matches that were asked for; the workers are kept for others."""
        under_way = [future for future in self._flying if not future.cancel()]
        wait(under_way)
        self._flying.clear()
        self._begun.clear()
        for tasks in (self._again, self._held, self._retried):
            tasks.clear()

    def stop(self) -> None:
        """Begin no more matches; those under way are finished."""
        self.stopping = True

    def run(
        self, matches: Iterable[tuple[Key, MatchSpec]], at_once: int = MAX_AT_ONCE
    ) -> Iterator[tuple[Key, MatchOutcome]]:
        """Play the matches, each once; none is asked for before it can be begun.

        Short matches go to a worker several at once, up to as many.
        """
        tasks = (_Task(key, spec) for key, spec in matches if not self._is_begun(key))
        while self._fill(tasks, at_once):
            wait(self._flying, LOOK, FIRST_COMPLETED)
            broken = False
            for future in [future for future in self._flying if future.done()]:
                portion = self._flying.pop(future)
                if future.cancelled():
                    continue
                try:
                    sent = future.result()
                except BrokenExecutor:
                    broken = True
                    yield from self._survivors(portion)
                except WorkerDiedError:
                    yield from self._survivors(portion)
                    self._count_death()
                except PortionLostError as problem:
                    yield from self._put_back(portion, str(problem))
                else:
                    self._deaths = 0
                    pairs = zip(portion, sent, strict=True)
                    results = [_unpack(task.spec, each) for task, each in pairs]
                    self._learn(results)
                    for task, outcome in zip(portion, results, strict=True):
                        yield from self._judge(task, outcome)
            if broken:
                for portion in self._flying.values():
                    yield from self._survivors(portion)
                self._flying.clear()
                self._reopen()

    def _is_begun(self, key: Key) -> bool:
        """Whether a match that is asked for is under way already."""
        if key not in self._begun:
            return False
        self._begun.remove(key)
        return True

    def _fill(self, tasks: Iterator[_Task[Key]], at_once: int) -> bool:
        """Give every worker a portion, and one more to go on with; whether any is under way."""
        if self.stopping:
            for future in self._flying:
                future.cancel()
        while len(self._flying) < self._most_flying():
            portion = list(self._portion(tasks, at_once))
            if not portion and self._held and not self._flying:
                self._retried.extend(self._held)  # nothing more will be learnt
                self._held.clear()
                continue
            if not portion:
                break
            try:
                specs = [task.spec for task in portion]
                future = self._pool.submit(_play_and_pack, self._play_of(portion), specs)
            except BrokenExecutor as problem:  # told when it is waited for, like any other
                future = Future()
                future.set_exception(problem)
            self._flying[future] = portion
        return bool(self._flying)

    def _most_flying(self) -> int:
        """Portions under way; where all die with one, a suspect is played with nothing beside."""
        if not self.separate and (
            self._again or any(portion[0].suspect for portion in self._flying.values())
        ):
            return 1
        return 2 * self.jobs()

    def _portion(self, tasks: Iterator[_Task[Key]], at_once: int) -> Iterator[_Task[Key]]:
        if self.stopping:
            return
        if self._again and self._again[0].suspect:
            yield self._again.popleft()  # quite alone: who dies now is to blame
            return
        if self._retried:
            yield self._retried.popleft()
            return
        seconds = max(self.portion, self.jobs() / MAX_PORTIONS)
        for _ in range(max(1, min(at_once, int(seconds / max(self._mean, 1e-4))))):
            lost = self._again and not self._again[0].suspect
            task = self._again.popleft() if lost else next(tasks, None)
            if task is None:
                return
            yield task

    def _play_of(self, portion: list[_Task[Key]]) -> Play:
        """How a portion is played: a match without those who are blamed for its failure."""
        if portion[0].blamed:
            return partial(self.play, blamed=portion[0].blamed)
        # Where somebody is to blame there is nothing to be gained by another attempt.
        return partial(self.play, attempts=1) if self._culprits else self.play

    def _judge(self, task: _Task[Key], outcome: MatchOutcome) -> Iterator[tuple[Key, MatchOutcome]]:
        """What came of a match, unless it is to be played again."""
        if isinstance(outcome, MatchResult):
            if not task.blamed:
                self.ledger.add_played(task.spec)
            yield task.key, outcome
            return
        task.failures.append(outcome)
        if task.blamed or not outcome.machine_works or self.stopping:
            yield task.key, outcome
            return
        self.ledger.add_failed(task.spec)
        self._culprits = self.ledger.culprits()
        self._held.append(task)
        for held in list(self._held):
            if blamed := self._blamed(held):
                held.blamed = blamed
                self._held.remove(held)
                self._retried.append(held)
        if task in self._held and len(task.failures) >= MAX_ROUNDS:
            self._held.remove(task)
            yield task.key, outcome
        if len(self._held) > MAX_HELD:
            self._retried.append(self._held.popleft())

    def _blamed(self, task: _Task[Key]) -> dict[str, Blame]:
        """Who answers for the failures of a match, if anybody does, by the rules for that."""
        bots = task.spec.bots
        kind, detail = task.failures[-1].kind, task.failures[-1].detail
        found = {bot: why for bot, why in self._culprits.items() if bot in bots}
        seats = {failure.seat for failure in task.failures}
        if not found and len(task.failures) >= MAX_ROUNDS and len(seats) == 1:
            seat = seats.pop()
            if seat is not None:
                found = {bots[seat]: f"in all of {MAX_ROUNDS} rounds of attempts at this match"}
        return {bot: Blame(kind, f"{detail}; {why}") for bot, why in found.items()}

    def _learn(self, results: list[MatchOutcome]) -> None:
        seconds = [result.seconds for result in results if isinstance(result, MatchResult)]
        if seconds:
            self._mean += (sum(seconds) / len(seconds) - self._mean) / 4

    def _survivors(self, portion: list[_Task[Key]]) -> Iterator[tuple[Key, MatchOutcome]]:
        """Put what was under way back in the queue; what kills its worker alone is given up."""
        for task in portion:
            task.deaths += task.suspect
            task.suspect = True
            if task.deaths < MAX_DEATHS:
                self._again.append(task)
            else:
                detail = f"{MAX_DEATHS} workers died playing this match"
                task.failures += [NotPlayed(detail)] * MAX_ROUNDS  # enough of that
                yield from self._judge(task, NotPlayed(detail, machine_works=True))

    def _put_back(
        self, portion: list[_Task[Key]], problem: str
    ) -> Iterator[tuple[Key, MatchOutcome]]:
        """Have matches played again that went with their machine; suspects if they often do."""
        for task in portion:
            task.losses += 1
            task.suspect = task.suspect or task.losses >= MAX_LOSSES
            if task.losses < MAX_ALL_LOSSES:
                (self._retried if task.failures else self._again).append(task)
            else:
                yield task.key, NotPlayed(f"lost {task.losses} times, the last time: {problem}")

    def _count_death(self) -> None:
        self._deaths += 1
        LOGGER.warning("a worker died; its matches will be replayed")
        if self._deaths == MAX_CONSECUTIVE_DEATHS:
            raise SandboxError(f"stopped after the deaths of {self._deaths} workers in a row")

    def _reopen(self) -> None:
        self._count_death()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self.open_pool()

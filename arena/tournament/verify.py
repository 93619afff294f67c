"""Whether stored matches are what the rules and the schedule say: each is played again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final, TypeAlias

from arena.league.planning.agenda import stage_fixtures
from arena.league.rules import parse_rules
from arena.playing.referee import rank_faulty_last
from arena.playing.worker import SPAWN
from arena.schedule import Fixture, Schedule
from arena.schedule.adaptive import Adaptive
from arena.schedule.table_games import follow_results
from arena.tournament.contest import load_stored
from engine.errors import ArenaError
from engine.match import MatchResult
from engine.replay import final_state
from leagues.ratings.leaderboard import build_leaderboard
from leagues.ratings.placed_match import PlacedMatch
from leagues.ratings.thurstone import PairCounts, fit_skills
from leagues.records import Entrant, StoredMatch, Tournament
from leagues.storage.handle import StorageReader
from leagues.storage.match_filter import MatchFilter

PORTION: Final = 200  # matches handed to a process at once
MAX_DOUBTFUL: Final = 4  # excluded matches of which all combinations are tried
MANY: Final = 1000  # matches from which other processes are worth their start


@dataclass(frozen=True)
class Discrepancy:
    """What is not as it should be, and in which match, if it is in one."""

    text: str
    match: int | None = None

    def __str__(self) -> str:
        return self.text if self.match is None else f"match {self.match}: {self.text}"


Portion: TypeAlias = list[StoredMatch | Discrepancy]


def contradiction(result: MatchResult) -> str | None:
    """What the rules say otherwise of a match; nothing if they agree."""
    try:
        return _contradiction(result)
    except ArenaError as problem:
        return str(problem)
    except Exception as problem:
        # Damage has any shape, and the engine trusts those who call it.
        return f"cannot be played again: {type(problem).__name__}: {problem}"


def _contradiction(result: MatchResult) -> str | None:
    state = final_state(result)
    if state.scores() != result.scores:
        return f"expected scores {state.scores()}, got {result.scores}"
    possible = list(_possible_ranks(state.ranks(), result))
    if result.ranks not in possible:
        return f"expected ranks {possible[0]}, got {result.ranks}"
    return None


def _possible_ranks(ranks: list[int], result: MatchResult) -> Iterator[list[int]]:
    """The ranks with faulty seats last.

    A fault after the last decision came before the end was told, or from hearing it: only the
    former counts.
    """
    end = len(result.decisions)
    faulty = {fault.seat for fault in result.faults if fault.decision < end}
    late = [fault.seat for fault in result.faults if fault.decision >= end]
    for some in chain.from_iterable(combinations(late, n) for n in range(len(late), -1, -1)):
        yield rank_faulty_last(ranks, faulty | set(some))


def contradictions(results: list[MatchResult]) -> list[str | None]:
    """The same of many."""
    return [contradiction(result) for result in results]


class _Planner:
    """The fixtures of a tournament again, those that follow from results included.

    Matches are asked for in their order.
    """

    def __init__(
        self,
        schedule: Schedule | list[Fixture] | dict[int, Fixture],
        adaptive: Adaptive | None,
        entrants: Sequence[Entrant],
    ) -> None:
        places = {entrant.id: place for place, entrant in enumerate(entrants)}
        self.places = places  # in the field, by entrant
        self.schedule = schedule
        self.adaptive = adaptive
        self.known: list[PlacedMatch] = []  # results of the batches before the one under way
        self.pairs = PairCounts(list(places))  # the same, counted
        self.last = 0  # of the known, the match stored last
        self.excluded: dict[int, int] = {}  # by match, when it was taken out first
        self.waiting: list[StoredMatch] = []  # the batch under way
        self.batch = -1
        self._batches: dict[frozenset[int], dict[int, Fixture]] = {}  # by what was not known

    def possible(self, stored: StoredMatch) -> Iterator[Fixture | None]:
        """What may have been to be played at the place of a match.

        A batch follows from the results before it, but for those stored later, as the machine had
        spoiled them at first, and those that were excluded by then.
        """
        number = stored.number
        if isinstance(self.schedule, dict):
            yield self.schedule.get(number)
            return
        if self.adaptive is None:
            yield self.schedule[number]
            return
        while number >= self.adaptive.first(self.batch + 1):
            self._go_on()
        self.waiting.append(stored)
        if self.batch < 0:
            yield self.adaptive.opening[number]
            return
        late = self._late(stored)
        for gone in _guesses(self.doubtful(stored)):
            yield self._batch(late.union(gone)).get(number)

    def doubtful(self, stored: StoredMatch) -> list[int]:
        """Matches that had been excluded when this one was stored, though maybe not yet heeded."""
        return [id for id, at in self.excluded.items() if at <= stored.played_at]

    def _late(self, stored: StoredMatch) -> frozenset[int]:
        id = stored.id
        if self.last < id:
            return frozenset()
        return frozenset(placing.match for placing in self.known if placing.match > id)

    def _batch(self, unknown: frozenset[int]) -> dict[int, Fixture]:
        """The fixtures of the batch under way, by their places."""
        assert self.adaptive is not None
        if unknown not in self._batches:
            pairs = self.pairs
            if unknown:
                pairs = PairCounts(list(self.places))
                for placing in self.known:
                    if placing.match not in unknown:
                        pairs.add(placing)
            skills = fit_skills(pairs)
            found = self.adaptive.batch(self.batch, skills.mean, skills.covariance)
            self._batches[unknown] = {fixture.number: fixture for fixture in found}
        return self._batches[unknown]

    def _go_on(self) -> None:
        """The next batch."""
        for stored in self.waiting:
            placing = placing_of(stored)
            self.known.append(placing)
            self.pairs.add(placing)
            self.last = max(self.last, placing.match)
            for event in stored.events:
                if event.excluded:
                    self.excluded.setdefault(placing.match, event.at)
        self.waiting = []
        self.batch += 1
        self._batches = {}


def _guesses(doubtful: list[int]) -> Iterator[tuple[int, ...]]:
    """Which of the matches in doubt may have been left out."""
    if len(doubtful) > MAX_DOUBTFUL:
        yield from ((), tuple(doubtful))
        return
    for count in range(len(doubtful) + 1):
        yield from combinations(doubtful, count)


class Verification:
    """A tournament held against the rules, its schedule and its table."""

    def __init__(self, reader: StorageReader, row: Tournament, jobs: int) -> None:
        self.reader = reader
        self.row = row
        self.which = MatchFilter(tournament=row.id)
        self.jobs = jobs
        self.size = reader.results.count(self.which)
        self.unplaced = 0  # matches whose tables followed from results nobody can tell any more
        self._seen: dict[int, int] = {}  # by match, a digest of the result it stands for
        self._self_meetings = 0  # matches that no rating is made of

    def problems(self, tell: Callable[[int], None]) -> Iterator[Discrepancy]:
        """All there are; `tell` hears of every portion of matches that has been seen."""
        planner: _Planner | None = None
        try:
            planner = None if self.row.is_series else self._planner()
        except Exception as cause:  # damage has any shape
            yield Discrepancy(f"tournament {self.row.name}: its schedule cannot be made: {cause}")
        for stored, problem in self._replays(tell):
            if problem is not None:
                yield problem
            if stored is not None and planner is not None:
                yield from self._misplaced(stored, planner)
        if not self.row.is_series:
            yield from self._miscounted()

    def _planner(self) -> _Planner:
        entrants = self.reader.results.entrants(self.row.id)
        if found := self.reader.stages.stage_of(self.row.id):
            stage, league = found
            labels = [entrant.label for entrant in entrants]
            tables = stage_fixtures(parse_rules(league.rules), stage, self.row, labels)
            return _Planner(tables, None, entrants)
        stored = load_stored(self.row, entrants)
        if stored.by_results is not None:
            ranks = self.reader.results.ranks(self.row.id)
            return _Planner(follow_results(stored.by_results, ranks).fixtures, None, entrants)
        return _Planner(stored.endless, stored.adaptive, entrants)

    def _replays(
        self, tell: Callable[[int], None]
    ) -> Iterator[tuple[StoredMatch | None, Discrepancy | None]]:
        """Every match in schedule order, and what the rules say otherwise."""
        portions = self._portions()
        if self.size < MANY or self.jobs == 1:
            judged = ((part, contradictions(_results(part))) for part in portions)
            yield from self._judged(judged, tell)
            return
        with ProcessPoolExecutor(self.jobs, SPAWN) as pool:
            yield from self._judged(_ahead(pool, portions, 2 * self.jobs), tell)

    def _judged(
        self, judged: Iterable[tuple[Portion, list[str | None]]], tell: Callable[[int], None]
    ) -> Iterator[tuple[StoredMatch | None, Discrepancy | None]]:
        for portion, verdicts in judged:
            given = iter(verdicts)
            for found in portion:
                if isinstance(found, Discrepancy):
                    yield None, found
                    continue
                self._note(found)
                text = next(given)
                yield found, None if text is None else Discrepancy(text, found.id)
            tell(len(portion))

    def _portions(self) -> Iterator[Portion]:
        ids = self.reader.results.ids(self.which, latest_first=False)
        for at in range(0, len(ids), PORTION):
            yield _load(self.reader, ids[at : at + PORTION].tolist())

    def _note(self, stored: StoredMatch) -> None:
        if stored.excluded:
            return
        placing = placing_of(stored)
        if len(set(placing.entrants)) < len(placing.entrants):
            self._self_meetings += 1
        else:
            self._seen[stored.id] = hash(placing)

    def _misplaced(self, stored: StoredMatch, planner: _Planner) -> Iterator[Discrepancy]:
        match = stored
        found: list[str] | None = None
        try:
            for fixture in planner.possible(stored):
                problems = self._differences(stored, fixture, planner)
                if not problems:
                    return
                found = found or problems
        except Exception:  # damage has any shape
            found = None
        if found is not None and len(planner.doubtful(stored)) > MAX_DOUBTFUL:
            self.unplaced += 1
            return
        for problem in found or [f"expected a place in the schedule, got {match.number}"]:
            yield Discrepancy(problem, match.id)

    def _differences(
        self, stored: StoredMatch, fixture: Fixture | None, planner: _Planner
    ) -> list[str]:
        match, spec = stored, stored.result.spec
        if fixture is None:
            return [f"expected a place in the schedule, got {match.number}"]
        seats = tuple(planner.places.get(entrant.id) for entrant in stored.entrants)
        return [
            f"place {match.number} of the schedule: expected {what} {expected}, got {got}"
            for what, expected, got in (
                ("fixture", fixture.id, match.fixture),
                ("stage", fixture.stage, match.stage),
                ("round", fixture.round, match.round),
                ("game", fixture.spec.game, spec.game),
                ("deal", fixture.spec.seed, spec.seed),
                ("setup", fixture.spec.setup, spec.setup),
                ("seats", fixture.entrants, seats),
            )
            if expected != got
        ]

    def _miscounted(self) -> Iterator[Discrepancy]:
        """Whether the ratings are made of the matches that were seen, and come out."""
        try:
            logs = self.reader.results.logs(self.which, unrated=True).values()
            for placing in chain.from_iterable(log.placings() for log in logs):
                if self._seen.pop(placing.match, None) != hash(placing):
                    yield Discrepancy(
                        "expected its result in the ratings, got another", placing.match
                    )
            for match in self._seen:
                yield Discrepancy("expected its result in the ratings, got none", match)
            for log in logs:
                build_leaderboard(log)
            counted = sum(log.unrated for log in logs)
            if counted != self._self_meetings:
                yield Discrepancy(
                    f"tournament {self.row.name}: expected {self._self_meetings} matches of an "
                    f"entrant with itself, got {counted}"
                )
        except ArenaError as problem:
            yield Discrepancy(f"tournament {self.row.name}: its table cannot be made: {problem}")


def placing_of(stored: StoredMatch) -> PlacedMatch:
    """What a match means for ratings."""
    result = stored.result
    faulty = {fault.seat for fault in result.faults}
    return PlacedMatch(
        stored.id,
        result.spec.game,
        tuple(seat.entrant for seat in stored.seats),
        result.spec.setup.wonders,
        tuple(result.scores),
        tuple(result.ranks),
        tuple(seat in faulty for seat in range(len(result.ranks))),
    )


def _load(reader: StorageReader, ids: list[int]) -> Portion:
    """The matches; where one is damaged beyond reading, a problem in its place."""
    try:
        return list(reader.results.load(ids))
    except Exception as problem:  # damage has any shape
        if len(ids) == 1:
            return [Discrepancy(f"cannot be read: {type(problem).__name__}: {problem}", ids[0])]
    half = len(ids) // 2
    return _load(reader, ids[:half]) + _load(reader, ids[half:])


def _results(portion: Portion) -> list[MatchResult]:
    return [found.result for found in portion if isinstance(found, StoredMatch)]


def _ahead(
    pool: Executor, portions: Iterator[Portion], most: int
) -> Iterator[tuple[Portion, list[str | None]]]:
    """Portions with their verdicts, in order; only so many wait in memory."""
    waiting: deque[tuple[Portion, Future[list[str | None]]]] = deque()
    for portion in portions:
        waiting.append((portion, pool.submit(contradictions, _results(portion))))
        if len(waiting) > most:
            first, verdicts = waiting.popleft()
            yield first, verdicts.result()
    for first, verdicts in waiting:
        yield first, verdicts.result()

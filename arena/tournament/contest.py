"""A tournament from its plan to its results: enter the bots, schedule, play what is missing."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib import metadata
from typing import Final

from arena.playing.runner import MAX_AT_ONCE, MatchOutcome, NotPlayed, Runner
from arena.schedule import (
    ALL,
    Balanced,
    Cycle,
    Design,
    Fixture,
    Full,
    Gauntlet,
    Schedule,
    Shuffled,
    Track,
    TrackRules,
    from_json,
    open_tracks,
    to_json,
)
from arena.schedule.adaptive import Adaptive, confidence, is_reached, parse_goal, wanted
from arena.tournament.entrants import Contender, contenders
from arena.tournament.plan import Plan, parse_counts, plan_of
from bots.chairs.pool import Isolation
from bots.sandbox.errors import SandboxError
from engine.catalog import find
from engine.errors import ArenaError
from engine.match import Variant
from engine.rng import draw_seed
from leagues.ratings.thurstone import Fit, PairCounts, fit
from leagues.storage.models import Entrant, RoundsTarget, Tournament
from leagues.storage.results import MatchFilter, ScheduledResult, Store, identity

PORTION: Final = 200  # matches stored at once, or
PAUSE: Final = 0.25  # seconds between two writes
SPOILT: Final = 20  # matches in a row the machine may spoil
MAX_COUNT: Final = 5  # players, where the number is not given
AT_A_TIME: Final = 8  # matches between two looks at whether a goal is reached


@dataclass(frozen=True)
class Contest:
    """A tournament that can be played: its row, its field in order, its fixtures."""

    plan: Plan
    row: Tournament
    field: list[Contender]
    entrants: list[int]  # ids in the store, by place in the field
    schedule: Schedule
    adaptive: Adaptive | None  # what follows the schedule, where a goal is to be reached
    left_out: list[str]  # games that cannot be played, and why

    @property
    def id(self) -> int:
        """Of its row."""
        assert self.row.id is not None
        return self.row.id

    @property
    def size(self) -> int | None:
        """How many matches it has, where that is known before they are played."""
        open_end = self.schedule.rounds is None or self.adaptive is not None
        return None if open_end else len(self.schedule)


def is_rated(ground: Isolation) -> bool:
    """Whether results on this ground count: not where a bot could have helped itself."""
    return ground.layers is not None or ground.name == "house"


def check_plan(plan: Plan) -> None:
    """Refuse what cannot be played, before anything is written."""
    labels = tuple(contender.label for contender in contenders(plan.bots))
    _schedule(replace(plan, seed=plan.seed or 0), labels, [])


def tournament_lock(store: Store, plan: Plan) -> AbstractContextManager[None]:
    """Keep any other process from running the same tournament; RefusedError if one does."""
    digests = [contender.digest for contender in contenders(plan.bots)]
    return store.alone(f"{identity(settings(plan))} {digests} {plan.name} {plan.seed}")


def open_contest(store: Store, plan: Plan) -> Contest:
    """The contest the plan asks for: that of the store if it was begun before, or a new one."""
    field = contenders(plan.bots)
    entrants = [_enter(store, contender) for contender in field]
    config = settings(plan)
    row = find_existing(store, plan, field)
    if row is None:
        seed = draw_seed() if plan.seed is None else plan.seed
        name = plan.name or _free_name(store, f"{plan.game}-{seed}")
    else:
        seed, name = int(row.seed), row.name
    plan = replace(plan, seed=seed, name=name)
    cycles = _cycles(row) if row else []
    labels = tuple(contender.label for contender in field)
    schedule, left_out = _schedule(plan, labels, cycles)
    adaptive = _adaptive(plan, schedule, cycles)
    if isinstance(schedule.design, Balanced | Gauntlet):
        cycles = [schedule.design.cycle(track) for track in schedule.tracks]
    begun = store.begin(
        name, seed, config, entrants, [to_json(cycle) for cycle in cycles], plan.command()
    )
    if adaptive is not None:
        schedule = adaptive.opening
    else:
        assert begun.id is not None
        store.ask(begun.id, schedule.rounds, plan.command())
    return Contest(plan, begun, field, entrants, schedule, adaptive, left_out)


def _schedule(
    plan: Plan, labels: tuple[str, ...], cycles: list[Cycle], endless: bool = False
) -> tuple[Schedule, list[str]]:
    """The fixtures of a plan, and what of it cannot be played."""
    assert plan.seed is not None
    tracks, left_out = _tracks(plan, len(labels))
    design = _design(plan, labels, cycles)
    rounds = None if endless else _rounds(plan, design, tracks)
    return Schedule(labels, tracks, design, plan.seed, rounds), left_out


def _adaptive(plan: Plan, schedule: Schedule, cycles: list[Cycle]) -> Adaptive | None:
    if not plan.until:
        return None
    goal = parse_goal(plan.until)
    return Adaptive(schedule.labels, schedule.tracks, goal, schedule.seed, AT_A_TIME, cycles)


def _cycles(row: Tournament) -> list[Cycle]:
    return [from_json(text) for text in json.loads(row.cycles) or []]


@dataclass(frozen=True)
class StoredTournament:
    """A stored tournament as it was asked for; its bots need not be there any more."""

    plan: Plan
    schedule: Schedule
    adaptive: Adaptive | None
    endless: Schedule  # the same fixtures, as many as have ever been asked for

    @property
    def size(self) -> int | None:
        """How many matches it was to have, where that was known."""
        open_end = self.schedule.rounds is None or self.adaptive is not None
        return None if open_end else len(self.schedule)


def load_stored(
    row: Tournament, entrants: Sequence[Entrant], wish: RoundsTarget | None = None
) -> StoredTournament:
    """The plan and the fixtures of a stored tournament, as long as was wished last."""
    facts = json.loads(row.config)
    facts |= {"bots": [each.spec for each in entrants], "seed": int(row.seed), "name": row.name}
    plan = plan_of(facts, f"tournament {row.name}")
    labels = tuple(each.label for each in entrants)
    cycles = _cycles(row)
    if wish is not None:
        plan = replace(plan, rounds=wish.rounds)
    schedule, _ = _schedule(plan, labels, cycles, wish is not None and wish.rounds is None)
    endless, _ = _schedule(plan, labels, cycles, endless=True)
    return StoredTournament(plan, schedule, _adaptive(plan, schedule, cycles), endless)


def settings(plan: Plan) -> dict[str, object]:
    """What makes two runs the same tournament, the bots aside; more rounds continue it."""
    facts = asdict(plan)
    for key in ("bots", "name", "budget"):
        del facts[key]
    return facts


def _enter(store: Store, contender: Contender) -> int:
    entrant = store.enter(contender.label, contender.spec, contender.digest, contender.version)
    assert entrant.id is not None
    return entrant.id


def find_existing(store: Store, plan: Plan, field: Sequence[Contender]) -> Tournament | None:
    """The stored tournament that a plan of these bots goes on with, if there is one."""
    if plan.name:
        row = store.tournament(plan.name)
        if row is not None and plan.seed not in (None, int(row.seed)):
            raise ArenaError(f"expected seed {row.seed} of tournament {row.name}, got {plan.seed}")
        return row
    digests = [contender.digest for contender in field]
    for row in reversed(store.tournaments(identity(settings(plan)), plan.seed)):
        if [entrant.digest for entrant in store.entrants(row.id)] == digests:
            return row
    return None


def _free_name(store: Store, wanted: str) -> str:
    names = (wanted if n == 1 else f"{wanted}-{n}" for n in itertools.count(1))
    return next(name for name in names if store.tournament(name) is None)


def _tracks(plan: Plan, bots: int) -> tuple[list[Track], list[str]]:
    """What can be played; a number of players that was asked for and cannot be is told."""
    kinds = [_rules(plan, game) for game in plan.games]
    counts = parse_counts(plan.players)
    if counts:
        return open_tracks(kinds, counts, range(bots))
    tracks = []
    for kind in kinds:
        fit = [k for k in kind.game.players if k <= min(bots, MAX_COUNT)]
        if fit:
            tracks += open_tracks([kind], fit, range(bots))[0]
    if not tracks:
        fewest = min(find(game).players.start for game in plan.games)
        raise ArenaError(f"expected at least {fewest} bots for {plan.game}, got {bots}")
    return tracks, []


def _rules(plan: Plan, game: str) -> TrackRules:
    """The plan for one game; of both games, each takes the options it has."""
    tournament_lock = len(plan.games) == 1
    edition = plan.edition if tournament_lock or find(game).editions else None
    extended = tournament_lock or bool(find(game).expansions)
    expansions = plan.expansions if extended else ()
    variant = Variant(game, edition, expansions, plan.expert and extended)
    return TrackRules(variant, plan.wonders or (ALL,))


def _design(plan: Plan, labels: tuple[str, ...], cycles: list[Cycle]) -> Design:
    assert plan.seed is not None
    if plan.newcomer:
        return Gauntlet(plan.seed, _place(plan, labels), cycles)
    if plan.design == "full":
        return Full()
    return Shuffled(plan.seed) if plan.design == "random" else Balanced(plan.seed, cycles)


def _place(plan: Plan, labels: tuple[str, ...]) -> int:
    """The newcomer's, by the text it was given by or by its label."""
    for names in (plan.bots, labels):
        if plan.newcomer in names:
            return names.index(plan.newcomer)
    raise ArenaError(f"expected a newcomer out of {', '.join(labels)}, got {plan.newcomer}")


def _rounds(plan: Plan, design: Design, tracks: list[Track]) -> int | None:
    """Those asked for; else a cycle after which all is even, or no end where time sets it."""
    if plan.rounds is not None:
        return plan.rounds
    if plan.budget:
        return None
    return max(design.rounds(track) for track in tracks)


class ResultWriter:
    """Writes results to the store in portions, and is told what the machine spoiled."""

    def __init__(self, store: Store, contest: Contest, rated: bool) -> None:
        self.store = store
        self.contest = contest
        self.rated = rated
        self.waiting: list[ScheduledResult] = []
        self.written = time.monotonic()
        self.spoilt = 0  # in a row
        self.troubles = 0

    def take(self, fixture: Fixture, outcome: MatchOutcome) -> None:
        if isinstance(outcome, NotPlayed):
            self._spoilt(fixture, outcome)
            return
        self.spoilt = 0
        entrants = tuple(self.contest.entrants[place] for place in fixture.entrants)
        self.waiting.append(
            ScheduledResult(
                fixture.number,
                fixture.id,
                fixture.stage,
                fixture.round,
                entrants,
                outcome,
                self.rated,
            )
        )
        if len(self.waiting) >= PORTION or time.monotonic() > self.written + PAUSE:
            self.write()

    def write(self) -> None:
        """Put what waits into the store, where a kill cannot reach it."""
        if self.waiting:
            self.store.add(self.contest.id, self.waiting, version())
            self.waiting = []
        self.written = time.monotonic()

    def _spoilt(self, fixture: Fixture, trouble: NotPlayed) -> None:
        self.troubles += 1
        self.spoilt += 1
        self.store.report(self.contest.id, fixture.number, trouble.detail)
        if self.spoilt == SPOILT:
            self.write()
            raise SandboxError(
                f"expected to play, got {SPOILT} failures of the machine in a row, "
                f"the last: {trouble.detail}"
            )


@cache
def version() -> str:
    """Of the arena, to be kept with every match."""
    try:
        return metadata.version("wonders-arena")
    except metadata.PackageNotFoundError:  # run from the work tree
        return "(not installed)"


def play(
    contest: Contest,
    runner: Runner[Fixture],
    scribe: ResultWriter,
    tell: Callable[[Fixture, MatchOutcome], None],
) -> None:
    """Play and store what the store does not have yet."""
    try:
        for part in _parts(contest, scribe):
            at_once = 1 if contest.adaptive else MAX_AT_ONCE
            matches = ((fixture, fixture.spec) for fixture in part)
            for fixture, outcome in runner.run(matches, at_once):
                scribe.take(fixture, outcome)
                tell(fixture, outcome)
            if runner.stopping:
                break
    finally:
        scribe.write()


def _parts(contest: Contest, scribe: ResultWriter) -> Iterator[Iterable[Fixture]]:
    """What is missing, in parts that are asked for when the one before was played."""
    done = scribe.store.played(contest.id)
    yield (fixture for fixture in contest.schedule if fixture.number not in done)
    if contest.adaptive is None:
        return
    scribe.write()
    for batch, skills in _beliefs(scribe.store, contest.id, contest.adaptive, contest.entrants):
        if is_reached(skills.mean, skills.covariance, contest.adaptive.goal):
            return
        fixtures = contest.adaptive.batch(batch, skills.mean, skills.covariance)
        yield (fixture for fixture in fixtures if fixture.number not in done)
        scribe.write()


def _beliefs(
    store: Store, tournament: int, adaptive: Adaptive, entrants: Sequence[int]
) -> Iterator[tuple[int, Fit]]:
    """What is believed before every batch, each read when it is asked for."""
    pairs = PairCounts(entrants)
    since = 0
    for batch in itertools.count():
        before = adaptive.first(batch)
        for placing in store.placings(
            MatchFilter(tournament, since=since, before=before), unrated=True
        ):
            pairs.add(placing)
        since = before
        yield batch, fit(pairs)


@dataclass(frozen=True)
class Confidence:
    """How sure a goal is, and how sure it is to be."""

    now: float
    wanted: float

    @property
    def reached(self) -> bool:
        return self.now >= self.wanted


def confidence_of(
    store: Store, tournament: int, adaptive: Adaptive, entrants: Sequence[int]
) -> Confidence | None:
    """By the batches that are played, the first that was enough; none before there is one."""
    done = store.played(tournament)
    found = None
    since = 0
    for batch, skills in _beliefs(store, tournament, adaptive, entrants):
        before = adaptive.first(batch)
        if any(number not in done for number in range(since, before)):
            break
        since = before
        sure = confidence(skills.mean, skills.covariance, adaptive.goal)
        found = Confidence(sure, wanted(adaptive.goal, len(entrants)))
        if found.reached:
            break
    return found

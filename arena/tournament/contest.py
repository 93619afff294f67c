"""Tournaments in the database: begun, found again by what was asked for, and read back."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from arena.playing.entrants import Contender
from arena.schedule import Balanced, Cycle, Gauntlet, Schedule, from_json, to_json
from arena.schedule.table_games import ByResults
from arena.tournament.plan import Plan, plan_of, write_plan
from arena.tournament.plan_schedule import (
    build_adaptive,
    build_by_results,
    build_schedule,
    field_labels,
)
from arena.tournament.seeds import seeded
from engine.errors import ArenaError
from engine.rng import draw_seed
from leagues.records import Entrant, RoundsTarget, Tournament
from leagues.storage.handle import Storage, StorageReader
from leagues.storage.results import identity

if TYPE_CHECKING:
    from arena.schedule.adaptive import Adaptive

NOT_IDENTITY = ("seed", "rounds")  # of a configuration: other ones continue a tournament


@dataclass(frozen=True)
class Contest:
    """A tournament that can be played: its row, its field in order, its fixtures."""

    plan: Plan
    row: Tournament
    field: list[Contender]
    entrants: list[int]  # ids in the database, by place in the field
    schedule: Schedule
    adaptive: Adaptive | None  # what follows the schedule, where a goal is to be reached
    by_results: ByResults | None  # what all tables follow from, where results decide
    left_out: list[str]  # games that cannot be played, and why

    @property
    def id(self) -> int:
        """Of its row."""
        return self.row.id

    @property
    def size(self) -> int | None:
        """How many matches it has, where that is known before they are played."""
        open_end = self.schedule.rounds is None or self.adaptive or self.by_results
        return None if open_end else len(self.schedule)


@dataclass(frozen=True)
class StoredTournament:
    """A stored tournament as it was asked for; its bots need not be there any more."""

    plan: Plan
    schedule: Schedule
    adaptive: Adaptive | None
    by_results: ByResults | None
    endless: Schedule  # the same fixtures, as many as have ever been asked for

    @property
    def size(self) -> int | None:
        """How many matches it was to have, where that was known."""
        open_end = self.schedule.rounds is None or self.adaptive or self.by_results
        return None if open_end else len(self.schedule)


def tournament_config(plan: Plan) -> dict[str, object]:
    """What makes two runs the same tournament, the bots aside; more rounds continue it."""
    facts = cast(dict[str, object], write_plan(plan))
    return {key: facts[key] for key in facts if key not in ("bots", "name", "budget")}


def tournament_lock(
    storage: Storage, plan: Plan, field: Sequence[Contender]
) -> AbstractContextManager[None]:
    """Keep any other process from running the same tournament; RefusedError if one does."""
    digests = _digests(plan, field)
    key = f"{identity(tournament_config(plan))} {digests} {plan.name} {plan.seed}"
    name = f"tournament {plan.name}" if plan.name else "this tournament"
    return storage.database.exclusive(key, name)


def open_contest(
    storage: Storage,
    plan: Plan,
    field: list[Contender],
    command: Callable[[Plan], str],
    drawn: int | None = None,
) -> Contest:
    """The contest the plan asks for: that of the database if it was begun before, or a new one.

    With it the command is stored that asks for the plan, once it has a seed and a name. If the plan
    has no seed, a new contest has the one that was drawn for it, if one was.
    """
    row = find_existing(storage.reader, plan, field)
    if plan.by_results:  # places in the field are seeds
        field = seeded(storage.reader, plan, field, row)
    entrants = [_enter(storage, contender) for contender in field]
    if row is None:
        wanted = drawn if plan.seed is None else plan.seed
        seed = draw_seed() if wanted is None else wanted
        name = plan.name or _free_name(storage.reader, f"{plan.settings.game}-{seed}")
        config = tournament_config(plan)
    else:
        _check_same_settings(storage.reader, plan, row)
        seed, name = int(row.seed), row.name
        config = json.loads(row.config)  # as it was written, in whatever spelling
    plan = replace(plan, seed=seed, name=name)
    cycles = _cycles(row) if row else []
    schedule, left_out = build_schedule(plan, field_labels(field), cycles)
    adaptive = build_adaptive(plan, schedule, cycles)
    if isinstance(schedule.design, Balanced | Gauntlet):
        cycles = [schedule.design.cycle(track) for track in schedule.tracks]
    text = command(plan)
    begun = storage.results.get_or_create_tournament(
        name, seed, config, entrants, [to_json(cycle) for cycle in cycles], text
    )
    if adaptive is not None:
        schedule = adaptive.opening
    elif not plan.by_results:
        storage.results.set_rounds_target(begun.id, schedule.rounds, text)
    by_results = build_by_results(plan, field_labels(field))
    return Contest(plan, begun, field, entrants, schedule, adaptive, by_results, left_out)


def load_stored(
    row: Tournament, entrants: Sequence[Entrant], target: RoundsTarget | None = None
) -> StoredTournament:
    """The plan and the fixtures of a stored tournament, as long as was asked for last."""
    plan = _stored_plan(row, entrants)
    labels = tuple(each.label for each in entrants)
    cycles = _cycles(row)
    if target is not None:
        plan = replace(plan, rounds=target.rounds)
    schedule, _ = build_schedule(plan, labels, cycles, target is not None and target.rounds is None)
    endless, _ = build_schedule(plan, labels, cycles, endless=True)
    adaptive = build_adaptive(plan, schedule, cycles)
    return StoredTournament(plan, schedule, adaptive, build_by_results(plan, labels), endless)


def find_existing(
    reader: StorageReader, plan: Plan, field: Sequence[Contender]
) -> Tournament | None:
    """The stored tournament that a plan of these bots goes on with, if there is one."""
    if plan.name:
        row = reader.results.tournament(plan.name)
        if row is not None and plan.seed not in (None, int(row.seed)):
            raise ArenaError(f"expected seed {row.seed} of tournament {row.name}, got {plan.seed}")
        return row
    same = identity(tournament_config(plan))
    digests = _digests(plan, field)
    for row in reversed(reader.results.tournaments(seed=plan.seed)):
        entrants = reader.results.entrants(row.id)
        if _digests(plan, entrants) == digests and (
            row.identity == same or _canonical_identity(row, entrants) == same
        ):
            return row
    return None


def _canonical_identity(row: Tournament, entrants: Sequence[Entrant]) -> str:
    """The identity of a stored tournament by its values; earlier versions stored their spelling."""
    try:
        return identity(tournament_config(_stored_plan(row, entrants)))
    except ArenaError:  # a stage of a league, or of a later version
        return row.identity


def _check_same_settings(reader: StorageReader, plan: Plan, row: Tournament) -> None:
    """Refuse a plan with the name of a tournament that has other settings."""
    try:
        stored = tournament_config(_stored_plan(row, reader.results.entrants(row.id)))
    except ArenaError:
        raise ArenaError(f"tournament {row.name} has other settings: use another name") from None
    asked = tournament_config(plan)
    # Where results decide, the last games follow from the number of rounds.
    may_differ = ("seed",) if plan.by_results else NOT_IDENTITY
    for key in asked:
        if key not in may_differ and asked[key] != stored[key]:
            was, now = (_setting(facts[key]) for facts in (stored, asked))
            raise ArenaError(
                f"tournament {row.name} was started with {key} {was}, not {now}: use another name"
            )


def _setting(value: Any) -> str:
    text = ",".join(value) if isinstance(value, tuple) else str(value)
    return text or "as usual"


def _stored_plan(row: Tournament, entrants: Sequence[Entrant]) -> Plan:
    facts = json.loads(row.config)
    facts |= {"bots": [each.spec for each in entrants], "seed": int(row.seed), "name": row.name}
    return plan_of(facts, f"tournament {row.name}")


def _cycles(row: Tournament) -> list[Cycle]:
    return [from_json(text) for text in json.loads(row.cycles) or []]


def _digests(plan: Plan, field: Sequence[Contender | Entrant]) -> list[str]:
    """What the field is known by; in no order where ratings put it in order."""
    digests = [each.digest for each in field]
    return sorted(digests) if plan.by_results else digests


def _enter(storage: Storage, contender: Contender) -> int:
    entrant = storage.results.get_or_create_entrant(
        contender.label, contender.spec, contender.digest, contender.version
    )
    return entrant.id


def _free_name(reader: StorageReader, wanted: str) -> str:
    names = (wanted if n == 1 else f"{wanted}-{n}" for n in itertools.count(1))
    return next(name for name in names if reader.results.tournament(name) is None)

"""One call of `arena tournament run`: play or continue a tournament, then print its table.

Its workers and their containers start while what reads and writes the database is imported, which
takes as long; and its first matches, where nothing can be stored of them yet.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from arena import log_config
from arena.cluster.workers import HERE, Workers
from arena.playing import worker
from arena.playing.entrants import Contender, contenders
from arena.playing.runner import Runner
from arena.playing.signals import hold_ctrl_c
from arena.reports.output import OutputFormat
from arena.schedule import Fixture
from arena.tournament.plan import Plan, plan_of, read_plan
from arena.tournament.plan_schedule import build_schedule, check_plan, field_labels
from bots.chairs.pool import Isolation
from engine.rng import draw_seed

PlanCommand: TypeAlias = Callable[..., str]  # the command line that asks for a plan


@dataclass(frozen=True)
class SessionOptions:
    """Where results are stored, what is printed, and how much is done at once."""

    db: str
    format: OutputFormat = OutputFormat.TABLE
    explain: bool = False
    dry_run: bool = False
    shows_table: bool = True
    workers: Workers = HERE
    verbose: int = 0
    log_file: Path | None = None


def make_plan(bots: Sequence[str], given: dict[str, Any]) -> Plan:
    """The plan by options, or by a file with options on top."""
    if len(bots) == 1 and bots[0].endswith(".toml"):
        return read_plan(Path(bots[0]), given)
    return plan_of({"bots": list(bots), **given}, "the options")


def run_tournament(plan: Plan, options: SessionOptions, command: PlanCommand) -> int:
    """Play what is missing and print the leaderboard; the exit code."""
    workers = options.workers
    isolation = workers.isolate(plan.bots, plan.in_process, plan.trust_bots)
    field = contenders(plan.bots)
    check_plan(plan, field)
    log = log_config.SharedLog(worker.SPAWN, options.verbose, options.log_file)
    runner = workers.open_runner(_conditions(plan, field, isolation), log.queue)
    seed: int | None = None  # of the matches that are begun before there is a tournament
    with ExitStack() as stack:
        with hold_ctrl_c():
            if _is_known(plan, options):
                seed = draw_seed() if plan.seed is None else plan.seed
                schedule, _ = build_schedule(replace(plan, seed=seed), field_labels(field), [])
                runner.begin((fixture, fixture.spec) for fixture in schedule)
            elif not workers.cluster:
                runner.start_workers(partial(worker.prepare, _first_table(plan, field, isolation)))
            stack.enter_context(log)  # which has a thread: workers were forked before it
            stack.enter_context(runner)
            stack.callback(_end_what_is_ahead, runner)
        from arena.tournament.stored_session import play_plan

        return play_plan(plan, field, isolation, options, command, runner, seed)


def _end_what_is_ahead(runner: Runner[Fixture]) -> None:
    """Do not wait for matches that nobody will ask for, because the tournament did not begin."""
    if runner.is_ahead:
        worker.kill_workers()


def _is_known(plan: Plan, options: SessionOptions) -> bool:
    """Whether the first fixtures follow from the plan alone, as nothing is stored yet."""
    if options.workers.cluster or options.dry_run or plan.by_results or plan.until:
        return False
    return "://" not in options.db and not os.path.exists(options.db)


def _first_table(plan: Plan, field: list[Contender], isolation: Isolation) -> list[str]:
    """As many bots as sit at the smallest table, where they have containers."""
    if isolation.layers is None:
        return []
    return [contender.spec for contender in field[: min(plan.settings.players, default=2)]]


def _conditions(plan: Plan, field: list[Contender], isolation: Isolation) -> worker.Conditions:
    return worker.Conditions(
        {contender.label: contender.spec for contender in field},
        isolation,
        plan.settings.limits,
        {
            contender.spec: contender.digest.partition("#")[0]
            for contender in field
            if contender.source in ("file", "folder", "program", "command")
        },
        factor_bounds=plan.settings.factor_bounds,
    )

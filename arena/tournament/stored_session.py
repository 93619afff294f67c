"""A session with its database: the contest is found or begun, played, and its table printed."""

from __future__ import annotations

import re
import sys
from contextlib import ExitStack
from dataclasses import replace
from typing import Final

from arena.playing.entrants import Contender
from arena.playing.progress import format_duration, notify
from arena.playing.runner import Runner
from arena.reports.output import OutputFormat
from arena.reports.wording import db_words
from arena.schedule import Fixture, describe
from arena.schedule.table_games import ByResults, Progress, follow_results
from arena.tempdirs import TempFolder
from arena.tournament.contest import Contest, find_existing, open_contest, tournament_lock
from arena.tournament.plan import Plan
from arena.tournament.run import TournamentRun
from arena.tournament.seeds import seeded
from arena.tournament.session import PlanCommand, SessionOptions
from bots.chairs.pool import Isolation
from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError
from leagues.errors import NoDatabaseError
from leagues.storage.handle import Storage, open_storage, read_storage
from leagues.storage.match_filter import MatchFilter
from leagues.storage.queries import Numbers

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")  # of a new tournament


def play_plan(
    plan: Plan,
    field: list[Contender],
    isolation: Isolation,
    options: SessionOptions,
    command: PlanCommand,
    runner: Runner[Fixture],
    seed: int | None = None,
) -> int:
    """Play what is missing of a plan and print the leaderboard; the exit code.

    With a seed, the runner has begun the first matches of a new tournament that has it.
    """
    db = options.db
    with ExitStack() as stack:
        done: Numbers | None = None
        if plan.name and not NAME.fullmatch(plan.name) and _begun(db, plan, field)[2] is None:
            raise ArenaError(f"expected a name of letters, digits and . _ + -, got {plan.name!r}")
        if options.dry_run:
            plan, field, done = _begun(db, plan, field)
            db = f"{stack.enter_context(TempFolder()).path}/dry.db"
        storage = stack.enter_context(open_storage(db))
        stack.enter_context(tournament_lock(storage, plan, field))
        contest = open_contest(storage, plan, field, command, seed)
        if seed is not None and contest.plan.seed != seed:
            runner.drop()  # another process began this tournament meanwhile, with its own seed
        notify(f"tournament {contest.plan.name}, seed {contest.plan.seed}")
        for line in contest.left_out:
            notify(line)
        run = TournamentRun(contest, isolation, runner)
        if options.dry_run:
            _print_forecast(run, done)
            return 0
        code = run.play(storage, command(contest.plan, (*options.workers.words(), *db_words(db))))
        if options.shows_table and storage.reader.results.count(MatchFilter(tournament=contest.id)):
            _print_table(storage, contest, db, options)
        if contest.by_results is not None:
            found = follow_results(contest.by_results, storage.reader.results.ranks(contest.id))
            _print_order(contest, found, options.format)
    return code


def _print_table(storage: Storage, contest: Contest, db: str, options: SessionOptions) -> None:
    """The leaderboard; what makes it loads slowly, and is not needed before."""
    from arena.reports.leaderboard import boards
    from arena.reports.ranked_results import Query
    from arena.reports.table import write_all

    query = Query(tournament=contest.plan.name, db=db)
    write_all(boards(storage.reader, query), options.format, options.explain)


def _print_order(contest: Contest, found: Progress, format: OutputFormat) -> None:
    """Who won, where results decide that; on stderr if the table is for programs."""
    if found.order is None:
        return
    names = [for_terminal(contest.field[bot].label) for bot in found.order]
    lines = [f"{contest.by_results.stage} won by {names[0]}" if contest.by_results else ""]
    lines += [f"{place:3}  {name}" for place, name in enumerate(names, 1)]
    print("\n".join(lines), file=sys.stdout if format is OutputFormat.TABLE else sys.stderr)


def _begun(
    db: str, plan: Plan, field: list[Contender]
) -> tuple[Plan, list[Contender], Numbers | None]:
    """The plan with the seed and name of the stored tournament, its field, and what is played."""
    try:
        with read_storage(db) as reader:
            row = find_existing(reader, plan, field)
            if plan.by_results:
                field = seeded(reader, plan, field, row)
            if row is None:
                return plan, field, None
            plan = replace(plan, seed=int(row.seed), name=row.name)
            return plan, field, reader.results.played(row.id)
    except NoDatabaseError:
        return plan, field, None


def _describe_seeds(contest: Contest, design: ByResults) -> list[str]:
    """The field by its seeds, what is played, and how."""
    seeds = ", ".join(f"{at} {each.label}" for at, each in enumerate(contest.field, 1))
    track = design.track
    return [
        f"{len(contest.field)} bots, seeded by their skill in this database or as given: {seeds}",
        f"{track.rules.name}, {track.players} players",
        *design.describe(),
    ]


def _print_forecast(run: TournamentRun, done: Numbers | None) -> None:
    """What would be played, and how long it takes here: all of it, and what is left."""
    by_results = run.contest.by_results
    lines = _describe_seeds(run.contest, by_results) if by_results else []
    lines = lines or [describe(run.contest.schedule)]
    seconds, jobs = run.measure_match()
    size = run.contest.size
    lines.append(f"{seconds:.3f} s a match on each of {jobs} processors")
    if size is not None:
        lines.append(f"{size:,} matches take about {format_duration(size * seconds / jobs)}")
    elif by_results:
        least = by_results.games
        lines.append(f"{least:,} matches take about {format_duration(least * seconds / jobs)}")
    if done is not None:
        played = len(done) if size is None else sum(number < size for number in done)
        left = 0 if size is None else size - played
        rest = (
            f"; the {left:,} left take about {format_duration(left * seconds / jobs)}"
            if left
            else ""
        )
        none = ", none is left" if size else ""
        lines.append(f"{played:,} are played already{rest or none}")
    print("\n".join(lines))  # noqa: T201

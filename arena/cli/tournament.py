"""arena tournament: competitions between bots, kept and continued."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from arena import log_config
from arena.cli import tournament_show
from arena.cli.options import (
    CountsOpt,
    DbOpt,
    EditionOpt,
    ExpansionsOpt,
    ExpertOpt,
    FormOpt,
    FreezeOpt,
    InProcessOpt,
    JobsOpt,
    JsonOpt,
    LogFileOpt,
    PoolOpt,
    RunSeedOpt,
    TimeOpt,
    TrustOpt,
    VerboseOpt,
    settle_form,
    split,
)
from arena.cli.plan_command import plan_command
from arena.playing import worker
from arena.playing.entrants import Contender, contenders
from arena.playing.progress import notify, span
from arena.reports.leaderboard import Query, boards
from arena.reports.output import OutputFormat
from arena.reports.table import write_all
from arena.reports.wording import DEFAULT_DB, db_words
from arena.schedule import describe
from arena.tempdirs import TempFolder
from arena.tournament.contest import check_plan, find_existing, open_contest, tournament_lock
from arena.tournament.plan import Plan, plan_of, read_plan
from arena.tournament.run import TournamentRun
from bots.chairs.pool import choose_isolation
from bots.sandbox.probe import suggested_jobs
from leagues.storage.results import AbsentError, MatchFilter, Numbers, open_store, read_store

app = typer.Typer(help="Competitions between bots, kept and continued.", no_args_is_help=True)
app.command("list")(tournament_show.list_)
app.command("status")(tournament_show.status)
app.command("verify")(tournament_show.verify)
app.command("export")(tournament_show.export)


@app.command("run")
def run(
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT...", help="Two bots or more; or one FILE.toml with it all."),
    ],
    game: Annotated[str | None, typer.Option(help="architects, seven or both.")] = None,
    players: CountsOpt = None,
    wonders: PoolOpt = None,
    edition: EditionOpt = None,
    expansions: ExpansionsOpt = "",
    expert: ExpertOpt = False,
    design: Annotated[str | None, typer.Option(help="balanced, full or random.")] = None,
    newcomer: Annotated[
        str | None, typer.Option(metavar="BOT", help="Play only matches of this one of the bots.")
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(help="Rounds for each game and number of players; else until all is even."),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(metavar="GOAL", help="Until it is sure: top1@95%, top3@95% or order@95%."),
    ] = None,
    budget: Annotated[
        str | None, typer.Option(metavar="TIME", help="Stop after this time: 90s, 10m, 2h.")
    ] = None,
    time: TimeOpt = "",
    freeze: FreezeOpt = False,
    seed: RunSeedOpt = None,
    name: Annotated[str | None, typer.Option(help="Name of the tournament.")] = None,
    db: DbOpt = DEFAULT_DB,
    jobs: JobsOpt = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be played, and how long it takes.")
    ] = False,
    in_process: InProcessOpt = False,
    trust: TrustOpt = False,
    form: FormOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
    verbose: VerboseOpt = 0,
    log_file: LogFileOpt = None,
) -> None:
    """Play a tournament, or go on with it: the same command again continues where it stopped.

    Seats, neighbours, wonders and deals are balanced by design. Results are kept in the database;
    arena rank and arena match read them.
    """
    form = settle_form(form, as_json)
    given = {
        "game": game,
        "players": players,
        "wonders": split(wonders) if wonders else None,
        "edition": edition,
        "expansions": split(expansions) or None,
        "expert": expert or None,
        "design": design,
        "newcomer": newcomer,
        "rounds": rounds,
        "until": until,
        "budget": budget,
        "time": time or None,
        "freeze": freeze or None,
        "in_process": in_process or None,
        "trust_bots": trust or None,
        "seed": seed,
        "name": name,
    }
    plan = _plan(bots, {key: value for key, value in given.items() if value is not None})
    isolation = choose_isolation(plan.bots, plan.in_process, plan.trust_bots)
    field = contenders(plan.bots)
    check_plan(plan, field)
    with ExitStack() as stack:
        done: Numbers | None = None
        if dry_run:
            plan, done = _begun(db, plan, field)
            db = f"{stack.enter_context(TempFolder()).path}/dry.db"
        store = stack.enter_context(open_store(db))
        stack.enter_context(tournament_lock(store, plan, field))
        contest = open_contest(store, plan, field, plan_command)
        for line in contest.left_out:
            notify(line)
        tournament_run = TournamentRun(contest, isolation, jobs or suggested_jobs())
        with log_config.configure_logging(worker.SPAWN, verbose, log_file) as queue:
            if dry_run:
                _show_estimate(tournament_run, queue, done)
                return
            code = tournament_run.play(
                store, queue, plan_command(contest.plan, tuple(db_words(db)))
            )
        if store.count(MatchFilter(tournament=contest.id)):
            write_all(boards(store, Query(tournament=contest.plan.name, db=db)), form)
    raise typer.Exit(code)


def _plan(bots: list[str], given: dict[str, Any]) -> Plan:
    if len(bots) == 1 and bots[0].endswith(".toml"):
        return read_plan(Path(bots[0]), given)
    return plan_of({"bots": bots, **given}, "the options")


def _begun(db: str, plan: Plan, field: list[Contender]) -> tuple[Plan, Numbers | None]:
    """The plan with the seed and the name it has if it was begun, and what is played of it."""
    try:
        with read_store(db) as store:
            row = find_existing(store, plan, field)
            if row is None or row.id is None:
                return plan, None
            return replace(plan, seed=int(row.seed), name=row.name), store.played(row.id)
    except AbsentError:
        return plan, None


def _show_estimate(run: TournamentRun, queue: log_config.LogQueue, done: Numbers | None) -> None:
    """What would be played, and how long it takes here: all of it, and what is left."""
    typer.echo(describe(run.contest.schedule))
    each = run.measure_match(queue)
    size = run.contest.size
    typer.echo(f"{each:.3f} s a match on each of {run.jobs} processors")
    if size is not None:
        typer.echo(f"{size:,} matches take about {span(size * each / run.jobs)}")
    if done is None:
        return
    played = len(done) if size is None else sum(number < size for number in done)
    left = 0 if size is None else size - played
    rest = f"; the {left:,} left take about {span(left * each / run.jobs)}" if left else ""
    typer.echo(f"{played:,} are played already{rest or (', none is left' if size else '')}")

"""arena tournament: competitions between bots, stored and continued."""

from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

import typer

from arena.cli.options import (
    TIME_HELP,
    TIME_METAVAR,
    CountsOpt,
    DbOpt,
    ExplainOpt,
    FactorOpt,
    FreezeOpt,
    JobsOpt,
    LineOptions,
    OutOpt,
    OutputOptions,
    PoolOpt,
    RunOptions,
    RunSeedOpt,
    VariantOptions,
    given_only,
    grouped,
    split,
)
from arena.reports.wording import DEFAULT_DB

app = typer.Typer(help="Run tournaments, and continue them.", no_args_is_help=True)
NameArg = Annotated[str, typer.Argument(metavar="NAME", help="Name of the tournament.")]


@dataclass(frozen=True, kw_only=True)
class PlanOptions:
    """What is played: the flags for the keys of a plan file."""

    game: Annotated[
        str | None, typer.Option(help="architects, seven or both; architects if not given.")
    ] = None
    players: CountsOpt = None
    wonders: PoolOpt = None
    design: Annotated[
        str | None,
        typer.Option(
            help="How bots are assigned to tables: balanced (the default), full or random; by "
            "results: swiss, knockout or double (elimination)."
        ),
    ] = None
    newcomer: Annotated[
        str | None,
        typer.Option(metavar="BOT", help="Play a gauntlet: this bot is in every match."),
    ] = None
    rounds: Annotated[
        int | None,
        typer.Option(
            help="Rounds per game and number of players; one full cycle if not given. In a "
            "knockout: deals per table."
        ),
    ] = None
    until: Annotated[
        str | None,
        typer.Option(
            metavar="GOAL", help="Stop when this is certain: top1@95%, top3@95% or order@95%."
        ),
    ] = None
    budget: Annotated[
        str | None, typer.Option(metavar="TIME", help="Stop after this time: 90s, 10m, 2h.")
    ] = None
    time: Annotated[
        str, typer.Option(metavar=TIME_METAVAR, help=f"{TIME_HELP} 10s if not given.")
    ] = ""
    freeze: FreezeOpt = False
    time_factor: FactorOpt = None
    seed: RunSeedOpt = None
    name: Annotated[
        str | None, typer.Option(help="Name of the tournament; its game and seed if not given.")
    ] = None

    def given(self) -> dict[str, Any]:
        """The keys that were given, as a plan file has them."""
        values = asdict(self) | {"wonders": split(self.wonders), "time": self.time or None}
        return given_only(**values)


@app.command("run")
@grouped
def run(
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT", help="Two bots or more, or one FILE.toml with all settings."),
    ],
    *,
    plan: PlanOptions,
    variant: VariantOptions,
    db: DbOpt = DEFAULT_DB,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be played and how long it takes.")
    ] = False,
    processes: RunOptions,
    explain: ExplainOpt = False,
    output: OutputOptions,
) -> int:
    """Play a tournament; the same command again continues where it stopped.

    Seats, neighbours, wonders and deals are balanced by design. Results are stored in the
    database; arena rank and arena match read them.
    """
    from arena.tournament.plan_command import plan_command
    from arena.tournament.session import SessionOptions, make_plan, run_tournament

    format = output.settle()
    trust = given_only(in_process=processes.in_process, trust_bots=processes.trust)
    given = plan.given() | variant.given() | trust
    options = SessionOptions(
        db,
        format,
        explain,
        dry_run,
        workers=processes.workers(),
        verbose=processes.verbose,
        log_file=processes.log_file,
    )
    return run_tournament(make_plan(bots, given), options, plan_command)


@app.command("list")
@grouped
def list_(*, db: DbOpt = DEFAULT_DB, output: OutputOptions) -> None:
    """List the tournaments of a database."""
    from arena.tournament.status import tournaments
    from leagues.storage.handle import read_storage

    format = output.settle()
    with read_storage(db) as reader:
        tournaments(reader).write(format)


@app.command("status")
@grouped
def status(
    name: NameArg,
    *,
    follow: Annotated[
        bool, typer.Option("--follow", help="Keep showing progress until it is complete.")
    ] = False,
    db: DbOpt = DEFAULT_DB,
    output: OutputOptions,
) -> None:
    """Show how far a tournament is, which bots failed, and how to continue it."""
    from arena.tournament.follow import follow_status, show_status

    if follow:
        follow_status(name, db, output.as_lines())
    else:
        show_status(name, db, output.settle())


@app.command("verify")
@grouped
def verify(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="A tournament or a league; everything if not given."),
    ] = None,
    *,
    db: DbOpt = DEFAULT_DB,
    jobs: JobsOpt = None,
    output: LineOptions,
) -> int:
    """Check what is stored: checksums, every match played again, the schedule, the table.

    Every problem is named; exit code 1 if there is one.
    """
    from arena.tournament.verify_report import verify_tournaments

    return verify_tournaments(name, db, jobs, output.settle())


@app.command("export")
def export(
    name: NameArg,
    out: OutOpt = None,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="One row per seat; else one match per line as JSON.")
    ] = False,
    format: Annotated[
        Literal["json", "csv"], typer.Option("--output", "-o", help="csv is the same as --csv.")
    ] = "json",
    points: Annotated[
        bool, typer.Option("--points", help="Add score sheets; every match is played again.")
    ] = False,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Write all matches of a tournament or league, with specs, decisions, faults and usage."""
    from arena.reports.export import export_matches

    export_matches(name, db, out, as_csv or format == "csv", points)

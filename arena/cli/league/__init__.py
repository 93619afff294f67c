"""arena league: where bots compete over time."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cli.league import life, moderation, webhook
from arena.cli.league.options import LeagueArg
from arena.cli.options import (
    CountsOpt,
    DbOpt,
    ExplainOpt,
    FactorOpt,
    FreezeOpt,
    InProcessOpt,
    OutputOptions,
    PoolOpt,
    RunOptions,
    TrustOpt,
    VariantOptions,
    given_only,
    grouped,
    split,
)
from arena.reports.wording import DEFAULT_DB, db_option

app = typer.Typer(help="Run a league with submissions.", no_args_is_help=True)
app.add_typer(life.app)
app.add_typer(moderation.app)
app.add_typer(webhook.app, name="webhook")


@dataclass(frozen=True, kw_only=True)
class RuleOptions:
    """The rules of a league: the flags for the keys of a rules file."""

    game: Annotated[str | None, typer.Option(help="architects or seven.")] = None
    players: CountsOpt = None
    time: Annotated[
        str | None,
        typer.Option(metavar="MOVE+BANK/START", help="CPU time limit, such as 1s+10s."),
    ] = None
    freeze: FreezeOpt = False
    time_factor: FactorOpt = None
    wonders: PoolOpt = None
    sandbox: Annotated[
        str | None,
        typer.Option("--require-sandbox", help="full, strong, reduced or none."),
    ] = None
    same_owner: Annotated[
        bool, typer.Option("--same-owner", help="Let bots of one owner share a table.")
    ] = False
    placement: Annotated[
        int | None, typer.Option(help="Matches a new bot plays first, to place it.")
    ] = None
    games: Annotated[int | None, typer.Option(help="Games every bot plays at least.")] = None
    until: Annotated[
        str | None,
        typer.Option(metavar="GOAL", help="Then play until this is certain: order@95%, top3."),
    ] = None
    extra: Annotated[
        int | None, typer.Option(help="Maximum matches for --until, per accepted bot.")
    ] = None
    per_day: Annotated[int | None, typer.Option(help="Maximum matches in 24 hours.")] = None
    submissions: Annotated[
        int | None, typer.Option(help="New bots and versions per owner and day.")
    ] = None
    active: Annotated[int | None, typer.Option(help="Active bots per owner.")] = None
    final: Annotated[int | None, typer.Option(help="Games per bot in the final.")] = None
    promoted: Annotated[
        int | None, typer.Option(help="Bots promoted, and relegated, between divisions.")
    ] = None
    drift: Annotated[
        float | None, typer.Option(help="How far skills may move between seasons, in betas.")
    ] = None
    live_delay: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Show running matches on the site with this delay: 30s; off: when they are over.",
        ),
    ] = None

    def given(self) -> dict[str, Any]:
        """The keys that were given, as a rules file has them."""
        return given_only(**(asdict(self) | {"wonders": split(self.wonders)}))


@app.command()
@grouped
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Letters, digits, - and _.")],
    *,
    options: RuleOptions,
    variant: VariantOptions,
    rules: Annotated[
        Path | None, typer.Option("--rules", metavar="FILE.toml", help="All rules in a file.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", "-s", help="Drawn if not given.")] = None,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Create a league; arena league open starts it. Rules not given have their defaults."""
    from arena.league.manage import create_league

    create_league(name, rules, options.given() | variant.given(), seed, db)
    typer.echo(f"created {name}; now: arena league open {name}{db_option(db)}")


@app.command()
@grouped
def simulate(
    *,
    options: RuleOptions,
    variant: VariantOptions,
    rules: Annotated[
        Path | None, typer.Argument(metavar="RULES.toml", help="Rules in a file.")
    ] = None,
    bots: Annotated[int, typer.Option(help="Bots that fill the league.")] = 20,
    updates: Annotated[int, typer.Option(help="New versions, one after the other.")] = 5,
    spread: Annotated[
        float, typer.Option(help="Standard deviation of the bots' skills, in betas.")
    ] = 0.5,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Random seed.")] = 1,
    output: OutputOptions,
) -> None:
    """Simulate a league: what it would cost, and how reliable its leaderboard would be."""
    from arena.league.manage import read_league_rules
    from arena.league.planning.simulate import simulate_league, simulation_report

    format = output.settle()
    checked = read_league_rules(rules, options.given() | variant.given())
    simulation_report(simulate_league(checked, bots, updates, spread, seed)).write(format)


@app.command("list")
@grouped
def list_(
    *,
    everything: Annotated[bool, typer.Option("--all", help="Include archived leagues.")] = False,
    db: DbOpt = DEFAULT_DB,
    output: OutputOptions,
) -> None:
    """List the leagues."""
    from arena.league.reports import leagues_report
    from leagues.storage.handle import read_storage

    format = output.settle()
    with read_storage(db) as reader:
        leagues_report(reader, everything).write(format)


@app.command()
@grouped
def show(
    league: LeagueArg,
    bot: Annotated[
        str, typer.Argument(metavar="[BOT]", help="One bot, with the reasons for its state.")
    ] = "",
    *,
    db: DbOpt = DEFAULT_DB,
    output: OutputOptions,
) -> None:
    """Show a league's rules and bots, or the history of one bot."""
    from arena.league.manage import show_league

    show_league(league, bot, output.as_lines() if bot else output.settle(), db)


@app.command()
def submit(
    league: LeagueArg,
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A .py file, a folder, a .zip or a .tar(.gz).")
    ],
    owner: Annotated[
        str | None, typer.Option(metavar="NAME", help="Owner of the bot; none if not given.")
    ] = None,
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait for the check; exit code 1 if it is rejected.")
    ] = False,
    trust: TrustOpt = False,
    in_process: InProcessOpt = False,
    db: DbOpt = DEFAULT_DB,
) -> int:
    """Submit a bot for checking by the next worker; the same name again is a new version."""
    from arena.league.manage import submit_bot
    from arena.league.unpacked_bots import WorkerOptions

    waiting = WorkerOptions(in_process=in_process, trust=trust) if wait else None
    return submit_bot(league, path, owner, waiting, db)


@app.command()
@grouped
def work(
    leagues: Annotated[
        list[str] | None, typer.Argument(metavar="[LEAGUE]...", help="All leagues if not given.")
    ] = None,
    *,
    follow: Annotated[
        bool, typer.Option("--follow/--once", help="Wait for more, or end when nothing is due.")
    ] = False,
    lease: Annotated[
        float | None,
        typer.Option(min=1, help="Seconds after which a silent worker counts as dead; default 30."),
    ] = None,
    processes: RunOptions,
    db: DbOpt = DEFAULT_DB,
) -> int:
    """Check new bots and play what is due; any number of workers may share a database."""
    from arena.league.work import WorkRequest, work_on_leagues

    request = WorkRequest(
        tuple(leagues or ()),
        processes.workers(),
        follow,
        processes.trust,
        processes.in_process,
        lease,
        processes.verbose,
        processes.log_file,
        db,
    )
    return work_on_leagues(request)


@app.command()
@grouped
def table(
    league: LeagueArg,
    *,
    players: Annotated[int | None, typer.Option(help="Only this number of players.")] = None,
    everyone: Annotated[
        bool, typer.Option("--all", help="Include retired and suspended bots.")
    ] = False,
    explain: ExplainOpt = False,
    db: DbOpt = DEFAULT_DB,
    output: OutputOptions,
) -> None:
    """Show the leaderboard of a league."""
    from arena.league.manage import show_table

    show_table(league, players, everyone, output.settle(), explain, db)


@app.command()
def token(
    owner: Annotated[
        str, typer.Argument(metavar="OWNER", help="Whose token it is; a new owner is added.")
    ],
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Create a token for an owner and revoke all earlier ones; it is shown only once."""
    from leagues.storage.handle import open_storage

    with open_storage(db) as storage:
        typer.echo(storage.accounts.replace_tokens(owner))

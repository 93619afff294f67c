"""arena league: where bots compete over time."""

from __future__ import annotations

import json
import secrets
import shlex
import time as clock
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from arena import log_config
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
    TrustOpt,
    VerboseOpt,
    settle_form,
    split,
)
from arena.league.leaderboard import board
from arena.league.reports import (
    board_report,
    collusion_report,
    entries_report,
    entry_facts,
    entry_lines,
    leagues_report,
)
from arena.league.rules import league_rules_of, write_rules
from arena.league.submit import submit as hand_in
from arena.league.unpacked_bots import WorkerOptions
from arena.league.worker import open_league_worker
from arena.playing import worker
from arena.playing.game_settings import read_toml
from arena.playing.signals import interruptible
from arena.reports.output import OutputFormat
from arena.reports.wording import DEFAULT_DB, db_option, db_words, format_count, plain
from bots.discovery.files import is_ignored
from bots.sandbox.probe import suggested_jobs
from engine.errors import ArenaError
from leagues.ratings.leaderboard import LeaderboardFilter
from leagues.storage import leases
from leagues.storage.leagues import Roster, open_roster, read_roster
from leagues.submissions.archive import receive
from leagues.submissions.lifecycle import AnothersError, Entry

app = typer.Typer(help="Where bots compete over time.", no_args_is_help=True)
LeagueArg = Annotated[str, typer.Argument(metavar="LEAGUE", help="Name of the league.")]
BotArg = Annotated[
    str, typer.Argument(metavar="BOT", help="NAME, OWNER/NAME, or either with @VERSION.")
]
ReasonOpt = Annotated[str, typer.Option(help="Why; kept and shown.")]
POLL = 0.3  # seconds between two looks at a submission


@app.command()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Letters, digits, - and _.")],
    game: Annotated[str | None, typer.Option(help="architects or seven.")] = None,
    players: CountsOpt = None,
    time: Annotated[
        str | None, typer.Option(metavar="MOVE+BANK/START", help="Time of a bot: 1s+10s.")
    ] = None,
    freeze: FreezeOpt = False,
    wonders: PoolOpt = None,
    edition: EditionOpt = None,
    expansions: ExpansionsOpt = "",
    expert: ExpertOpt = False,
    sandbox: Annotated[
        str | None,
        typer.Option("--require-sandbox", help="full, strong, reduced or none."),
    ] = None,
    same_owner: Annotated[
        bool, typer.Option("--same-owner", help="Let bots of one owner share a table.")
    ] = False,
    placement: Annotated[
        int | None, typer.Option(help="Rounds of a newcomer against the field.")
    ] = None,
    rounds: Annotated[int | None, typer.Option(help="Rounds of all against all.")] = None,
    until: Annotated[
        str | None, typer.Option(metavar="GOAL", help="What is to be sure then: order@95%, top3.")
    ] = None,
    games: Annotated[
        int | None, typer.Option(help="Games of a bot at which it is enough, sure or not.")
    ] = None,
    submissions: Annotated[
        int | None, typer.Option(help="New bots and versions of an owner in a day.")
    ] = None,
    drift: Annotated[
        float | None, typer.Option(help="How far skills may move between seasons, in betas.")
    ] = None,
    rules: Annotated[
        Path | None, typer.Option("--rules", metavar="FILE.toml", help="All of these in a file.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", "-s", help="Drawn if not given.")] = None,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Make a league; open it to play. What is not given is in the rules as it is usual."""
    given: dict[str, Any] = {
        "game": game,
        "players": players,
        "time": time,
        "freeze": freeze or None,
        "wonders": list(split(wonders)) if wonders else None,
        "edition": edition,
        "expansions": list(split(expansions)) or None,
        "expert": expert or None,
        "sandbox": sandbox,
        "same_owner": same_owner or None,
        "placement": placement,
        "rounds": rounds,
        "until": until,
        "games": games,
        "submissions": submissions,
        "drift": drift,
    }
    facts = _read_rules(rules) | {key: value for key, value in given.items() if value is not None}
    text = write_rules(league_rules_of(facts, "the rules"))
    with open_roster(db) as roster:
        # Long enough that what is seen of past stages does not tell the deals to come.
        roster.create(name, text, secrets.randbits(128) if seed is None else seed)
    typer.echo(f"created {name}; now: arena league open {name}{db_option(db)}")


def _read_rules(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as problem:
        raise ArenaError(f"expected to read {path}, got {problem}") from None
    facts = read_toml(text, str(path))
    league_rules_of(facts, str(path))  # what is wrong is told of the file
    return facts


def _turn(db: str, league: str, state: str, reason: str) -> None:
    with open_roster(db, create=False) as roster:
        row = roster.league(league)
        assert row.id is not None
        roster.turn(row.id, state, reason)
    typer.echo(f"{league} is {state}")


@app.command("open")
def open_(league: LeagueArg, reason: ReasonOpt = "", db: DbOpt = DEFAULT_DB) -> None:
    """Take submissions and play."""
    _turn(db, league, "OPEN", reason)


@app.command()
def pause(league: LeagueArg, reason: ReasonOpt = "", db: DbOpt = DEFAULT_DB) -> None:
    """Take submissions, play nothing."""
    _turn(db, league, "PAUSED", reason)


@app.command("freeze")
def freeze_(league: LeagueArg, reason: ReasonOpt = "", db: DbOpt = DEFAULT_DB) -> None:
    """Play, take no submissions."""
    _turn(db, league, "FROZEN", reason)


@app.command()
def close(league: LeagueArg, reason: ReasonOpt = "", db: DbOpt = DEFAULT_DB) -> None:
    """End a league; it stays to be read."""
    _turn(db, league, "CLOSED", reason)


@app.command("list")
def list_(
    db: DbOpt = DEFAULT_DB, form: FormOpt = OutputFormat.TABLE, as_json: JsonOpt = False
) -> None:
    """List the leagues."""
    form = settle_form(form, as_json)
    with read_roster(db) as roster:
        leagues_report(roster).write(form)


@app.command()
def show(
    league: LeagueArg,
    bot: Annotated[str, typer.Argument(metavar="[BOT]", help="One bot, and its reasons.")] = "",
    db: DbOpt = DEFAULT_DB,
    form: FormOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """Show a league's rules and bots, or what became of one bot."""
    form = settle_form(form, as_json)
    with read_roster(db) as roster:
        row = roster.league(league)
        assert row.id is not None
        if bot:
            entry = roster.entry(row.id, bot)
            if settle_form(form, False, lines=True) is OutputFormat.JSON:
                typer.echo(json.dumps(entry_facts(board(roster, row), entry)))
            else:
                typer.echo("\n".join(entry_lines(board(roster, row), entry)))
            return
        if form is OutputFormat.TABLE:
            state = roster.state(row.id)
            seed = f"; seed {row.seed}" if state == "CLOSED" else ""
            typer.echo(f"{row.name} is {state}{seed}\n\n{row.rules}")
        entries_report(roster, row).write(form)


@app.command()
def submit(
    league: LeagueArg,
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A .py file, a folder, a .zip or a .tar(.gz).")
    ],
    owner: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose bot it is; nobody's if not given.")
    ] = None,
    wait: Annotated[
        bool, typer.Option("--wait", help="Until it is accepted; exit code 1 if it is not.")
    ] = False,
    trust: TrustOpt = False,
    in_process: InProcessOpt = False,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Hand in a bot; the next worker checks it. The same name again is a new version."""
    parcel = receive(path, is_ignored)
    with open_roster(db, create=False) as roster:
        row = roster.league(league)
        try:
            entry, new = hand_in(roster, row, parcel, owner)
        except AnothersError as problem:
            yours = "; if it is yours, say so by --owner" if owner is None else ""
            raise ArenaError(
                f"expected a bot of {owner or 'nobody (no --owner)'}, got the content of "
                f"{problem.label}{yours}"
            ) from None
        if not new:
            typer.echo(f"{entry.label} is in {league} already, unchanged: {_told(entry)}")
        else:
            size = f"{format_count(entry.files, 'file')}, {format_count(entry.size, 'byte')}"
            typer.echo(f"{entry.label}: RECEIVED, {size}")
        if wait:
            _wait(roster, entry, WorkerOptions(1, in_process, trust))
            entry = roster.entry_of(entry.id)
            typer.echo(f"{entry.label}: {_told(entry)}")
            for line in entry.detail.splitlines():
                typer.echo(f"    {plain(line)}")
            raise typer.Exit(1 if entry.state == "REJECTED" else 0)


def _told(entry: Entry) -> str:
    return f"{entry.status}{': ' + plain(entry.reason) if entry.reason else ''}"


def _wait(roster: Roster, entry: Entry, options: WorkerOptions) -> None:
    """Until it is checked: by this process, unless a worker is at it."""
    with (
        log_config.configure_logging(worker.SPAWN, 0, None) as queue,
        open_league_worker(roster, options, queue) as league_worker,
    ):
        while roster.entry_of(entry.id).state == "RECEIVED":
            if not league_worker.checks.check(entry):
                clock.sleep(POLL)


def _say(db: str, league: str, bot: str, state: str, reason: str) -> None:
    with open_roster(db, create=False) as roster:
        row = roster.league(league)
        assert row.id is not None
        entry = roster.entry(row.id, bot)
        if state == "RESUMED" and not entry.since and entry.state != "RECEIVED":
            state = "RECEIVED"  # it was never let play, and is checked first
        roster.say(entry.id, state, reason)
        typer.echo(f"{entry.label}: {_told(roster.entry_of(entry.id))}")


@app.command()
def withdraw(
    league: LeagueArg, bot: BotArg, reason: ReasonOpt = "", db: DbOpt = DEFAULT_DB
) -> None:
    """Take a bot out at its owner's wish; its games stay."""
    _say(db, league, bot, "WITHDRAWN", reason)


@app.command()
def suspend(league: LeagueArg, bot: BotArg, reason: ReasonOpt = "", db: DbOpt = DEFAULT_DB) -> None:
    """Take a bot out, for a reason."""
    _say(db, league, bot, "SUSPENDED", reason)


@app.command()
def resume(league: LeagueArg, bot: BotArg, reason: ReasonOpt = "", db: DbOpt = DEFAULT_DB) -> None:
    """Let a bot play again; one that never did is checked first."""
    _say(db, league, bot, "RESUMED", reason)


@app.command()
def work(
    leagues: Annotated[
        list[str] | None, typer.Argument(metavar="[LEAGUE]...", help="All if none is named.")
    ] = None,
    jobs: JobsOpt = None,
    follow: Annotated[
        bool, typer.Option("--follow/--once", help="Wait for more, or end when nothing is due.")
    ] = False,
    trust: TrustOpt = False,
    in_process: InProcessOpt = False,
    lease: Annotated[
        float,
        typer.Option(min=1, help="Seconds after which a silent worker is taken for dead."),
    ] = leases.LEASE,
    verbose: VerboseOpt = 0,
    log_file: LogFileOpt = None,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Check who is new and play what is due; as many workers as you like on one database."""
    names = leagues or []
    options = WorkerOptions(jobs or suggested_jobs(), in_process, trust, lease)
    resume = _again(names, jobs, follow, options, verbose, log_file, db)
    with open_roster(db, create=False) as roster:
        for name in names:
            roster.league(name)
        with (
            log_config.configure_logging(worker.SPAWN, verbose, log_file) as queue,
            open_league_worker(roster, options, queue) as league_worker,
            interruptible(league_worker.stop, resume),
        ):
            league_worker.work(names, follow)
        if league_worker.played:
            typer.echo(f"{format_count(league_worker.played, 'match')} played", err=True)
        if league_worker.stopping:
            typer.echo(f"to go on: {resume}", err=True)
            raise typer.Exit(130)
        league_worker.retries.raise_first()


def _again(
    names: list[str],
    jobs: int | None,
    follow: bool,
    options: WorkerOptions,
    verbose: int,
    log_file: Path | None,
    db: str,
) -> str:
    """The command that goes on."""
    words = ["arena", "league", "work", *names]
    words += ["--jobs", str(jobs)] if jobs else []
    words += ["--lease", f"{options.lease:g}"] if options.lease != leases.LEASE else []
    given = {"--follow": follow, "--trust-bots": options.trust, "--in-process": options.in_process}
    words += [word for word, is_given in given.items() if is_given]
    words += [f"-{'v' * verbose}"] if verbose else []
    words += ["--log-file", str(log_file)] if log_file else []
    words += db_words(db)
    return shlex.join(words)


@app.command()
def table(
    league: LeagueArg,
    players: Annotated[int | None, typer.Option(help="Only games of so many players.")] = None,
    everyone: Annotated[
        bool, typer.Option("--all", help="Retired and suspended bots too.")
    ] = False,
    db: DbOpt = DEFAULT_DB,
    form: FormOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """The leaderboard of a league."""
    form = settle_form(form, as_json)
    with read_roster(db) as roster:
        row = roster.league(league)
        found = board(roster, row, LeaderboardFilter(players=players) if players else None)
        board_report(roster, row, found, everyone).write(form)


@app.command()
def collusion(
    league: LeagueArg,
    most: Annotated[int, typer.Option(min=1, help="How many rows.")] = 20,
    db: DbOpt = DEFAULT_DB,
    form: FormOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """Who does better in whose presence than strength explains, by pair and by owner."""
    form = settle_form(form, as_json)
    with read_roster(db) as roster:
        row = roster.league(league)
        report = collusion_report(row, board(roster, row))
    replace(report, rows=report.rows[:most]).write(form)


@app.command()
def token(
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="Whose it is; entered if new.")],
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Make an owner's token for uploads, shown once; the one before is no longer good."""
    with open_roster(db) as roster:
        typer.echo(roster.new_token(owner))

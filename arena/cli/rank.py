"""arena rank: who is how good, and how sure that is."""

import json
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import (
    DbOpt,
    FormOpt,
    JsonOpt,
    OnlyGameOpt,
    OnlyPlayersOpt,
    TournamentOpt,
    settle_form,
)
from arena.reports import analysis
from arena.reports.leaderboard import Query, RankedResults, boards, gather
from arena.reports.output import OutputFormat
from arena.reports.table import write_all
from arena.reports.wording import DEFAULT_DB, plain
from engine.errors import ArenaError
from leagues.storage.results import read_store

app = typer.Typer(help="Who is how good, and how sure that is.", no_args_is_help=True)
WonderOpt = Annotated[str | None, typer.Option(metavar="NAME", help="Only seats with this wonder.")]
SeatOpt = Annotated[int | None, typer.Option(min=0, max=6, help="Only this seat, from 0.")]
OpponentOpt = Annotated[
    str | None, typer.Option(metavar="BOT", help="Only matches in which this bot sat too.")
]
ByOpt = Annotated[str | None, typer.Option(help="A table for each: players, wonder or seat.")]
BotArg = Annotated[str, typer.Argument(metavar="BOT", help="As tables call it.")]
UnratedOpt = Annotated[
    bool, typer.Option("--unrated", help="Also matches of bots that were not contained.")
]


@app.command()
def show(
    tournament: TournamentOpt = None,
    game: OnlyGameOpt = None,
    players: OnlyPlayersOpt = None,
    wonder: WonderOpt = None,
    seat: SeatOpt = None,
    opponent: OpponentOpt = None,
    by: ByOpt = None,
    unrated: UnratedOpt = False,
    db: DbOpt = DEFAULT_DB,
    form: FormOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """Show the leaderboard of every kind of game, with how sure it is of every place."""
    form = settle_form(form, as_json)
    query = Query(tournament, game, players, wonder, seat, opponent, by, unrated, db)
    with read_store(db) as store:
        write_all(boards(store, query), form)


def _results(query: Query) -> RankedResults:
    with read_store(query.db) as store:
        return gather(store, query)


@app.command()
def matrix(
    tournament: TournamentOpt = None,
    game: OnlyGameOpt = None,
    players: OnlyPlayersOpt = None,
    unrated: UnratedOpt = False,
    db: DbOpt = DEFAULT_DB,
    form: FormOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """Show who finishes above whom, and whether skill alone explains it."""
    form = settle_form(form, as_json)
    results = _results(Query(tournament, game, players, unrated=unrated, db=db))
    reports = analysis.meetings(results)
    if form in (OutputFormat.TABLE, OutputFormat.MD):
        logs = list(results.each())
        reports = [
            analysis.matrix(report, analysis.best_first(results, log))
            for report, log in zip(reports, logs, strict=True)
        ]
    write_all(reports, form)


@app.command()
def history(
    bot: BotArg,
    tournament: TournamentOpt = None,
    game: OnlyGameOpt = None,
    players: OnlyPlayersOpt = None,
    points: Annotated[int, typer.Option(min=1, max=200, help="How many rows.")] = 20,
    unrated: UnratedOpt = False,
    db: DbOpt = DEFAULT_DB,
    form: FormOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """Show how a bot's skill settled as matches were played."""
    form = settle_form(form, as_json)
    results = _results(Query(tournament, game, players, unrated=unrated, db=db))
    write_all(analysis.curve(results, bot, points), form)


@app.command()
def explain(
    bot: BotArg,
    tournament: TournamentOpt = None,
    game: OnlyGameOpt = None,
    players: OnlyPlayersOpt = None,
    unrated: UnratedOpt = False,
    db: DbOpt = DEFAULT_DB,
    form: FormOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """Show why a bot is where it is: opponents and matches that moved it most."""
    form = settle_form(form, as_json)
    results = _results(Query(tournament, game, players, unrated=unrated, db=db))
    found = analysis.reasons(results, bot)
    if form is OutputFormat.JSON:
        facts = [
            {"opponents": json.loads(first.to_json()), "moves": json.loads(second.to_json())}
            for first, second in found
        ]
        typer.echo(json.dumps(facts))
    elif form is OutputFormat.CSV:
        write_all([first for first, _ in found], form)
    else:
        write_all([report for pair in found for report in pair], form)


@app.command()
def effects(
    tournament: TournamentOpt = None,
    game: OnlyGameOpt = None,
    players: OnlyPlayersOpt = None,
    bots: Annotated[
        bool, typer.Option("--bots", help="Also each bot with each wonder and left neighbour.")
    ] = False,
    unrated: UnratedOpt = False,
    db: DbOpt = DEFAULT_DB,
    form: FormOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """Show what is not skill: wonders, seats and neighbours, each with how sure it is."""
    form = settle_form(form, as_json)
    results = _results(Query(tournament, game, players, unrated=unrated, db=db))
    write_all(analysis.effects(results, bots), form)


@app.command()
def plot(
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", dir_okay=False, help="A .png or .svg file.")
    ],
    kind: Annotated[str, typer.Option(help="rating, matrix, scores or wonders.")] = "rating",
    tournament: TournamentOpt = None,
    game: OnlyGameOpt = None,
    players: OnlyPlayersOpt = None,
    unrated: UnratedOpt = False,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Draw ratings with their intervals, head to head, scores, or wonders; needs matplotlib."""
    try:
        from arena.reports import plots
    except ImportError as problem:
        raise ArenaError(
            f"expected matplotlib, got {problem}; pip install 'wonders-arena[plots]'"
        ) from None
    results = _results(Query(tournament, game, players, unrated=unrated, db=db))
    plots.draw(results, kind, out)
    typer.echo(f"wrote {plain(str(out))}")

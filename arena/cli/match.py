"""arena match: single matches, as they were stored."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import (
    DbOpt,
    Lang,
    LangOpt,
    LineOptions,
    OutOpt,
    OutputOptions,
    TournamentOpt,
    grouped,
)
from arena.cli.site import open_viewer
from arena.reports.wording import DEFAULT_DB, db_option

app = typer.Typer(help="Show, replay and debug stored matches.", no_args_is_help=True)
IdsArg = Annotated[list[int], typer.Argument(metavar="ID", help="Numbers of matches.")]
IdArg = Annotated[int, typer.Argument(metavar="ID", help="Number of the match.")]
ReasonOpt = Annotated[str, typer.Option(help="The reason; it is stored with the match.")]
ByOpt = Annotated[str, typer.Option(help="Who decided it; your login name if not given.")]


@app.command("list")
@grouped
def list_(
    *,
    tournament: TournamentOpt = None,
    bot: Annotated[
        str | None, typer.Option(metavar="BOT", help="Only matches with this bot.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="Only architects, or only seven.")] = None,
    players: Annotated[int | None, typer.Option(help="Only this number of players.")] = None,
    faulty: Annotated[
        bool, typer.Option("--faulty", help="Only matches in which a bot failed.")
    ] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many at most.")] = 20,
    db: DbOpt = DEFAULT_DB,
    output: OutputOptions,
) -> None:
    """List matches, the latest first."""
    from arena.reports.matches import list_matches
    from leagues.storage.match_filter import MatchFilter

    which = MatchFilter(game=game, players=players, faulty=faulty)
    list_matches(which, tournament, bot, limit, output.settle(), db)


@app.command()
@grouped
def show(
    id: IdArg,
    *,
    seat: Annotated[int | None, typer.Option(help="Only what happened at this seat.")] = None,
    browser: Annotated[
        bool, typer.Option("--browser", help="Watch it in a browser, until Ctrl-C.")
    ] = False,
    db: DbOpt = DEFAULT_DB,
    output: OutputOptions,
) -> None:
    """Show a match: seats, scores, times, faults with their tracebacks, what the bots printed."""
    from arena.tournament.matches.stored_match import show_match

    view = open_viewer(db) if browser else None
    show_match(id, seat, output.settle(), db)
    if view is not None:
        view(f"matches/{id}")


@app.command()
@grouped
def explain(
    id: IdArg,
    *,
    seat: Annotated[
        int | None, typer.Option(min=0, help="Seat to explain; the last place if not given.")
    ] = None,
    db: DbOpt = DEFAULT_DB,
    output: LineOptions,
) -> None:
    """Explain why a bot lost: points by category, turning points, and what else it might have done.

    oracle, the strongest built-in bot, judges every decision by what the seat could know; its
    judgement is a guess.
    """
    from arena.tournament.matches.explain_report import explain_match

    explain_match(id, seat, output.settle(), db)


@app.command()
def trace(
    id: IdArg,
    out: OutOpt = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Draw the table at each decision instead.")
    ] = False,
    lang: LangOpt = Lang.EN,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Write the trace of a match, for arena replay and for other programs."""
    from arena.tournament.matches.stored_match import write_match_trace

    write_match_trace(id, out, watch, lang, db)


@app.command()
@grouped
def verify(
    ids: IdsArg,
    *,
    db: DbOpt = DEFAULT_DB,
    output: LineOptions,
) -> int:
    """Replay matches from their decisions; exit code 1 if one ends differently."""
    from arena.tournament.matches.stored_match import verify_matches

    return verify_matches(ids, output.settle(), db)


@app.command()
def exclude(ids: IdsArg, reason: ReasonOpt, by: ByOpt = "", db: DbOpt = DEFAULT_DB) -> None:
    """Exclude matches from the ratings; they stay stored, with the reason."""
    from arena.league.organiser.moderation import organiser_name
    from leagues.storage.handle import open_storage

    with open_storage(db, create=False) as storage:
        for id in ids:
            if storage.reader.results.match(id).excluded:
                typer.echo(f"match {id} is excluded already; nothing was changed")
                continue
            storage.results.exclude(id, reason, organiser_name(by))
            back = f"arena match restore {id} --reason WHY{db_option(db)}"
            typer.echo(f"match {id} is excluded from now on; to undo this: {back}")
        storage.ratings.complete()


@app.command()
def restore(ids: IdsArg, reason: ReasonOpt, by: ByOpt = "", db: DbOpt = DEFAULT_DB) -> None:
    """Count excluded matches again."""
    from arena.league.organiser.moderation import organiser_name
    from leagues.storage.handle import open_storage

    with open_storage(db, create=False) as storage:
        for id in ids:
            if not storage.reader.results.match(id).excluded:
                typer.echo(f"match {id} is not excluded; nothing was changed")
                continue
            storage.results.restore(id, reason, organiser_name(by))
            typer.echo(f"match {id} counts again")
        storage.ratings.complete()


@app.command()
@grouped
def debug(
    id: IdArg,
    *,
    seat: Annotated[int, typer.Option(min=0, help="Seat whose decisions are asked again.")],
    decision: Annotated[
        int | None,
        typer.Option(min=0, help="A decision; if not given, where the bot failed, or its last."),
    ] = None,
    bot: Annotated[
        str | None,
        typer.Option(metavar="BOT", help="Ask this bot instead, or the bot at its new path."),
    ] = None,
    pdb: Annotated[bool, typer.Option("--pdb", help="Stop there in the debugger.")] = False,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE.py", help="Write the decision as a test.")
    ] = None,
    db: DbOpt = DEFAULT_DB,
    output: LineOptions,
) -> None:
    """Ask a bot again what it was asked in a match: same views, same options, same dice.

    A Python bot runs in this process, so only your own; a program runs in the sandbox. It is asked
    every decision of the seat up to the given one, and the answers that differ from the match are
    listed.
    """
    from arena.tournament.matches.debug_report import DebugRequest, debug_seat

    debug_seat(DebugRequest(id, seat, decision, bot, pdb, save), output.settle(), db)


@app.command()
@grouped
def diff(
    first: IdArg,
    second: Annotated[int, typer.Argument(metavar="ID2", help="Number of the other match.")],
    *,
    db: DbOpt = DEFAULT_DB,
    output: LineOptions,
) -> int:
    """Show where two matches differ; exit code 1 if they do."""
    from arena.tournament.matches.debug_report import diff_matches

    return diff_matches(first, second, output.settle(), db)

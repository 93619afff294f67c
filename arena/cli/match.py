"""arena match: single matches, as they were stored."""

import json
from dataclasses import replace
from typing import Annotated

import typer

from arena.cli import match_debug as debugging
from arena.cli.options import (
    DbOpt,
    FormOpt,
    JsonOpt,
    Lang,
    LangOpt,
    LinesOpt,
    OutOpt,
    settle_form,
)
from arena.reports import lookup, matches
from arena.reports.output import OutputFormat, create_file, report_file
from arena.reports.replay import replay_trace
from arena.reports.wording import DEFAULT_DB, db_option, display_names, plain
from arena.tournament.verify import contradiction
from engine.catalog import find
from engine.errors import ArenaError
from engine.replay import trace as trace_of
from engine.replay import write_trace
from leagues.storage.results import MatchFilter, Store, Stored, open_store, read_store

app = typer.Typer(help="Single matches, as they were stored.", no_args_is_help=True)
app.command()(debugging.debug)
app.command()(debugging.diff)
IdArg = Annotated[int, typer.Argument(metavar="ID", help="Number of the match.")]
ReasonOpt = Annotated[str, typer.Option(help="Why; it is kept with the match.")]
ByOpt = Annotated[str, typer.Option(help="Who decided it.")]


@app.command("list")
def list_(
    tournament: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only of this tournament or league.")
    ] = None,
    bot: Annotated[str | None, typer.Option(metavar="BOT", help="Only with this bot.")] = None,
    game: Annotated[str | None, typer.Option(help="Only of architects, or of seven.")] = None,
    players: Annotated[int | None, typer.Option(help="Only with so many players.")] = None,
    faulty: Annotated[
        bool, typer.Option("--faulty", help="Only those in which a bot failed.")
    ] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many at most.")] = 20,
    db: DbOpt = DEFAULT_DB,
    form: FormOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """List matches, the latest first."""
    form = settle_form(form, as_json)
    with read_store(db) as store:
        where = lookup.matches_of(store, tournament) if tournament else MatchFilter()
        entrants = lookup.entrants_of(store, where) if bot else []
        which = replace(
            where,
            game=find(game).id if game else None,
            players=players,
            entrant=lookup.find_entrant(entrants, bot).id if bot else None,
            faulty=faulty,
        )
        matches.matches(store, which, limit).write(form)


@app.command()
def show(
    id: IdArg,
    seat: Annotated[int | None, typer.Option(help="Only what happened at this seat.")] = None,
    db: DbOpt = DEFAULT_DB,
    form: FormOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """Show a match: seats, scores, times, faults with their tracebacks, what the bots printed."""
    form = settle_form(form, as_json)
    with read_store(db) as store:
        stored = store.match(id)
        players = stored.match.players
        if seat is not None and not 0 <= seat < players:
            raise ArenaError(f"expected a seat from 0 to {players - 1}, got {seat}")
        if form is OutputFormat.JSON:
            names = display_names(store.entrants())
            facts = matches.facts(stored, names, matches.tournament_of(store, stored).name)
            typer.echo(json.dumps(facts))
            return
        matches.seats(store, stored).write(form)
        if form is OutputFormat.TABLE:
            _tell(stored, seat, db)


def _tell(stored: Stored, only: int | None, db: str) -> None:
    """What the bots said, indented; then how to see more."""
    result = stored.result
    for seat, bot in enumerate(result.spec.bots):
        if only not in (None, seat):
            continue
        for fault in result.faults:
            if fault.seat == seat:
                what = f"{fault.kind} at decision {fault.decision}"
                _quote(f"seat {seat}, {bot}: {what}", fault.detail)
        if result.accounts and result.accounts[seat].printed:
            _quote(f"seat {seat}, {bot} printed:", result.accounts[seat].printed)
    where = db_option(db)
    id = stored.match.id
    typer.echo(f"\nto see it move by move: arena match trace {id} --watch{where}")
    typer.echo(f"to check it against the rules: arena match verify {id}{where}")


def _quote(heading: str, words: str) -> None:
    typer.echo(f"\n{plain(heading)}")
    for line in words.strip("\n").split("\n"):
        typer.echo(f"    {plain(line.expandtabs())}")


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
    if watch and out:
        raise ArenaError("expected --watch or --out, got both")
    with read_store(db) as store:
        result = store.match(id).result
    if problem := contradiction(result):
        raise ArenaError(f"match {id}: {problem}")
    line = write_trace(trace_of(result))
    if watch:
        replay_trace(line, None, True, lang)
    elif out:
        with create_file(out) as file:
            file.write(line + "\n")
        report_file(out)
    else:
        typer.echo(line)


@app.command()
def verify(
    ids: Annotated[list[int], typer.Argument(metavar="ID...", help="Numbers of matches.")],
    db: DbOpt = DEFAULT_DB,
    form: LinesOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """Play matches again from their decisions; exit code 1 if one comes out otherwise."""
    form = settle_form(form, as_json, lines=True)
    found = []
    with read_store(db) as store:
        damaged = {damage.match: damage.text for damage in store.check()}
        for id in ids:
            problem = damaged.get(id) or _problem(store, id)
            found.append({"match": id, "problem": problem})
            if form is OutputFormat.TABLE:
                typer.echo(plain(f"match {id}: {problem or 'confirmed by the rules'}"))
    if form is OutputFormat.JSON:
        typer.echo(json.dumps(found))
    raise typer.Exit(1 if any(each["problem"] for each in found) else 0)


def _problem(store: Store, id: int) -> str | None:
    return contradiction(store.match(id).result)


@app.command()
def exclude(id: IdArg, reason: ReasonOpt, by: ByOpt = "", db: DbOpt = DEFAULT_DB) -> None:
    """Leave a match out of the ratings; it stays stored, and so does the reason."""
    with open_store(db, create=False) as store:
        store.exclude(id, reason, by)
    back = f"arena match restore {id} --reason WHY{db_option(db)}"
    typer.echo(f"match {id} is excluded from now on; {back} takes it back")


@app.command()
def restore(id: IdArg, reason: ReasonOpt, by: ByOpt = "", db: DbOpt = DEFAULT_DB) -> None:
    """Let a match count again that was excluded."""
    with open_store(db, create=False) as store:
        store.restore(id, reason, by)
    typer.echo(f"match {id} counts again")

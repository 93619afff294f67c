"""arena tournament list, status, verify, export: what became of tournaments."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.cli.options import (
    DbOpt,
    FormOpt,
    JobsOpt,
    JsonOpt,
    LinesOpt,
    OutOpt,
    settle_form,
)
from arena.reports import lookup
from arena.reports import matches as scorebook
from arena.reports.output import OutputFormat, create_file, report_file
from arena.reports.table import write_all
from arena.reports.terminal import console
from arena.reports.wording import DEFAULT_DB, format_count, join_words, plain
from arena.tournament import status as records
from arena.tournament.verify import Problem, Verification
from bots.sandbox.probe import suggested_jobs
from engine.errors import ArenaError
from leagues.storage.models import Tournament
from leagues.storage.results import Store, read_store

PAUSE: Final = 2.0  # seconds between two looks at a tournament that is followed
NameArg = Annotated[str, typer.Argument(metavar="NAME", help="Name of the tournament.")]


def list_(
    db: DbOpt = DEFAULT_DB, form: FormOpt = OutputFormat.TABLE, as_json: JsonOpt = False
) -> None:
    """List the tournaments of a database."""
    form = settle_form(form, as_json)
    with read_store(db) as store:
        records.tournaments(store).write(form)


def status(
    name: NameArg,
    follow: Annotated[
        bool, typer.Option("--follow", help="Show it again as it goes on, until it is complete.")
    ] = False,
    db: DbOpt = DEFAULT_DB,
    form: FormOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """Show how far a tournament is, who failed in it, and how to go on."""
    form = settle_form(form, as_json, lines=follow)
    if follow:
        _follow(name, db, form)
    else:
        _show(_status(name, db), form)


def _status(name: str, db: str) -> records.Status:
    with read_store(db) as store:
        return records.Status(store, lookup.find_tournament(store, name), db)


def _show(found: records.Status, form: OutputFormat) -> None:
    if form is OutputFormat.JSON:
        typer.echo(json.dumps(found.facts()))
        return
    reports = [found.faults(), found.incidents(), found.tracks()]
    if form is OutputFormat.CSV:
        found.tracks().write(form)
        return
    shown = [report for report in reports if report.rows or report is reports[-1]]
    write_all(shown, form)


def _follow(name: str, db: str, form: OutputFormat) -> None:
    """The whole picture on a terminal; anywhere else a line whenever something has changed."""
    live = form is OutputFormat.TABLE and sys.stdout.isatty()
    before = -1
    while True:
        found = _status(name, db)
        if live:
            console().clear()
            _show(found, form)
        elif found.played != before:
            typer.echo(
                json.dumps(found.facts()) if form is OutputFormat.JSON else plain(found.line())
            )
        before = found.played
        if found.complete:
            break
        time.sleep(PAUSE)
    if not live and form is OutputFormat.TABLE:
        typer.echo("complete")


def verify(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="Of a tournament or a league; all if not given."),
    ] = None,
    db: DbOpt = DEFAULT_DB,
    jobs: JobsOpt = None,
    form: LinesOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """Check what is stored: checksums, every match played again, the schedule, the table.

    Every problem is named; exit code 1 if there is one.
    """
    form = settle_form(form, as_json, lines=True)
    with read_store(db) as store:
        rows = lookup.tournaments_of(store, name) if name else store.tournaments()
        if not rows:
            raise ArenaError(f"expected a tournament to verify in {db}, got none")
        checked = [Verification(store, row, jobs or suggested_jobs()) for row in rows]
        problems = []
        for problem in _problems(store, checked):
            problems.append(problem)
            if form is OutputFormat.TABLE:
                typer.echo(plain(str(problem)))
        _conclude(rows, checked, problems, form)
    raise typer.Exit(1 if problems else 0)


def _problems(store: Store, checked: list[Verification]) -> Iterator[Problem]:
    for damage in store.check():
        yield Problem(damage.text)
    with _bar(sum(each.size for each in checked)) as bar:
        task = bar.tasks[0].id
        for each in checked:
            try:
                yield from each.problems(lambda seen: bar.advance(task, seen))
            except ArenaError as problem:
                yield Problem(f"tournament {each.row.name}: {problem}")


@contextmanager
def _bar(total: int) -> Iterator[Progress]:
    console = Console(stderr=True, highlight=False, markup=False)
    columns = (TextColumn("replaying"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        bar.add_task("", total=total)
        yield bar


def _conclude(
    rows: list[Tournament], checked: list[Verification], problems: list[Problem], form: OutputFormat
) -> None:
    matches = sum(each.size for each in checked)
    unplaced = sum(each.unplaced for each in checked)
    names = [row.name for row in rows]
    if form is not OutputFormat.TABLE:
        found = [{"match": problem.match, "problem": problem.text} for problem in problems]
        facts = {"tournaments": names, "matches": matches, "unplaced": unplaced, "problems": found}
        typer.echo(json.dumps(facts))
        return
    what = f"{format_count(matches, 'match')} of {plain(join_words(names))}"
    if problems:
        typer.echo(f"{format_count(len(problems), 'problem')} in {what}")
        return
    typer.echo(f"{what}: checksums, rules, schedule and table confirmed")
    if unplaced:
        typer.echo(f"{unplaced:,} of them were placed by earlier results; their tables were not")


def export(
    name: NameArg,
    out: OutOpt = None,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="A row a seat; else one match a line as JSON.")
    ] = False,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Write all matches of a tournament or league, with specs, decisions, faults and accounts."""
    with read_store(db) as store:
        which = lookup.matches_of(store, name)
        with create_file(out) if out else nullcontext(sys.stdout) as file:
            if as_csv:
                scorebook.export_csv(store, which, file)
            else:
                for line in scorebook.export_lines(store, which):
                    file.write(line + "\n")
        if out:
            report_file(out, format_count(store.count(which), "match"))

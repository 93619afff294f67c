"""The problems that a verification finds in a database, printed as they are found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.reports.lookup import tournaments_of
from arena.reports.output import OutputFormat
from arena.reports.wording import format_count, join_words
from arena.tournament.verify import Discrepancy, Verification
from bots.protocol.sanitize import for_terminal
from bots.sandbox.probe import suggested_jobs
from engine.errors import ArenaError
from leagues.storage.handle import StorageReader, read_storage


def verify_tournaments(name: str | None, db: str, jobs: int | None, format: OutputFormat) -> int:
    """Verify a tournament, the stages of a league, or everything; 1 if there is a problem."""
    with read_storage(db) as reader:
        rows = tournaments_of(reader, name) if name else reader.results.tournaments()
        if not rows:
            raise ArenaError(f"nothing to verify: {db} has no tournament")
        checked = [Verification(reader, row, jobs or suggested_jobs()) for row in rows]
        problems = []
        for problem in _problems(reader, checked):
            problems.append(problem)
            if format is OutputFormat.TABLE:
                print(for_terminal(str(problem)))  # noqa: T201
        if format is OutputFormat.TABLE:
            print("\n".join(_conclusion(checked, problems)))  # noqa: T201
        else:
            print(json.dumps(_facts(checked, problems)))  # noqa: T201
    return 1 if problems else 0


def _problems(reader: StorageReader, checked: list[Verification]) -> Iterator[Discrepancy]:
    if (missing := reader.database.missing_log()) is not None:
        yield Discrepancy(missing)
    for damage in reader.results.damages():
        yield Discrepancy(damage.text)
    for text in _stored_ratings(reader, checked):
        yield Discrepancy(text)
    with _bar(sum(each.size for each in checked)) as bar:
        task = bar.tasks[0].id
        for each in checked:
            try:
                yield from each.problems(lambda seen: bar.advance(task, seen))
            except ArenaError as problem:
                yield Discrepancy(f"tournament {each.row.name}: {problem}")


def _stored_ratings(reader: StorageReader, checked: list[Verification]) -> Iterator[str]:
    """Where stored ratings differ from what the results make of them."""
    try:
        yield from reader.ratings.problems([each.row.id for each in checked])
    except ArenaError as problem:
        yield f"the stored ratings cannot be checked: {problem}"


@contextmanager
def _bar(total: int) -> Iterator[Progress]:
    console = Console(stderr=True, highlight=False, markup=False)
    columns = (TextColumn("replaying"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        bar.add_task("", total=total)
        yield bar


def _facts(checked: list[Verification], problems: list[Discrepancy]) -> dict[str, object]:
    return {
        "tournaments": [each.row.name for each in checked],
        "matches": sum(each.size for each in checked),
        "unplaced": sum(each.unplaced for each in checked),
        "problems": [{"match": problem.match, "problem": problem.text} for problem in problems],
    }


def _conclusion(checked: list[Verification], problems: list[Discrepancy]) -> list[str]:
    matches = format_count(sum(each.size for each in checked), "match")
    what = f"{matches} of {for_terminal(join_words(each.row.name for each in checked))}"
    if problems:
        return [f"{format_count(len(problems), 'problem')} in {what}"]
    scheduled = not all(each.row.is_series for each in checked)
    found = "checksums, rules, schedule, table and ratings" if scheduled else "checksums and rules"
    lines = [f"{what}: {found} confirmed"]
    if unplaced := sum(each.unplaced for each in checked):
        lines.append(f"{unplaced:,} of them were placed by earlier results; their tables were not")
    return lines

"""The status of a tournament, once or for as long as it is played."""

from __future__ import annotations

import json
import sys
from time import sleep
from typing import Final

from arena.reports.lookup import find_tournament
from arena.reports.output import OutputFormat
from arena.reports.table import write_all
from arena.reports.terminal import console
from arena.tournament.status import Status
from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError
from leagues.storage.handle import read_storage

PAUSE: Final = 2.0  # seconds between two looks


def show_status(name: str, db: str, format: OutputFormat) -> None:
    """Print how far a tournament is."""
    _print(_status(name, db), format)


def follow_status(name: str, db: str, format: OutputFormat) -> None:
    """The tables again and again on a terminal; elsewhere a line whenever matches were added."""
    live = format is OutputFormat.TABLE and sys.stdout.isatty()
    before = -1
    while True:
        found = _status(name, db)
        if live:
            console().clear()
            _print(found, format)
        elif found.played != before:
            is_json = format is OutputFormat.JSON
            line = json.dumps(found.facts()) if is_json else for_terminal(found.line())
            print(line, flush=True)  # noqa: T201
        before = found.played
        if found.complete:
            break
        sleep(PAUSE)
    if not live and format is OutputFormat.TABLE:
        print("complete")  # noqa: T201


def _status(name: str, db: str) -> Status:
    with read_storage(db) as reader:
        row = find_tournament(reader, name)
        if row.is_series:
            more = f"arena match list --tournament {row.name}"
            raise ArenaError(f"expected a tournament, got a run of {row.command}: {more}")
        return Status(reader, row, db)


def _print(found: Status, format: OutputFormat) -> None:
    if format is OutputFormat.JSON:
        print(json.dumps(found.facts()))  # noqa: T201
    elif format is OutputFormat.CSV:
        found.tracks().write(format)
    else:
        extra = [report for report in (found.faults(), found.incidents()) if report.rows]
        write_all([*extra, found.tracks()], format)

"""All matches of a tournament or league, written to a file or to stdout."""

import sys
from contextlib import nullcontext
from pathlib import Path

from arena.reports.lookup import matches_of
from arena.reports.matches import export_csv, export_lines
from arena.reports.output import create_file, report_file
from arena.reports.wording import format_count
from leagues.storage.handle import read_storage


def export_matches(name: str, db: str, out: Path | None, as_csv: bool, points: bool) -> None:
    """Write one row per seat as CSV, or one match per line as JSON; with score sheets if asked."""
    with read_storage(db) as reader:
        which = matches_of(reader, name)
        with create_file(out) if out else nullcontext(sys.stdout) as file:
            if as_csv:
                export_csv(reader, which, file, points)
            else:
                for line in export_lines(reader, which, points):
                    file.write(line + "\n")
        if out:
            report_file(out, format_count(reader.results.count(which), "match"))

"""Tokens, organisers and invitations, as an organiser commands them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from arena.league.organiser.moderation import organiser_name
from arena.reports.output import OutputFormat, read_text
from arena.reports.table import Column, Report
from arena.reports.wording import format_time
from engine.errors import ArenaError
from leagues.storage.handle import open_storage, read_storage
from leagues.submissions.lifecycle import check_owner


def show_tokens(owner: str, format: OutputFormat, db: str) -> None:
    """Print the tokens of an owner."""
    with read_storage(db) as reader:
        rows = [
            {
                "id": each.id,
                "name": each.name,
                "made": each.created,
                "expires": each.expires or None,
                "valid": each.is_valid,
            }
            for each in reader.accounts.tokens(owner)
        ]
    columns = (
        Column("id", "id"),
        Column("name", "name"),
        Column("made", "made", text=format_time),
        Column("expires", "expires", text=format_time),
        Column("valid", "valid", "yes or no"),
    )
    Report(owner, columns, rows).write(format)


def name_organiser(owner: str, is_organiser: bool, reason: str, by: str, db: str) -> str:
    """Make an owner an organiser, or not any more."""
    with open_storage(db) as storage:
        storage.accounts.set_organiser(owner, is_organiser, reason, organiser_name(by))
    return f"{owner} is {'an organiser' if is_organiser else 'no organiser any more'}"


def change_team(team: str, add: list[str], remove: list[str], reason: str, by: str, db: str) -> str:
    """Let people act for a team, or not any more; who does then."""
    if not add and not remove:
        raise ArenaError("expected --add or --remove with an owner, got neither")
    who = organiser_name(by)
    with open_storage(db, create=False) as storage:
        for is_member, names in ((True, add), (False, remove)):
            for name in names:
                storage.teams.set_member(team, name, is_member, reason, who)
        members = storage.reader.teams.all().get(team, [])
    return f"for {team} act: {', '.join(members) or 'nobody'}"


def invite_people(names: list[str], file: Path | None, site: str, by: str, db: str) -> str:
    """Links for all of them, as a CSV; nobody is invited if one of the names is none."""
    wanted = [*names, *(_names_of(file) if file else [])] or [""]
    for name in filter(None, wanted):
        check_owner(name)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["name", "link"])
    with open_storage(db) as storage:
        for name in wanted:
            secret = storage.invitations.invite(name, organiser_name(by))
            writer.writerow([name, f"{site.rstrip('/')}/join/{secret}"])
    return out.getvalue()


def _names_of(file: Path) -> list[str]:
    rows = csv.DictReader(io.StringIO(read_text(file)))
    if "name" not in (rows.fieldnames or ()):
        raise ArenaError(f"expected a column name in {file}, got {rows.fieldnames}")
    return [row["name"].strip() for row in rows if row["name"]]

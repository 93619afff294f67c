"""Tokens, organisers and invitations, as an organiser commands them."""

from __future__ import annotations

import csv
import io
import time
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
    """Links for all of them, as a CSV; nobody is invited if one of the names is none.

    Other columns of the file, such as where to write to, are printed as they came.
    """
    columns, people = _read_people(file) if file else (["name"], [])
    people = [*({"name": name} for name in names), *people] or [{"name": ""}]
    for person in people:
        if person["name"]:
            check_owner(person["name"])
    out = io.StringIO()
    writer = csv.DictWriter(out, [*columns, "link"], lineterminator="\n")
    writer.writeheader()
    with open_storage(db) as storage:
        for person in people:
            secret = storage.invitations.invite(person["name"], organiser_name(by))
            writer.writerow(person | {"link": f"{site.rstrip('/')}/join/{secret}"})
    return out.getvalue()


def _read_people(file: Path) -> tuple[list[str], list[dict[str, str]]]:
    """The columns of a CSV, but for one of links, and a row for everybody with a name."""
    rows = csv.DictReader(io.StringIO(read_text(file)))
    columns = [each for each in rows.fieldnames or () if each and each != "link"]
    if "name" not in columns:
        raise ArenaError(f"expected a column name in {file}, got {rows.fieldnames}")
    people = [{column: (row[column] or "").strip() for column in columns} for row in rows]
    return columns, [person for person in people if person["name"]]


def show_invitations(everything: bool, format: OutputFormat, db: str) -> None:
    """Print the invitations that hold, or all there ever were."""
    now = time.time()
    with read_storage(db) as reader:
        rows = [
            {
                "id": each.id,
                "name": each.name,
                "state": "EXPIRED" if each.is_expired(now) else each.state.value,
                "made": each.created,
                "expires": each.expires,
                "note": each.note,
            }
            for each in reader.invitations.all()
            if everything or (each.is_open and not each.is_expired(now))
        ]
    columns = (
        Column("id", "id"),
        Column("name", "name"),
        Column("state", "state"),
        Column("made", "made", text=format_time),
        Column("expires", "expires", text=format_time),
        Column("note", "note"),
    )
    Report("invitations", columns, rows).write(format)


def call_back(number: int, reason: str, by: str, db: str) -> str:
    """Let an invitation lead nowhere any more."""
    with open_storage(db, create=False) as storage:
        storage.invitations.decide(number, False, reason, organiser_name(by))
    return f"invitation {number} no longer holds"

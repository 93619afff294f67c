"""arena doctor, upgrade and backup: the state of the machine and of the database."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import DbOpt, JsonOpt
from arena.reports.wording import DEFAULT_DB


def doctor(as_json: JsonOpt = False) -> int:
    """Show how well bots are isolated here, and how to improve it; exit code 3 if unsafe."""
    from arena.reports.doctor import show_machine

    return show_machine(as_json)


def upgrade(db: DbOpt = DEFAULT_DB) -> None:
    """Upgrade the schema of a database; commands that write do it themselves."""
    from leagues.storage.database import shown
    from leagues.storage.handle import open_storage

    with open_storage(db, create=False) as storage:
        storage.ratings.complete()
    typer.echo(f"{shown(db)} is up to date")


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy is written.")],
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    db: DbOpt = DEFAULT_DB,
) -> None:
    """Copy a database to FILE while it is in use.

    To restore it, put FILE in the place of the database.
    """
    from engine.errors import ArenaError
    from leagues.storage.database import shown, sqlite_file
    from leagues.storage_files import backup_file

    source = sqlite_file(db)
    if source is None:
        raise ArenaError(f"expected a SQLite database, got {shown(db)}: use pg_dump for PostgreSQL")
    size = backup_file(source, file, force)
    typer.echo(f"{file}: {size / 1e6:,.1f} MB, a complete copy of {source}")

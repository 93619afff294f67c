"""arena upgrade: the database of an older program, made ready for this one."""

import typer

from arena.cli.options import DbOpt
from arena.reports.wording import DEFAULT_DB
from leagues.storage.results import open_store, shown


def upgrade(db: DbOpt = DEFAULT_DB) -> None:
    """Bring the schema of a database up to date; nothing in it is lost. Writing does it too."""
    open_store(db, create=False).close()
    typer.echo(f"{shown(db)} is up to date")

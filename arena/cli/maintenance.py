"""arena doctor and upgrade: the state of the machine and of the database."""

import typer

from arena.cli.options import DbOpt, JsonOpt
from arena.reports.wording import DEFAULT_DB


def doctor(as_json: JsonOpt = False) -> int:
    """Show how well bots are isolated here, and how to improve it; exit code 3 if unsafe."""
    from arena.reports.doctor import show_machine

    return show_machine(as_json)


def upgrade(db: DbOpt = DEFAULT_DB) -> None:
    """Bring the schema of a database up to date; nothing in it is lost. Writing does it too."""
    from leagues.storage.database import shown
    from leagues.storage.handle import open_storage

    open_storage(db, create=False).close()
    typer.echo(f"{shown(db)} is up to date")

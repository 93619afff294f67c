"""The schema brought up to date, or one line that says why it cannot be used."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from sqlmodel import SQLModel

from leagues.errors import NoDatabaseError, StorageError

if TYPE_CHECKING:  # alembic loads slowly, and a schema that is the newest does not need it
    from alembic.script import ScriptDirectory

HISTORY: Final = Path(__file__).parent
HEAD: Final = "0011"  # its newest revision
# As alembic makes it.
REVISIONS: Final = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def migrate(
    connection: sa.Connection, place: str, history: Path | None = None, target: str = "head"
) -> None:
    """Take the steps that the schema still lacks, all or none."""
    if history is None and target == "head":
        if is_newest(connection):
            return
        if not sa.inspect(connection).get_table_names():
            _create_newest(connection)
            return
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    history = history or HISTORY
    config = Config()
    # A path with % would be read as a reference to another setting.
    config.set_main_option("script_location", str(history).replace("%", "%%"))
    script = ScriptDirectory(str(history))
    found = _revision(connection, script, place)
    if found == script.as_revision_number(target):
        return

    def steps(revision: Any, _: object) -> Any:
        return script._upgrade_revs(target, revision)

    with EnvironmentContext(config, script, fn=steps, destination_rev=target) as environment:
        environment.configure(connection=connection, transactional_ddl=True)
        environment.run_migrations()


def newest_schema() -> sa.MetaData:
    """All tables that the newest database has."""
    from leagues.storage.models import accounts, leagues, ratings, results  # noqa: F401

    return SQLModel.metadata


def _create_newest(connection: sa.Connection) -> None:
    """Make in an empty database what all steps would have made."""
    newest_schema().create_all(connection, checkfirst=False)  # there is no table
    REVISIONS.create(connection)
    connection.execute(sa.insert(REVISIONS).values(version_num=HEAD))


def check_head(connection: sa.Connection, place: str) -> None:
    """StorageError for any schema but the newest."""
    if is_newest(connection):
        return
    from alembic.script import ScriptDirectory

    script = ScriptDirectory(str(HISTORY))
    found = _revision(connection, script, place)
    if found is None:
        raise NoDatabaseError(
            f"no results yet: {place} is empty (arena tournament run ..., or --db FILE)"
        )
    raise StorageError(
        f"{place} has schema {found} of an older wonders-arena: "
        f"arena upgrade --db {shlex.quote(place)}"
    )


def is_newest(connection: sa.Connection) -> bool:
    """Whether the schema is the newest."""
    if not sa.inspect(connection).has_table(REVISIONS.name):
        return False
    return connection.execute(sa.select(REVISIONS.c.version_num)).scalars().all() == [HEAD]


def _revision(connection: sa.Connection, script: ScriptDirectory, place: str) -> str | None:
    """The schema that is there; StorageError if it is not one of ours."""
    from alembic.runtime.migration import MigrationContext
    from alembic.util.exc import CommandError

    found = MigrationContext.configure(connection).get_current_revision()
    if found is None:
        strangers = sa.inspect(connection).get_table_names()
        if strangers:
            raise StorageError(
                f"expected a database of the arena, got one with the table {strangers[0]}"
            )
        return None
    try:
        script.get_revision(found)
    except CommandError:
        head = script.get_current_head()
        raise StorageError(
            f"{place} has schema {found} of a newer wonders-arena, this one knows up to {head}: "
            "update wonders-arena"
        ) from None
    return found

"""A database opened: the right kind, the right schema, or one line that says what is wrong."""

import fcntl
import os
import shlex
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from engine.errors import ArenaError

PATIENCE: Final = 60  # seconds to wait for another writer
HISTORY: Final = Path(__file__).with_name("migrations")
# A damaged file of SQLite may even complain in bytes that are no text.
UNREADABLE: Final = (SQLAlchemyError, UnicodeError)
LOCK: Final = 7_070_707  # any number of our own, for databases with advisory locks


class StoreError(ArenaError):
    """The database cannot be opened, read or written."""


class AbsentError(StoreError):
    """There is no database yet."""


class UnknownError(StoreError):
    """The database is sound, and does not have what was asked for."""


class RefusedError(StoreError):
    """The database is sound, and may not be told this now."""


def open_database(place: str | Path, create: bool = True) -> sa.Engine:
    """Open a file or a URL and bring its schema up to date."""
    url = _url_of(place)
    if url.get_backend_name() == "sqlite":
        path = _check_file(url, create)
        if not _may_write(path):
            raise StoreError(f"expected a database that may be written, got {path}")
        engine = sa.create_engine(url, connect_args={"timeout": PATIENCE})
        sa.event.listen(engine, "connect", _prepare)
        sa.event.listen(engine, "begin", _begin)
    else:
        engine = _server(url)
    return _agreed(engine, migrate)


def open_to_read(place: str | Path) -> sa.Engine:
    """Open a file or a URL as it is: nothing is written, and no writer is kept waiting."""
    url = _url_of(place)
    if url.get_backend_name() == "sqlite":
        path = _check_file(url, create=False)
        engine = sa.create_engine(url, creator=partial(_connect_to_read, path))
        sa.event.listen(engine, "begin", _begin)
    else:
        engine = _server(url, execution_options={"postgresql_readonly": True})
    return _agreed(engine, partial(_check_head, shown(str(place))))


def _server(url: URL, **settings: Any) -> sa.Engine:
    try:
        return sa.create_engine(url, **settings)
    except ImportError as problem:
        raise _driverless(url, problem) from None


def _agreed(engine: sa.Engine, agree: Callable[[sa.Engine], None]) -> sa.Engine:
    """The engine, once its schema is seen to."""
    try:
        with translate_db_errors(engine):
            agree(engine)
    except BaseException:
        engine.dispose()
        raise
    return engine


@contextmanager
def translate_db_errors(engine: sa.Engine) -> Iterator[None]:
    """Turn what the database complains about into one line."""
    try:
        yield
    except UNREADABLE as problem:
        cause = getattr(problem, "orig", None) or problem
        where = engine.url.render_as_string(hide_password=True)
        raise StoreError(f"expected to use {where}, got: {cause}") from problem
    except OverflowError as problem:
        raise StoreError("expected a number the database can hold, got a larger one") from problem


@contextmanager
def try_lock(engine: sa.Engine, number: int) -> Iterator[bool]:
    """Hold a number that one process at a time can have, while it lives; whether it could."""
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            took = sa.text("select pg_try_advisory_lock(:number)")
            yield bool(connection.execute(took, {"number": number}).scalar())
        return
    path = Path(f"{engine.url.database}-{number:x}.lock")
    while True:
        with path.open("w", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            if not _is_at(file.fileno(), path):
                continue  # who had it before has just removed it, and a third may hold the next
            try:
                yield True
            finally:
                path.unlink(missing_ok=True)
            return


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def shown(place: str) -> str:
    """A file or a URL as it may be printed: without its password."""
    try:
        return make_url(place).render_as_string(hide_password=True)
    except ArgumentError:
        return place


def migrate(engine: sa.Engine, history: Path = HISTORY, target: str = "head") -> None:
    """Take the steps that the schema still lacks, all or none."""
    config = Config()
    # A path with % would be read as a reference to another setting.
    config.set_main_option("script_location", str(history).replace("%", "%%"))
    script = ScriptDirectory(str(history))
    with writing(engine) as connection:
        found = MigrationContext.configure(connection).get_current_revision()
        _check_revision(connection, script, found)
        if found == script.as_revision_number(target):
            return

        def steps(revision: Any, _: object) -> Any:
            return script._upgrade_revs(target, revision)

        with EnvironmentContext(config, script, fn=steps, destination_rev=target) as environment:
            environment.configure(connection=connection, transactional_ddl=True)
            environment.run_migrations()


@contextmanager
def writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """One transaction that may write; writers take turns, whatever the database."""
    with engine.connect() as connection:
        connection = connection.execution_options(writing=True)
        with connection.begin():
            if connection.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
            yield connection


def _driverless(url: URL, problem: ImportError) -> StoreError:
    ours = "pip install 'wonders-arena[postgres]' and postgresql+psycopg://..."
    return StoreError(f"expected the driver of {url.drivername}, got {problem}; try: {ours}")


def _url_of(place: str | Path) -> URL:
    text = str(place)
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
        kind = url.get_backend_name()
        url.get_dialect()
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise StoreError(
            f"expected a file or a URL sqlite:///FILE or postgresql+psycopg://..., got {text}"
        ) from None
    except ImportError as problem:
        raise _driverless(url, problem) from None
    if kind not in ("sqlite", "postgresql"):
        raise StoreError(f"expected a database of SQLite or PostgreSQL, got {kind}")
    return url


def _check_file(url: URL, create: bool) -> Path:
    if url.database in (None, "", ":memory:"):
        raise StoreError("expected a database in a file, got one in memory")
    path = Path(str(url.database))
    if path.is_dir():
        raise StoreError(f"expected a database file, got the folder {path}")
    if not path.parent.is_dir():
        raise StoreError(f"expected a folder for {path}, got none")
    if not path.exists() and not create:
        raise AbsentError(f"expected a database, got no file {path}")
    try:
        start = _start(path) if path.exists() else b""
    except OSError as problem:
        raise StoreError(f"expected a database file, got {problem}") from None
    if start and start != b"SQLite format 3\0":
        raise StoreError(f"expected a SQLite database, got another file {path}")
    return path


def _may_write(path: Path) -> bool:
    # Beside the file lie its log and its index, which come and go.
    return all(os.access(each, os.W_OK) for each in (path.parent, path) if each.exists())


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, whatever may be written here."""
    log, index = (path.with_name(path.name + tail) for tail in ("-wal", "-shm"))
    if _may_write(path):
        how = "mode=rw"  # which takes away the index that every reader needs; mode=ro leaves it
    elif not log.exists() or not log.stat().st_size:
        how = "mode=ro&immutable=1"  # nobody writes, and no index can be made
    elif index.exists():
        how = "mode=ro"
    else:
        raise StoreError(
            f"expected a database at rest, got {path} with a log of writes: "
            "copy both to a folder that may be written"
        )
    uri = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(uri, timeout=PATIENCE, check_same_thread=False, uri=True)
    connection.isolation_level = None
    connection.execute("PRAGMA query_only = ON")
    return connection


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(16)


def _check_head(place: str, engine: sa.Engine) -> None:
    """Refuse any schema but the newest."""
    script = ScriptDirectory(str(HISTORY))
    with engine.connect() as connection:
        found = MigrationContext.configure(connection).get_current_revision()
        _check_revision(connection, script, found)
    head = script.get_current_head()
    if found is None:
        raise AbsentError(f"expected a database of the arena, got an empty one at {place}")
    if found != head:
        raise StoreError(
            f"expected schema {head}, got {found} of an older program: "
            f"arena upgrade --db {shlex.quote(place)}"
        )


def _check_revision(connection: sa.Connection, script: ScriptDirectory, found: str | None) -> None:
    if found is None:
        strangers = sa.inspect(connection).get_table_names()
        if strangers:
            raise StoreError(
                f"expected a database of the arena, got one with the table {strangers[0]}"
            )
        return
    try:
        script.get_revision(found)
    except CommandError:
        head = script.get_current_head()
        raise StoreError(
            f"expected schema {head} or older, got {found} of a newer program: update wonders-arena"
        ) from None


def _prepare(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin where `_begin` says, tables included
    for line in (
        f"busy_timeout = {PATIENCE * 1000}",
        "journal_mode = WAL",
        "synchronous = NORMAL",
        "foreign_keys = ON",
    ):
        connection.execute(f"PRAGMA {line}")


def _begin(connection: sa.Connection) -> None:
    # A reader that turned writer halfway could find its snapshot out of date.
    writes = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

"""A database opened for writing or for reading: transactions, locks, errors in plain words."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)
from sqlmodel import Session

from leagues.errors import (
    DatabaseUnavailableError,
    NoDatabaseError,
    RefusedError,
    StorageError,
)
from leagues.storage.migrations.migrate import check_head, is_newest, migrate
from leagues.storage_files import (
    adopt_copy,
    incomplete_copy_message,
    is_incomplete_copy,
    write_mark,
)

Record = TypeVar("Record")

MAX_WAIT: Final = 60  # seconds for another writer
CLOSE_WAIT: Final = 1  # seconds for readers when a file is closed
# A damaged file of SQLite may even complain in bytes that are no text.
UNREADABLE: Final = (SQLAlchemyError, UnicodeError)
WRITERS_LOCK: Final = 7_070_707  # any number of our own, for databases with advisory locks
# What the drivers say, and what it means; the way out where there is one.
PLAIN_WORDS: Final = (
    ("disk is full", "cannot write {where}: the disk is full"),
    ("No space left", "cannot write {where}: the disk is full"),
    ("readonly database", "cannot write {where}: it is read-only"),
    ("read-only transaction", "cannot write {where}: it was opened read-only"),
    ("out of range", "expected a number the database can hold, got a larger one"),
    ("database is locked", "{where} is busy: another process kept it locked for {wait} s"),
)


class Database:
    """An opened database; its parts (results, leagues, leases ...) are given one."""

    def __init__(self, engine: sa.Engine, may_write: bool) -> None:
        self.engine = engine
        self.may_write = may_write

    def close(self) -> None:
        """Close all connections; a file that was written is left with an empty log, if it can."""
        try:
            if self.may_write and is_file(self.engine):
                with self.engine.connect() as connection:
                    _empty_log(connection)
        except (*UNREADABLE, sqlite3.Error):
            pass  # the log stays, and with it the mark: nothing is lost
        finally:
            self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A connection for queries."""
        with translate_db_errors(self.engine), self.engine.connect() as connection:
            yield connection

    def records(self, record: type[Record], query: "sa.Select[Any]") -> list[Record]:
        """A record of every row of a query that selects the record's fields in their order."""
        with self.reading() as connection:
            return [record(*row) for row in connection.execute(query)]

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """One transaction that may write; writers take turns, whatever the database."""
        with translate_db_errors(self.engine), self._transaction() as connection:
            yield connection

    @contextmanager
    def write_session(self) -> Iterator[Session]:
        """One transaction that may write, with rows as objects."""
        with self.writing() as connection, Session(connection, expire_on_commit=False) as session:
            yield session
            session.flush()
            session.expunge_all()

    def migrate(self, history: Path | None = None, target: str = "head") -> None:
        """Bring the schema up to date; tables that others point to may be made anew.

        A schema that is the newest is not written to.
        """
        if history is None and target == "head":
            with self.reading() as reader:
                if is_newest(reader):
                    return
        with (
            translate_db_errors(self.engine),
            self.engine.connect() as connection,
            _without_foreign_keys(connection),
            self._transaction_on(connection) as writing,
        ):
            migrate(writing, shown(self._url()), history, target)

    def check_schema(self) -> None:
        """StorageError unless the schema is the newest."""
        with self.reading() as connection:
            check_head(connection, shown(self._url()))

    def missing_log(self) -> str | None:
        """What to say of a file that was copied without its log, and lacks results."""
        if not is_file(self.engine):
            return None
        path = Path(str(self.engine.url.database))
        return incomplete_copy_message(path) if is_incomplete_copy(path) else None

    @contextmanager
    def exclusive(self, key: str, what: str) -> Iterator[None]:
        """Hold what only one process may do at a time; RefusedError if another is at it."""
        number = int.from_bytes(blake2b(key.encode(), digest_size=7).digest(), "big")
        with try_lock(self.engine, number) as held:
            if not held:
                raise RefusedError(f"{what} is already running on this database")
            yield

    def _url(self) -> str:
        url = self.engine.url
        if url.get_backend_name() == "sqlite":
            return str(url.database)
        return url.render_as_string(hide_password=True)

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        with self.engine.connect() as connection, self._transaction_on(connection) as writing:
            yield writing

    @contextmanager
    def _transaction_on(self, connection: sa.Connection) -> Iterator[sa.Connection]:
        connection = connection.execution_options(writing=True)
        with connection.begin():
            if connection.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(WRITERS_LOCK)))
            yield connection


@contextmanager
def _without_foreign_keys(connection: sa.Connection) -> Iterator[None]:
    """SQLite looks at foreign keys again afterwards; it cannot change that in a transaction."""
    if connection.dialect.name != "sqlite":
        yield
        return
    driver: Any = connection.connection.dbapi_connection
    driver.execute("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        driver.execute("PRAGMA foreign_keys = ON")


def open_for_writing(place: str | Path, create: bool = True) -> Database:
    """Open a file or a URL and bring its schema up to date."""
    url = _url_of(place)
    if url.get_backend_name() == "sqlite":
        path = _check_file(url, create)
        if not _may_write(path):
            raise StorageError(f"cannot write {path}: the file or its folder is read-only")
        engine = sa.create_engine(url, connect_args={"timeout": MAX_WAIT})
        sa.event.listen(engine, "connect", _prepare)
        sa.event.listen(engine, "begin", _begin)
    else:
        engine = _server(url)
    return _with_schema(Database(engine, may_write=True))


def sqlite_file(place: str | Path) -> Path | None:
    """The file of a database that exists; None if it is a server's."""
    url = _url_of(place)
    return _check_file(url, create=False) if url.get_backend_name() == "sqlite" else None


def open_for_reading(place: str | Path) -> Database:
    """Open a file or a URL as it is: nothing is written, and no writer is kept waiting."""
    url = _url_of(place)
    if url.get_backend_name() == "sqlite":
        path = _check_file(url, create=False)
        engine = sa.create_engine(url, creator=partial(_connect_to_read, path))
        sa.event.listen(engine, "begin", _begin)
    else:
        engine = _server(url, execution_options={"postgresql_readonly": True})
    return _with_schema(Database(engine, may_write=False))


def _with_schema(database: Database) -> Database:
    """The database, once its schema is seen to."""
    try:
        if database.may_write:
            database.migrate()
        else:
            database.check_schema()
    except BaseException:
        database.close()
        raise
    return database


def _server(url: URL, **settings: Any) -> sa.Engine:
    try:
        # A connection that a restart of the server broke is noticed before it is used.
        return sa.create_engine(url, pool_pre_ping=True, **settings)
    except ImportError as problem:
        raise _driverless(url, problem) from None


def is_file(engine: sa.Engine) -> bool:
    """Whether the database is a file of SQLite, not a server."""
    return engine.dialect.name == "sqlite"


@contextmanager
def translate_db_errors(engine: sa.Engine) -> Iterator[None]:
    """Turn what the database complains about into one plain line."""
    try:
        yield
    except UNREADABLE as problem:
        cause = str(getattr(problem, "orig", None) or problem)
        where = shown(engine.url.render_as_string(hide_password=True))
        for words, text in PLAIN_WORDS:
            if words in cause:
                raise StorageError(text.format(where=where, wait=MAX_WAIT)) from problem
        lost = isinstance(problem, DBAPIError) and problem.connection_invalidated
        if lost or (isinstance(problem, OperationalError) and not is_file(engine)):
            raise DatabaseUnavailableError(f"{where} does not answer: {cause}") from problem
        raise StorageError(f"cannot use {where}: {cause}") from problem
    except OverflowError as problem:
        raise StorageError("expected a number the database can hold, got a larger one") from problem


@contextmanager
def try_lock(engine: sa.Engine, number: int) -> Iterator[bool]:
    """Hold a number that one process at a time can have, while it lives; whether it could."""
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            query = sa.text("select pg_try_advisory_lock(:number)")
            yield bool(connection.execute(query, {"number": number}).scalar())
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


def _driverless(url: URL, problem: ImportError) -> StorageError:
    return StorageError(
        f"cannot open {url.drivername}://...: its driver is not installed ({problem}); "
        "try: pip install 'wonders-arena[postgres]' and postgresql+psycopg://..."
    )


def _url_of(place: str | Path) -> URL:
    text = str(place)
    if "://" not in text:
        return URL.create("sqlite", database=text)
    if text.startswith("postgres://"):  # as hosts of databases spell it
        text = text.replace("postgres://", "postgresql://", 1)
    try:
        url = make_url(text)
        kind = url.get_backend_name()
        url.get_dialect()
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise StorageError(
            f"expected a file or a URL sqlite:///FILE or postgresql://..., got {text}"
        ) from None
    except ImportError as problem:
        raise _driverless(url, problem) from None
    if kind not in ("sqlite", "postgresql"):
        raise StorageError(f"expected a database of SQLite or PostgreSQL, got {kind}")
    return url


def _check_file(url: URL, create: bool) -> Path:
    if url.database in (None, "", ":memory:"):
        raise StorageError("expected a database in a file, got one in memory")
    path = Path(str(url.database))
    try:
        start = _first_bytes(path, create)
    except OSError as problem:
        raise StorageError(f"cannot read {path}: {problem.strerror}") from None
    if start and start != b"SQLite format 3\0":
        raise StorageError(f"expected a SQLite database, got another file {path}")
    if start and _may_write(path):
        with suppress(sqlite3.Error):  # what is wrong with it, who opens it will say
            adopt_copy(path)
    return path


def _first_bytes(path: Path, create: bool) -> bytes:
    """How a database file begins; nothing if it is yet to be made."""
    if path.is_dir():
        raise StorageError(f"expected a database file, got the folder {path}")
    if not path.parent.is_dir():
        raise StorageError(f"cannot make {path}: its folder does not exist")
    if path.exists():
        return _start(path)
    if not create:
        raise NoDatabaseError(
            f"no results yet: {path} does not exist (arena tournament run ..., or --db FILE)"
        )
    return b""


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
        raise StorageError(
            f"cannot read {path} here: it has a write-ahead log that is not finished; "
            f"copy it with {log.name} to a folder that may be written"
        )
    uri = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(uri, timeout=MAX_WAIT, check_same_thread=False, uri=True)
    connection.isolation_level = None
    connection.execute("PRAGMA query_only = ON")
    return connection


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(16)


def _prepare(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin where `_begin` says, tables included
    for line in (
        f"busy_timeout = {MAX_WAIT * 1000}",
        "journal_mode = WAL",
        "synchronous = NORMAL",
        "foreign_keys = ON",
    ):
        connection.execute(f"PRAGMA {line}")


def _begin(connection: sa.Connection) -> None:
    # A reader that turned writer halfway could find its snapshot out of date.
    writes = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
    if writes and not _mark(connection):
        _set_mark(connection, write_mark(_path(connection)))
        connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)").close()
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _path(connection: sa.Connection) -> Path:
    return Path(str(connection.engine.url.database))


def _mark(connection: sa.Connection) -> int:
    return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())


def _set_mark(connection: sa.Connection, mark: int) -> None:
    """Commit another mark, in the transaction that is under way."""
    connection.exec_driver_sql(f"PRAGMA user_version = {mark}")
    connection.exec_driver_sql("COMMIT")


def _empty_log(connection: sa.Connection) -> None:
    """Bring what is in the log into the file, and take its mark away if that is all there is."""
    path = _path(connection)
    if _mark(connection) != write_mark(path):
        return  # nothing was written, or it is the copy of a file that was in use
    connection.rollback()
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    raw.execute(f"PRAGMA busy_timeout = {CLOSE_WAIT * 1000}")
    raw.execute("BEGIN IMMEDIATE")
    raw.execute("PRAGMA user_version = 0")
    raw.execute("COMMIT")
    busy, *_ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raw.execute("BEGIN IMMEDIATE")
        raw.execute(f"PRAGMA user_version = {write_mark(path)}")
        raw.execute("COMMIT")

"""A database is opened at the right schema, or one line says why not."""

import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from leagues.errors import StorageError
from leagues.storage.database import Database, shown
from leagues.storage.handle import Storage, open_storage, read_storage
from leagues.storage.migrations.migrate import HEAD, HISTORY, newest_schema
from leagues.storage.results import ResultsWriter
from tests.leagues.storage.samples import begin, played, rated, result
from tests.support.command import environment

pytestmark = pytest.mark.slow

REVISIONS = [
    revision.revision for revision in reversed(list(ScriptDirectory(str(HISTORY)).walk_revisions()))
]
NEXT = """
import sqlalchemy as sa
from alembic import op
revision = "9999"
down_revision = {head!r}
def upgrade():
    op.create_table("prize", sa.Column("id", sa.Integer(), primary_key=True))
    op.execute("INSERT INTO prize (id) VALUES (1)")
    {more}
"""


def at_revision(place: str, revision: str, rows: Sequence[str] = ()) -> None:
    """A database as an older program left it, with rows that it wrote."""
    made = open_storage(place).database
    make_anew(made, revision)
    with made.engine.begin() as connection:
        for row in rows:
            connection.exec_driver_sql(row)
    made.close()


def make_anew(made: Database, revision: str) -> None:
    """Drop all there is, and take the steps to a revision."""
    with made.engine.begin() as connection:
        newest_schema().drop_all(connection)
        connection.exec_driver_sql("DROP TABLE alembic_version")
    made.migrate(target=revision)


def schema_of(made: Database) -> dict[str, object]:
    """All that the database tells of its tables, in an order of its own."""
    with made.engine.connect() as connection:
        inspector = sa.inspect(connection)
        return {
            table: [
                sorted(map(repr, inspector.get_columns(table))),
                sorted(map(repr, inspector.get_indexes(table))),
                sorted(map(repr, inspector.get_unique_constraints(table))),
                sorted(map(repr, inspector.get_foreign_keys(table))),
                sorted(map(repr, inspector.get_check_constraints(table))),
                inspector.get_pk_constraint(table),
            ]
            for table in sorted(inspector.get_table_names())
        }


def later_history(folder: Path, more: str = "") -> Path:
    """The history of a later program, which has one step more."""
    history = folder / "later"
    shutil.copytree(HISTORY, history, ignore=shutil.ignore_patterns("__pycache__"))
    step = history / "versions" / "r9999_next.py"
    step.write_text(NEXT.format(head=REVISIONS[-1], more=more), encoding="utf-8")
    return history


def test_the_migrated_schema_is_that_of_the_models(storage: Storage) -> None:
    with storage.database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, newest_schema()) == []
        assert context.get_current_revision() == REVISIONS[-1]


def test_a_new_database_has_the_schema_that_the_steps_make(storage: Storage) -> None:
    made = storage.database
    new = schema_of(made)
    make_anew(made, HEAD)
    assert new == schema_of(made)
    assert len(new) > 20


def test_the_newest_schema_is_known_without_the_history() -> None:
    assert ScriptDirectory(str(HISTORY)).get_heads() == [HEAD]


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_older_schema_is_brought_up_to_date(place: str, revision: str) -> None:
    at_revision(place, revision)
    with open_storage(place) as storage, storage.database.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert context.get_current_revision() == REVISIONS[-1]
        assert compare_metadata(context, newest_schema()) == []


FIRST = {
    "entrant": "(1, 'bot', './bot', 'd', '', NULL, NULL, 5, '{seal}')",
    "tournament": "(1, 'spring', '7', '{{}}', 'i', 'null', 'run', 5, '{seal}')",
    "batch": "(1, 1, 0, 1, '{seal}')",
    "match": "(1, 1, 0, 1, 'f', 's', 0, 'seven', 2, '2nd', '[]', false, 5, 1, '', '', true,"
    " '0.1', 5, 5, '{seal}')",
    "seat": "(1, 0, 1, 'giza', 5, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
}


def test_rows_of_the_first_schema_outlive_the_steps_since(place: str) -> None:
    rows = [
        f"INSERT INTO {table} VALUES {values.format(seal='x')}" for table, values in FIRST.items()
    ]
    at_revision(place, REVISIONS[0], rows)
    with open_storage(place) as storage:
        (placing,) = rated(storage)
        assert (placing.entrants, placing.wonders, placing.scores) == ((1,), ("giza",), (5,))
        assert [entrant.label for entrant in storage.reader.results.entrants()] == ["bot"]


def test_a_later_step_is_taken_and_keeps_the_matches(storage: Storage, tmp_path: Path) -> None:
    tournament, entrants = begin(storage)
    storage.results.add(tournament, [played(0, entrants)])
    storage.database.migrate(later_history(tmp_path))
    assert next(iter(storage.reader.results.matches())).result == result(4, 0)
    assert not list(storage.reader.results.damages())
    with storage.database.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT id FROM prize").scalar() == 1


def test_a_step_that_fails_leaves_nothing_behind(storage: Storage, tmp_path: Path) -> None:
    history = later_history(tmp_path, 'raise RuntimeError("half way")')
    with pytest.raises(RuntimeError, match="half way"):
        storage.database.migrate(history)
    with storage.database.engine.connect() as connection:
        assert "prize" not in sa.inspect(connection).get_table_names()
        assert MigrationContext.configure(connection).get_current_revision() == REVISIONS[-1]


def test_a_newer_schema_is_refused(place: str, tmp_path: Path) -> None:
    with open_storage(place) as storage:
        storage.database.migrate(later_history(tmp_path))
    with pytest.raises(
        StorageError,
        match=f"schema 9999 of a newer wonders-arena, this one knows up to {REVISIONS[-1]}",
    ):
        open_storage(place)


def refusal(place: str | Path, create: bool = True) -> str:
    with pytest.raises(StorageError) as told:
        open_storage(place, create)
    assert "\n" not in str(told.value)
    return str(told.value)


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"expected a database file, got the folder {tmp_path}"
    text = tmp_path / "notes.txt"
    text.write_text("a long enough text, but no database at all", encoding="utf-8")
    assert refusal(text) == f"expected a SQLite database, got another file {text}"
    assert text.read_text(encoding="utf-8").startswith("a long enough text")
    assert "its folder does not exist" in refusal(tmp_path / "none" / "x.db")
    assert refusal(tmp_path / ("x" * 300)).startswith("cannot read ")
    assert "x.db does not exist (arena tournament run ..., or --db FILE)" in refusal(
        tmp_path / "x.db", create=False
    )
    assert not (tmp_path / "x.db").exists()
    assert "in memory" in refusal("sqlite://")


def test_urls_that_lead_nowhere_are_refused(tmp_path: Path) -> None:
    assert "expected a file or a URL" in refusal("nothing://x")
    assert "expected a file or a URL" in refusal("sqlite+nothing:///x")
    assert "expected a file or a URL" in refusal("sqlite://:x:y/z")
    assert "SQLite or PostgreSQL, got mssql" in refusal("mssql://x")
    told = refusal("postgresql+asyncpg://x/y")
    assert "cannot open postgresql+asyncpg://...: its driver is not installed" in told
    assert "pip install 'wonders-arena[postgres]'" in told


def test_a_password_is_not_told(server: str) -> None:
    told = refusal(f"postgresql+psycopg://arena:secret@/nowhere?host={server}")
    assert "nowhere" in told
    assert "secret" not in told


def test_postgres_is_postgresql(server: str) -> None:
    for scheme in ("postgres", "postgresql", "postgresql+psycopg"):
        told = refusal(f"{scheme}://arena:secret@/nowhere?host={server}")
        assert 'database "nowhere" does not exist' in told
        assert "secret" not in told


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE birds (name)")
    other.close()
    assert refusal(path) == "expected a database of the arena, got one with the table birds"


def test_a_broken_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "broken.db"
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    assert "cannot use" in refusal(path)


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "new 100%.db"
    path.touch()
    open_storage(path).close()
    open_storage(f"sqlite:///{path}", create=False).close()


READ_ONLY = """
import os, sys
from leagues.errors import StorageError
from leagues.storage.handle import open_storage
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    open_storage(sys.argv[1])
except StorageError as problem:
    print(problem)
"""


@pytest.mark.parametrize("locked", ["file", "folder"])
def test_a_file_that_may_not_be_written_is_refused(locked: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "results.db"
        open_storage(path).close()
        path.chmod(0o444 if locked == "file" else 0o666)
        folder.chmod(0o555 if locked == "folder" else 0o777)
        done = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(path)],
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        folder.chmod(0o755)
    assert done.stdout == f"cannot write {path}: the file or its folder is read-only\n", done.stderr


def refusal_to_read(place: str | Path) -> str:
    with pytest.raises(StorageError) as told:
        read_storage(place)
    assert "\n" not in str(told.value)
    return str(told.value)


def test_a_reader_takes_the_schema_as_it_is(place: str, tmp_path: Path) -> None:
    head = REVISIONS[-1]
    at_revision(place, REVISIONS[0])
    for _ in range(2):  # nothing was changed by looking
        assert refusal_to_read(place) == (
            f"{shown(place)} has schema {REVISIONS[0]} of an older wonders-arena: "
            f"arena upgrade --db {shlex.quote(shown(place))}"
        )
    with open_storage(place) as storage:
        read_storage(place).close()
        storage.database.migrate(later_history(tmp_path))
    assert refusal_to_read(place) == (
        f"{shown(place)} has schema 9999 of a newer wonders-arena, this one knows up to {head}: "
        "update wonders-arena"
    )


def test_a_reader_neither_writes_nor_waits_for_a_writer(place: str) -> None:
    with open_storage(place) as writer:
        tournament, entrants = begin(writer)
        writer.results.add(tournament, [played(0, entrants)])
        with writer.database.writing(), read_storage(place) as reader:
            assert reader.results.count() == 1
        with read_storage(place) as reader:
            with pytest.raises(
                StorageError, match=r"cannot write .*: it (is|was opened) read-only"
            ):
                ResultsWriter(reader.database).exclude(1, "a mistake")
            assert not list(reader.results.damages())
            writer.results.add(tournament, [played(1, entrants)])
            assert reader.results.count() == 2


def test_a_reader_makes_nothing_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "100% of what? #1.db"
    assert "does not exist" in refusal_to_read(path)
    path.touch()
    assert refusal_to_read(path) == (
        f"no results yet: {path} is empty (arena tournament run ..., or --db FILE)"
    )
    assert path.stat().st_size == 0
    open_storage(path).close()
    before = path.read_bytes()
    with read_storage(path) as reader:
        assert reader.results.count() == 0
    assert (list(tmp_path.iterdir()), path.read_bytes()) == ([path], before)


# Another database is read first, so that all modules are imported: the other user may not be let
# into the folder they are in.
READ_AS_NOBODY = """
import os, sys
from leagues.errors import StorageError
from leagues.storage.handle import read_storage
with read_storage(sys.argv[2]) as reader:
    reader.results.count()
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
assert not os.access(sys.argv[1], os.W_OK)
try:
    with read_storage(sys.argv[1]) as reader:
        print(reader.results.count(), "matches")
except StorageError as problem:
    print(problem)
"""


@pytest.mark.parametrize("state", ["at rest", "written", "killed"])
def test_what_may_not_be_written_is_read(state: str, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    open_storage(other).close()
    with tempfile.TemporaryDirectory() as name:
        folder, path = Path(name), Path(name) / "results.db"
        writer = open_storage(path)
        tournament, entrants = begin(writer)
        writer.results.add(tournament, [played(0, entrants)])
        log = Path(f"{path}-wal")
        kept = log.read_bytes()
        if state != "written":
            writer.close()
        if state == "killed":  # the log is left, the index is not
            log.write_bytes(kept)
        for each in folder.iterdir():
            each.chmod(0o444)
        folder.chmod(0o555)
        before = sorted(folder.iterdir())
        done = subprocess.run(
            [sys.executable, "-c", READ_AS_NOBODY, str(path), str(other)],
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert sorted(folder.iterdir()) == before
        folder.chmod(0o755)
        if state == "written":
            writer.close()
    expected = "1 matches"
    if state == "killed":
        expected = (
            f"cannot read {path} here: it has a write-ahead log that is not finished; "
            f"copy it with {path.name}-wal to a folder that may be written"
        )
    assert done.stdout == f"{expected}\n", done.stderr

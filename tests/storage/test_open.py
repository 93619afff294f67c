"""A database is opened at the right schema, or one line says why not."""

import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlmodel import SQLModel

from command import environment
from leagues import database
from leagues.store import Store, StoreError, open_store
from storage.samples import begin, played, result

REVISIONS = [
    revision.revision
    for revision in reversed(list(ScriptDirectory(str(database.HISTORY)).walk_revisions()))
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


def at_revision(place: str, revision: str) -> None:
    """A database as an older program left it."""
    made = open_store(place).engine
    with made.begin() as connection:
        SQLModel.metadata.drop_all(connection)
        connection.exec_driver_sql("DROP TABLE alembic_version")
    database.migrate(made, target=revision)
    made.dispose()


def later_history(folder: Path, more: str = "") -> Path:
    """The history of a later program, which has one step more."""
    history = folder / "later"
    shutil.copytree(database.HISTORY, history, ignore=shutil.ignore_patterns("__pycache__"))
    step = history / "versions" / "r9999_next.py"
    step.write_text(NEXT.format(head=REVISIONS[-1], more=more), encoding="utf-8")
    return history


def test_the_migrated_schema_is_that_of_the_models(store: Store) -> None:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, SQLModel.metadata) == []
        assert context.get_current_revision() == REVISIONS[-1]


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_older_schema_is_brought_up_to_date(place: str, revision: str) -> None:
    at_revision(place, revision)
    with open_store(place) as store, store.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert context.get_current_revision() == REVISIONS[-1]
        assert compare_metadata(context, SQLModel.metadata) == []


FIRST = {
    "entrant": "(1, 'bot', './bot', 'd', '', NULL, NULL, 5, '{seal}')",
    "tournament": "(1, 'spring', '7', '{{}}', 'i', 'null', 'run', 5, '{seal}')",
    "batch": "(1, 1, 0, 1, '{seal}')",
    "match": "(1, 1, 0, 1, 'f', 's', 0, 'seven', 2, '2nd', '[]', false, 5, 1, '', '', true,"
    " '0.1', 5, 5, '{seal}')",
    "seat": "(1, 0, 1, 'giza', 5, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
}


def test_rows_of_the_first_schema_outlive_the_steps_since(place: str) -> None:
    at_revision(place, REVISIONS[0])
    engine = database.open_database(place)
    with engine.begin() as connection:
        for table, values in FIRST.items():
            connection.exec_driver_sql(f"INSERT INTO {table} VALUES {values.format(seal='x')}")
    engine.dispose()
    with open_store(place) as store:
        (placing,) = store.placings()
        assert (placing.entrants, placing.wonders, placing.scores) == ((1,), ("giza",), (5,))
        assert [entrant.label for entrant in store.entrants()] == ["bot"]


def test_a_later_step_is_taken_and_keeps_the_matches(store: Store, tmp_path: Path) -> None:
    tournament, entrants = begin(store)
    store.add(tournament, [played(0, entrants)])
    database.migrate(store.engine, later_history(tmp_path))
    assert next(iter(store.matches())).result == result(4, 0)
    assert not list(store.check())
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT id FROM prize").scalar() == 1


def test_a_step_that_fails_leaves_nothing_behind(store: Store, tmp_path: Path) -> None:
    history = later_history(tmp_path, 'raise RuntimeError("half way")')
    with pytest.raises(RuntimeError, match="half way"):
        database.migrate(store.engine, history)
    with store.engine.connect() as connection:
        assert "prize" not in sa.inspect(connection).get_table_names()
        assert MigrationContext.configure(connection).get_current_revision() == REVISIONS[-1]


def test_a_newer_schema_is_refused(place: str, tmp_path: Path) -> None:
    with open_store(place) as store:
        database.migrate(store.engine, later_history(tmp_path))
    with pytest.raises(
        StoreError, match=f"expected schema {REVISIONS[-1]} or older, got 9999 of a newer program"
    ):
        open_store(place)


def refusal(place: str | Path, create: bool = True) -> str:
    with pytest.raises(StoreError) as told:
        open_store(place, create)
    assert "\n" not in str(told.value)
    return str(told.value)


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"expected a database file, got the folder {tmp_path}"
    text = tmp_path / "notes.txt"
    text.write_text("a long enough text, but no database at all", encoding="utf-8")
    assert refusal(text) == f"expected a SQLite database, got another file {text}"
    assert text.read_text(encoding="utf-8").startswith("a long enough text")
    assert "expected a folder for" in refusal(tmp_path / "none" / "x.db")
    assert "got no file" in refusal(tmp_path / "x.db", create=False)
    assert not (tmp_path / "x.db").exists()
    assert "in memory" in refusal("sqlite://")


def test_urls_that_lead_nowhere_are_refused(tmp_path: Path) -> None:
    assert "expected a file or a URL" in refusal("nothing://x")
    assert "expected a file or a URL" in refusal("sqlite+nothing:///x")
    assert "expected a file or a URL" in refusal("sqlite://:x:y/z")
    assert "SQLite or PostgreSQL, got mssql" in refusal("mssql://x")
    assert "expected the driver of postgresql+asyncpg" in refusal("postgresql+asyncpg://x/y")


def test_a_password_is_not_told(server: str) -> None:
    told = refusal(f"postgresql+psycopg://arena:secret@/nowhere?host={server}")
    assert "nowhere" in told
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
    assert "expected to use" in refusal(path)


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "new 100%.db"
    path.touch()
    open_store(path).close()
    open_store(f"sqlite:///{path}", create=False).close()


READ_ONLY = """
import os, sys
from leagues.store import StoreError, open_store
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    open_store(sys.argv[1])
except StoreError as problem:
    print(problem)
"""


@pytest.mark.parametrize("locked", ["file", "folder"])
def test_a_file_that_may_not_be_written_is_refused(locked: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "results.db"
        open_store(path).close()
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
    assert done.stdout == f"expected a database that may be written, got {path}\n", done.stderr

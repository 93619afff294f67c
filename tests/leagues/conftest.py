"""Where storage is tried: a new SQLite file, and a new database of PostgreSQL if there is one."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from leagues.storage.handle import Storage, open_storage
from tests.leagues.storage.server import Missing, running

COUNT = itertools.count()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The folder of a PostgreSQL server's socket."""
    try:
        context = running()
        folder = context.__enter__()
    except Missing as reason:
        pytest.skip(f"{reason}")
    yield folder
    context.__exit__(None, None, None)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where there is no database yet."""
    if request.param == "sqlite":
        return str(tmp_path / "results.db")
    folder: str = request.getfixturevalue("server")
    url = f"postgresql+psycopg://arena@/{{}}?host={folder}"
    engine = sa.create_engine(url.format("postgres"), isolation_level="AUTOCOMMIT")
    name = f"results{next(COUNT)}"
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    engine.dispose()
    return url.format(name)


@pytest.fixture
def storage(place: str) -> Iterator[Storage]:
    with open_storage(place) as opened:
        yield opened

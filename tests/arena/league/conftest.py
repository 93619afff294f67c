"""Leagues are tried where stores are."""

from collections.abc import Iterator

import pytest

from leagues.storage.leagues import Roster, open_roster
from tests.leagues.conftest import place, server

__all__ = ["place", "roster", "server"]


@pytest.fixture
def roster(place: str) -> Iterator[Roster]:
    with open_roster(place) as opened:
        yield opened

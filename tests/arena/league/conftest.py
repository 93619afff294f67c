"""Leagues are tried where stores are."""

from tests.leagues.conftest import place, roster, server

__all__ = ["place", "roster", "server"]

"""Leagues are tried where stores are."""

from tests.leagues.conftest import place, server, storage

__all__ = ["place", "server", "storage"]

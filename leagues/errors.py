"""What may go wrong with stored results, leagues and submissions."""

from engine.errors import ArenaError


class StorageError(ArenaError):
    """The database cannot be opened, read or written."""


class NoDatabaseError(StorageError):
    """There is no database yet."""


class DatabaseUnavailableError(StorageError):
    """The server of the database does not answer; it may do so later."""


class NotFoundError(StorageError):
    """The database is sound, and does not have what was asked for."""


class RefusedError(StorageError):
    """The database is sound, and does not accept this now."""

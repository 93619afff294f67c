"""What may go wrong with stored results, leagues and submissions."""

from engine.errors import ArenaError


class StorageError(ArenaError):
    """The database cannot be opened, read or written."""


class NoDatabaseError(StorageError):
    """There is no database yet."""


class NotFoundError(StorageError):
    """The database is sound, and does not have what was asked for."""


class RefusedError(StorageError):
    """The database is sound, and does not accept this now."""


class DuplicateContentError(RefusedError):
    """A bot submitted whose content another owner submitted before, under this label."""

    def __init__(self, message: str, /, *, label: str) -> None:
        super().__init__(message)
        self.label = label

"""Packages that parts of the arena need and an installation need not have."""

from collections.abc import Iterator
from contextlib import contextmanager

from engine.errors import ArenaError


@contextmanager
def needs_extra(what: str, extra: str) -> Iterator[None]:
    """For an import: ArenaError with the way out where a package of the extra is not installed."""
    try:
        yield
    except ModuleNotFoundError as problem:
        way_out = f'pip install "wonders-arena[{extra}]"'
        raise ArenaError(
            f"{what} needs {problem.name}, which is not installed: {way_out}"
        ) from None

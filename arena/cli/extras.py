"""Packages that some commands need and an installation need not have."""

from collections.abc import Callable, Iterator
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


def open_viewer(db: str) -> Callable[[str], None]:
    """What opens a page about this database in a browser; ArenaError where there is no site."""
    with needs_extra("a browser", "site"):
        from arena.site.app.serve import ServeOptions, serve_site
    return lambda page: serve_site(db, ServeOptions("127.0.0.1", 0, opens=page))

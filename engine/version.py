"""The version of the program."""

from functools import cache

UNINSTALLED = "(not installed)"


@cache
def program_version() -> str:
    """The installed version of wonders-arena, which is stored with every match."""
    from importlib import metadata  # takes time to load

    try:
        return metadata.version("wonders-arena")
    except metadata.PackageNotFoundError:  # run from the work tree
        return UNINSTALLED

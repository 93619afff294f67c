"""The command `arena`, also as `python -m arena`."""

import os
import sys
from contextlib import suppress


def main() -> None:
    """Run the command; every worker process imports this file again, and needs none of it."""
    # Ratings solve small systems: threads of a numeric library would only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # We use no plugins of pydantic, and it looks for them among all packages that are installed.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    words = sys.argv[1:]
    if "_ARENA_COMPLETE" not in os.environ and words in ([], ["--help"], ["-h"], ["--version"]):
        from arena.command_list import root_help, version_line

        print(version_line() if words == ["--version"] else root_help())  # noqa: T201
        return
    if words in (["bot", "list"], ["bot", "list", "--json"]):  # the parser takes longer than that
        with suppress(Exception):  # of which the parser's way tells
            from arena.bot_list import list_bots

            list_bots("--json" in words)
            return
    from arena.cli import main as run_command

    run_command()


if __name__ == "__main__":
    main()

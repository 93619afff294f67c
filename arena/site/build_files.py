"""The pages of a database as files, with a progress bar."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from arena.site import static_build
from arena.site.contests import Contests
from leagues.storage.handle import read_storage


def build_site(db: str, folder: Path, replays: int, force: bool, languages: Sequence[str]) -> int:
    """Write the pages to a folder; how many there are."""
    messages = Console(stderr=True)
    with (
        read_storage(db) as reader,
        Progress(console=messages, disable=not messages.is_terminal) as bar,
    ):
        task = bar.add_task("pages")

        def update(done: int, known: int) -> None:
            bar.update(task, completed=done, total=known)

        contests = Contests(reader, static=True)
        return static_build.build(contests, folder, replays, force, update, languages)

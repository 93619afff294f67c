"""The site as plain files: every page that a page links to, from the first one on."""

import hashlib
import json
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import Progress

import arena
import engine
from arena.site.contests import Contests
from arena.site.links import CrawlQueue, PageAddress, StaticLinks
from arena.site.pages.bot import bot_page
from arena.site.pages.leaderboards import (
    board_page,
    embedded_board_page,
    entries_page,
    meetings_page,
    podium_page,
    start_page,
)
from arena.site.pages.matches import match_page, matches_page, watch_page
from arena.site.pages.rules import rules_page
from arena.site.templating import copy_assets
from engine.errors import ArenaError
from leagues.storage.handle import read_storage

REPLAYS: Final = 500  # that are written, each of some hundred kilobytes
MARKER: Final = ".arena-site.json"  # says that we made the folder, out of what, and what is in it
PACKAGE: Final = Path(arena.__file__).parent
SOURCES: Final = (
    *(PACKAGE / part for part in ("site", "display", "locale")),
    Path(engine.__file__).parent,
)


def build_site(db: str, folder: Path, replays: int, force: bool, languages: Sequence[str]) -> int:
    """Write the pages of a database to a folder, with a progress bar; how many there are."""
    messages = Console(stderr=True)
    with (
        read_storage(db) as reader,
        Progress(console=messages, disable=not messages.is_terminal) as bar,
    ):
        task = bar.add_task("pages")

        def update(done: int, known: int) -> None:
            bar.update(task, completed=done, total=known)

        contests = Contests(reader, static=True)
        return build(contests, folder, replays, force, update, languages)


def build(
    contests: Contests,
    folder: Path,
    replays: int = REPLAYS,
    force: bool = False,
    tell: Callable[[int, int], None] | None = None,
    languages: Sequence[str] = ("en",),
) -> int:
    """Write the pages into the folder, and say how many; the same results make the same files.

    The latest matches can be watched again; of the others there are the facts. What is there
    already of matches is kept; `tell` hears of every page and how many are known.
    """
    known = _known(folder, force)
    digest = f"{' '.join(languages)} {replays} {contests.reader.versions.digest()}"
    if known and _is_whole(folder, known, digest):
        return len(known)
    watched = set(contests.reader.results.ids(limit=replays))
    found = CrawlQueue()
    found.add(PageAddress((), lang=languages[0]))
    made: dict[str, str] = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _mark(folder, {}, "")  # if this is broken off, it can be done again
        copy_assets(folder)
        for here in found.each():
            links = StaticLinks(here, found, languages)
            made[here.file()] = _write(contests, links, watched, folder, known)
            if tell:
                tell(len(made), len(found))
        for gone in known.keys() - made.keys():
            if ".." not in Path(gone).parts:
                (folder / gone).unlink(missing_ok=True)
        _mark(folder, made, digest)
    except OSError as problem:
        raise ArenaError(f"expected to write {folder}, got {problem.strerror}") from None
    return len(found)


def _known(folder: Path, force: bool) -> dict[str, str]:
    """The pages that are there, and what each was made of; refused if others' files are there."""
    marker = folder / MARKER
    try:
        if marker.is_file():
            facts: dict[str, Any] = json.loads(marker.read_text(encoding="utf-8"))
            by_us = facts["by"] == _maker()
            return dict(facts["pages"]) if by_us else dict.fromkeys(facts["pages"], "")
        if not force and folder.is_dir() and any(folder.iterdir()):
            raise ArenaError(
                f"expected an empty folder or one of these pages, got {folder}: "
                "--force writes there all the same"
            )
    except OSError as problem:
        raise ArenaError(f"expected to read {folder}, got {problem.strerror}") from None
    except (ValueError, LookupError, TypeError):
        raise ArenaError(f"expected the list of the pages there, got another {marker}") from None
    return {}


def _is_whole(folder: Path, known: dict[str, str], digest: str) -> bool:
    """Whether all pages are there, made by this program out of what the database holds."""
    facts = json.loads((folder / MARKER).read_text(encoding="utf-8"))
    same = facts["by"] == _maker() and facts.get("of") == digest
    return same and all((folder / page).is_file() for page in known)


def _mark(folder: Path, pages: dict[str, str], digest: str) -> None:
    facts = {"by": _maker(), "of": digest, "pages": pages}
    text = json.dumps(facts, indent=0, sort_keys=True)
    (folder / MARKER).write_text(text + "\n", encoding="utf-8")


def _maker() -> str:
    """What all pages depend on besides results: the code that draws them."""
    sum = hashlib.sha256()
    for source in SOURCES:
        for path in sorted(source.rglob("*")):
            if path.suffix in (".py", ".html", ".mo", ".css", ".js", ".svg"):
                sum.update(path.read_bytes())
    return sum.hexdigest()


def _write(
    contests: Contests,
    links: StaticLinks,
    watched: Container[int],
    folder: Path,
    known: dict[str, str],
) -> str:
    """Write a page, unless it is there; what it was made of, where that is worth knowing."""
    file = links.here.file()
    path = folder / file
    mark = ""
    if links.here.path[:1] == ("matches",):
        id = int(links.here.path[1])
        mark = _fingerprint(contests, links, id, id in watched)
        if known.get(file) == mark and path.is_file():
            return mark
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(contests, links, watched), encoding="utf-8")
    return mark


def _fingerprint(contests: Contests, links: StaticLinks, id: int, watched: bool) -> str:
    """Of all that a match's page shows; what it links to is found, though it is not drawn."""
    stored = contests.match(id)
    contest = contests.contest_of(stored)
    links.frame("")
    links.within(contest.path)
    for row in stored.seats:
        links.within(contest.path, "bots", row.entrant)
    names = [contest.names[row.entrant] for row in stored.seats]
    events = [event.reason for event in stored.events]
    facts = [stored.checksum.hex(), stored.excluded, events, names, contest.name, watched]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def page(contests: Contests, links: StaticLinks, watched: Container[int]) -> str:
    """The page at an address."""
    query = dict(links.here.query)
    game = query.get("game")
    path = links.here.path
    match path:
        case ():
            return start_page(contests, links, _number(query, "page") or 1)
        case ("watch",):
            return watch_page(contests, links)
        case ("embed", "matches", id):
            return match_page(contests, links, int(id), embedded=True)
        case ("embed", *of):
            return embedded_board_page(contests.contest((of[0], of[1])), links, game)
        case ("rules", rules):
            return rules_page(rules, links, query.get("edition"))
        case ("matches", id):
            return match_page(contests, links, int(id), replay=int(id) in watched)
    contest = contests.contest(path[:2])
    players = _number(query, "players")
    match path[2:]:
        case ("meetings",):
            return meetings_page(contest, links, game)
        case ("podium",):
            return podium_page(contest, links)
        case ("entries",):
            return entries_page(contest, links)
        case ("bots", id):
            return bot_page(contests, contest, links, int(id), game)
        case ("matches",):
            bot, number = _number(query, "bot"), _number(query, "page") or 1
            return matches_page(contests, contest, links, bot, players, "faulty" in query, number)
    return board_page(contest, links, game, players)


def _number(query: dict[str, str], key: str) -> int | None:
    return int(query[key]) if key in query else None

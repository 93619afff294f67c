"""The site as plain files: every page that a page links to, from the first one on."""

from collections.abc import Container
from pathlib import Path
from typing import Final

from arena.site.archive import Archive
from arena.site.boards import board_page, entries_page, meetings_page, start_page
from arena.site.matches import match_page, matches_page
from arena.site.pages import copy_assets
from arena.site.profile import bot_page
from arena.site.rules import rules_page
from arena.site.ways import Address, Filed, Found
from engine.errors import ArenaError

REPLAYS: Final = 500  # that are written, each of some hundred kilobytes


def build(archive: Archive, folder: Path, replays: int = REPLAYS) -> int:
    """Write the pages into the folder, and say how many; the same results make the same files.

    The latest matches can be watched again; of the others there are the facts.
    """
    watched = set(archive.store.ids(limit=replays))
    found = Found()
    found.add(Address(()))
    try:
        copy_assets(folder)
        for here in found.each():
            path = folder / here.file()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page(archive, Filed(here, found), watched), encoding="utf-8")
    except OSError as problem:
        raise ArenaError(f"expected to write {folder}, got {problem.strerror}") from None
    return len(found)


def page(archive: Archive, ways: Filed, watched: Container[int]) -> str:
    """The page at an address."""
    query = dict(ways.here.query)
    game = query.get("game")
    path = ways.here.path
    match path:
        case ():
            return start_page(archive, ways, _number(query, "page") or 1)
        case ("rules", rules):
            return rules_page(rules, ways, query.get("edition"))
        case ("matches", id):
            return match_page(archive, ways, int(id), replay=int(id) in watched)
    contest = archive.contest(path[:2])
    players = _number(query, "players")
    match path[2:]:
        case ("meetings",):
            return meetings_page(contest, ways, game)
        case ("entries",):
            return entries_page(contest, ways)
        case ("bots", id):
            return bot_page(archive, contest, ways, int(id), game)
        case ("matches",):
            bot, number = _number(query, "bot"), _number(query, "page") or 1
            return matches_page(archive, contest, ways, bot, players, "faulty" in query, number)
    return board_page(contest, ways, game, players)


def _number(query: dict[str, str], key: str) -> int | None:
    return int(query[key]) if key in query else None

"""Bots handed in by their owners: upload, what became of them, and their owner's own files."""

from arena.i18n import gettext
from arena.league.submit import submit
from arena.reports.wording import format_time
from arena.site.contests import MissingError
from arena.site.links import Links
from arena.site.templating import draw
from bots.discovery.files import is_ignored
from leagues.storage import leases
from leagues.storage.leagues import Roster
from leagues.storage.models import League
from leagues.storage.results import UnknownError
from leagues.submissions.archive import Item, receive_bytes
from leagues.submissions.lifecycle import RECEIVING, Entry


def hand_in(roster: Roster, league: str, filename: str, data: bytes, owner: str) -> Entry:
    """Receive an uploaded bot for its owner; ArenaError says what is wrong with it."""
    row = roster.league(league)
    return submit(roster, row, receive_bytes(filename, data, is_ignored), owner, by=owner)[0]


def own_entry(roster: Roster, id: int, owner: str | None) -> Entry:
    """A submission, if it is this owner's; to others it is not there."""
    try:
        entry = roster.entry_of(id)
    except UnknownError:
        entry = None
    if entry is None or owner is None or entry.owner != owner:
        raise MissingError("expected a submission of yours, got {id}", id=id)
    return entry


def own_files(roster: Roster, entry: Entry) -> tuple[Item, ...]:
    """The files of a submission, as they were received."""
    return roster.parcel(entry.digest, bool(entry.facts.get("alone"))).items


def submit_page(
    roster: Roster, ways: Links, token: str, owner: str | None, problem: str = ""
) -> str:
    """Where an owner hands in bots, or says who they are."""
    mine: list[tuple[League, Entry]] = []
    open: list[str] = []
    if owner is not None:
        for row in roster.leagues():
            entries = roster.entries(row.id or 0)
            mine += [(row, entry) for entry in entries if entry.owner == owner]
            if roster.state(row.id or 0) in RECEIVING:
                open.append(row.name)
    return draw(
        "submit.html",
        ways.frame(gettext("Submit a bot", ways.lang)),
        ways=ways,
        token=token,
        owner=owner,
        problem=problem,
        leagues=open,
        at_work=bool(leases.at_work(roster)),
        mine=sorted(mine, key=lambda pair: -pair[1].id),
        moment=format_time,
    )


def entry_page(roster: Roster, ways: Links, token: str, entry: Entry) -> str:
    """A submission as its owner sees it."""
    league = roster.league_of(entry)
    return draw(
        "entry.html",
        ways.frame(f"{entry.label} · {league.name}"),
        ways=ways,
        token=token,
        league=league,
        entry=entry,
        files=own_files(roster, entry),
        at_work=bool(leases.at_work(roster)),
        moment=format_time,
    )

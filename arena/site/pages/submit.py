"""Bots handed in by their owners: upload, what became of them, and their owner's own files."""

from arena.i18n import gettext
from arena.league.submit import submit
from arena.reports.wording import format_time
from arena.site.contests import MissingError
from arena.site.links import Links
from arena.site.templating import draw
from bots.discovery.files import is_ignored
from leagues.errors import NotFoundError
from leagues.records import League, Submission
from leagues.storage.handle import Storage, StorageReader
from leagues.submissions.archive import Item, receive_bytes
from leagues.submissions.lifecycle import RECEIVING


def hand_in(storage: Storage, league: str, filename: str, data: bytes, owner: str) -> Submission:
    """Receive an uploaded bot for its owner; ArenaError says what is wrong with it."""
    row = storage.reader.leagues.by_name(league)
    by = storage.reader.accounts.signature(owner)
    return submit(storage, row, receive_bytes(filename, data, is_ignored), owner, by)[0]


def own_entry(reader: StorageReader, id: int, owner: str | None) -> Submission:
    """A submission, if it is this owner's; to others it is not there."""
    try:
        entry = reader.leagues.submission(id)
    except NotFoundError:
        entry = None
    if entry is None or owner is None or entry.owner != owner:
        raise MissingError("expected a submission of yours, got {id}", id=id)
    return entry


def own_files(reader: StorageReader, entry: Submission) -> tuple[Item, ...]:
    """The files of a submission, as they were received."""
    return reader.leagues.archive(entry.digest, bool(entry.facts.get("alone"))).items


def submit_page(
    reader: StorageReader, links: Links, token: str, owner: str | None, problem: str = ""
) -> str:
    """Where an owner hands in bots, or says who they are."""
    mine: list[tuple[League, Submission]] = []
    open: list[str] = []
    if owner is not None:
        for row in reader.leagues.all():
            entries = reader.leagues.submissions(row.id)
            mine += [(row, entry) for entry in entries if entry.owner == owner]
            if reader.leagues.state(row.id) in RECEIVING:
                open.append(row.name)
    return draw(
        "submit.html",
        links.frame(gettext("Submit a bot", links.lang)),
        links=links,
        token=token,
        owner=owner,
        problem=problem,
        leagues=open,
        at_work=bool(reader.leases.active_workers()),
        mine=sorted(mine, key=lambda pair: -pair[1].id),
        moment=format_time,
    )


def entry_page(reader: StorageReader, links: Links, token: str, entry: Submission) -> str:
    """A submission as its owner sees it."""
    league = reader.leagues.by_id(entry.league)
    return draw(
        "entry.html",
        links.frame(f"{entry.label} · {league.name}"),
        links=links,
        token=token,
        league=league,
        entry=entry,
        files=own_files(reader, entry),
        at_work=bool(reader.leases.active_workers()),
        moment=format_time,
    )

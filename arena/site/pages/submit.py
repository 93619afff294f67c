"""Bots handed in by their owners: upload, what became of them, and their owner's own files."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from arena.i18n import gettext
from arena.league.submit import submit
from arena.reports.wording import format_time
from arena.site.contests import MissingError
from arena.site.links import Links
from arena.site.templating import draw
from bots.discovery.files import is_ignored
from leagues.errors import NotFoundError
from leagues.records import League, LeagueState, Submission, SubmissionState
from leagues.storage.handle import Storage, StorageReader
from leagues.submissions.archive import Item, receive_bytes
from leagues.submissions.lifecycle import RECEIVING

LATEST: Final = 8  # leagues whose contact is still valid


def hand_in(
    storage: Storage, league: str, filename: str, data: bytes, owner: str, who: str
) -> Submission:
    """Receive an uploaded bot for its owner from who acts; ArenaError says what is wrong."""
    row = storage.reader.leagues.by_name(league)
    by = storage.reader.accounts.signature(who)
    return submit(storage, row, receive_bytes(filename, data, is_ignored), owner, by)[0]


def own_entry(reader: StorageReader, id: int, owners: Collection[str]) -> Submission:
    """A submission, if it is one of these owners'; to others it is not there."""
    try:
        entry = reader.leagues.submission(id)
    except NotFoundError:
        entry = None
    if entry is None or entry.owner not in owners:
        raise MissingError("expected a submission of yours, got {id}", id=id)
    return entry


def own_files(reader: StorageReader, entry: Submission) -> tuple[Item, ...]:
    """The files of a submission, as they were received."""
    return reader.leagues.archive(entry.digest, bool(entry.facts.get("alone"))).items


def receiving_leagues(reader: StorageReader) -> list[str]:
    """The leagues that accept bots now."""
    leagues = reader.leagues.all()
    states = reader.leagues.states()
    return [row.name for row in leagues if states[row.id] in RECEIVING]


def last_contact(reader: StorageReader) -> str:
    """Whom to ask, by the latest league that says so and is shown; old ones do not count."""
    shown = [id for id, state in reader.leagues.states().items() if state != LeagueState.ARCHIVED]
    contacts = (reader.leagues.details(id).contact for id in sorted(shown)[: -LATEST - 1 : -1])
    return next(filter(None, contacts), "")


def submit_page(
    reader: StorageReader,
    links: Links,
    token: str,
    owners: Sequence[str],
    problem: str = "",
    provider: str = "",
) -> str:
    """Where an owner hands in bots, or says who they are."""
    mine: list[tuple[League, Submission]] = []
    if owners:
        for row in reader.leagues.all():
            entries = reader.leagues.submissions(row.id)
            mine += [(row, entry) for entry in entries if entry.owner in owners]
    return draw(
        "submit.html",
        links.frame(gettext("Submit a bot", links.lang)),
        links=links,
        token=token,
        owner=owners[0] if owners else None,
        owners=owners,
        provider=provider,
        problem=problem,
        leagues=receiving_leagues(reader),
        contact=last_contact(reader),
        at_work=bool(reader.leases.active_workers()),
        mine=sorted(mine, key=lambda pair: -pair[1].id),
        alerts=crash_alerts(reader, mine),
        moment=format_time,
    )


@dataclass(frozen=True)
class CrashAlert:
    """A bot that fails in games that it plays."""

    league: str
    entry: Submission
    failed: int
    games: int
    kinds: str


def crash_alerts(
    reader: StorageReader, mine: Sequence[tuple[League, Submission]]
) -> list[CrashAlert]:
    """Which of these bots failed since they were let play, the worst first."""
    found = []
    for league, entry in mine:
        if not (entry.plays or entry.state == SubmissionState.SUSPENDED):
            continue
        known = reader.leagues.reliability(league.id, entry.entrant, entry.since)
        seen = known.get(entry.entrant)
        if seen is not None and seen.failed:
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(seen.faults.items()))
            found.append(CrashAlert(league.name, entry, seen.failed, seen.games, kinds))
    return sorted(found, key=lambda alert: -alert.failed / alert.games)


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

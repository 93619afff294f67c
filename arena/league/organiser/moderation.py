"""What organisers do about owners and bots, and what they look at before they do."""

from __future__ import annotations

import getpass
from collections import defaultdict
from typing import Any, Final

from arena.reports.output import OutputFormat
from arena.reports.table import Column, Report
from arena.reports.wording import format_count, format_time
from leagues.moderation.signatures import check_signature
from leagues.records import Act, Submission
from leagues.storage.handle import StorageReader, open_storage, read_storage

MAX_SHOWN: Final = 40  # characters of a fact in a list of acts


def organiser_name(by: str) -> str:
    """Who acts: the name that was given, or the login name."""
    if by:
        check_signature(by)
        return by
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name
        return "organiser"


def ban_owner(owner: str, reason: str, by: str, db: str) -> str:
    """Ban an owner from all leagues."""
    with open_storage(db, create=False) as storage:
        storage.moderation.ban(owner, reason, organiser_name(by))
    return f"{owner} is banned"


def unban_owner(owner: str, reason: str, by: str, db: str) -> str:
    """Let an owner back in."""
    with open_storage(db, create=False) as storage:
        storage.moderation.unban(owner, reason, organiser_name(by))
    return f"{owner} is not banned any more"


def rename_owner(owner: str, name: str, reason: str, by: str, db: str) -> str:
    """Give an owner another name."""
    with open_storage(db, create=False) as storage:
        storage.moderation.rename(owner, name, reason, organiser_name(by))
    return f"{owner} is called {name} now"


def erase_owner(owner: str, reason: str, by: str, db: str) -> str:
    """Forget an owner."""
    with open_storage(db, create=False) as storage:
        name = storage.moderation.erase_owner(owner, reason, organiser_name(by))
    return f"{owner} and all its bots are erased; acts call it {name}"


def hide_bot(league: str, bot: str, reason: str, by: str, db: str) -> str:
    """Hide a bot."""
    with open_storage(db, create=False) as storage:
        entry = storage.reader.leagues.named_submission(league, bot)
        storage.moderation.hide(entry.id, reason, organiser_name(by))
        label = storage.reader.leagues.submission(entry.id).label
    return f"{_name(entry)} is hidden; its matches are those of {label}"


def unhide_bot(league: str, bot: str, reason: str, by: str, db: str) -> str:
    """Show a bot again."""
    with open_storage(db, create=False) as storage:
        entry = storage.reader.leagues.named_submission(league, bot)
        storage.moderation.unhide(entry.id, reason, organiser_name(by))
    return f"{_name(entry)} is shown again"


def erase_bot(league: str, bot: str, reason: str, by: str, db: str) -> str:
    """Forget a bot."""
    with open_storage(db, create=False) as storage:
        entry = storage.reader.leagues.named_submission(league, bot)
        storage.moderation.erase(entry.id, reason, organiser_name(by))
        label = storage.reader.leagues.submission(entry.id).label
    return f"{_name(entry)} is erased; its matches are those of {label}"


def _name(entry: Submission) -> str:
    return entry.name if entry.owner is None else f"{entry.owner}/{entry.name}"


def act_facts(act: Act) -> dict[str, Any]:
    """An act for programs."""
    return {
        "id": act.id,
        "at": act.at,
        "act": act.kind.value,
        "subject": act.subject,
        "facts": dict(act.facts),
        "reason": act.reason,
        "by": act.by,
    }


def describe_act(act: Act) -> str:
    """What was done, in a few words."""
    facts = dict(act.facts)
    if "changed" in facts:  # which rules; the act holds the whole of them too
        facts["rules"] = facts.pop("changed")
    what = ", ".join(f"{key} {brief_fact(value)}" for key, value in facts.items())
    return f"{act.kind.value} {act.subject}{': ' + what if what else ''}"


def brief_fact(value: object) -> str:
    """A value in a list: of a long text its beginning."""
    text = " ".join(str(value).split())
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."


def show_acts(league: str, format: OutputFormat, db: str) -> None:
    """Print the acts of a league, or of the database."""
    with read_storage(db) as reader:
        id = reader.leagues.by_name(league).id if league else None
        acts = reader.moderation.acts(id)
        count, seal = reader.moderation.last_seal()
    rows = [
        act_facts(act) | {"when": format_time(act.at), "what": describe_act(act)} for act in acts
    ]
    columns = (
        Column("id", "act"),
        Column("when", "when", data=False),
        Column("what", "what", data=False),
        Column("reason", "reason"),
        Column("by", "by"),
        *(Column(key, key, shown=False) for key in ("at", "act", "subject", "facts")),
    )
    caption = [f"{format_count(count, 'act')} in all; checksum of the last: {seal or 'none'}"]
    Report(league or "acts", columns, rows, caption).write(format)


def show_owners(format: OutputFormat, db: str) -> None:
    """Print the owners."""
    with read_storage(db) as reader:
        banned = reader.moderation.banned()
        bots: dict[str, int] = defaultdict(int)
        for league in reader.leagues.all():
            for entry in reader.leagues.playing(league.id):
                bots[entry.owner or ""] += 1
        rows = [
            {
                "owner": owner.name,
                "since": owner.created,
                "bots": bots[owner.name],
                "banned": banned.get(owner.name),
            }
            for owner in reader.leagues.owners()
        ]
    columns = (
        Column("owner", "owner"),
        Column("since", "since", text=format_time),
        Column("bots", "bots"),
        Column("banned", "banned"),
    )
    Report("owners", columns, rows).write(format)


def find_duplicates(reader: StorageReader, league: int) -> list[list[Submission]]:
    """Bots of different owners that have the same content."""
    by_digest: dict[str, list[Submission]] = defaultdict(list)
    for entry in reader.leagues.submissions(league):
        by_digest[entry.digest].append(entry)
    return [same for same in by_digest.values() if len({entry.owner for entry in same}) > 1]


def show_duplicates(league: str, format: OutputFormat, db: str) -> None:
    """Print bots of different owners that have the same content."""
    with read_storage(db) as reader:
        groups = find_duplicates(reader, reader.leagues.by_name(league).id)
    rows = [
        {"digest": same[0].digest[:12], "bots": [entry.label for entry in same]} for same in groups
    ]
    Report(league, (Column("digest", "digest"), Column("bots", "bots")), rows).write(format)

"""What organisers do with webhooks."""

from __future__ import annotations

from arena.league.webhooks import SIGNATURE, check_url
from arena.reports.output import OutputFormat
from arena.reports.table import Column, Report
from leagues.storage.handle import open_storage
from leagues.webhooks import Webhook

COLUMNS = (
    Column("webhook", "webhook"),
    Column("url", "url"),
    Column("state", "state"),
    Column("failures", "failures"),
    Column("problem", "last problem"),
)


def add_webhook(league: str, url: str, db: str) -> str:
    """Send a league's news to an address; the secret of its messages."""
    check_url(url)
    with open_storage(db, create=False) as storage:
        hook = storage.webhooks.add(storage.reader.leagues.by_name(league).id, url)
    return f"webhook {hook.id} of {league}\nsecret: {hook.secret} (signs the header {SIGNATURE})"


def show_webhooks(league: str, format: OutputFormat, db: str) -> None:
    """List the webhooks of a league; their secrets are not shown."""
    with open_storage(db, create=False) as storage:
        hooks = storage.webhooks.of_league(storage.reader.leagues.by_name(league).id)
    rows = [
        {
            "webhook": hook.id,
            "url": hook.url,
            "state": _state(hook),
            "failures": hook.failures,
            "problem": hook.problem or None,
        }
        for hook in hooks
    ]
    Report(f"webhooks of {league}", COLUMNS, rows).write(format)


def _state(hook: Webhook) -> str:
    if hook.not_before is None:
        return "given up"
    return "retrying" if hook.failures else "ok"


def remove_webhook(league: str, number: int, db: str) -> str:
    """Send no more to an address."""
    with open_storage(db, create=False) as storage:
        storage.webhooks.remove(storage.reader.leagues.by_name(league).id, number)
    return f"webhook {number} of {league} is removed"

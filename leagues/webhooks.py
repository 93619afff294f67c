"""Webhooks of leagues as they are stored: where news is sent, and what was sent already."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlmodel import col

from leagues.errors import NotFoundError, RefusedError
from leagues.storage.database import Database
from leagues.storage.models.leagues import (
    LeagueEventRow,
    SubmissionEventRow,
    SubmissionRow,
    WebhookRow,
)
from leagues.storage.models.results import StageRow

MAX_OF_LEAGUE: Final = 10


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that is sent a league's news."""

    id: int
    league: int
    url: str
    secret: str  # what messages are signed with
    created: int
    league_event: int  # the last of each source that was sent
    stage: int
    submission_event: int
    failures: int  # one after the other
    not_before: int | None  # seconds since 1970; None: it was given up
    problem: str  # of the last failure


FIELDS: Final[tuple[Any, ...]] = tuple(
    col(getattr(WebhookRow, name)) for name in Webhook.__dataclass_fields__
)
SOURCES: Final = {"league": "league_event", "stage": "stage", "bot": "submission_event"}


class Webhooks:
    """The webhooks of all leagues of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def any(self) -> bool:
        """Whether there is a webhook at all."""
        with self._database.reading() as connection:
            return connection.execute(sa.select(col(WebhookRow.id)).limit(1)).first() is not None

    def of_league(self, league: int) -> list[Webhook]:
        """The webhooks of a league, oldest first."""
        query = sa.select(*FIELDS).where(col(WebhookRow.league) == league)
        return self._database.records(Webhook, query.order_by(col(WebhookRow.id)))

    def due(self, now: int) -> list[Webhook]:
        """Those that may be tried now."""
        query = sa.select(*FIELDS).where(col(WebhookRow.not_before) <= now)
        return self._database.records(Webhook, query.order_by(col(WebhookRow.id)))

    def add(self, league: int, url: str) -> Webhook:
        """A new webhook, which is sent what happens from now on."""
        with self._database.writing() as connection:
            count = sa.select(sa.func.count()).where(col(WebhookRow.league) == league)
            if connection.execute(count).scalar_one() >= MAX_OF_LEAGUE:
                raise RefusedError(f"a league has at most {MAX_OF_LEAGUE} webhooks")
            of_league = sa.select(col(SubmissionRow.id)).where(col(SubmissionRow.league) == league)
            latest = {
                "league_event": sa.select(sa.func.max(col(LeagueEventRow.id))).where(
                    col(LeagueEventRow.league) == league
                ),
                "stage": sa.select(sa.func.max(col(StageRow.tournament))).where(
                    col(StageRow.league) == league
                ),
                "submission_event": sa.select(sa.func.max(col(SubmissionEventRow.id))).where(
                    col(SubmissionEventRow.submission).in_(of_league)
                ),
            }
            cursor = {name: connection.execute(q).scalar() or 0 for name, q in latest.items()}
            row = {
                "league": league,
                "url": url,
                "secret": secrets.token_urlsafe(32),
                "created": int(time.time()),
                "failures": 0,
                "not_before": 0,
                "problem": "",
                **cursor,
            }
            made = sa.insert(WebhookRow).values(row).returning(*FIELDS)
            return Webhook(*connection.execute(made).one())

    def remove(self, league: int, id: int) -> None:
        """Forget a webhook; NotFoundError if the league has none of this number."""
        query = sa.delete(WebhookRow).where(
            col(WebhookRow.id) == id, col(WebhookRow.league) == league
        )
        with self._database.writing() as connection:
            if connection.execute(query).rowcount == 0:
                raise NotFoundError("expected a webhook of this league, got {id}", id=id)

    def advance(self, id: int, latest: Mapping[str, int]) -> None:
        """News up to these numbers was taken."""
        values: dict[str, Any] = {SOURCES[source]: number for source, number in latest.items()}
        self._change(id, failures=0, not_before=0, problem="", **values)

    def defer(self, id: int, until: int, problem: str, give_up: bool) -> None:
        """It was not taken: try again later, or no more."""
        not_before = None if give_up else until
        failures = col(WebhookRow.failures) + 1
        self._change(id, failures=failures, not_before=not_before, problem=problem[:500])

    def _change(self, id: int, **values: Any) -> None:
        query = sa.update(WebhookRow).where(col(WebhookRow.id) == id).values(values)
        with self._database.writing() as connection:
            connection.execute(query)

"""Matches of leagues that are played just now, as far as they may be shown.

A row hangs on the claim of the worker that plays the match: whatever ends the claim (the match is
stored, given up, or the lease of a worker that died has expired) removes the row.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import col

from engine.match import MatchSpec, Setup, Variant
from leagues.storage.codec import decode_decisions, encode_decisions
from leagues.storage.database import Database
from leagues.storage.leases import match_task, now_ms
from leagues.storage.models.leagues import ClaimRow, RunningMatchRow, WorkerRow
from leagues.storage.models.results import MatchRow, StageRow


@dataclass(frozen=True)
class RunningMatch:
    """A match that is played, and the decisions of whole rounds that may be shown of it."""

    tournament: int
    number: int
    spec: MatchSpec
    entrants: tuple[int, ...]  # one a seat
    decisions: tuple[int, ...]


class RunningMatchesReader:
    """What may be shown of matches that are played."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_league(self, league: int) -> list[RunningMatch]:
        """Those of workers that live, in the order of their schedule."""
        row = RunningMatchRow
        stored = sa.exists().where(
            col(MatchRow.tournament) == col(row.tournament),
            col(MatchRow.number) == col(row.number),
        )
        with self._database.reading() as connection:
            query = (
                sa.select(col(row.tournament), col(row.number), col(row.spec), col(row.decisions))
                .join(StageRow, col(StageRow.tournament) == col(row.tournament))
                .join(ClaimRow, col(ClaimRow.task) == col(row.task))
                .join(WorkerRow, col(WorkerRow.id) == col(ClaimRow.worker))
                .where(
                    col(StageRow.league) == league,
                    col(WorkerRow.until) > now_ms(connection),
                    ~stored,
                )
                .order_by(col(row.tournament), col(row.number))
            )
            return [_match(*each) for each in connection.execute(query)]

    def stored_id(self, league: int, tournament: int, number: int) -> int | None:
        """The match at this place of a league's schedule, once it is over and stored."""
        query = (
            sa.select(col(MatchRow.id))
            .join(StageRow, col(StageRow.tournament) == col(MatchRow.tournament))
            .where(
                col(StageRow.league) == league,
                col(MatchRow.tournament) == tournament,
                col(MatchRow.number) == number,
            )
        )
        with self._database.reading() as connection:
            return connection.execute(query).scalar()


class RunningMatchesWriter:
    """How far matches have come, as their worker tells it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, worker: int, matches: Sequence[RunningMatch]) -> None:
        """Store how far matches have come, of which the worker still has the claims."""
        rows = [
            {
                "task": match_task(each.tournament, each.number),
                "tournament": each.tournament,
                "number": each.number,
                "spec": _spec_text(each),
                "decisions": encode_decisions(each.decisions),
            }
            for each in matches
        ]
        tasks = [row["task"] for row in rows]
        with self._database.writing() as connection:
            mine = sa.select(col(ClaimRow.task)).where(
                col(ClaimRow.worker) == worker, col(ClaimRow.task).in_(tasks)
            )
            claimed = set(connection.execute(mine).scalars())
            kept = [row for row in rows if row["task"] in claimed]
            before = sa.delete(RunningMatchRow).where(col(RunningMatchRow.task).in_(claimed))
            connection.execute(before)
            if kept:
                connection.execute(sa.insert(RunningMatchRow), kept)


def _spec_text(match: RunningMatch) -> str:
    spec, variant = match.spec, match.spec.setup.variant
    return json.dumps(
        {
            "variant": [variant.game, variant.edition, variant.expansions, variant.expert],
            "wonders": spec.setup.wonders,
            "seed": spec.seed,
            "bots": spec.bots,
            "rules": spec.version,
            "entrants": match.entrants,
        }
    )


def _match(tournament: int, number: int, text: str, decisions: bytes) -> RunningMatch:
    facts: dict[str, Any] = json.loads(text)
    game, edition, expansions, expert = facts["variant"]
    wonders = tuple(facts["wonders"])
    setup = Setup(Variant(game, edition, tuple(expansions), expert), len(wonders), wonders)
    spec = MatchSpec(setup, facts["seed"], tuple(facts["bots"]), facts["rules"])
    played = tuple(decode_decisions(bytes(decisions)))
    return RunningMatch(tournament, number, spec, tuple(facts["entrants"]), played)

"""The tournaments of a league, one after the other."""

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlmodel import col, select

from leagues.storage.models import (
    Batch,
    Exclusion,
    League,
    LeagueEvent,
    Match,
    Participant,
    Stage,
    Submission,
    SubmissionEvent,
    Tournament,
)
from leagues.storage.results import Store, identity, sealed


class Staged(Store):
    """A store whose tournaments may be stages of a league."""

    def stages(self, league: int) -> list[tuple[Stage, Tournament]]:
        """The tournaments of a league, in their order."""
        with self._reads() as session:
            query = (
                select(Stage, Tournament)
                .join(Tournament, col(Tournament.id) == col(Stage.tournament))
                .where(Stage.league == league)
                .order_by(col(Stage.number))
            )
            return [(stage, tournament) for stage, tournament in session.exec(query)]

    def played_by_stage(self, league: int) -> dict[int, int]:
        """How many matches each tournament of a league has."""
        query = (
            sa.select(col(Match.tournament), sa.func.count())
            .join(Stage, col(Stage.tournament) == col(Match.tournament))
            .where(col(Stage.league) == league)
            .group_by(col(Match.tournament))
        )
        with self._connection() as connection:
            return {int(id): int(count) for id, count in connection.execute(query)}

    def tournaments_of(self, league: int) -> dict[int, int]:
        """Of every match of a league its tournament."""
        query = (
            sa.select(col(Match.id), col(Match.tournament))
            .join(Stage, col(Stage.tournament) == col(Match.tournament))
            .where(col(Stage.league) == league)
        )
        with self._connection() as connection:
            return {int(match): int(id) for match, id in connection.execute(query)}

    def last_stage(self, league: int) -> int:
        """The number of the stage that was opened last; 0 if there is none."""
        query = sa.select(sa.func.max(col(Stage.number))).where(col(Stage.league) == league)
        with self._connection() as connection:
            return connection.execute(query).scalar() or 0

    def mark(self, league: int) -> tuple[int, ...]:
        """Numbers of which one changes when anything does that decides what a league does next."""
        stored = (
            sa.select(sa.func.max(col(Batch.number)) + 1)
            .where(col(Batch.tournament) == col(Stage.tournament))
            .scalar_subquery()
        )
        here = sa.select(col(Submission.id)).where(col(Submission.league) == league)
        queries: tuple[sa.Select[Any], ...] = (
            sa.select(sa.func.max(col(LeagueEvent.id))).where(col(LeagueEvent.league) == league),
            sa.select(sa.func.max(col(SubmissionEvent.id))).where(
                col(SubmissionEvent.submission).in_(here)
            ),
            sa.select(sa.func.max(col(Stage.number))).where(col(Stage.league) == league),
            sa.select(sa.func.sum(stored)).where(col(Stage.league) == league),
            sa.select(sa.func.max(col(Exclusion.id))),
        )
        with self._connection() as connection:
            return tuple(int(connection.execute(query).scalar() or 0) for query in queries)

    def open_stage(
        self,
        league: League,
        number: int,
        kind: str,
        seed: int,
        config: Mapping[str, object],
        entrants: Sequence[int],
    ) -> bool:
        """Begin a stage, unless another worker has begun one of this number; whether it did."""
        assert league.id is not None
        with self._writes() as session:
            last = session.exec(
                select(sa.func.max(Stage.number)).where(Stage.league == league.id)
            ).one()
            if (last or 0) + 1 != number:
                return False
            tournament = Tournament(
                name=f"{league.name}/{number}",
                seed=str(int(seed)),
                config=json.dumps(config, sort_keys=True, separators=(",", ":")),
                identity=identity(config),
                cycles="null",
                command="",
                created=int(time.time()),
                checksum=b"",
            )
            session.add(sealed(tournament))
            session.flush()
            assert tournament.id is not None
            for position, entrant in enumerate(entrants):
                row = Participant(
                    tournament=tournament.id, position=position, entrant=entrant, checksum=b""
                )
                session.add(sealed(row))
            stage = Stage(
                tournament=tournament.id, league=league.id, number=number, kind=kind, checksum=b""
            )
            session.add(sealed(stage))
            return True

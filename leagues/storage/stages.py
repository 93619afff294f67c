"""The tournaments of a league, one after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

import sqlalchemy as sa
from sqlmodel import col, select

from leagues.records import League, LeagueStage, StageKind, Tournament
from leagues.storage.codec import parse_word
from leagues.storage.database import Database
from leagues.storage.models.leagues import ActRow, LeagueEventRow, SubmissionEventRow, SubmissionRow
from leagues.storage.models.results import BatchRow, LeagueRow, MatchRow, StageRow, TournamentRow
from leagues.storage.models.rows import columns_of, with_checksum
from leagues.storage.results import add_tournament

STAGE_COLUMNS: Final = len(fields(LeagueStage))


class StagesReader:
    """The stages of leagues, read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_league(self, league: int) -> list[tuple[LeagueStage, Tournament]]:
        """The tournaments of a league, in their order."""
        query = (
            sa.select(*columns_of(LeagueStage, StageRow), *columns_of(Tournament, TournamentRow))
            .join(TournamentRow, col(TournamentRow.id) == col(StageRow.tournament))
            .where(col(StageRow.league) == league)
            .order_by(col(StageRow.number))
        )
        with self._database.reading() as connection:
            return [
                (_stage(*row[:STAGE_COLUMNS]), Tournament(*row[STAGE_COLUMNS:]))
                for row in connection.execute(query)
            ]

    def stage_of(self, tournament: int) -> tuple[LeagueStage, League] | None:
        """Which league a tournament belongs to, if it is a stage of one."""
        query = (
            sa.select(*columns_of(LeagueStage, StageRow), *columns_of(League, LeagueRow))
            .join(LeagueRow, col(LeagueRow.id) == col(StageRow.league))
            .where(col(StageRow.tournament) == tournament)
        )
        with self._database.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        return _stage(*row[:STAGE_COLUMNS]), League(*row[STAGE_COLUMNS:])

    def matches_by_stage(self, league: int) -> dict[int, int]:
        """How many matches each tournament of a league has."""
        query = (
            sa.select(col(MatchRow.tournament), sa.func.count())
            .join(StageRow, col(StageRow.tournament) == col(MatchRow.tournament))
            .where(col(StageRow.league) == league)
            .group_by(col(MatchRow.tournament))
        )
        with self._database.reading() as connection:
            return {int(id): int(count) for id, count in connection.execute(query)}

    def matches_since(self, league: int, moment: int) -> int:
        """How many matches of a league were stored at this time of day or later."""
        query = (
            sa.select(sa.func.count())
            .select_from(MatchRow)
            .join(StageRow, col(StageRow.tournament) == col(MatchRow.tournament))
            .where(col(StageRow.league) == league, col(MatchRow.played_at) >= moment)
        )
        with self._database.reading() as connection:
            return int(connection.execute(query).scalar_one())

    def tournaments_of(self, league: int) -> dict[int, int]:
        """Of every match of a league its tournament."""
        query = (
            sa.select(col(MatchRow.id), col(MatchRow.tournament))
            .join(StageRow, col(StageRow.tournament) == col(MatchRow.tournament))
            .where(col(StageRow.league) == league)
        )
        with self._database.reading() as connection:
            return {int(match): int(id) for match, id in connection.execute(query)}

    def last_number(self, league: int) -> int:
        """The number of the stage that was opened last; 0 if there is none."""
        query = sa.select(sa.func.max(col(StageRow.number))).where(col(StageRow.league) == league)
        with self._database.reading() as connection:
            return connection.execute(query).scalar() or 0

    def change_token(self, league: int) -> tuple[int, ...]:
        """Numbers of which one changes when anything does that decides what a league does next."""
        stored = (
            sa.select(sa.func.max(col(BatchRow.number)) + 1)
            .where(col(BatchRow.tournament) == col(StageRow.tournament))
            .scalar_subquery()
        )
        here = sa.select(col(SubmissionRow.id)).where(col(SubmissionRow.league) == league)
        queries: tuple[sa.Select[Any], ...] = (
            sa.select(sa.func.max(col(LeagueEventRow.id))).where(
                col(LeagueEventRow.league) == league
            ),
            sa.select(sa.func.max(col(SubmissionEventRow.id))).where(
                col(SubmissionEventRow.submission).in_(here)
            ),
            sa.select(sa.func.max(col(StageRow.number))).where(col(StageRow.league) == league),
            sa.select(sa.func.sum(stored)).where(col(StageRow.league) == league),
            sa.select(sa.func.max(col(ActRow.id))).where(
                sa.or_(col(ActRow.league) == league, col(ActRow.league).is_(None))
            ),
        )
        with self._database.reading() as connection:
            return tuple(int(connection.execute(query).scalar() or 0) for query in queries)


class StagesWriter:
    """Stages of leagues, opened."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open_stage(
        self,
        league: League,
        number: int,
        kind: StageKind,
        seed: int,
        config: Mapping[str, object],
        entrants: Sequence[int],
    ) -> bool:
        """Begin a stage, unless another worker has begun one of this number; whether it did."""
        with self._database.write_session() as session:
            query = select(sa.func.max(StageRow.number)).where(StageRow.league == league.id)
            if (session.exec(query).one() or 0) + 1 != number:
                return False
            name = f"{league.name}/{number}"
            tournament = add_tournament(session, name, seed, config, entrants)
            stage = StageRow(
                tournament=tournament.id,
                league=league.id,
                number=number,
                kind=kind.value,
                checksum=b"",
            )
            session.add(with_checksum(stage))
            return True


def _stage(tournament: int, league: int, number: int, kind: str) -> LeagueStage:
    return LeagueStage(tournament, league, number, parse_word(StageKind, kind))

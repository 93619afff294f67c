"""What the ratings of a league know besides results."""

import tomllib

import sqlalchemy as sa
from sqlmodel import Session, col

from leagues.moderation.seasons import carried_priors
from leagues.ratings.trueskill_fold import FoldRules
from leagues.storage.models.leagues import SubmissionRow
from leagues.storage.models.results import LeagueRow


def league_fold_rules(connection: sa.Connection, league: int) -> FoldRules:
    """What was believed before, which bot is a version of which, and how far skills may drift."""
    query = sa.select(col(LeagueRow.rules)).where(col(LeagueRow.id) == league)
    rules = tomllib.loads(connection.execute(query).scalar_one())
    with Session(connection) as session:
        priors = carried_priors(session, league)
    parents = _version_parents(connection, league)
    return FoldRules(priors, parents, float(rules.get("drift", 0.0)))


def _version_parents(connection: sa.Connection, league: int) -> dict[int, int]:
    """Of every new version in a league the one before it, both as entrants."""
    parent = sa.orm.aliased(SubmissionRow)
    query = (
        sa.select(col(SubmissionRow.entrant), col(parent.entrant))
        .join(parent, col(SubmissionRow.parent) == col(parent.id))
        .where(col(SubmissionRow.league) == league)
    )
    return {row[0]: row[1] for row in connection.execute(query)}

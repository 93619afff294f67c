"""What became of a league by acts: its title and rules edited, its final, the season it is."""

import json
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from sqlmodel import Session, col, select

from leagues.errors import RefusedError
from leagues.moderation.acts import record_act
from leagues.records import ActKind, LeagueDetails, LeagueFinal, SubmissionState
from leagues.storage.codec import check_line, check_lines
from leagues.storage.database import Database
from leagues.storage.models.leagues import ActRow, SubmissionRow
from leagues.storage.models.results import EntrantRow, LeagueRow, OwnerRow, StageRow
from leagues.storage.models.rows import number_of, with_checksum
from leagues.storage.submissions import entrant_label, submission_event

if TYPE_CHECKING:
    from leagues.ratings.trueskill_fold import Rating

TOLD: Final = ("title", "text", "contact", "opens", "closes")  # what is said of a league


@dataclass(frozen=True, slots=True)
class NewSeason:
    """A league that follows on others: the next season of a league, or a division of it."""

    name: str
    rules: str
    seed: int
    origins: Sequence[int]  # the leagues of the season before, the highest division first
    season: int
    division: int  # 0 if there is one league
    carried: "Sequence[tuple[int, Rating]]"  # submissions, and what is believed of each


def _facts(session: Session, kind: ActKind, league: int | None) -> Iterator[tuple[int, Any]]:
    """Of every act of a kind its league and its facts, oldest first."""
    query = select(ActRow.league, ActRow.facts).where(ActRow.kind == kind.value)
    if league is not None:
        query = query.where(ActRow.league == league)
    for of, facts in session.exec(query.order_by(col(ActRow.id))):
        yield of or 0, json.loads(facts)


def edited_rules(session: Session) -> dict[int, str]:
    """The rules of those leagues that were edited, as TOML."""
    edits = _facts(session, ActKind.EDIT, None)
    return {league: facts["rules"] for league, facts in edits if "rules" in facts}


def read_details(session: Session, league: int) -> LeagueDetails:
    """What a league says of itself, and which season it is."""
    told: dict[str, Any] = {}
    for _, facts in _facts(session, ActKind.EDIT, league):
        told |= {key: str(facts[key]) for key in TOLD if key in facts}
    for _, facts in _facts(session, ActKind.SEASON, league):
        told |= {"season": int(facts["season"]), "division": int(facts["division"])}
        told["previous"] = session.get_one(LeagueRow, facts["previous"]).name
    following = [
        session.get_one(LeagueRow, of).name
        for of, facts in _facts(session, ActKind.SEASON, None)
        if league in facts["origins"]
    ]
    return LeagueDetails(**told, following=tuple(following))


def read_final(session: Session, league: int) -> LeagueFinal | None:
    """The final of a league, once it has begun."""
    for _, facts in _facts(session, ActKind.FINAL, league):
        return LeagueFinal(
            int(facts["stage"]), int(facts["games"]), str(facts["seed"]), facts["seed_sha256"]
        )
    return None


def carried_priors(session: Session, league: int) -> "dict[int, Rating]":
    """Of every entrant that came from the season before, what is believed of it."""
    from leagues.ratings.trueskill_fold import Rating  # loads numpy

    found: dict[int, Rating] = {}
    for _, facts in _facts(session, ActKind.SEASON, league):
        found |= {int(id): Rating(mu, sigma) for id, (mu, sigma) in facts["priors"].items()}
    return found


class SeasonsWriter:
    """What a league says of itself, and its rules, edited."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def edit(self, league: int, changes: Mapping[str, str], reason: str, by: str) -> None:
        """Change what a league says of itself, or its rules, which the caller has checked."""
        for key, text in changes.items():
            (check_lines if key in ("text", "rules") else check_line)(text, f"a {key}")
        with self._database.write_session() as session:
            subject = f"league {league}"
            record_act(session, ActKind.EDIT, subject, reason, by, league, changes)


def fill_season(session: Session, league: int, new: NewSeason, by: str) -> None:
    """Enter submissions of the season before in a new league, with what is believed of them."""
    priors = {
        _carry(session, league, submission, by): [rating.mu, rating.sigma]
        for submission, rating in new.carried
    }
    facts = {
        "previous": new.origins[0],
        "origins": list(new.origins),
        "season": new.season,
        "division": new.division,
        "priors": priors,
    }
    record_act(session, ActKind.SEASON, f"league {league}", "", by, league, facts)


def draw_final(session: Session, league: int, games: int, reason: str, by: str) -> LeagueFinal:
    """Draw the seed of the final, of which a checksum is shown before it is played."""
    query = select(StageRow.number).where(StageRow.league == league)
    seed = str(secrets.randbits(128))
    facts = {
        "stage": max(session.exec(query).all(), default=0),
        "games": games,
        "seed": seed,
        "seed_sha256": sha256(seed.encode()).hexdigest(),
    }
    record_act(session, ActKind.FINAL, f"league {league}", reason, by, league, facts)
    found = read_final(session, league)
    assert found is not None
    return found


def check_division(session: Session, league: int, owner: int | None, name: str) -> None:
    """RefusedError if a bot enters a division it is not in: the new begin in the lowest."""
    divisions = _divisions(session, league)
    if not divisions:
        return
    query = select(SubmissionRow.league).where(
        col(SubmissionRow.league).in_(divisions),
        SubmissionRow.name == name,
        col(SubmissionRow.owner).is_not_distinct_from(owner),
    )
    own = session.exec(query.order_by(col(SubmissionRow.id).desc())).first()
    right = divisions[-1] if own is None else own
    if right != league:
        raise RefusedError(
            "expected a new bot in the lowest division, {right}, got one in {league}"
            if own is None
            else "expected a new version of this bot in {right}, its division, got one in {league}",
            right=session.get_one(LeagueRow, right).name,
            league=session.get_one(LeagueRow, league).name,
        )


def _divisions(session: Session, league: int) -> list[int]:
    """The leagues that are the divisions of a season, the highest first; none if it has none."""
    facts = dict(_facts(session, ActKind.SEASON, None))
    mine = facts.get(league)
    if mine is None or not mine["division"]:
        return []

    def season_name(of: int) -> str:
        name = session.get_one(LeagueRow, of).name
        return name.removesuffix(f"-d{facts[of]['division']}")

    same = [
        of
        for of, each in facts.items()
        if each["origins"] == mine["origins"] and season_name(of) == season_name(league)
    ]
    return sorted(same, key=lambda of: int(facts[of]["division"]))


def _carry(session: Session, league: int, submission: int, by: str) -> int:
    """Enter a bot of another league, which was checked there; its new entrant."""
    old = session.get_one(SubmissionRow, submission)
    owner = None if old.owner is None else session.get_one(OwnerRow, old.owner).name
    now = int(time.time())
    before = select(SubmissionRow.version).where(
        SubmissionRow.league == league,
        SubmissionRow.name == old.name,
        col(SubmissionRow.owner).is_not_distinct_from(old.owner),
    )
    versions = session.exec(before).all()
    entrant = EntrantRow(
        label=entrant_label(owner, old.name, old.version, old.digest, versions),
        spec=f"league:{old.digest}",
        digest=f"{old.digest}@{league}/{old.owner or ''}",
        version=old.version,
        owner=owner,
        created=now,
        checksum=b"",
    )
    session.add(with_checksum(entrant))
    session.flush()
    row = SubmissionRow(
        league=league,
        owner=old.owner,
        name=old.name,
        version=old.version,
        digest=old.digest,
        facts=old.facts,
        entrant=number_of(entrant),
        received=now,
        checksum=b"",
    )
    session.add(with_checksum(row))
    session.flush()
    for state in (SubmissionState.RECEIVED, SubmissionState.ACCEPTED):
        reason = "carried over from the season before"
        session.add(submission_event(number_of(row), state, reason, by=by))
    return number_of(entrant)

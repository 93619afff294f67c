"""Leagues and who is in them: states and submissions as events, of which the last counts.

Nothing here runs or reads a bot's code; what a bot says of itself is given by the caller.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa
from sqlmodel import Session, col, select

from leagues.accounts.owners import get_or_create_owner
from leagues.errors import NotFoundError, RefusedError, StorageError
from leagues.moderation.acts import last_acts, record_act
from leagues.moderation.seasons import (
    NewSeason,
    carried_priors,
    check_division,
    draw_final,
    edited_rules,
    fill_season,
    read_details,
    read_final,
)
from leagues.moderation.signatures import signer_names
from leagues.records import (
    ActKind,
    League,
    LeagueDetails,
    LeagueEvent,
    LeagueFinal,
    LeagueState,
    Owner,
    Reliability,
    Submission,
    SubmissionState,
)
from leagues.storage.codec import check_line, check_lines, parse_word
from leagues.storage.database import Database
from leagues.storage.models.leagues import (
    LeagueEventRow,
    SnapshotRow,
    SubmissionEventRow,
    SubmissionRow,
)
from leagues.storage.models.results import EntrantRow, LeagueRow, OwnerRow, TournamentRow
from leagues.storage.models.rows import columns_of, record_of, with_checksum
from leagues.storage.reliability import FaultCounter, reliability
from leagues.storage.submissions import (
    NewSubmission,
    add_submission,
    read_submissions,
    submission_event,
)
from leagues.submissions.archive import BotArchive, unpack_archive
from leagues.submissions.lifecycle import (
    NAME,
    RECEIVING,
    check_league_state,
    check_names,
    check_submission_state,
    look_alike,
)

if TYPE_CHECKING:
    from leagues.ratings.trueskill_fold import Rating

MAX_NAMES: Final = 5  # that an error lists


class LeaguesReader:
    """Leagues, owners and submissions, read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[League]:
        """All leagues, oldest first."""
        query = sa.select(*columns_of(League, LeagueRow)).order_by(col(LeagueRow.id))
        return self._with_rules(self._database.records(League, query))

    def _with_rules(self, leagues: list[League]) -> list[League]:
        """The leagues, with their rules as they were edited last."""
        with self._database.reading() as connection, Session(connection) as session:
            edited = edited_rules(session)
        return [replace(each, rules=edited.get(each.id, each.rules)) for each in leagues]

    def details(self, league: int) -> LeagueDetails:
        """What a league says of itself, and which season it is."""
        with self._database.reading() as connection, Session(connection) as session:
            return read_details(session, league)

    def final(self, league: int) -> LeagueFinal | None:
        """The final of a league, once it has begun."""
        with self._database.reading() as connection, Session(connection) as session:
            return read_final(session, league)

    def carried_priors(self, league: int) -> "dict[int, Rating]":
        """Of every entrant that came from the season before, what is believed of it."""
        with self._database.reading() as connection, Session(connection) as session:
            return carried_priors(session, league)

    def state_before(self, league: int) -> LeagueState:
        """The state that an archived league had before."""
        with self._database.reading() as connection, Session(connection) as session:
            return _state_before(session, league)

    def by_name(self, name: str) -> League:
        """The league of this name; NotFoundError if there is none."""
        leagues = self.all()
        for league in leagues:
            if league.name == name:
                return league
        if not leagues:
            raise NotFoundError("no league {name} yet: arena league create {name}", name=name)
        names = ", ".join(league.name for league in leagues)
        raise NotFoundError("expected a league out of {names}, got {name}", names=names, name=name)

    def by_id(self, id: int) -> League:
        """The league with this number; NotFoundError if there is none."""
        query = sa.select(*columns_of(League, LeagueRow)).where(col(LeagueRow.id) == id)
        for found in self._with_rules(self._database.records(League, query)):
            return found
        raise NotFoundError("expected a league of this database, got {id}", id=id)

    def events(self, league: int) -> list[LeagueEvent]:
        """The states a league has had, oldest first."""
        query = (
            sa.select(*columns_of(LeagueEvent, LeagueEventRow))
            .where(col(LeagueEventRow.league) == league)
            .order_by(col(LeagueEventRow.id))
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
            signers = signer_names(connection, {row.by for row in rows})
        return [
            LeagueEvent(id, of, parse_word(LeagueState, state), reason, signers[by], at)
            for id, of, state, reason, by, at in rows
        ]

    def state(self, league: int) -> LeagueState:
        """The state a league is in."""
        return self.events(league)[-1].state

    def states(self) -> dict[int, LeagueState]:
        """The state of every league, by its number."""
        query = sa.select(col(LeagueEventRow.league), col(LeagueEventRow.state))
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(col(LeagueEventRow.id))).all()
        return {league: parse_word(LeagueState, state) for league, state in dict(rows).items()}

    def owners(self) -> list[Owner]:
        """All owners, oldest first."""
        query = sa.select(*columns_of(Owner, OwnerRow)).order_by(col(OwnerRow.id))
        return self._database.records(Owner, query)

    def submissions(self, league: int) -> list[Submission]:
        """All submissions of a league, oldest first."""
        with self._database.reading() as connection, Session(connection) as session:
            return read_submissions(session, league)

    def submission(self, id: int) -> Submission:
        """One submission by its number; NotFoundError if there is none."""
        with self._database.reading() as connection, Session(connection) as session:
            row = session.get(SubmissionRow, id)
            if row is None:
                raise NotFoundError("expected a submission of this database, got {id}", id=id)
            versions = read_submissions(session, row.league, row)
        return next(each for each in versions if each.id == id)

    def find_submission(self, league: int, text: str) -> Submission:
        """The one meant by NAME, OWNER/NAME or either with @VERSION; NotFoundError if none."""
        submissions = self.submissions(league)
        for each in submissions:
            if each.label == text:
                return each
        who, _, version = text.partition("@")
        found = [
            each
            for each in submissions
            if who in (each.name, f"{each.owner}/{each.name}") and version in ("", each.version)
        ]
        if len({(each.owner, each.name) for each in found}) > 1:
            raise NotFoundError(
                "expected one bot out of {labels}, got {text}",
                labels=_some([each.label for each in found]),
                text=text,
            )
        if not found:
            raise _unknown(submissions, text)
        return next((each for each in found if each.is_current), found[-1])

    def named_submission(self, league: str, text: str) -> Submission:
        """The bot of a league, both by their names; NotFoundError if there is none."""
        return self.find_submission(self.by_name(league).id, text)

    def playing(self, league: int) -> list[Submission]:
        """The submissions that play, oldest first."""
        return [each for each in self.submissions(league) if each.plays]

    def archive(self, digest: str, alone: bool) -> BotArchive:
        """The files of a bot; StorageError if they are no longer what they were."""
        query = sa.select(col(SnapshotRow.content)).where(col(SnapshotRow.digest) == digest)
        with self._database.reading() as connection:
            content = connection.execute(query).scalar()
        if content is None:
            raise StorageError("expected a bot of this database, got {digest}", digest=digest)
        if not content:
            raise StorageError("the files of {digest} were erased", digest=digest[:12])
        archive = unpack_archive(content, alone)
        if archive.digest != digest:
            raise StorageError("expected the files of {digest}, got others", digest=digest[:12])
        return archive

    def reliability(
        self, league: int, entrant: int | None = None, since: int = 0
    ) -> dict[int, Reliability]:
        """Faults and times of every entrant that has played, or of one; from a time of day on."""
        return reliability(self._database, league, entrant, since)

    def fault_counter(self, league: int) -> FaultCounter:
        """A counter of the faults of a league's entrants, which reads every match once."""
        return FaultCounter(self._database, league)


class LeaguesWriter:
    """Leagues created, their states set, bots submitted."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, name: str, rules: str, seed: int) -> League:
        """A new league."""
        with self._database.write_session() as session:
            return _create(session, name, rules, seed)

    def create_season(self, leagues: Sequence[NewSeason], by: str) -> None:
        """The leagues of the next season with the bots that come along: all of it, or nothing."""
        with self._database.write_session() as session:
            for new in leagues:
                league = _create(session, new.name, new.rules, new.seed)
                fill_season(session, league.id, new, by)

    def set_league_state(
        self, league: int, state: LeagueState, reason: str = "", by: str = ""
    ) -> None:
        """Give a league another state; RefusedError if it may not have it."""
        with self._database.write_session() as session:
            _set_league_state(session, league, state, reason, by)

    def begin_final(self, league: int, games: int, reason: str, by: str) -> LeagueFinal:
        """Take no more submissions, and draw the seed of the final: both, or neither."""
        with self._database.write_session() as session:
            _set_league_state(session, league, LeagueState.FINAL, reason, by)
            return draw_final(session, league, games, reason, by)

    def submit(
        self, new: NewSubmission, limit: int | None = None, active: int | None = None
    ) -> tuple[Submission, bool]:
        """Store a bot, and say whether it is new; content that a league has already is what it was.

        An owner may submit so many in a day as the limit says, and have so many active bots.
        """
        check_names(new.name, new.version, new.owner)
        with self._database.write_session() as session:
            state = _last_state(session, new.league)
            if state not in RECEIVING:
                raise RefusedError(
                    "expected a league that takes submissions, got one that is {state}", state=state
                )
            owner = None if new.owner is None else get_or_create_owner(session, new.owner)
            if owner in last_acts(session, ActKind.BAN, ActKind.UNBAN, "owner"):
                raise RefusedError("{owner} is banned", owner=new.owner)
            check_division(session, new.league, owner, new.name)
            id, is_new = add_submission(session, new, owner, limit, active)
        return LeaguesReader(self._database).submission(id), is_new

    def set_submission_state(
        self,
        submission: int,
        state: SubmissionState,
        reason: str = "",
        detail: str = "",
        by: str = "",
        is_act: bool = False,
    ) -> None:
        """Give a submission another state; RefusedError if it may not have it.

        What an organiser does is recorded as an act.
        """
        with self._database.write_session() as session:
            states = session.exec(
                select(SubmissionEventRow.state)
                .where(SubmissionEventRow.submission == submission)
                .order_by(col(SubmissionEventRow.id))
            ).all()
            if not states:
                raise NotFoundError(
                    "expected a submission of this database, got {id}", id=submission
                )
            had = [parse_word(SubmissionState, each) for each in states]
            check_submission_state(_label(session, submission), had, state)
            event = submission_event(submission, state, reason, detail, by)
            if not is_act:
                session.add(event)
                return
            league = session.get_one(SubmissionRow, submission).league
            facts = {"state": state.value}
            subject = f"submission {submission}"
            record_act(session, ActKind.STATE, subject, reason, by, league, facts, event)


def _create(session: Session, name: str, rules: str, seed: int) -> League:
    if not NAME.fullmatch(name):
        raise RefusedError(
            "expected a name of up to 40 letters, digits, - and _, got {name!r}", name=name
        )
    named = select(TournamentRow.name).where(TournamentRow.name == name)
    if session.exec(named).first() is not None:
        raise RefusedError(
            "expected a new name, got {name}, which is a tournament already", name=name
        )
    for taken in session.exec(select(LeagueRow.name)):
        if taken == name:
            raise RefusedError(
                "expected a new name, got {name}, which is a league already", name=name
            )
        if look_alike(taken, name):
            raise RefusedError("expected a name unlike {taken}, got {name}", taken=taken, name=name)
    row = LeagueRow(
        name=name,
        rules=check_lines(rules, "rules"),
        seed=str(int(seed)),
        created=int(time.time()),
        checksum=b"",
    )
    session.add(with_checksum(row))
    session.flush()
    league = record_of(League, row)
    session.add(_league_event(league.id, LeagueState.CREATED, "", ""))
    return league


def _some(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return ", ".join(names[:MAX_NAMES]) + more if names else "none"


def _unknown(submissions: Sequence[Submission], text: str) -> NotFoundError:
    """That there is no such bot; and which might be meant."""
    mine = list(dict.fromkeys(f"{e.owner}/{e.name}" for e in submissions if e.owner == text))
    if mine:
        return NotFoundError(
            "expected a bot, got the owner {owner}, whose bots are {bots}",
            owner=text,
            bots=_some(mine),
        )
    labels = [each.label for each in submissions]
    close = get_close_matches(text, labels, n=3, cutoff=0.4)
    return NotFoundError(
        "expected a bot of the league ({labels}), got {text}",
        labels=_some(close or labels),
        text=text,
    )


def _label(session: Session, submission: int) -> str:
    entrant = session.get_one(SubmissionRow, submission).entrant
    return session.get_one(EntrantRow, entrant).label


def _set_league_state(
    session: Session, league: int, state: LeagueState, reason: str, by: str
) -> None:
    now = _last_state(session, league)
    if not (now == LeagueState.ARCHIVED and state == _state_before(session, league)):
        check_league_state(session.get_one(LeagueRow, league).name, now, state)
    record_act(
        session,
        ActKind.STATE,
        f"league {league}",
        reason,
        by,
        league,
        {"state": state.value},
        _league_event(league, state, reason, by),
    )


def _last_state(session: Session, league: int) -> LeagueState:
    query = select(LeagueEventRow.state).where(LeagueEventRow.league == league)
    last = session.exec(query.order_by(col(LeagueEventRow.id).desc()).limit(1)).one()
    return parse_word(LeagueState, last)


def _state_before(session: Session, league: int) -> LeagueState:
    """The state that a league had before the one it has."""
    query = select(LeagueEventRow.state).where(LeagueEventRow.league == league)
    *_, before, _ = session.exec(query.order_by(col(LeagueEventRow.id))).all()
    return parse_word(LeagueState, before)


def _league_event(league: int, state: LeagueState, reason: str, by: str) -> LeagueEventRow:
    row = LeagueEventRow(
        league=league,
        state=state.value,
        reason=check_line(reason, "a reason"),
        by=check_line(by, "a name"),
        at=int(time.time()),
        checksum=b"",
    )
    return with_checksum(row)

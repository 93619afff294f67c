"""The same for programs: JSON under /api, described by /openapi.json."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query

from arena.site import answers
from arena.site.answers import (
    BoardAnswer,
    BotAnswer,
    MatchesAnswer,
    MeetingAnswer,
    Problem,
    ProfileAnswer,
    ReplayAnswer,
    TournamentAnswer,
)
from arena.site.app.common import MOST, AtDesk, GameId, Id, Number, Players
from arena.site.archive import MissingError

router = APIRouter(
    prefix="/api",
    responses={
        404: {"model": Problem, "description": "There is no such thing."},
        422: {"model": Problem, "description": "The question cannot be understood."},
        429: {"model": Problem, "description": "Too many questions; Retry-After says when."},
    },
)


@router.get("/tournaments")
def tournaments(desk: AtDesk) -> list[TournamentAnswer]:
    """All tournaments, the latest first."""
    return [answers.tournament_answer(contest) for contest in desk.archive.tournaments()]


@router.get("/tournaments/{id}")
def tournament(id: Id, desk: AtDesk) -> TournamentAnswer:
    """One tournament."""
    return answers.tournament_answer(desk.archive.tournament(id))


@router.get("/tournaments/{id}/board")
def board(id: Id, desk: AtDesk, game: GameId = None, players: Players = None) -> BoardAnswer:
    """The leaderboard of a tournament, of its first game if none is named."""
    contest = desk.archive.tournament(id)
    log = contest.log(game)
    if log is None:
        raise MissingError(f"expected matches of {contest.name}, got none yet")
    return answers.board_answer(contest, log, players)


@router.get("/tournaments/{id}/meetings")
def meetings(id: Id, desk: AtDesk, game: GameId = None) -> list[MeetingAnswer]:
    """Every two bots who met, both ways round."""
    contest = desk.archive.tournament(id)
    log = contest.log(game)
    found = {} if log is None else contest.meetings(log)
    return [answers.meeting_answer(met) for met in found.values()]


@router.get("/tournaments/{id}/bots")
def bots(id: Id, desk: AtDesk) -> list[BotAnswer]:
    """The bots of a tournament."""
    contest = desk.archive.tournament(id)
    return [answers.bot_answer(contest, bot) for bot in contest.entrants]


@router.get("/tournaments/{id}/bots/{bot}")
def bot(id: Id, bot: Id, desk: AtDesk, game: GameId = None) -> ProfileAnswer:
    """A bot with its results in a tournament."""
    contest = desk.archive.tournament(id)
    return answers.profile_answer(desk.archive, contest, bot, contest.log(game))


@router.get("/tournaments/{id}/matches")
def matches(
    id: Id,
    desk: AtDesk,
    bot: Number = None,
    players: Players = None,
    faulty: Annotated[bool, Query()] = False,
    most: Annotated[int, Query(ge=1, le=200)] = 50,
    after: Annotated[int, Query(ge=0, le=MOST)] = 0,
) -> MatchesAnswer:
    """Matches of a tournament, the latest first."""
    contest = desk.archive.tournament(id)
    which = replace(contest.which, players=players, entrant=bot, faulty=faulty)
    return answers.matches_answer(desk.archive, contest, which, most, after)


@router.get("/matches/{id}")
def match(id: Id, desk: AtDesk) -> ReplayAnswer:
    """A match with all its decisions."""
    stored = desk.archive.match(id)
    return answers.replay_answer(desk.archive.contest_of(stored), stored)

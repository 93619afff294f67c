"""The same for programs: JSON under /api, described by /openapi.json."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from arena.site.app import api_models
from arena.site.app.api_models import (
    BoardAnswer,
    BotAnswer,
    ContestAnswer,
    ErrorAnswer,
    MatchesAnswer,
    MeetingAnswer,
    ProfileAnswer,
    ReplayAnswer,
    SubmissionAnswer,
)
from arena.site.app.errors import RequestError
from arena.site.app.params import (
    MOST,
    GameId,
    Id,
    LeagueName,
    Number,
    Players,
    SeatNumber,
    league_asked,
    tournament_asked,
)
from arena.site.app.state import AppStateDep
from arena.site.contests import MissingError, SiteContest
from arena.site.pages.explain import check_seat
from arena.site.pages.submit import hand_in
from arena.tournament.matches.explain_report import explanation_facts

PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    404: {"model": ErrorAnswer, "description": "There is no such thing."},
    422: {"model": ErrorAnswer, "description": "The question cannot be understood."},
    429: {"model": ErrorAnswer, "description": "Too many questions; Retry-After says when."},
}


def contest_answers(prefix: str, find: Callable[..., SiteContest]) -> APIRouter:
    """The answers about one kind of contest."""
    router = APIRouter(prefix=prefix)
    asked = Depends(find)

    @router.get("")
    def contest(contest: SiteContest = asked) -> ContestAnswer:
        """What it is, and who is in it."""
        return api_models.contest_answer(contest)

    @router.get("/board")
    def board(
        contest: SiteContest = asked, game: GameId = None, players: Players = None
    ) -> BoardAnswer:
        """The leaderboard, of the first game if none is named."""
        log = contest.log(game)
        if log is None:
            raise MissingError("expected matches of {name}, got none yet", name=contest.name)
        return api_models.board_answer(contest, log, players)

    @router.get("/meetings")
    def meetings(contest: SiteContest = asked, game: GameId = None) -> list[MeetingAnswer]:
        """Every two bots that met, both ways round."""
        log = contest.log(game)
        found = {} if log is None else contest.meetings(log)
        return [api_models.meeting_answer(met) for met in found.values()]

    @router.get("/bots")
    def bots(contest: SiteContest = asked) -> list[BotAnswer]:
        """All bots that ever were in it."""
        return [api_models.bot_answer(contest, bot) for bot in contest.entrants]

    @router.get("/bots/{bot}")
    def bot(
        bot: Id, state: AppStateDep, contest: SiteContest = asked, game: GameId = None
    ) -> ProfileAnswer:
        """A bot with its results."""
        return api_models.profile_answer(state.contests, contest, bot, contest.log(game))

    @router.get("/matches")
    def matches(
        state: AppStateDep,
        contest: SiteContest = asked,
        bot: Number = None,
        players: Players = None,
        faulty: Annotated[bool, Query()] = False,
        most: Annotated[int, Query(ge=1, le=200)] = 50,
        after: Annotated[int, Query(ge=0, le=MOST)] = 0,
    ) -> MatchesAnswer:
        """Matches, the latest first."""
        which = replace(contest.which, players=players, entrant=bot, faulty=faulty)
        return api_models.matches_answer(state.contests, contest, which, most, after)

    return router


router = APIRouter(prefix="/api", responses=PROBLEMS)


@router.get("/tournaments")
def tournaments(
    state: AppStateDep,
    most: Annotated[int, Query(ge=1, le=200)] = 50,
    after: Annotated[int, Query(ge=0, le=MOST)] = 0,
) -> list[ContestAnswer]:
    """Tournaments, the latest first."""
    return [api_models.contest_answer(each) for each in state.contests.tournaments(most, after)]


@router.get("/leagues")
def leagues(state: AppStateDep) -> list[ContestAnswer]:
    """All leagues, the latest first."""
    return [api_models.contest_answer(contest) for contest in state.contests.leagues()]


router.include_router(contest_answers("/tournaments/{id}", tournament_asked))
router.include_router(contest_answers("/leagues/{name}", league_asked))


@router.get("/matches/{id}")
def match(id: Id, state: AppStateDep) -> ReplayAnswer:
    """A match with all its decisions; of what bots of a league said, a summary of one line."""
    stored = state.contests.match(id)
    return api_models.replay_answer(state.contests.contest_of(stored), stored)


@router.get("/matches/{id}/explain")
def explain(id: Id, state: AppStateDep, seat: SeatNumber = None) -> dict[str, Any]:
    """Why a seat came out as it did, the last if none is named: as `arena match explain --json`."""
    stored = state.contests.match(id)
    found = state.contests.explained(id, stored.result, check_seat(stored.result.ranks, seat))
    return explanation_facts(stored.id, stored.result, found)


BEARER: Final = HTTPBearer(auto_error=False, description="The token of an owner.")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)]


@router.get("/leagues/{name}/submissions")
def submissions(name: LeagueName, state: AppStateDep) -> list[SubmissionAnswer]:
    """All submissions to a league, the oldest first, and what became of them."""
    league = state.contests.league(name).league
    assert league is not None
    return [api_models.submission_answer(entry) for entry in league.entries]


@router.post(
    "/leagues/{name}/submissions",
    status_code=201,
    responses={
        400: {"model": ErrorAnswer, "description": "This is no bot the league can take."},
        401: {"model": ErrorAnswer, "description": "The token is missing, or nobody's."},
        409: {
            "model": ErrorAnswer,
            "description": "The league does not take this bot now.",
        },
        413: {"model": ErrorAnswer, "description": "The bot is too large."},
    },
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string"}}},
        }
    },
)
async def submit(
    name: LeagueName,
    filename: Annotated[str, Query(min_length=1, max_length=200)],
    request: Request,
    state: AppStateDep,
    credentials: Credentials,
    owner: Annotated[str, Query(max_length=40, description="A team of yours; else you.")] = "",
) -> SubmissionAnswer:
    """Hand in a bot: a .py file, a .zip or a .tar.gz as the body; the next worker checks it.

    Needs the header `Authorization: Bearer TOKEN`, with the token of an owner.
    """
    token = credentials.credentials if credentials else ""
    who = await run_in_threadpool(state.owner, token)
    if who is None:
        if token:
            raise RequestError(401, "expected the token of an owner, got another", BEARER_HEADERS)
        raise RequestError(401, "expected the token of an owner, got none", BEARER_HEADERS)
    state.count_upload(who)
    team = await run_in_threadpool(state.acting_for, who, owner)
    data = await request.body()  # counted while it comes
    entry = await run_in_threadpool(hand_in, state.storage, name, filename, data, team, who)
    return api_models.submission_answer(entry)


BEARER_HEADERS: Final = {"WWW-Authenticate": "Bearer"}

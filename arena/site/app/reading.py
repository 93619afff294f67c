"""Pages to read: contests, bots, matches, rules."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from arena.site.app.common import AtDesk, GameId, Id, Number, OnWays, PageNumber, Players, shown
from arena.site.archive import MissingError
from arena.site.boards import board_page, meetings_page, start_page
from arena.site.matches import match_page, matches_page
from arena.site.profile import bot_page
from arena.site.rules import rules_page
from engine.catalog import GAMES
from engine.errors import SetupError

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/")
def start(desk: AtDesk, ways: OnWays) -> HTMLResponse:
    return shown(start_page(desk.archive, ways))


@router.get("/tournaments/{id}")
def board(
    id: Id, desk: AtDesk, ways: OnWays, game: GameId = None, players: Players = None
) -> HTMLResponse:
    return shown(board_page(desk.archive.tournament(id), ways, game, players))


@router.get("/tournaments/{id}/meetings")
def meetings(id: Id, desk: AtDesk, ways: OnWays, game: GameId = None) -> HTMLResponse:
    return shown(meetings_page(desk.archive.tournament(id), ways, game))


@router.get("/tournaments/{id}/bots/{bot}")
def bot(id: Id, bot: Id, desk: AtDesk, ways: OnWays, game: GameId = None) -> HTMLResponse:
    return shown(bot_page(desk.archive, desk.archive.tournament(id), ways, bot, game))


@router.get("/tournaments/{id}/matches")
def matches(
    id: Id,
    desk: AtDesk,
    ways: OnWays,
    bot: Number = None,
    players: Players = None,
    faulty: Annotated[bool, Query()] = False,
    page: PageNumber = 1,
) -> HTMLResponse:
    contest = desk.archive.tournament(id)
    return shown(matches_page(desk.archive, contest, ways, bot, players, faulty, page))


@router.get("/matches/{id}")
def match(
    id: Id, desk: AtDesk, ways: OnWays, step: Number = 0, seat: Number = None
) -> HTMLResponse:
    try:
        return shown(match_page(desk.archive, ways, id, step or 0, seat))
    except SetupError as problem:
        raise MissingError(str(problem)) from None


@router.get("/rules/{game}")
def rules(game: str, ways: OnWays, edition: str | None = None) -> HTMLResponse:
    found = next((each for each in GAMES if each.id == game), None)
    if found is None or edition not in (None, *found.editions):
        raise MissingError(f"expected rules of a game there is, got {game} {edition or ''}")
    return shown(rules_page(game, ways, edition))

"""Cookies: who has a form, and the session of who came in."""

from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

VISITOR: Final = "arena_visitor"
SESSION: Final = "arena_session"
KEPT: Final = 30 * 24 * 3600  # seconds


def set_cookie(response: Response, request: Request, name: str, value: str) -> None:
    """A cookie that only this site gets, and no script sees."""
    response.set_cookie(
        name,
        value,
        max_age=KEPT,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        path=cookie_path(request),
    )


def cookie_path(request: Request) -> str:
    """The folder that the site is in, which alone gets its cookies."""
    return str(request.scope.get("root_path", "")) or "/"


def with_cookie(page: str, request: Request, visitor: str) -> HTMLResponse:
    """The page, and a cookie that says who has its forms."""
    response = HTMLResponse(page)
    set_cookie(response, request, VISITOR, visitor)
    return response

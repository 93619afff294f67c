"""Cookies: who has a form, and whose token a visitor came in with."""

from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

VISITOR: Final = "arena_visitor"
OWNER: Final = "arena_owner"  # an owner's token
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
    )


def with_cookie(page: str, request: Request, visitor: str) -> HTMLResponse:
    """The page, and a cookie that says who has its forms."""
    response = HTMLResponse(page)
    set_cookie(response, request, VISITOR, visitor)
    return response

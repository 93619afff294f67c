"""Errors as visitors are told of them: a status, and a line that gives no place away."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from arena.site.contests import MissingError
from engine.errors import ArenaError
from leagues.storage.results import RefusedError, StoreError, UnknownError

KINDS: Final = (ArenaError, HTTPException, RequestValidationError, ClientDisconnect)
STATUS: Final = ((MissingError, 404), (UnknownError, 404), (RefusedError, 409))


def told(problem: Exception) -> tuple[int, str]:
    """The status of an error of these kinds, and what is said of it."""
    for kind, status in STATUS:
        if isinstance(problem, kind):
            return status, str(problem)
    if isinstance(problem, StoreError):
        return 503, "expected the results, got trouble with the database"  # its text has paths
    if isinstance(problem, ArenaError):
        return 400, str(problem)
    if isinstance(problem, RequestValidationError):
        wrong = problem.errors()[0]
        where = ".".join(str(part) for part in wrong["loc"][1:])
        return 422, f"{where}: {wrong['msg']}"
    if isinstance(problem, ClientDisconnect):
        return 400, "expected a whole request, got its beginning"
    assert isinstance(problem, HTTPException)
    return problem.status_code, problem.detail or HTTPStatus(problem.status_code).phrase

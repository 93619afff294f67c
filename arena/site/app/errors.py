"""HTTP errors: the status of every exception, and a message that shows no path of this machine."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from arena.i18n import N_
from arena.site.contests import MissingError
from engine.errors import ArenaError
from leagues.errors import NotFoundError, RefusedError, StorageError

HANDLED: Final = (ArenaError, HTTPException, RequestValidationError, ClientDisconnect)
STATUS: Final = ((MissingError, 404), (NotFoundError, 404), (RefusedError, 409))
# Of the framework's own errors, those that a visitor meets.
PHRASES: Final = (N_("Not Found"), N_("Method Not Allowed"))
# Of what pydantic finds wrong with a parameter, by its type: the message, with its context.
PARAMETERS: Final = {
    "int_parsing": N_("expected a whole number as {parameter}, got {value}"),
    "int_parsing_size": N_("expected a whole number as {parameter}, got {value}"),
    "greater_than_equal": N_("expected {parameter} of at least {ge}, got {value}"),
    "less_than_equal": N_("expected {parameter} of at most {le}, got {value}"),
    "less_than": N_("expected {parameter} below {lt}, got {value}"),
    "string_pattern_mismatch": N_("expected {parameter} like {pattern}, got {value}"),
}


class RequestError(ArenaError):
    """A request that is refused, with the HTTP status and headers of the answer."""

    def __init__(
        self, status: int, message: str, headers: dict[str, str] | None = None, **fields: object
    ) -> None:
        super().__init__(message, **fields)
        self.status = status
        self.headers = headers or {}


def http_error(error: Exception) -> tuple[int, ArenaError]:
    """The status of a handled exception, and its message for visitors."""
    if isinstance(error, RequestError):
        return error.status, error
    for kind, status in STATUS:
        if isinstance(error, kind):
            assert isinstance(error, ArenaError)
            return status, error
    if isinstance(error, StorageError):  # its own text has paths
        return 503, ArenaError("cannot read the results: the database does not answer")
    if isinstance(error, ArenaError):
        return 400, error
    if isinstance(error, RequestValidationError):
        return 422, _parameter_error(error.errors()[0])
    if isinstance(error, ClientDisconnect):
        return 400, ArenaError("expected a whole request, got its beginning")
    assert isinstance(error, HTTPException)
    return error.status_code, ArenaError(error.detail or HTTPStatus(error.status_code).phrase)


def _parameter_error(wrong: dict[str, Any]) -> ArenaError:
    """What pydantic says of a parameter of a request, as an error of ours."""
    parameter = ".".join(str(part) for part in wrong["loc"][1:])
    message = PARAMETERS.get(wrong["type"])
    if message is None:
        return ArenaError("{parameter}: {problem}", parameter=parameter, problem=wrong["msg"])
    value = str(wrong["input"])[:80]
    return ArenaError(message, parameter=parameter, value=value, **wrong.get("ctx", {}))

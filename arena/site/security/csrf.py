"""CSRF tokens of the site's forms."""

import hmac
import secrets
from hashlib import sha256


class CsrfTokens:
    """CSRF tokens: signed with HMAC, valid only beside the visitor cookie they were made for."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def visitor(self, cookie: str | None) -> str:
        """The visitor a cookie names, or a new one."""
        return cookie if cookie and self._known(cookie) else self._new()

    def _new(self) -> str:
        name = secrets.token_urlsafe(18)
        return f"{name}.{self._sign('visitor', name)}"

    def _known(self, cookie: str) -> bool:
        name, _, mark = cookie.partition(".")
        return _equal(mark, self._sign("visitor", name))

    def token(self, visitor: str) -> str:
        """What a form of this visitor must bring back."""
        return self._sign("form", visitor)

    def is_valid(self, visitor: str | None, token: str) -> bool:
        """Whether the form was given to this visitor."""
        return visitor is not None and self._known(visitor) and _equal(token, self.token(visitor))

    def _sign(self, what: str, text: str) -> str:
        return hmac.new(self._key, f"{what} {text}".encode(), sha256).hexdigest()


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())

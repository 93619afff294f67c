"""Log-in through an OpenID Connect provider: the only door to Authlib."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from engine.errors import ArenaError

DISCOVERY: Final = "/.well-known/openid-configuration"
ALGORITHMS: Final = ["RS256", "PS256", "ES256", "EdDSA"]  # signatures by a key pair alone
TIMEOUT: Final = 10.0  # seconds for each question to the provider
LEEWAY: Final = 60  # seconds that its clock may differ
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class LoginError(ArenaError):
    """A log-in that did not succeed, with the reason."""


@dataclass(frozen=True)
class OidcOptions:
    """A provider, and what it knows this site as."""

    issuer: str
    client_id: str
    client_secret: str
    name: str = "OpenID Connect"  # what visitors know it as


@dataclass(frozen=True)
class LoginAttempt:
    """What a log-in that comes back must agree with."""

    state: str
    nonce: str
    verifier: str  # of PKCE


class OidcProvider:
    """A provider that says who somebody is."""

    def __init__(self, options: OidcOptions) -> None:
        check_issuer(options.issuer)
        self.options = options
        self.name = options.name
        self.issuer = options.issuer
        self._metadata: dict[str, Any] = {}
        self._lock = threading.Lock()

    def begin(self, redirect_uri: str) -> tuple[str, LoginAttempt]:
        """Where the visitor is sent, and what to expect when they come back."""
        words = (secrets.token_urlsafe(32) for _ in range(3))
        attempt = LoginAttempt(*words)
        with self._client(redirect_uri) as client:
            url, _ = client.create_authorization_url(
                self._endpoint("authorization_endpoint"),
                state=attempt.state,
                nonce=attempt.nonce,
                code_verifier=attempt.verifier,
            )
        return str(url), attempt

    def finish(self, redirect_uri: str, attempt: LoginAttempt, code: str) -> str:
        """The subject that the provider says somebody is; LoginError if it does not say so."""
        try:
            with self._client(redirect_uri) as client:
                token = client.fetch_token(
                    self._endpoint("token_endpoint"),
                    code=code,
                    code_verifier=attempt.verifier,
                    timeout=TIMEOUT,
                )
            keys = KeySet.import_key_set(self._get(self._endpoint("jwks_uri")))
            signed = jwt.decode(str(token["id_token"]), keys, algorithms=ALGORITHMS)
            claims = CodeIDToken(
                signed.claims,
                signed.header,
                {"iss": {"value": self.issuer}, "aud": {"value": self.options.client_id}},
                {"nonce": attempt.nonce, "client_id": self.options.client_id},
            )
            claims.validate(leeway=LEEWAY)
        except (OAuthError, JoseError, requests.RequestException, ValueError, KeyError) as problem:
            raise LoginError("the log-in was not confirmed: {name}", name=_word(problem)) from None
        return str(claims["sub"])

    def _client(self, redirect_uri: str) -> Any:
        return OAuth2Session(
            self.options.client_id,
            self.options.client_secret,
            scope="openid",
            redirect_uri=redirect_uri,
            code_challenge_method="S256",
        )

    def _endpoint(self, name: str) -> str:
        with self._lock:
            if not self._metadata:
                try:
                    found = self._get(self.issuer.rstrip("/") + DISCOVERY)
                except (requests.RequestException, ValueError) as problem:
                    raise LoginError(
                        "{name} does not answer: {problem}", name=self.name, problem=_word(problem)
                    ) from None
                if found.get("issuer") != self.issuer:
                    raise LoginError("{name} calls itself another issuer", name=self.name)
                self._metadata = found
        url = str(self._metadata.get(name, ""))
        check_issuer(url)
        return url

    def _get(self, url: str) -> Any:
        answer = requests.get(url, timeout=TIMEOUT, allow_redirects=False)
        answer.raise_for_status()
        return answer.json()


def check_issuer(url: str) -> None:
    """ArenaError unless secrets may be sent to this address."""
    parts = urlsplit(url)
    safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    if not safe or not parts.hostname:
        raise ArenaError("expected the https:// address of a provider, got {url}", url=url[:100])


def _word(problem: Exception) -> str:
    """What went wrong, without addresses and secrets."""
    return str(getattr(problem, "error", "") or type(problem).__name__)

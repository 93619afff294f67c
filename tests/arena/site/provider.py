"""A small OpenID Connect provider on this machine, which believes whoever asks."""

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "arena", "a secret"


class Provider:
    """What it was asked, and what it says."""

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self.subject = "person-1"
        self.changes: dict[str, Any] = {}  # of what an ID token says
        self.signs_with_secret = False
        self.key = RSAKey.generate_key(2048, {"kid": "one"})
        self.asked: dict[str, dict[str, str]] = {}  # by code

    def authorize(self, query: dict[str, str]) -> str:
        """Where a visitor is sent back to, who has agreed."""
        code = f"code-{len(self.asked)}"
        self.asked[code] = query
        answer = urlencode({"code": code, "state": query["state"]})
        return f"{query['redirect_uri']}?{answer}"

    def token(self, form: dict[str, str], credentials: str) -> dict[str, Any] | None:
        """An ID token for a code, once."""
        asked = self.asked.pop(form["code"], None)
        given = base64.b64decode(credentials.removeprefix("Basic ")).decode()
        challenge = base64.urlsafe_b64encode(sha256(form["code_verifier"].encode()).digest())
        if asked is None or given != f"{CLIENT}:{SECRET}":
            return None
        if asked["code_challenge"] != challenge.decode().rstrip("="):
            return None
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "sub": self.subject,
            "aud": CLIENT,
            "nonce": asked["nonce"],
            "iat": now,
            "exp": now + 60,
            **self.changes,
        }
        header = {"alg": "RS256", "kid": "one"}
        signed = jwt.encode(header, claims, self.key)
        if self.signs_with_secret:  # with what everybody can read
            parts = [json.dumps(part).encode() for part in ({"alg": "none"}, claims)]
            signed = ".".join(base64.urlsafe_b64encode(p).decode().rstrip("=") for p in parts) + "."
        return {"access_token": "x", "token_type": "Bearer", "id_token": signed}

    def metadata(self) -> dict[str, str]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
        }


@contextmanager
def running_provider() -> Iterator[Provider]:
    """A provider that answers at 127.0.0.1."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {key: each[0] for key, each in parse_qs(parts.query).items()}
            if parts.path == "/authorize":
                self.send_response(302)
                self.send_header("Location", provider.authorize(query))
                self.end_headers()
            elif parts.path == "/keys":
                self._answer({"keys": [provider.key.as_dict(private=False)]})
            else:
                self._answer(provider.metadata())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            form = {key: each[0] for key, each in parse_qs(body).items()}
            found = provider.token(form, self.headers.get("authorization", ""))
            self._answer(found or {"error": "invalid_grant"}, 200 if found else 400)

        def _answer(self, facts: dict[str, Any], status: int = 200) -> None:
            body = json.dumps(facts).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider = Provider(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

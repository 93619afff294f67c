"""Secrets as they are stored: by their hash alone."""

import hashlib
import secrets
from typing import Final

SECRET_BYTES: Final = 32


def new_secret(prefix: str) -> str:
    """A random secret, too long to be guessed."""
    return f"{prefix}_{secrets.token_urlsafe(SECRET_BYTES)}"


def hash_secret(secret: str) -> str:
    """What is stored of a secret: it is random, so one pass without salt is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def same_hash(one: str, other: str) -> bool:
    """Whether two hashes are equal, in a time that tells nothing of them."""
    return secrets.compare_digest(one, other)

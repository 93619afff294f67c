"""The names a site answers to: a stranger's page whose name leads here is not one of ours.

A browser lets a page ask its own host, by name, and whoever has that name can have it lead to
anyone's machine. A literal address leads nowhere else.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final

from engine.errors import ArenaError

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
ANYWHERE: Final = ("0.0.0.0", "::")  # addresses that are none, to listen at all there are
NAME: Final = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?")
HEADER: Final = re.compile(r"(?:\[([0-9a-f:.%]+)\]|([^\[\]:/?#@]+))(?::[0-9]{0,5})?", re.IGNORECASE)


class Hosts:
    """Who the site is: by these names, by this machine's own, or by any literal address as well."""

    def __init__(self, names: Sequence[str] = (), addresses: bool = False) -> None:
        self.names = frozenset(_plain(name) for name in (*LOOPBACK, *names))
        self.addresses = addresses

    def know(self, header: str) -> bool:
        """Whether a Host header means us; its port may be a proxy's or a tunnel's."""
        found = HEADER.fullmatch(header.strip())
        if found is None:
            return False
        host = _plain(found[1] or found[2])
        return host in self.names or (self.addresses and _is_address(host))


def hosts_at(bound: str, names: Sequence[str]) -> Hosts:
    """The names of a site that listens at an address; ArenaError if one given is none."""
    for name in names:
        if not (NAME.fullmatch(name.lower()) or _is_address(name)):
            raise ArenaError(f"expected a host name such as arena.example.org, got {name!r}")
    if bound not in ANYWHERE:
        return Hosts((bound, *names))
    return Hosts(names) if names else Hosts([socket.gethostname()], addresses=True)


def _plain(host: str) -> str:
    """In one spelling of all it may have."""
    return str(ip_address(host)) if _is_address(host) else host.lower().removesuffix(".")


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True

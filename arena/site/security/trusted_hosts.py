"""Trusted hosts: the Host headers that the site answers to, against DNS rebinding.

A page of a stranger may ask its own host name, which its owner can point at this machine. A
literal address leads nowhere else.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from typing import Final

from engine.errors import ArenaError

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
ANYWHERE: Final = ("0.0.0.0", "::")  # addresses that are none, to listen at all there are
NAME: Final = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?")
ROOT_PATH: Final = re.compile(r"(/[A-Za-z0-9_~.-]+)+")
HEADER: Final = re.compile(r"(?:\[([0-9a-f:.%]+)\]|([^\[\]:/?#@]+))(?::[0-9]{0,5})?", re.IGNORECASE)


class TrustedHosts:
    """The host names of the site: those given, loopback, and any literal address if asked."""

    def __init__(self, names: Sequence[str] = (), addresses: bool = False) -> None:
        self.names = frozenset(_plain(name) for name in (*LOOPBACK, *names))
        self.addresses = addresses

    def accepts(self, header: str) -> bool:
        """Whether a Host header means us; its port may be a proxy's or a tunnel's."""
        found = HEADER.fullmatch(header.strip())
        if found is None:
            return False
        host = _plain(found[1] or found[2])
        return host in self.names or (self.addresses and _is_address(host))


def trusted_hosts(bound: str, names: Sequence[str]) -> TrustedHosts:
    """The names of a site that listens at an address; ArenaError if one given is none."""
    for name in names:
        if not (NAME.fullmatch(name.lower()) or _is_address(name)):
            raise ArenaError(f"expected a host name such as arena.example.org, got {name!r}")
    if bound not in ANYWHERE:
        return TrustedHosts((bound, *names))
    return TrustedHosts(names) if names else TrustedHosts([socket.gethostname()], addresses=True)


def check_proxy(proxy: str) -> None:
    """ArenaError unless this is the address or network of a proxy."""
    try:
        ip_network(proxy)
    except ValueError:
        raise ArenaError(
            f"expected the IP address or network of a proxy, such as 127.0.0.1, got {proxy!r}"
        ) from None


def parse_root_path(text: str) -> str:
    """The folder of a larger site that the site is in, as it begins every link."""
    root = text.rstrip("/")
    if root and not ROOT_PATH.fullmatch(root):
        raise ArenaError(f"expected a path such as /arena, got {text!r}")
    return root


def _plain(host: str) -> str:
    """In one spelling of all it may have."""
    return str(ip_address(host)) if _is_address(host) else host.lower().removesuffix(".")


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True

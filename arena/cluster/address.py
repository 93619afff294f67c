"""Where a cluster is, as it is written on a command line."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.errors import ArenaError

URL: Final = re.compile(r"(tcp|tls)://[^\s/]+:[0-9]+")
LOCAL: Final = re.compile(r"local:([0-9]{1,4})")
TLS: Final = "ARENA_CLUSTER_TLS"  # names the folder of the certificates


@dataclass(frozen=True)
class ClusterAddress:
    """A scheduler's address; or so many cores for a cluster of this machine."""

    url: str
    cores: int = 0
    tls: Path | None = None


def parse_scheduler(text: str, tls: Path | None = None) -> ClusterAddress:
    """The address of a scheduler that is there already."""
    address = parse_address(text, tls)
    if address.cores:
        raise ArenaError(f"expected a scheduler as tcp://HOST:PORT or tls://HOST:PORT, got {text}")
    return address


def parse_address(text: str, tls: Path | None = None) -> ClusterAddress:
    """An address as tcp://HOST:PORT, tls://HOST:PORT or local:CORES."""
    if (found := LOCAL.fullmatch(text)) and int(found[1]):
        return ClusterAddress("", int(found[1]))
    if not URL.fullmatch(text):
        raise ArenaError(f"expected a cluster as tcp://HOST:PORT or local:CORES, got {text}")
    if not text.startswith("tls:"):
        return ClusterAddress(text)
    folder = tls or Path(os.environ.get(TLS, "") or ".")
    return ClusterAddress(text, 0, folder)

"""Connections that are not kept for ever: neither by those who say nothing, nor by one for all."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from arena.site.security.rate_limit import SiteLimits, client_network

PATIENCE: Final = 60.0  # seconds in which a connection must have begun a request


class Connection(H11Protocol):
    """One that ends unless it brings requests; the server itself waits without end for the first.

    Whoever is slow to send or to read has one to two times the patience for a request.
    """

    patience = PATIENCE
    most_of_address = SiteLimits.connections
    most = SiteLimits.all_connections
    proxies: Sequence[IPv4Network | IPv6Network] = ()  # each speaks for many clients
    place = ""
    _watch: asyncio.TimerHandle | None = None
    _seen: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.place = client_network(self.client[0]) if self.client else ""
        others = [each.place for each in self.connections if isinstance(each, Connection)]
        same = others.count(self.place)
        allowed = self.most if self._is_proxy() else self.most_of_address
        if len(self.connections) > self.most or same > allowed:
            transport.abort()
            return
        self._watch = self.loop.call_later(self.patience, self._look)

    def _is_proxy(self) -> bool:
        address = ip_address(self.client[0]) if self.client and self.proxies else None
        return address is not None and any(address in network for network in self.proxies)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        if self.cycle is self._seen:
            self.transport.abort()
            return
        self._seen = self.cycle
        self._watch = self.loop.call_later(self.patience, self._look)


def limited_connections(limits: SiteLimits, proxies: Iterable[str]) -> type[Connection]:
    """Connections under these limits; those of trusted proxies are of many visitors."""

    class LimitedConnection(Connection):
        most_of_address = limits.connections
        most = limits.all_connections

    LimitedConnection.proxies = [ip_network(proxy) for proxy in proxies]
    return LimitedConnection

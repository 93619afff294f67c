"""Connections that are not kept for ever: neither by those who say nothing, nor by one for all."""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from arena.site.rate_limit import client_network

PATIENCE: Final = 60.0  # seconds in which a connection must have begun a request
MAX_OF_ADDRESS: Final = 200  # connections at once
MOST: Final = 800  # of all, as a process has about a thousand files


class Connection(H11Protocol):
    """One that ends unless it brings requests; the server itself waits without end for the first.

    Whoever is slow to send or to read has one to two times the patience for a request.
    """

    patience = PATIENCE
    most_of_address = MAX_OF_ADDRESS
    most = MOST
    place = ""
    _watch: asyncio.TimerHandle | None = None
    _seen: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.place = client_network(self.client[0]) if self.client else ""
        others = [each.place for each in self.connections if isinstance(each, Connection)]
        same = others.count(self.place)
        if len(self.connections) > self.most or same > self.most_of_address:
            transport.abort()
            return
        self._watch = self.loop.call_later(self.patience, self._look)

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

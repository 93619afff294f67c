"""Connections that bring nothing are not kept, and one place does not have them all."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from arena.site.app.server.connection import Connection

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
WHOLE = REQUEST + b"Connection: close\r\n\r\n"
Open = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    """A site that reads what was sent, and says so."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


@asynccontextmanager
async def served(kind: type[Connection]) -> AsyncIterator[Open]:
    config = uvicorn.Config(hello, http=kind, lifespan="off", log_config=None, ws="none")
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(
        lambda: kind(config, state, {}), "127.0.0.1", 0
    )
    port = server.sockets[0].getsockname()[1]
    async with server:
        yield lambda: asyncio.open_connection("127.0.0.1", port)


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, said: bytes) -> bytes:
    """All that comes until the connection is ended from there."""
    heard = b""
    writer.write(said)
    with suppress(ConnectionError):
        heard = await asyncio.wait_for(reader.read(), 60)
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()
    return heard


@pytest.mark.parametrize(
    "said",
    [
        b"",
        REQUEST,
        REQUEST.replace(b"GET", b"POST") + b"Content-Length: 9\r\n\r\nhalf",
    ],
    ids=["nothing", "half a header", "half a body"],
)
def test_who_keeps_a_site_waiting_is_left(said: bytes) -> None:
    class Hasty(Connection):
        patience = 0.2

    async def attempt() -> None:
        async with served(Hasty) as connect:
            assert await answer(*await connect(), said) == b""
            assert b"hello" in await answer(*await connect(), WHOLE)

    asyncio.run(attempt())


@pytest.mark.parametrize("limit", ["most", "most_of_address"])
def test_connections_are_not_without_number(limit: str) -> None:
    async def attempt() -> None:
        async with served(type("Small", (Connection,), {limit: 2})) as connect:
            kept = [await connect() for _ in range(2)]
            assert await answer(*await connect(), WHOLE) == b""
            for reader, writer in kept:
                assert b"hello" in await answer(reader, writer, WHOLE)

    asyncio.run(attempt())

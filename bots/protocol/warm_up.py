"""A host's part played before any bot is loaded, in the process that workers are forked from.

The interpreter rewrites code while it is new to it. What is rewritten already is shared by all that
is forked; what is not, every worker copies, page by page.
"""

import os
import sys
from typing import Final

from bots.discovery.compiled_sources import CompiledLoader, compile_sources, unhook_folder
from bots.discovery.loader import find_maker, prepare_module
from bots.discovery.manifest import Manifest, Source
from bots.house import random as sample
from bots.protocol import packets
from bots.protocol.host import Host
from engine.catalog import GAMES
from engine.contract import Game

TIMES: Final = 20  # after which the interpreter leaves code alone


def warm_up() -> None:
    """Load a built-in bot as if it were a stranger's, and have it play, at every game."""
    folder, entry = os.path.split(sample.__file__)
    manifest = Manifest("random", "", Source.FILE, entry, folder)
    compiled = compile_sources([sample.__file__])
    path, modules = [*sys.path], {*sys.modules}
    replies = os.open(os.devnull, os.O_WRONLY)
    try:
        for asked in map(_questions, GAMES):
            for _ in range(TIMES):
                prepare_module(sample.__file__)
                host = Host(manifest, {})
                host.make = find_maker(manifest, compiled)
                _serve(host, asked, replies)
    finally:
        os.close(replies)
        sys.path[:] = path
        unhook_folder(folder)
        CompiledLoader.known.clear()
        for name in {*sys.modules} - modules:
            del sys.modules[name]


def _serve(host: Host, asked: bytes, replies: int) -> None:
    """Have the host answer what is asked, as in a worker, until nobody asks any more."""
    requests, ours = os.pipe()
    os.write(ours, asked)
    os.close(ours)
    host.serve(requests, replies)
    os.close(requests)


def _questions(game: Game) -> bytes:
    """The beginning of a match, and its first question."""
    setup = game.setup(game.players[0], 1)
    state = game.deal(setup, 1)
    seat = state.pending()[0]
    view = state.view(seat).pack()
    question = packets.pack_decide(1, state.prompt(seat), 1.0, state.legal(seat), view)
    return packets.pack_start(1, setup, seat, 1) + question

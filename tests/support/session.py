"""Record a whole conversation between the arena and a bot for every game.

`PYTHONPATH=. python tests/support/session.py` writes the files anew, and what
the page quotes of them.
"""

import random
import re
import shlex
import sys
import tempfile
from pathlib import Path

from arena.playing.referee import play
from bots.chairs.base import Chair
from bots.chairs.in_process import InProcessChair
from bots.chairs.limits import Limits
from bots.chairs.remote import RemoteChair
from bots.chairs.subprocess import PipeTransport
from bots.discovery.manifest_reader import read_manifest
from bots.discovery.spec import parse_spec
from bots.house.random import Random
from bots.protocol.messages import Bye, encode
from engine.catalog import GAMES, find
from engine.match import MatchSpec

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PAGE = ROOT / "docs" / "protocol.md"

# Short games: a seed for each, and whether the bot asks to observe.
SEEDS = {"architects": 82, "seven": 146}
WATCHES = {"architects": False, "seven": True}
QUOTES = re.compile(r"^```jsonl (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def record(game: str) -> str:
    """The conversation of one game, the example bot in seat 0, with the fewest players."""
    rules = find(game)
    seed = SEEDS[game]
    setup = rules.setup(rules.players[0], seed)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "talk.jsonl")
        words = [sys.executable, EXAMPLES / "overhear.py", file]
        words += [sys.executable, EXAMPLES / "stdio_bot.py"]
        words += ["--observe"] if WATCHES[game] else []
        spec = parse_spec(f"cmd:{shlex.join(map(str, words))}")
        pipe = PipeTransport(spec, read_manifest(spec))
        bot = RemoteChair(pipe, Limits())
        ids = random.Random(seed)
        bot.draw_id = lambda: ids.randrange(1, 2**53)
        try:
            chairs: list[Chair] = [bot, *(InProcessChair(Random) for _ in setup.wonders[1:])]
            result = play(MatchSpec(setup, seed, ("",) * setup.players, 1), chairs, Limits())
            assert not result.faults, result.faults
            pipe.streams.write(encode(Bye()))
            pipe.process.wait(20)
        finally:
            bot.close()
        return file.read_text(encoding="utf-8")


def file_of(game: str) -> Path:
    """Where the conversation is kept."""
    return EXAMPLES / f"{game}.session.jsonl"


def quoted_anew(page: str) -> str:
    """The page with as many first lines of every conversation as it had."""

    def first_lines(quote: re.Match[str]) -> str:
        game, lines = quote[1], quote[2].count("\n")
        said = file_of(game).read_text(encoding="utf-8").splitlines(keepends=True)
        return f"```jsonl {game}\n{''.join(said[:lines])}```"

    return QUOTES.sub(first_lines, page)


def main() -> None:
    """Write all of it."""
    for game in GAMES:
        file_of(game.id).write_text(record(game.id), encoding="utf-8")
    PAGE.write_text(quoted_anew(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Bots out of the database, unpacked to be run, and the isolation they are run in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.cluster.workers import HERE, Workers
from arena.league.rules import LEVELS, LeagueRules
from arena.league.submit import write_bot
from arena.playing.worker import edit_texts
from arena.tempdirs import TempFolder
from bots.chairs.pool import Isolation, too_weak
from bots.discovery.finder import find_bot
from bots.discovery.spec import parse_spec
from engine.errors import ArenaError
from engine.match import MatchResult
from leagues.records import Submission
from leagues.storage import leases
from leagues.storage.handle import StorageReader


@dataclass(frozen=True)
class WorkerOptions:
    """The options of a league worker."""

    workers: Workers = HERE
    in_process: bool = False
    trust: bool = False
    lease: float = leases.DEFAULT_LEASE


class UnpackedBots:
    """Bots out of the database, each in a folder of its own while the worker lives."""

    def __init__(self, reader: StorageReader) -> None:
        self.reader = reader
        self._folder = TempFolder()
        self._paths: dict[str, str] = {}

    def path(self, entry: Submission) -> str:
        """Where the bot is."""
        if entry.digest not in self._paths:
            archive = self.reader.leagues.archive(entry.digest, entry.facts["alone"])
            folder = self._folder.path / entry.digest[:16]
            folder.mkdir()
            self._paths[entry.digest] = str(write_bot(archive, folder))
        return self._paths[entry.digest]

    def strip_paths(self, said: str) -> str:
        """What a bot said, with its files named as its author does."""
        for path in self._paths.values():
            folder = path if not path.endswith(".py") else str(Path(path).parent)
            said = said.replace(f"{folder}/", "").replace(path, "the bot")
        return said

    def strip_result_paths(self, result: MatchResult) -> MatchResult:
        """A match where what bots said names no temporary folder."""
        return edit_texts(result, self.strip_paths)

    def close(self) -> None:
        self._folder.close()


def league_isolation(rules: LeagueRules, bots: list[str], options: WorkerOptions) -> Isolation:
    """How the bots are isolated; SandboxError if that is less than the league asks for."""
    if rules.sandbox != "none" and (options.in_process or options.trust):
        raise ArenaError(
            f"expected bots in the sandbox {rules.sandbox}, as the league asks, got them trusted"
        )
    for bot in (find_bot(parse_spec(text)) for text in bots if options.in_process):
        if bot.is_program:
            raise ArenaError(
                f"expected Python bots to run in this process, got {bot.name}, a program"
            )
    found = options.workers.isolate(bots, options.in_process, options.trust)
    if rules.sandbox == "none":
        return found
    if found.layers is None or LEVELS.index(found.name) > LEVELS.index(rules.sandbox):
        raise too_weak(rules.sandbox, found)
    return found

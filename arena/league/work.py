"""One worker of a league, from the command to its end: what `arena league work` does."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from arena import log_config
from arena.cluster.workers import HERE, Workers
from arena.league.unpacked_bots import WorkerOptions
from arena.league.webhooks import deliver_in_background
from arena.league.worker import open_league_worker
from arena.playing import worker
from arena.playing.signals import interruptible
from arena.reports.wording import db_words, format_count
from leagues.storage import leases
from leagues.storage.handle import open_storage


@dataclass(frozen=True)
class WorkRequest:
    """Which leagues a worker plays, for how long, and with what."""

    leagues: Sequence[str] = ()  # all if none is named
    workers: Workers = HERE
    follow: bool = False
    trust: bool = False
    in_process: bool = False
    lease: float | None = None  # seconds
    verbose: int = 0
    log_file: Path | None = None
    db: str = ""

    def options(self) -> WorkerOptions:
        lease = self.lease or leases.DEFAULT_LEASE
        return WorkerOptions(self.workers, self.in_process, self.trust, lease)

    def command(self) -> str:
        """The command that goes on."""
        words = ["arena", "league", "work", *self.leagues, *self.workers.words()]
        words += ["--lease", f"{self.lease:g}"] if self.lease else []
        flags = {
            "--follow": self.follow,
            "--trust-bots": self.trust,
            "--in-process": self.in_process,
        }
        words += [flag for flag, is_given in flags.items() if is_given]
        words += [f"-{'v' * self.verbose}"] if self.verbose else []
        words += ["--log-file", str(self.log_file)] if self.log_file else []
        return shlex.join(words + db_words(self.db))


def work_on_leagues(request: WorkRequest) -> int:
    """Check new bots and play what is due; 130 if it was stopped."""
    resume = request.command()
    with open_storage(request.db, create=False) as storage:
        for name in request.leagues:
            storage.reader.leagues.by_name(name)
        with (
            log_config.SharedLog(worker.SPAWN, request.verbose, request.log_file) as queue,
            open_league_worker(storage, request.options(), queue) as player,
            interruptible(player.stop, resume),
            deliver_in_background(storage) if request.follow else nullcontext(),
        ):
            player.work(list(request.leagues), request.follow)
        if player.played:
            print(f"{format_count(player.played, 'match')} played", file=sys.stderr)  # noqa: T201
        if player.stopping:
            print(f"to go on: {resume}", file=sys.stderr)  # noqa: T201
            return 130
        player.retries.raise_first()
    return 0

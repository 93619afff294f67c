"""Where the matches of a run are played: by processes of this machine, or by a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from arena.cluster.address import parse_address
from arena.log_config import LogQueue
from arena.playing import worker
from arena.playing.conformance import CheckStep
from arena.playing.machine_failures import BlameLedger
from arena.playing.progress import notify_once
from arena.playing.runner import (
    MAX_ALL_LOSSES,
    MAX_DEATHS,
    Play,
    PortionLostError,
    Runner,
    WorkerDiedError,
)
from bots.chairs.limits import NOT_SCALED, FactorBounds, is_timed
from bots.chairs.pool import Isolation, IsolationKind, choose_isolation, too_weak
from bots.sandbox.errors import SandboxError
from bots.sandbox.probe import LAYERS, Level, is_less, suggested_jobs
from engine.errors import ArenaError

if TYPE_CHECKING:
    from arena.cluster.executor import ClusterExecutor

CLUSTER_PORTION: Final = 0.5  # seconds of matches that are worth a message to another machine


@dataclass(frozen=True)
class Workers:
    """How many matches are played at once here, or the address of the cluster that plays them."""

    jobs: int | None = None  # one a core if not given
    cluster: str = ""
    sandbox: str = ""  # the least level; that of this machine if not given

    def __post_init__(self) -> None:
        if self.sandbox and self.sandbox not in LAYERS:
            raise ArenaError(f"expected a sandbox out of {', '.join(LAYERS)}, got {self.sandbox}")
        if self.cluster:  # told before anything is begun or stored
            parse_address(self.cluster)
            check_extra()

    @property
    def processes(self) -> int:
        """Matches at once, if they are played here."""
        return self.jobs or suggested_jobs()

    def words(self) -> list[str]:
        """The options that ask for the same."""
        words = ["--jobs", str(self.jobs)] if self.jobs else []
        words += ["--require-sandbox", self.sandbox] if self.sandbox else []
        return words + (["--cluster", self.cluster] if self.cluster else [])

    def isolate(
        self, bots: Sequence[str], in_process: bool = False, trust: bool = False
    ) -> Isolation:
        """How these bots are isolated where they play; SandboxError if less than is required."""
        if self.sandbox and self.cluster:  # then this machine need not have it
            level = Level(self.sandbox)
            return Isolation(IsolationKind(level), f"{level} or better", LAYERS[level])
        found = choose_isolation(bots, in_process, trust)
        if self.sandbox and (found.layers is None or is_less(found.name, self.sandbox)):
            raise too_weak(self.sandbox, found)
        return found

    def _notify_weakness(self, conditions: worker.Conditions) -> None:
        """Say once what this machine's sandbox lacks, unless its level was asked for."""
        if not self.sandbox:
            notify_once(conditions.isolation.weakness)

    def open_runner(
        self,
        conditions: worker.Conditions,
        queue: LogQueue,
        play: Play | None = None,
        bots: Sequence[str] = (),
        ledger: BlameLedger | None = None,
    ) -> Runner[Any]:
        """A runner of matches under these conditions; further bots may be asked for by `play`."""
        play = play or worker.play
        if self.cluster:
            pool = self._open_cluster(conditions, bots)
            return Runner(lambda: pool, play, pool.slots, ledger, CLUSTER_PORTION, separate=True)
        self._notify_weakness(conditions)
        jobs = self.processes
        open_pool = partial(worker.open_pool, conditions, jobs, queue)
        return Runner(open_pool, play, lambda: jobs, ledger)

    def check_bot(
        self, conditions: worker.Conditions, text: str, games: list[str]
    ) -> list[CheckStep]:
        """What a check of a bot found; SandboxError if the machine failed."""
        if not self.cluster:
            self._notify_weakness(conditions)
            return worker.check_bot(conditions, text, games)
        with self._open_cluster(conditions, (text,)) as pool:
            deaths = losses = 0
            while True:
                try:
                    found: list[CheckStep] = pool.submit(worker.check, text, games).result()
                    return found
                except WorkerDiedError as problem:
                    deaths += 1
                    if deaths == MAX_DEATHS:
                        raise SandboxError(str(problem)) from None
                except PortionLostError as problem:
                    losses += 1
                    if losses == MAX_ALL_LOSSES:
                        raise SandboxError(f"{text} was not checked: {problem}") from None

    def _open_cluster(self, conditions: worker.Conditions, bots: Sequence[str]) -> ClusterExecutor:
        from arena.cluster.executor import ClusterExecutor
        from arena.cluster.facts import Demands, this_build
        from arena.cluster.kit import make_kit

        isolation = conditions.isolation
        level = isolation.name if isolation.layers is not None else ""
        address = parse_address(self.cluster)
        # One machine has one clock; several are held to the reference processor.
        usual = NOT_SCALED if address.cores else FactorBounds()
        bounds = conditions.factor_bounds or usual
        demands = Demands(this_build(), str(level), bounds, is_timed(conditions.limits))
        return ClusterExecutor(address, make_kit(conditions, demands, tuple(bots)))


HERE: Final = Workers()


def check_extra() -> None:
    """ArenaError where Dask is not installed."""
    if find_spec("distributed") is None:
        raise ArenaError('a cluster needs Dask: pip install "wonders-arena[cluster]"')

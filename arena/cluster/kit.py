"""All that a machine needs of a run, as one value that is sent to it once."""

from __future__ import annotations

import logging
import pickle
import queue
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from arena.cluster.facts import Demands, MachineFacts
from arena.cluster.packed_bots import MachineRefusedError, PackedBot, pack_bots
from arena.log_config import LOGGER
from arena.playing import worker
from arena.playing.runner import WorkerDiedError
from arena.tempdirs import TempFolder
from bots.chairs.limits import Limits
from bots.chairs.pool import IsolationKind, choose_isolation
from bots.chairs.processor_speed import Measurement

Logged: TypeAlias = tuple[int, str, object]  # level, text, and what it is about
OnMeasured: TypeAlias = Callable[[int, Measurement], None]  # called with a core
KEEP: Final = 3600.0  # seconds that a process waits for a portion before that is an error of ours


@dataclass(frozen=True)
class Kit:
    """The bots of a run, and what they may do."""

    bots: dict[str, str]  # specs by labels
    packed: dict[str, PackedBot]  # by what specs name
    limits: Limits
    demands: Demands
    in_process: bool = False
    trust: bool = False
    known: bool = True
    log_level: int = logging.WARNING


def make_kit(conditions: worker.Conditions, demands: Demands, bots: tuple[str, ...] = ()) -> Kit:
    """The kit of a run under these conditions; with further bots that may be asked for."""
    return Kit(
        conditions.bots,
        pack_bots((*conditions.bots.values(), *bots)),
        conditions.limits,
        demands,
        conditions.isolation.name is IsolationKind.IN_PROCESS,
        conditions.isolation.name is IsolationKind.TRUSTED,
        conditions.known,
        LOGGER.level,
    )


class PlayedKit:
    """A kit where it is played: unpacked, with a process for every core that has a portion.

    Its folder and its processes end when nothing refers to it any more.
    """

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._lock = threading.Lock()
        self._processes: _Processes | None = None
        self._refusal = ""

    def __reduce__(self) -> tuple[type[PlayedKit], tuple[bytes]]:
        return PlayedKit, (self._content,)

    def __sizeof__(self) -> int:
        return len(self._content)

    def play(self, portion: bytes, facts: MachineFacts, on_measured: OnMeasured) -> bytes:
        """What `run_portion` makes of a portion in one of the processes."""
        with self._lock:
            if self._refusal:
                raise MachineRefusedError(self._refusal)
            if self._processes is None:
                try:
                    self._processes = _open(pickle.loads(self._content), facts)
                except MachineRefusedError as problem:
                    self._refusal = str(problem)
                    raise
                weakref.finalize(self, self._processes.close)
        return self._processes.run(portion, on_measured)


def _open(kit: Kit, facts: MachineFacts) -> _Processes:
    if problem := kit.demands.refusal(facts):
        raise MachineRefusedError(problem)
    folder = TempFolder()
    paths: dict[str, str] = {}
    homes: dict[str, str] = {}
    for number, bot in enumerate(kit.packed.values()):
        place = folder.path / str(number)
        place.mkdir()
        paths[bot.target], named = bot.unpack(place)
        homes |= named
    isolation = choose_isolation(list(paths.values()), kit.in_process, kit.trust)
    conditions = worker.Conditions(
        kit.bots,
        isolation,
        kit.limits,
        known=kit.known,
        paths=paths,
        homes=homes,
        factor_bounds=kit.demands.factor_bounds,
    )
    return _Processes(conditions, facts.cores, kit.log_level, folder)


class _Processes:
    """Processes that play, each on a core of its own and replaced when it dies."""

    def __init__(
        self, conditions: worker.Conditions, cores: int, log_level: int, folder: TempFolder
    ) -> None:
        self._conditions = conditions
        self._log_level = log_level
        self._folder = folder
        self._free: queue.LifoQueue[tuple[int, Executor | None]] = queue.LifoQueue()
        for core in reversed(range(cores)):
            self._free.put((core, None))  # opened when it is needed

    def run(self, portion: bytes, on_measured: OnMeasured) -> bytes:
        """What a process made of a portion; WorkerDiedError if it died meanwhile."""
        core, pool = self._free.get(timeout=KEEP)
        try:
            if pool is None:
                pool = self._open_process(core)
            answer, measured = pool.submit(run_portion, portion, self._log_level).result()
            if measured is not None:
                on_measured(core, measured)
            return answer
        except BrokenExecutor:
            pool = None
            raise WorkerDiedError("a worker process died") from None
        finally:
            self._free.put((core, pool))

    def _open_process(self, core: int) -> Executor:
        return worker.open_pool(self._conditions, 1, worker.SPAWN.Queue(), core)

    def close(self) -> None:
        """Let the processes end and remove the folder."""
        with suppress(queue.Empty):
            while True:
                _, pool = self._free.get_nowait()
                if pool is not None:
                    pool.shutdown(wait=False, cancel_futures=True)
        self._folder.close()


class _Collected(logging.Handler):
    """Keeps what is logged while a portion is played."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[Logged] = []

    def emit(self, record: logging.LogRecord) -> None:
        about = getattr(record, "once", None)
        self.records.append((record.levelno, record.getMessage(), about))


def pack_call(play: Callable[..., Any], *args: Any) -> bytes:
    """A portion as it travels."""
    return pickle.dumps((play, args), pickle.HIGHEST_PROTOCOL)


def run_portion(portion: bytes, level: int) -> tuple[bytes, Measurement | None]:
    """In a process of a machine: what playing gives and logs, and what was found of its core."""
    play, args = pickle.loads(portion)
    collected = _Collected()
    LOGGER.handlers = [collected]
    LOGGER.setLevel(level)
    answer = pickle.dumps((play(*args), collected.records), pickle.HIGHEST_PROTOCOL)
    return answer, worker.take_measurement()


def unpack_answer(answer: bytes, machine: str) -> Any:
    """What playing gave; what was logged there is logged here."""
    result, records = pickle.loads(answer)
    for level, text, about in records:
        LOGGER.log(level, "%s: %s", machine, text, extra={"once": about} if about else None)
    return result

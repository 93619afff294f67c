"""One readable log of the arena and of all its worker processes."""

from __future__ import annotations

import logging
import sys
import time
from contextlib import AbstractContextManager
from logging.handlers import QueueHandler
from multiprocessing.context import BaseContext
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Final, TypeAlias

from multiprocessing_logging import MultiProcessingHandler

from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError

LOGGER: Final = logging.getLogger("arena")
LINE: Final = "%(asctime)s UTC %(levelname)-7s %(processName)s %(message)s"  # of a log file
LEVELS: Final = (logging.WARNING, logging.INFO, logging.DEBUG)  # by the number of -v

LogQueue: TypeAlias = "Queue[logging.LogRecord]"


class _Lines(logging.Formatter):
    """Bots have a say in what is logged: every line is text, and its first alone has a date."""

    converter = staticmethod(time.gmtime)

    def format(self, record: logging.LogRecord) -> str:
        return "\n    ".join(map(for_terminal, super().format(record).splitlines()))


class _Once(logging.Filter):
    """Lets of the records about the same thing the first pass: a fault is often one of many."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[object] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        about = getattr(record, "once", None)
        if about is None:
            return True
        new = about not in self.seen
        self.seen.add(about)
        return new


class _Sinks(logging.Handler):
    """Hands a record to each of several handlers that wants it."""

    def __init__(self, handlers: list[logging.Handler]) -> None:
        super().__init__(min(handler.level for handler in handlers))
        self.handlers = handlers

    def emit(self, record: logging.LogRecord) -> None:
        for handler in self.handlers:
            if record.levelno >= handler.level:
                handler.handle(record)

    def close(self) -> None:
        for handler in self.handlers:
            handler.close()
        super().close()


def _sinks(verbose: int, file: Path | None) -> _Sinks:
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setLevel(LEVELS[min(verbose, len(LEVELS) - 1)])
    if not verbose:
        terminal.addFilter(_Once())
    handlers: list[logging.Handler] = [terminal]
    if file is not None:
        try:
            whole = logging.FileHandler(file, encoding="utf-8")
        except OSError as problem:
            raise ArenaError(f"expected to write {file}, got {problem.strerror}") from None
        whole.setLevel(logging.DEBUG)
        handlers.append(whole)
    for handler in handlers:
        handler.setFormatter(_Lines(LINE))
    if not verbose:
        terminal.setFormatter(_Lines("%(message)s"))  # a message to who started the run
    return _Sinks(handlers)


class SharedLog(AbstractContextManager[LogQueue]):
    """Logs to stderr as loudly as asked and to the file in full; workers send to the queue.

    Of records with the same `once`, stderr has the first alone unless more is asked for. What is
    sent is written, by a thread, in a `with`.
    """

    def __init__(self, context: BaseContext, verbose: int = 0, file: Path | None = None) -> None:
        self._sinks = _sinks(verbose, file)
        self.queue: LogQueue = context.Queue()
        self._funnel: MultiProcessingHandler | None = None
        LOGGER.setLevel(self._sinks.level)
        LOGGER.propagate = False

    def __enter__(self) -> LogQueue:
        self._funnel = MultiProcessingHandler("arena-log", sub_handler=self._sinks)
        self._funnel.queue = self.queue  # the package's own is for its own way to fork
        LOGGER.addHandler(self._funnel)
        return self.queue

    def __exit__(self, *_: object) -> None:
        assert self._funnel is not None
        LOGGER.removeHandler(self._funnel)
        self._funnel.close()


def log_to_queue(queue: LogQueue, level: int) -> None:
    """In a worker: send what is logged to the arena's one log."""
    LOGGER.handlers = [QueueHandler(queue)]
    LOGGER.setLevel(level)
    LOGGER.propagate = False

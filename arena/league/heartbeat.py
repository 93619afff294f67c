"""A worker's place in the database: enrolled, heard of while it lives, gone when it ends."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from arena.log_config import LOGGER
from leagues.errors import StorageError
from leagues.storage.handle import Storage


@contextmanager
def hold_lease(storage: Storage, lease: float) -> Iterator[int]:
    """A worker's id, its lease extended again and again; its claims are given up at the end."""
    worker = storage.leases.register(f"{socket.gethostname()}:{os.getpid()}", lease)
    over = threading.Event()

    def beat() -> None:
        while not over.wait(lease / 4):
            try:
                storage.leases.renew(worker, lease)
            except StorageError as problem:  # another writer was slow; there is a next time
                LOGGER.warning("the lease was not extended: %s", problem)

    pulse = threading.Thread(target=beat, daemon=True)
    try:
        pulse.start()
        yield worker
    finally:
        over.set()
        if pulse.ident is not None:
            pulse.join()
        storage.leases.unregister(worker)

"""An LRU cache with a lock for each key: a value is computed once, however many ask for it."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from time import monotonic, thread_time
from typing import Final, TypeVar

T = TypeVar("T")

MAX_ENTRIES: Final = 64


class Cache:
    """Values by key; the least recently used is dropped first."""

    def __init__(
        self, max_entries: int = MAX_ENTRIES, clock: Callable[[], float] = monotonic
    ) -> None:
        self.spent = 0.0  # seconds of a processor spent on creating values
        self._max_entries = max_entries
        self._clock = clock
        self._entries: OrderedDict[Hashable, tuple[float, object]] = OrderedDict()
        self._locks: dict[Hashable, threading.RLock] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get_or_create(
        self,
        key: Hashable,
        create: Callable[[], T],
        is_fresh: Callable[[T, float], bool] = lambda _value, _age: True,
    ) -> T:
        """The value of this key, created anew unless it is fresh at its age.

        Only callers of the same key wait for each other.
        """
        with self._lock:
            lock = self._locks.setdefault(key, threading.RLock())
        with lock:
            with self._lock:
                found = self._entries.get(key)
            try:
                if found is not None:
                    value: T = found[1]  # type: ignore[assignment]
                    if is_fresh(value, self._clock() - found[0]):
                        self._store(key, found)
                        return value
                began, before = self._clock(), thread_time()
                made = create()
            except BaseException:
                with self._lock:
                    self._locks.pop(key, None)  # a key without a value leaves no lock
                raise
            with self._lock:
                self.spent += thread_time() - before  # not the time that others took
            self._store(key, (began, made))
            return made

    def _store(self, key: Hashable, found: tuple[float, object]) -> None:
        with self._lock:
            self._entries[key] = found
            self._entries.move_to_end(key)
            while len(self._entries) > self._max_entries:
                self._locks.pop(self._entries.popitem(last=False)[0], None)

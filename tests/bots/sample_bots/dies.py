"""Ends its own process without a word: by=exit or segfault."""

import ctypes
import os
import resource
from contextlib import suppress

from bots.api import Bot

with suppress(ValueError):  # the sandbox has set it already
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Dies(Bot):
    def __init__(self, by: str) -> None:
        self.by = by

    def decide(self, decision):
        if self.by == "exit":
            os._exit(3)
        return ctypes.string_at(0)

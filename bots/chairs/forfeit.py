"""The chair of a bot that is not let play."""

from __future__ import annotations

from typing import NoReturn

from bots.api import Seating
from bots.chairs.base import Chair, ChairFault
from engine.match import FaultKind


class Forfeit(Chair):
    """Fails at once, for a reason that was known before: none of the bot's code is run."""

    def __init__(self, kind: FaultKind, detail: str) -> None:
        super().__init__()
        self.kind = kind
        self.detail = detail

    def start(self, seating: Seating) -> NoReturn:
        raise ChairFault(self.kind, self.detail)

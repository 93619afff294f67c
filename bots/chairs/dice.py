"""The dice of the `random` module, which bots of one process use in turn."""

from __future__ import annotations

import random
from typing import Any, Final


class _Lending:
    """Whose dice the module's are at present."""

    def __init__(self) -> None:
        self.holder: ModuleDice | None = None
        self.ours: Any = None  # the state they had before a bot took them


_lending: Final = _Lending()


class ModuleDice:
    """What one bot rolls by `random.random` and the like: as if it were alone in the process.

    To exchange the state costs more than most answers, so the dice stay with a bot until another
    bot takes them; who is done with a match puts them back.
    """

    def __init__(self) -> None:
        self._state: Any = None

    def seed(self, seed: int) -> None:
        """Take the dice for a match that begins."""
        self._claim()
        random.seed(seed)

    def take(self) -> None:
        """Go on where this bot rolled last."""
        if _lending.holder is not self:
            self._claim()
            random.setstate(self._state)

    def put_back(self) -> None:
        """Let the rest of the process go on where it rolled last."""
        if _lending.holder is self:
            self._state = random.getstate()
            random.setstate(_lending.ours)
            _lending.holder = None

    def _claim(self) -> None:
        holder = _lending.holder
        if holder is None:
            _lending.ours = random.getstate()
        elif holder is not self:
            holder._state = random.getstate()
        _lending.holder = self

"""Observations in words: which facts of a view become which numbers."""

from dataclasses import dataclass
from typing import Final, TypeAlias

Id: TypeAlias = str | int | None

BOUND: Final = 10.0  # every number is scaled to stay far below
UNKNOWN: Final = (None,)


@dataclass(frozen=True)
class FeatureBlock:
    """Numbers that belong together: one for each id that is counted, or one alone.

    The name is the way to them in the facts of a view; 1.0 stands for `most`. UNKNOWN counts the
    cards of a list that the view does not know; other blocks of that list leave them out.
    """

    name: str
    ids: tuple[Id, ...] = ()
    most: float = 1.0

    @property
    def size(self) -> int:
        """How many numbers it takes."""
        return len(self.ids) or 1

    def labels(self) -> list[str]:
        """A name for each of its numbers."""
        ids = ("unknown" if id is None else str(id) for id in self.ids)
        return [f"{self.name} {id}" for id in ids] if self.ids else [self.name]


@dataclass(frozen=True)
class Layout:
    """What a game tells learners: blocks of the table and of each seat."""

    table: tuple[FeatureBlock, ...]
    seat: tuple[FeatureBlock, ...]

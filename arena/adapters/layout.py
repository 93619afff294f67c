"""Observations in words: which facts of a view become which numbers."""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

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


class Writer:
    """A row of blocks that is filled in from facts."""

    def __init__(self, blocks: tuple[FeatureBlock, ...]) -> None:
        self.size = sum(block.size for block in blocks)
        self._plan: list[tuple[str, str, int, float, dict[Id, int]]] = []
        at = 0
        for block in blocks:
            key, _, inner = block.name.partition(".")
            places = {id: at + place for place, id in enumerate(block.ids)}
            self._plan.append((key, inner, at, 1.0 / block.most, places))
            at += block.size

    def write(self, facts: dict[str, Any], row: list[float], start: int) -> None:
        """Fill in what the facts tell; the row holds noughts where they tell nothing."""
        for key, inner, at, one, places in self._plan:
            value = facts[key][inner] if inner else facts[key]
            if not places:
                row[start + at] = max(-BOUND, min(BOUND, value * one))
            elif type(value) is dict:
                for id, count in value.items():
                    row[start + places[id]] = count * one
            elif type(value) is not list:
                if value is not None:
                    row[start + places[value]] = one
            elif None in places:
                row[start + at] = value.count(None) * one
            else:
                for id in value:
                    if id is not None:
                        row[start + places[id]] += one

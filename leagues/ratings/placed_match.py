"""A result as standings need it: who sat where, with which wonder, and how they came out."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variant:
    """A kind of game: results of two kinds say nothing about each other."""

    game: str
    edition: str | None = None
    expansions: tuple[str, ...] = ()
    expert: bool = False

    def __str__(self) -> str:
        words = [self.game]
        words += [f"{self.edition} edition"] if self.edition else []
        words += [f"with {' and '.join(self.expansions)}"] if self.expansions else []
        return ", ".join([*words, "expert"] if self.expert else words)


@dataclass(frozen=True, slots=True)
class PlacedMatch:
    """One match; every tuple has an item for each seat, entrants by their number."""

    match: int
    game: str
    entrants: tuple[int, ...]
    wonders: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]  # 0 is the winner; equal ranks are a tie
    faulty: tuple[bool, ...]

"""A result as standings need it: who sat where, with which wonder, and how they came out."""

from dataclasses import dataclass


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

"""What two bots are compared by: blocks of two games that differ in nothing but who sits where.

Both games of a block have the same deal, wonders and opponents; a seat that NEW has in one of
them, OLD has in the other. All of a block follows from the seed and its number; seats, wonders
and opponents are dealt from shuffled decks, so that they come out even.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from math import gcd
from typing import TypeVar

from arena.schedule.fixtures import TrackRules
from arena.schedule.wonders import Pool, draw_wonders, open_pool, shuffled
from engine.contract import Game, Seat
from engine.errors import ArenaError
from engine.match import MatchResult, MatchSpec, Setup
from engine.rng import Rng, derive

Item = TypeVar("Item")


class PairDesign(StrEnum):
    """Who sits at a table: NEW and OLD alone, both with a field, or either with a field."""

    SELF = "self"
    FIELD = "field"
    MIRROR = "mirror"

    def factor(self, players: int) -> float:
        """The score of a block for each unit of excess (of finishing above more than below).

        Exact for self; with a field, where its bots are about as strong as OLD.
        """
        if self is PairDesign.MIRROR:
            return 0.5
        return players / (2 * (players - 1))

    def opponents(self, players: int) -> int:
        """Seats that are neither NEW's nor OLD's."""
        return {PairDesign.SELF: 0, PairDesign.FIELD: players - 2, PairDesign.MIRROR: players - 1}[
            self
        ]

    def shares(self, players: int) -> list[tuple[Seat, ...]]:
        """The sets of seats that NEW may have in the first game, none twice over in both games."""
        seats = range(players)
        if self is PairDesign.MIRROR:
            return [(seat,) for seat in seats]
        if self is PairDesign.FIELD:
            return list(combinations(seats, 2))  # the two exchanged
        some = combinations(seats, players // 2)
        # Half of an even table and the other half are the same block.
        return [share for share in some if players % 2 or 0 in share]


def draw_hand(items: tuple[Item, ...], hand: int, seed: int, nth: int) -> list[Item]:
    """The nth hand of items.

    Hands are cut from a shuffled circle of the items until all came up equally often; then it is
    shuffled anew. No item is twice in a hand while there are enough.
    """
    length = len(items) // gcd(len(items), hand)  # hands until all is even
    circle, at = divmod(nth, length)
    order = shuffled(items, Rng(derive(seed, f"circle {circle}")))
    return [order[slot % len(order)] for slot in range(at * hand, (at + 1) * hand)]


@dataclass(frozen=True)
class PairedGames:
    """Two games to be told apart by who sits where alone."""

    number: int
    games: tuple[MatchSpec, MatchSpec]

    @property
    def players(self) -> int:
        """Seats of its table."""
        return self.games[0].setup.players


@dataclass(frozen=True)
class PairSchedule:
    """Where two bots are compared; bots are labels here."""

    rules: TrackRules
    new: str
    old: str
    field: tuple[str, ...]
    design: PairDesign
    counts: tuple[int, ...]
    seed: int

    def __post_init__(self) -> None:
        if not self.counts:
            raise ArenaError("expected a number of players, got none")
        if self.design is PairDesign.SELF and self.field:
            raise ArenaError("expected the design field or mirror with a field, got self")
        if not self.field and any(map(self.design.opponents, self.counts)):
            raise ArenaError(f"expected a field of bots for the design {self.design}, got none")
        for players in self.counts:
            self._setup(players)
        for number in range(len(self.counts)):
            self.block(number)

    @cached_property
    def game(self) -> Game:
        """The game they play."""
        return self.rules.game

    @cached_property
    def pool(self) -> Pool:
        """The wonders in play."""
        return open_pool(self.rules.variant, self.rules.wonders)

    def block(self, number: int) -> PairedGames:
        """The block of this number."""
        nth, stratum = divmod(number, len(self.counts))
        players = self.counts[stratum]
        wonders = draw_wonders(self.pool, players, derive(self.seed, f"wonders {players}"), nth)
        setup = self._setup(players, wonders)
        deal = derive(self.seed, f"deal {number}")
        first = self._seating(players, nth)
        exchange = {self.new: self.old, self.old: self.new}
        second = tuple(exchange.get(bot, bot) for bot in first)
        return PairedGames(
            number,
            (
                self.game.spec(setup, deal, first),
                self.game.spec(setup, deal, second),
            ),
        )

    def _seating(self, players: int, nth: int) -> tuple[str, ...]:
        shares = tuple(self.design.shares(players))
        [share] = draw_hand(shares, 1, derive(self.seed, f"seats {players}"), nth)
        others = iter(self._opponents(players, nth))
        if self.design is PairDesign.SELF:
            return tuple(self.new if seat in share else self.old for seat in range(players))
        taken = dict(zip(share, (self.new, self.old), strict=False))
        return tuple(taken[seat] if seat in taken else next(others) for seat in range(players))

    def _opponents(self, players: int, nth: int) -> list[str]:
        count = self.design.opponents(players)
        if not count:
            return []
        hand = draw_hand(self.field, count, derive(self.seed, f"field {players}"), nth)
        # In another order each time: neighbours matter.
        return shuffled(tuple(hand), Rng(derive(self.seed, f"order {players} {nth}")))

    def _setup(self, players: int, wonders: tuple[str, ...] = ()) -> Setup:
        return self.game.setup(players, 0, wonders, self.rules.variant)


def rank_points(ranks: Sequence[int]) -> list[float]:
    """The share of the others each seat finished above, ties counting half."""
    others = len(ranks) - 1
    return [1 - (rank + (ranks.count(rank) - 1) / 2) / others for rank in ranks]


def score(results: Sequence[MatchResult], new: str, old: str) -> float:
    """NEW's mean rank points less OLD's, each over the games of the block in which it sat."""
    return _mean_points(results, new) - _mean_points(results, old)


def _mean_points(results: Sequence[MatchResult], label: str) -> float:
    games: list[float] = []
    for result in results:
        points = rank_points(result.ranks)
        own = [points[seat] for seat, bot in enumerate(result.spec.bots) if bot == label]
        if own:
            games.append(sum(own) / len(own))
    return sum(games) / len(games)

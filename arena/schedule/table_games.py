"""Tournaments whose tables follow from results: games of a table, and how far a tournament is."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

from arena.schedule.cyclic import Block
from arena.schedule.fixtures import Fixture, Track, match_spec
from arena.schedule.wonders import shuffled
from engine.rng import Rng, derive

MAX_FURTHER: Final = 10  # deals that a tied table plays on; then the better seed is ahead

Ranks: TypeAlias = Mapping[int, Sequence[int]]  # by the numbers of games, from 0, by seat
Points: TypeAlias = dict[int, int]  # by bot: two for each opponent beaten, one for each tie
Order: TypeAlias = list[int]  # bots by their places in the field, the best first
# Hands out the games that are due, and ends with the final order; None if results are missing.
Batches: TypeAlias = Generator[list[Fixture], None, Order | None]


class ByResults(Protocol):
    """A design whose tables follow from the results before them."""

    @property
    def stage(self) -> str:
        """The stage its fixtures belong to."""

    @property
    def track(self) -> Track:
        """What is played."""

    @property
    def games(self) -> int:
        """How many games it has at least: tables that are tied play on."""

    def batches(self, results: Callable[[], Ranks]) -> Batches:
        """The games that are due, batch by batch; `results` is asked when a batch was played."""

    def describe(self) -> list[str]:
        """What will be played, a line a fact."""


@dataclass(frozen=True)
class Progress:
    """How far a tournament by results is."""

    fixtures: dict[int, Fixture]  # that follow from the results so far, by number
    due: list[Fixture]  # of these, the ones without a result
    order: Order | None  # the final one, if it is over


def follow_results(design: ByResults, ranks: Ranks) -> Progress:
    """The fixtures that follow from these results, and the final order if they are all."""
    fixtures: dict[int, Fixture] = {}
    batches = design.batches(lambda: ranks)
    while True:
        try:
            fixtures |= {fixture.number: fixture for fixture in next(batches)}
        except StopIteration as end:
            due = [fixture for number, fixture in fixtures.items() if number not in ranks]
            return Progress(fixtures, due, end.value)


@dataclass
class TableGames:
    """Games of tables, batch after batch; numbers, deals and seats follow from the seed.

    On every deal a table plays as many games as it has seats: every bot plays every hand once.
    """

    labels: tuple[str, ...]
    track: Track
    seed: int
    stage: str
    _next: int = 0  # number of a game
    _deal: int = 0
    _batch: int = field(default=0)

    def play(
        self, tables: Sequence[Block], deals: int, round: int, results: Callable[[], Ranks]
    ) -> Generator[list[Fixture], None, list[Points] | None]:
        """Hand out so many deals of every table; ends with their points, or None."""
        seated = [
            (at, self._deal + deal, seats)
            for deal in range(deals)
            for at, bots in enumerate(tables)
            for seats in self._rotations(bots, at, deal)
        ]
        fixtures = [
            self._fixture(number, index, round, deal, seats)
            for index, (number, (_, deal, seats)) in enumerate(enumerate(seated, self._next))
        ]
        self._next += len(fixtures)
        self._deal += deals
        self._batch += 1
        yield fixtures
        ranks = results()
        if any(fixture.number not in ranks for fixture in fixtures):
            return None
        points = [dict.fromkeys(bots, 0) for bots in tables]
        for (at, _, _), fixture in zip(seated, fixtures, strict=True):
            for bot, earned in points_of(fixture.entrants, ranks[fixture.number]).items():
                points[at][bot] += earned
        return points

    def _rotations(self, bots: Block, table: int, deal: int) -> list[Block]:
        """The bots around the table in an order by lot, begun at every one of them."""
        label = f"seats/{self.stage}/{self._batch}/{table}/{deal}"
        order = shuffled(bots, Rng(derive(self.seed, label)))
        return [(*order[at:], *order[:at]) for at in range(len(order))]

    def _fixture(self, number: int, index: int, round: int, deal: int, seats: Block) -> Fixture:
        labels = tuple(self.labels[bot] for bot in seats)
        spec = match_spec(self.track, self.seed, deal, labels)
        id = f"{self.stage}-{self.track.name}-{self._batch}-{index}"
        return Fixture(number, id, self.stage, round, seats, spec)


def points_of(bots: Sequence[int], ranks: Sequence[int]) -> Points:
    """The points of one game."""
    return {
        bot: sum((other > rank) * 2 + (other == rank) for other in ranks) - 1
        for bot, rank in zip(bots, ranks, strict=True)
    }


def most_points(players: int, deals: int = 1) -> int:
    """Of a bot that wins every game of a table."""
    return 2 * (players - 1) * players * deals


class FirstBatch:
    """The first batch of a tournament by results, as a design: it is known before any is played."""

    def __init__(self, design: ByResults) -> None:
        self.design = design
        self._first = next(design.batches(dict), [])

    @property
    def stage(self) -> str:
        return self.design.stage

    def games(self, track: Track) -> int:
        return len(self._first)

    def rounds(self, track: Track) -> int:
        return 1

    def deal(self, track: Track, round: int, game: int) -> int:
        return game // (track.players * self._tables(track))

    def table(self, track: Track, round: int, game: int) -> Block:
        return self._first[game].entrants

    def _tables(self, track: Track) -> int:
        return len({frozenset(fixture.entrants) for fixture in self._first})

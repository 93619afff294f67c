"""Swiss rounds: bots with about as many points meet, and nobody twice if that can be helped."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from math import ceil, log2
from typing import Final

from arena.schedule.cyclic import Block
from arena.schedule.fixtures import Track
from arena.schedule.table_games import (
    MAX_FURTHER,
    Batches,
    Order,
    Ranks,
    TableGames,
    most_points,
)

MAX_PASSES: Final = 50  # through all exchanges of two bots; each pass makes the tables better


class Swiss:
    """Rounds in which a table plays one deal, every bot in every seat; a value.

    Places in the field are seeds. Who sits out has half the points of a table.
    """

    stage: Final = "swiss"

    def __init__(
        self, labels: tuple[str, ...], track: Track, seed: int, rounds: int | None = None
    ) -> None:
        self.labels = labels
        self.track = track
        self.seed = seed
        self.rounds = rounds or max(1, ceil(log2(len(labels))))
        self.tables = len(labels) // track.players

    @property
    def games(self) -> int:
        return self.rounds * self.tables * self.track.players

    def batches(self, results: Callable[[], Ranks]) -> Batches:
        made = TableGames(self.labels, self.track, self.seed, self.stage)
        players = self.track.players
        points = dict.fromkeys(range(len(self.labels)), 0)
        byes: Counter[int] = Counter()
        met: Counter[frozenset[int]] = Counter()
        for round in range(self.rounds):
            order = sorted(points, key=lambda bot: (-points[bot], bot))
            resting = self._resting(order, byes)
            tables = pair_up([bot for bot in order if bot not in resting], players, met)
            earned = yield from made.play(tables, 1, round, results)
            if earned is None:
                return None
            for table in earned:
                for bot, more in table.items():
                    points[bot] += more
                met.update(map(frozenset, combinations(table, 2)))
            for bot in resting:
                points[bot] += most_points(players) // 2
            byes.update(resting)
        keys = {bot: [points[bot], _buchholz(bot, points, met)] for bot in points}
        for _ in range(MAX_FURTHER):
            order = sorted(keys, key=lambda bot: ([-part for part in keys[bot]], bot))
            if keys[order[0]] != keys[order[1]]:
                break
            earned = yield from made.play([tuple(order[:players])], 1, self.rounds, results)
            if earned is None:
                return None
            for bot, key in keys.items():
                key.append(earned[0].get(bot, -1))
        return sorted(keys, key=lambda bot: ([-part for part in keys[bot]], bot))

    def _resting(self, order: Order, byes: Counter[int]) -> set[int]:
        """Who has no table: the last of those who sat out least."""
        count = len(order) - self.tables * self.track.players
        places = {bot: at for at, bot in enumerate(order)}
        last_first = sorted(order, key=lambda bot: (byes[bot], -places[bot]))
        return set(last_first[:count])

    def describe(self) -> list[str]:
        players = self.track.players
        resting = len(self.labels) - self.tables * players
        lines = [f"swiss design, {self.rounds} rounds of {self.tables} tables"]
        lines[0] += ": bots with about as many points meet, nobody twice while that can be avoided"
        lines.append(
            f"a table plays one deal {players} times, every bot in every seat; a point for each "
            "opponent beaten, half for a tie"
        )
        if resting:
            lines.append(f"bots that sit out each round, with half the points: {resting}")
        lines.append(
            f"{self.games} games; a tie is decided by the points of the opponents met, one for "
            f"the first place by at most {MAX_FURTHER} further deals, then by seed"
        )
        return lines


def _buchholz(bot: int, points: dict[int, int], met: Counter[frozenset[int]]) -> int:
    """The points of all opponents, as often as they were met."""
    opponents = ((pair - {bot}, count) for pair, count in met.items() if bot in pair)
    return sum(count * points[other] for others, count in opponents for other in others)


def pair_up(order: Order, players: int, met: Counter[frozenset[int]]) -> list[Block]:
    """Tables of bots close in the order that have not met, as far as exchanges of two reach."""
    tables = [list(order[at : at + players]) for at in range(0, len(order), players)]
    place = {bot: at for at, bot in enumerate(order)}
    again = len(order) ** 2  # what a second meeting costs: more than any distance

    def cost(table: list[int]) -> int:
        return sum(
            again * met[frozenset(pair)] + (place[pair[0]] - place[pair[1]]) ** 2
            for pair in combinations(table, 2)
        )

    costs = [cost(table) for table in tables]
    for _ in range(MAX_PASSES):
        better = False
        for one, other in combinations(range(len(tables)), 2):
            for changed in _exchanges(tables[one], tables[other]):
                new = [cost(table) for table in changed]
                if sum(new) < costs[one] + costs[other]:
                    tables[one], tables[other] = changed
                    costs[one], costs[other] = new
                    better = True
        if not better:
            break
    return [tuple(sorted(table, key=place.__getitem__)) for table in tables]


def _exchanges(one: list[int], other: list[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Two tables after an exchange of one bot for another, every way there is."""
    for at in range(len(one)):
        for to in range(len(other)):
            first, second = list(one), list(other)
            first[at], second[to] = second[to], first[at]
            yield first, second

"""Knockout: the better part of every table goes on, until one is left; and double elimination."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Final

from arena.schedule.cyclic import Block
from arena.schedule.fixtures import Fixture, Track
from arena.schedule.table_games import MAX_FURTHER, Batches, Order, Ranks, TableGames
from engine.errors import SetupError

DEFAULT_DEALS: Final = 3  # that a table plays, if not told otherwise


@dataclass(frozen=True)
class RoundSize:
    """How many tables a round has, and how many bots are left after it."""

    bots: int
    tables: int
    left: int


def round_size(bots: int, players: int) -> RoundSize:
    """The next round: after it, if that can be, all rounds are full up to the final.

    About half of a table goes on. The final is one table with one winner.
    """
    if bots <= players:
        return RoundSize(bots, 1, 1)
    going_on = max(1, players // 2)
    full = players
    while (larger := players * -(-full // going_on)) < bots:
        full = larger
    tables = -(-(bots - full) // (players - going_on))
    if tables * players <= bots:
        return RoundSize(bots, tables, full)
    tables = bots // players
    return RoundSize(bots, tables, max(players, bots - tables * (players - going_on)))


def draw_tables(bots: Order, size: RoundSize, players: int) -> tuple[list[Block], list[int]]:
    """The tables by seed, the best with the weakest, and how many of each go on.

    The best seeds sit out where there is no seat for all.
    """
    playing = sorted(bots)[size.bots - size.tables * players :]
    tables: list[list[int]] = [[] for _ in range(size.tables)]
    for at, bot in enumerate(playing):
        lap, place = divmod(at, size.tables)
        tables[place if lap % 2 == 0 else size.tables - 1 - place].append(bot)
    byes = size.bots - len(playing)
    base, extra = divmod(size.left - byes, size.tables)
    return list(map(tuple, tables)), [base + (at < extra) for at in range(size.tables)]


class Knockout:
    """Rounds of tables that play some deals, every bot in every seat; a value.

    Places in the field are seeds. With two lives, who loses once plays on among those who did.
    """

    def __init__(
        self,
        labels: tuple[str, ...],
        track: Track,
        seed: int,
        deals: int | None = None,
        lives: int = 1,
    ) -> None:
        if lives > 1 and track.players != 2:
            raise SetupError(f"expected 2 players for the double design, got {track.players}")
        self.labels = labels
        self.track = track
        self.seed = seed
        self.deals = deals or DEFAULT_DEALS
        self.lives = lives

    @property
    def stage(self) -> str:
        return "knockout" if self.lives == 1 else "double"

    @property
    def games(self) -> int:
        if self.lives > 1:  # everybody but the winner loses twice, the winner maybe not at all
            return (2 * len(self.labels) - 2) * self.deals * 2
        return sum(size.tables for size in self._sizes()) * self.deals * self.track.players

    def _sizes(self) -> list[RoundSize]:
        sizes = [round_size(len(self.labels), self.track.players)]
        while sizes[-1].left > 1:
            sizes.append(round_size(sizes[-1].left, self.track.players))
        return sizes

    def batches(self, results: Callable[[], Ranks]) -> Batches:
        made = TableGames(self.labels, self.track, self.seed, self.stage)
        groups: list[Order] = [list(range(len(self.labels))), *[[] for _ in range(self.lives - 1)]]
        out: Order = []  # the last first
        round = 0
        while sum(map(len, groups)) > 1:
            tables, going_on = self._tables(groups)
            orders = yield from self._decide(made, tables, going_on, round, results)
            if orders is None:
                return None
            lost = [
                (at, bot)
                for order, count in zip(orders, going_on, strict=True)
                for at, bot in enumerate(order)
                if at >= count
            ]
            # Of those who leave in one round, the better place at its table is the better one.
            for _, bot in sorted(lost, reverse=True):
                out = _defeat(groups, bot, out)
            round += 1
        return [*(bot for group in groups for bot in group), *reversed(out)]

    def _tables(self, groups: list[Order]) -> tuple[list[Block], list[int]]:
        """The tables of a round, and how many bots of each go on."""
        players = self.track.players
        if [len(group) for group in groups] == [1, 1]:
            return [(groups[0][0], groups[1][0])], [1]
        tables: list[Block] = []
        going_on: list[int] = []
        for group in groups:
            if len(group) > 1:
                more, counts = draw_tables(group, round_size(len(group), players), players)
                tables += more
                going_on += counts
        return tables, going_on

    def _decide(
        self,
        made: TableGames,
        tables: Sequence[Block],
        going_on: Sequence[int],
        round: int,
        results: Callable[[], Ranks],
    ) -> Generator[list[Fixture], None, list[Order] | None]:
        """Play until at every table it is open no more who goes on; the bots of each by rank."""
        keys: list[dict[int, list[int]]] = [{bot: [] for bot in table} for table in tables]
        open_tables = list(range(len(tables)))
        for turn in range(MAX_FURTHER + 1):
            deals = 1 if turn else self.deals
            earned = yield from made.play([tables[at] for at in open_tables], deals, round, results)
            if earned is None:
                return None
            for at, points in zip(open_tables, earned, strict=True):
                for bot, more in points.items():
                    keys[at][bot].append(more)
            open_tables = [at for at in open_tables if _is_tied(keys[at], going_on[at])]
            if not open_tables:
                break
        return [_ordered(each) for each in keys]

    def describe(self) -> list[str]:
        players = self.track.players
        lines = []
        if self.lives > 1:
            lines.append(
                "double elimination: who loses a table plays on among those who lost once, who "
                "loses twice is out; the last of both meet in the final"
            )
        else:
            lines.append("knockout design, tables drawn by seed, the best with the weakest:")
            lines += [self._describe_round(at, size) for at, size in enumerate(self._sizes(), 1)]
        lines.append(
            f"a table plays {self.deals} deals {players} times each, every bot in every seat; a "
            "point for each opponent beaten, half for a tie"
        )
        lines.append(
            f"{self.games} games or more: where it is tied who goes on, at most {MAX_FURTHER} "
            "further deals decide, then the seed"
        )
        return lines

    def _describe_round(self, number: int, size: RoundSize) -> str:
        players = self.track.players
        if size.left == 1:
            return f"round {number}, the final: 1 table of {players}, 1 winner"
        byes = size.bots - size.tables * players
        text = (
            f"round {number}: {size.bots} bots, {size.tables} "
            f"{'table' if size.tables == 1 else 'tables'} of {players}, {size.left - byes} go on"
        )
        return text + (f"; the best {byes} sit out" if byes else "")


def _defeat(groups: list[Order], bot: int, out: Order) -> Order:
    """Move a bot to those with one defeat more; who has no life left is out."""
    at = next(at for at, group in enumerate(groups) if bot in group)
    groups[at].remove(bot)
    if at + 1 == len(groups):
        return [*out, bot]
    groups[at + 1].append(bot)
    return out


def _ordered(keys: dict[int, list[int]]) -> Order:
    return sorted(keys, key=lambda bot: ([-part for part in keys[bot]], bot))


def _is_tied(keys: dict[int, list[int]], going_on: int) -> bool:
    order = _ordered(keys)
    return keys[order[going_on - 1]] == keys[order[going_on]]

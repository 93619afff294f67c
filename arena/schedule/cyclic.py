"""Cyclic designs: who sits where, so that seats, neighbours and meetings come out even.

A round is played from one block: k different residues modulo N. In its game t the bot at
(block[i] + t) mod N sits in seat i, so a round of N games puts every bot once into every seat.
Who meets whom, and who sits left of whom, then depends on the difference of two bots alone: a
cycle of 2(N - 1) blocks is even if every difference comes up equally often, beside each other
and at the same table.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from math import gcd
from random import Random
from typing import Final

from engine.errors import ArenaError, SetupError

Block = tuple[int, ...]

MIN_PLAYERS: Final = 2
MAX_BOTS: Final = 200
# Random starts of the hill climbing for one block, while a cycle grows.
RESTARTS: Final = 3
# How many of the last blocks are changed to make a cycle exact, one attempt after the other; the
# moves of an attempt, for each bot; and how readily a move that makes it worse by one is taken.
TAIL_SIZES: Final = (12, 24, 48, 24, 48, 96)
MOVES_PER_BOT: Final = 800
ACCEPT_WORSE: Final = 0.15
# Swaps tried to put a cycle into an even order, and how far apart.
ORDER_SWAPS: Final = 2_000
MAX_SWAP_DISTANCE: Final = 8
# Fields up to the first are small, above the second large: there the last blocks are changed in
# fewer attempts, and not at all if that makes the way to the end less even.
SMALL_FIELD: Final = 13
LARGE_FIELD: Final = 24
# How many cycles are tried until one is good enough: the largest spreads of neighbours and of
# meetings, in small, middling and large fields; and at the end of a cycle in a large one.
MAX_CYCLES: Final = (8, 3, 2)
GOOD_SPREADS: Final = ((2, 2), (3, 3), (2, 3))
GOOD_END_SPREAD: Final = 2
# Above this a cycle ends before everything was equally often: nobody plays that many rounds.
MAX_EXACT_FIELD: Final = 40


@dataclass(frozen=True)
class Cycle:
    """The blocks of as many rounds as it takes until everything is even."""

    bots: int
    blocks: tuple[Block, ...]

    @property
    def players(self) -> int:
        """Seats of a table."""
        return len(self.blocks[0])


def to_json(cycle: Cycle) -> str:
    """A cycle as text, to be stored with its tournament."""
    return json.dumps({"bots": cycle.bots, "blocks": cycle.blocks}, separators=(",", ":"))


def from_json(text: str) -> Cycle:
    """The inverse of `to_json`, checked."""
    try:
        told = json.loads(text)
        bots = told["bots"]
        blocks = tuple(tuple(block) for block in told["blocks"])
    except (ValueError, TypeError, KeyError, RecursionError) as problem:
        raise ArenaError(f"expected a cycle of blocks as JSON, got {problem!r}") from None
    if not isinstance(bots, int) or not blocks or not blocks[0]:
        raise ArenaError(f"expected a number of bots and their blocks, got {text[:80]}")
    for block in blocks:
        if not all(isinstance(bot, int) and 0 <= bot < bots for bot in block):
            raise ArenaError(f"expected bots from 0 to {bots - 1}, got {block}")
        if len(block) != len(blocks[0]) or len(set(block)) != len(block):
            raise ArenaError(f"expected blocks of {len(blocks[0])} different bots, got {block}")
    return Cycle(bots, blocks)


@cache
def build_cycle(bots: int, players: int) -> Cycle:
    """The same cycle on every machine, at the cost of some seconds for a large field."""
    if not MIN_PLAYERS <= players <= bots <= MAX_BOTS:
        raise SetupError(
            f"expected 2 to {MAX_BOTS} bots and at most as many at a table,"
            f" got {bots} and {players}"
        )
    dice = Random(1000 * bots + players)
    rounds = 2 * (min(bots, MAX_EXACT_FIELD) - 1)
    found: list[tuple[tuple[int, int, int], list[Block]]] = []
    for _ in range(MAX_CYCLES[_size(bots)]):
        tally = _Tally(bots, players)
        blocks = tally.grow(rounds, dice, RESTARTS if bots <= MAX_EXACT_FIELD else 1)
        if bots > LARGE_FIELD:
            found.append(_judge(_freeze(blocks), bots))
        if bots <= MAX_EXACT_FIELD:
            tally.make_exact(blocks, dice, TAIL_SIZES if bots <= LARGE_FIELD else TAIL_SIZES[:3])
            found.append(_judge(in_even_order(_freeze(blocks), bots, dice), bots))
        if min(found)[0][0] == 0:
            break
    return Cycle(bots, tuple(min(found)[1]))


def _size(bots: int) -> int:
    return (bots > SMALL_FIELD) + (bots > LARGE_FIELD)


def _freeze(blocks: list[list[int]]) -> list[Block]:
    return [tuple(block) for block in blocks]


def _judge(blocks: list[Block], bots: int) -> tuple[tuple[int, int, int], list[Block]]:
    """The smaller, the better: excess spreads, then how uneven the end is, and the way there."""
    end, way = spreads(blocks, bots)
    fine = GOOD_SPREADS[_size(bots)]
    beyond = max(0, way[0] - fine[0]) + max(0, way[1] - fine[1])
    # Nothing makes up for an uneven end where one can do without.
    beyond += 100 * max(0, max(end) - (GOOD_END_SPREAD if bots > LARGE_FIELD else 0))
    return (beyond, sum(end), sum(way)), blocks


def beside(block: Block, bots: int) -> Iterator[int]:
    """By how much each left neighbour is ahead."""
    for seat, bot in enumerate(block):
        yield (block[(seat + 1) % len(block)] - bot) % bots


def together(block: Block, bots: int) -> Iterator[int]:
    """By how much each bot of the table is ahead of each other."""
    for bot in block:
        for other in block:
            if other != bot:
                yield (other - bot) % bots


class _Tally:
    """How often each difference came up: beside each other, and at one table.

    Meetings are kept for the differences up to N / 2 alone: a difference and its opposite come
    up together. The cost is zero when everything is even.
    """

    def __init__(self, bots: int, players: int) -> None:
        self.bots = bots
        self.players = players
        self.beside = [0] * bots
        self.together = [0] * bots
        self.fold = [min(gap, bots - gap) for gap in range(bots)]
        # A bot meets the one opposite once for either of the two.
        self.step = [2 if 2 * gap == bots else 1 for gap in range(bots)]
        self.cost = 0

    def count(self, block: list[int], sign: int) -> None:
        """Take the whole block in, or out again."""
        self.count_beside(block, sign)
        for at, bot in enumerate(block):
            for other in block[:at]:
                self.count_pair(bot - other, sign)

    def count_beside(self, block: list[int], sign: int) -> None:
        last = block[-1]
        counts = self.beside
        for bot in block:
            gap = (bot - last) % self.bots
            self.cost += 2 + 4 * sign * counts[gap]
            counts[gap] += sign
            last = bot

    def count_pair(self, gap: int, sign: int) -> None:
        at = self.fold[gap % self.bots]
        step = self.step[at]
        self.cost += (2 // step) * (step * step + 2 * sign * step * self.together[at])
        self.together[at] += sign * step

    def move(self, block: list[int], seat: int, bot: int) -> None:
        """Give a seat of a counted block to a bot that is not in it."""
        old = block[seat]
        bots, cost = self.bots, self.cost
        fold, steps, counts = self.fold, self.step, self.together
        for other in block:
            if other != old:
                at = fold[(other - old) % bots]
                step = steps[at]
                cost += 2 * step - 4 * counts[at]
                counts[at] -= step
                at = fold[(other - bot) % bots]
                step = steps[at]
                cost += 2 * step + 4 * counts[at]
                counts[at] += step
        counts = self.beside
        before, after = block[seat - 1], block[(seat + 1) % len(block)]
        for gap in ((old - before) % bots, (after - old) % bots):
            cost += 2 - 4 * counts[gap]
            counts[gap] -= 1
        for gap in ((bot - before) % bots, (after - bot) % bots):
            cost += 2 + 4 * counts[gap]
            counts[gap] += 1
        self.cost = cost
        block[seat] = bot

    def swap(self, block: list[int], seat: int, other: int) -> None:
        """Let two seats of a counted block change places."""
        self.count_beside(block, -1)
        block[seat], block[other] = block[other], block[seat]
        self.count_beside(block, 1)

    def vary(self, block: list[int], dice: Random) -> tuple[int, int, bool]:
        """Change a counted block a little; what undoes it."""
        seat = int(dice.random() * self.players)
        bot = int(dice.random() * self.bots)
        if bot in block:
            other = block.index(bot)
            self.swap(block, seat, other)
            return seat, other, True
        old = block[seat]
        self.move(block, seat, bot)
        return seat, old, False

    def undo(self, block: list[int], change: tuple[int, int, bool]) -> None:
        seat, value, swapped = change
        if swapped:
            self.swap(block, seat, value)
        else:
            self.move(block, seat, value)

    def grow(self, rounds: int, dice: Random, climbs: int) -> list[list[int]]:
        """One block after the other, each as even as can be with those before."""
        blocks: list[list[int]] = []
        for _ in range(rounds):
            best, chosen = -1, [0]
            for _ in range(climbs):
                block = self.climb(dice)
                if best < 0 or self.cost < best:
                    best, chosen = self.cost, list(block)
                self.count(block, -1)
            self.count(chosen, 1)
            blocks.append(chosen)
        return blocks

    def climb(self, dice: Random) -> list[int]:
        """A block from chance, changed as long as it gets better; counted."""
        block: list[int] = []
        while len(block) < self.players:
            bot = int(dice.random() * self.bots)
            if bot not in block:
                block.append(bot)
        self.count(block, 1)
        idle = 0
        while idle < 2 * self.players * self.bots:
            before = self.cost
            change = self.vary(block, dice)
            if self.cost > before:
                self.undo(block, change)
            idle = 0 if self.cost < before else idle + 1
        return block

    def make_exact(self, blocks: list[list[int]], dice: Random, tails: tuple[int, ...]) -> None:
        """Change blocks until every difference came up equally often: simulated annealing."""
        players = self.players
        for gap in range(1, self.bots):
            self.beside[gap] -= 2 * players
            if self.fold[gap] == gap:
                self.together[gap] -= 2 * players * (players - 1)
        self.cost = 2 * sum(n * n for n in self.beside[1:]) + sum(
            n * n * 2 // self.step[gap] for gap, n in enumerate(self.together)
        )
        for tail in tails:
            self.anneal(blocks[-tail:], dice)

    def anneal(self, blocks: list[list[int]], dice: Random) -> None:
        for _ in range(MOVES_PER_BOT * self.bots):
            if self.cost == 0:
                break
            block = blocks[int(dice.random() * len(blocks))]
            before = self.cost
            change = self.vary(block, dice)
            # A product alone: a power may differ in its last digit from machine to machine.
            odds = 1.0
            for _ in range(self.cost - before):
                odds *= ACCEPT_WORSE
            if odds < 1.0 and dice.random() >= odds:
                self.undo(block, change)


def in_even_order(blocks: list[Block], bots: int, dice: Random) -> list[Block]:
    """The blocks such that counts are about even after each of them: swaps as long as they help."""
    order = list(blocks)
    counts = [_counts(block, bots) for block in blocks]
    sums: list[list[int]] = []
    for count in counts:
        sums.append(_add(sums[-1], count) if sums else count)
    excess = [_excess(each) for each in sums]
    for _ in range(ORDER_SWAPS):
        uneven = [at for at, each in enumerate(excess) if each]
        if not uneven:
            break
        middle = uneven[int(dice.random() * len(uneven))]
        low = max(0, middle - int(dice.random() * MAX_SWAP_DISTANCE))
        high = min(len(order) - 1, middle + 1 + int(dice.random() * MAX_SWAP_DISTANCE))
        change = [b - a for a, b in zip(counts[low], counts[high], strict=True)]
        changed = [_add(each, change) for each in sums[low:high]]
        weights = [_excess(each) for each in changed]
        if sum(weights) <= sum(excess[low:high]):
            sums[low:high], excess[low:high] = changed, weights
            order[low], order[high] = order[high], order[low]
            counts[low], counts[high] = counts[high], counts[low]
    return order


def spreads(blocks: Iterable[Block], bots: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Largest less smallest count, of neighbours and of meetings: at the end, and at worst."""
    sums = [0] * (2 * bots - 2)
    worst = (0, 0)
    for block in blocks:
        sums = _add(sums, _counts(block, bots))
        beside, together = _spreads(sums)
        worst = max(worst[0], beside), max(worst[1], together)
    return _spreads(sums), worst


def _counts(block: Block, bots: int) -> list[int]:
    """How often each difference comes up beside each other, then how often at one table."""
    counts = [0] * (2 * bots - 2)
    for gap in beside(block, bots):
        counts[gap - 1] += 1
    for gap in together(block, bots):
        counts[bots - 2 + gap] += 1
    return counts


def _spreads(sums: list[int]) -> tuple[int, int]:
    half = len(sums) // 2
    return max(sums[:half]) - min(sums[:half]), max(sums[half:]) - min(sums[half:])


def _excess(sums: list[int]) -> int:
    """How far the spreads go beyond two, a large one counting more than several small ones."""
    return sum((spread - 2) ** 4 for spread in _spreads(sums) if spread > 2)


def _add(sums: list[int], counts: list[int]) -> list[int]:
    return [a + b for a, b in zip(sums, counts, strict=True)]


@cache
def stride(bots: int, block: Block) -> int:
    """The step through the games of a round that lets every bot play about equally often.

    A round is game 0, h, 2h ... of its block; with the residues multiplied, the step is as well.
    """
    steps = [step for step in range(1, max(bots, 2)) if gcd(step, bots) == 1]
    return min(steps, key=lambda step: _unevenness(bots, block, step))


def _unevenness(bots: int, block: Block, step: int) -> tuple[int, int]:
    played = [0] * bots
    worst = total = 0
    for game in range(bots):
        for bot in block:
            played[(bot + game * step) % bots] += 1
        spread = max(played) - min(played)
        worst = max(worst, spread)
        total += spread
    return worst, total

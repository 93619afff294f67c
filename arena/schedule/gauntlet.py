"""A gauntlet: one newcomer in every game, the others around it in turn."""

from collections.abc import Iterable
from functools import lru_cache
from math import gcd

from arena.schedule.cyclic import Block, Cycle, build_cycle, stride
from arena.schedule.fixtures import Track, relabel
from engine.errors import SetupError


class Gauntlet:
    """Rounds of N - 1 games. In each, every opponent sits once at every distance from the newcomer.

    So after any round the newcomer met all equally often, and had each to its left, and to its
    right, equally often. After any game its seats differ by one at most. Every k games share a
    deal, and the newcomer plays each hand of it once: its wonders are as even as those dealt.
    What the opponents are to each other is about even: they come from a cycle of their own,
    broken where the newcomer sits. Through that cycle, in fields of up to 20, their seats differ
    by at most 8, their neighbours by 4, their meetings by 3.
    """

    stage = "gauntlet"

    def __init__(self, seed: int, newcomer: int, cycles: Iterable[Cycle] = ()) -> None:
        self.seed = seed
        self.newcomer = newcomer  # its place in the field
        self._cycles = {(cycle.bots, cycle.players): cycle for cycle in cycles}

    def cycle(self, track: Track) -> Cycle:
        """The cycle of the opponents, built at most once."""
        key = (len(track.bots) - 1, track.players - 1)
        if key not in self._cycles:
            alone = Cycle(key[0], ((0,),))
            self._cycles[key] = build_cycle(*key) if key[1] > 1 else alone
        return self._cycles[key]

    def games(self, track: Track) -> int:
        if self.newcomer not in track.bots:
            raise SetupError(f"expected the newcomer among {track.bots}, got {self.newcomer}")
        return len(track.bots) - 1

    def rounds(self, track: Track) -> int:
        return len(self.cycle(track).blocks)

    def deal(self, track: Track, round: int, game: int) -> int:
        return (round * self.games(track) + game) // track.players

    def table(self, track: Track, round: int, game: int) -> Block:
        games = self.games(track)
        circles, seats = _arrange(self.cycle(track))
        epoch, at = divmod(round, len(circles))
        order, unit = relabel(self.seed, f"gauntlet/{track.name}", games, epoch)
        newcomer = track.bots.index(self.newcomer)
        others = [place for place in range(len(track.bots)) if place != newcomer]
        shift = _shift(games, circles[at], at, game)
        circle = [newcomer]
        circle += [others[order[unit * (bot + shift) % games]] for bot in circles[at]]
        seat = seats[at * games + game]
        return tuple(circle[(place - seat) % track.players] for place in range(track.players))


def _shift(bots: int, circle: Block, round: int, game: int) -> int:
    # The step is that of the table whoever begins it.
    return round + game * stride(bots, tuple(sorted(circle)))


@lru_cache(maxsize=16)
def _arrange(cycle: Cycle) -> tuple[list[Block], list[int]]:
    """Who sits left of the newcomer, and on, every round; and the newcomer's seat, every game.

    Each time what the opponents had least of. Seats are dealt out k at a time, so the rounds are
    as many cycles as it takes for the games to be a multiple of k.
    """
    bots, players = cycle.bots, cycle.players + 1
    times = players // gcd(players, bots * len(cycle.blocks))
    beside = [0] * bots
    sat = [[0] * players for _ in range(bots)]
    circles: list[Block] = []
    seats: list[int] = []
    left: list[int] = []
    for round, block in enumerate(cycle.blocks * times):
        circles.append(_break(block, bots, beside))
        for game in range(bots):
            left = left or list(range(players))
            shift = _shift(bots, circles[-1], round, game)
            table = [(bot + shift) % bots for bot in circles[-1]]
            seats.append(_choose_seat(table, left, sat))
            left.remove(seats[-1])
    return circles, seats


def _break(block: Block, bots: int, beside: list[int]) -> Block:
    """The circle cut open where its neighbours met most often; counts the others."""
    gaps = [(bot - block[at - 1]) % bots for at, bot in enumerate(block)]
    cut = max(range(len(block)), key=lambda at: beside[gaps[at]])
    for at, gap in enumerate(gaps):
        beside[gap] += at != cut
    return block[cut:] + block[:cut]


def _choose_seat(table: list[int], left: list[int], sat: list[list[int]]) -> int:
    """The newcomer's seat, of those left, that puts the others where they sat least; counts it."""
    players = len(table) + 1

    def known(seat: int) -> int:
        return sum(sat[bot][(seat + 1 + at) % players] for at, bot in enumerate(table))

    seat = min(left, key=known)
    for at, bot in enumerate(table):
        sat[bot][(seat + 1 + at) % players] += 1
    return seat

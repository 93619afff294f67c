"""How even a schedule is, counted from its fixtures alone.

Run as a script it counts every design of 2 to 40 bots at 2 to 7 seats: --all, or --bots 8-12.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import permutations

from arena.schedule import Fixture
from engine.match import Variant

# Neighbours and meetings, at worst, at the end of any round.
ODD_ONES = {(3, 3): (3, 0), (4, 4): (4, 0)}


def bound(bots: int, players: int) -> tuple[int, int]:
    if bots <= 13:
        return ODD_ONES.get((bots, players), (2, 2))
    return (4, 4) if bots <= 24 else (2, 3)


@dataclass
class Audit:
    """Counts of one track; each answer is the largest count less the smallest."""

    bots: int
    wonders: frozenset[str]
    games: int = 0
    played: Counter[int] = field(default_factory=Counter)
    seats: Counter[tuple[int, int]] = field(default_factory=Counter)
    neighbours: Counter[tuple[int, int]] = field(default_factory=Counter)
    meetings: Counter[frozenset[int]] = field(default_factory=Counter)
    uses: Counter[str] = field(default_factory=Counter)
    bot_uses: Counter[tuple[int, str]] = field(default_factory=Counter)

    def count(self, fixture: Fixture) -> None:
        table = fixture.entrants
        self.players = len(table)
        self.games += 1
        for seat, bot in enumerate(table):
            wonder = fixture.spec.setup.wonders[seat]
            self.played[bot] += 1
            self.seats[bot, seat] += 1
            self.neighbours[bot, table[(seat + 1) % len(table)]] += 1
            self.uses[wonder] += 1
            self.bot_uses[bot, wonder] += 1
            for other in table[:seat]:
                self.meetings[frozenset((bot, other))] += 1

    def plays(self) -> int:
        return spread(self.played[bot] for bot in range(self.bots))

    def seat(self) -> int:
        return spread(
            self.seats[bot, seat] for bot in range(self.bots) for seat in range(self.players)
        )

    def neighbour(self) -> int:
        return spread(self.neighbours[pair] for pair in permutations(range(self.bots), 2))

    def meeting(self) -> int:
        pairs = permutations(range(self.bots), 2)
        return spread(self.meetings[frozenset(pair)] for pair in pairs)

    def wonder(self) -> int:
        """In rounds: a wonder of a round is used in each of its games."""
        return -(-spread(self.uses[wonder] for wonder in self.wonders) // self.bots)

    def bot_wonder(self) -> int:
        """Between the bots, for the wonder they share least evenly."""
        return max(
            spread(self.bot_uses[bot, wonder] for bot in range(self.bots))
            for wonder in self.wonders
        )


def spread(counts: Iterable[int]) -> int:
    known = list(counts)
    return max(known) - min(known)


def rounds(fixtures: Iterable[Fixture], bots: int) -> Iterator[list[Fixture]]:
    """The fixtures of one track, a round at a time, checked to be of one round."""
    known: list[Fixture] = []
    for fixture in fixtures:
        known.append(fixture)
        if len(known) == bots:
            assert len({each.round for each in known}) == 1, "a round has a game for every bot"
            yield known
            known = []
    assert not known, "the last round is whole"


@dataclass(frozen=True)
class Report:
    seat: int
    seat_any: int
    wonder: int
    bot_wonder: int
    neighbour: int
    meeting: int
    end: tuple[int, int]


def audit(fixtures: Iterable[Fixture], bots: int, wonders: Iterable[str]) -> Report:
    """The worst of a track: at the end of any round, and for seats after any game."""
    book = Audit(bots, frozenset(wonders))
    worst = [0] * 6
    for games in rounds(fixtures, bots):
        assert len({each.spec.seed for each in games}) == 1, "a round is played on one deal"
        for fixture in games:
            book.count(fixture)
            worst[1] = max(worst[1], book.seat())
        found = (
            book.seat(),
            0,
            book.wonder(),
            book.bot_wonder(),
            book.neighbour(),
            book.meeting(),
        )
        worst = [max(a, b) for a, b in zip(worst, found, strict=True)]
    seat, seat_any, wonder, bot_wonder, neighbour, meeting = worst
    end = book.neighbour(), book.meeting()
    return Report(seat, seat_any, wonder, bot_wonder, neighbour, meeting, end)


def main() -> int:
    from arena.schedule import Balanced, Schedule, TrackRules, build_cycle, open_track

    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--bots", default="2-12")
    asked = parser.parse_args()
    first, _, last = ("2-40" if asked.all else asked.bots).partition("-")
    failures = 0
    for bots in range(int(first), int(last or first) + 1):
        for players in range(2, min(bots, 7) + 1):
            clock = time.process_time()
            build_cycle(bots, players)
            clock = time.process_time() - clock
            track = open_track(TrackRules(Variant("architects")), players, range(bots))
            labels = tuple(f"bot{place}" for place in range(bots))
            schedule = Schedule(labels, [track], Balanced(1), 1, rounds=2 * (bots - 1))
            report = audit(schedule, bots, (name for one in track.pool.wonders for name in one))
            most = bound(bots, players)
            good = (
                (report.seat, report.bot_wonder) == (0, 0)
                and report.seat_any <= 1
                and report.wonder <= 1
                and report.neighbour <= most[0]
                and report.meeting <= most[1]
                and max(report.end) <= (0 if bots <= 24 else 2)
            )
            failures += not good
            sys.stdout.write(f"{bots}/{players} {clock:.2f} s {'' if good else 'BAD '}{report}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{failures} designs out of bounds\n")
    return failures


if __name__ == "__main__":
    sys.exit(main() > 0)

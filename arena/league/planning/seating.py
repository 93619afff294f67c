"""Tables of bots that may not all meet: an owner's bots sit apart, the rest is as even as it gets.

Where every bot is of an owner of its own the schedule's designs are better, and are used instead.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from arena.schedule import Balanced, Track
from arena.schedule.wonders import shuffled
from engine.rng import Rng, derive

SHUFFLES = 12  # seatings tried of a table
Seated = tuple[int, int, tuple[int, ...]]  # players, deal, places in the field by seat


def owner_groups(owners: Sequence[str | None]) -> list[Hashable]:
    """Who is whose; a bot without an owner is nobody else's."""
    return [("bot", at) if owner is None else owner for at, owner in enumerate(owners)]


def max_at_a_table(owners: Sequence[str | None]) -> int:
    """How many bots can sit together."""
    return len(set(owner_groups(owners)))


def balanced(
    tracks: Sequence[Track], owners: Sequence[str | None], rounds: int, seed: int
) -> list[Seated]:
    """Rounds in which everybody plays about as often, with all others, in all seats."""
    if max_at_a_table(owners) == len(owners):
        return list(_designed(tracks, Balanced(seed), rounds))
    return [
        seated
        for track in tracks
        for seated in _apart(track, owner_groups(owners), rounds * len(owners), seed)
    ]


def _designed(tracks: Sequence[Track], design: Balanced, rounds: int) -> Iterator[Seated]:
    for round in range(rounds):
        for track in tracks:
            for game in range(design.games(track)):
                table = design.table(track, round, game)
                places = tuple(track.bots[place] for place in table)
                yield track.players, design.deal(track, round, game), places


def _apart(track: Track, whose: list[Hashable], games: int, seed: int) -> Iterator[Seated]:
    """Each table from those who played least, then met the others least; seats likewise."""
    bots = len(whose)
    dice = Rng(derive(seed, f"apart/{track.name}"))
    played = [0] * bots
    met = [[0] * bots for _ in range(bots)]
    beside = [[0] * bots for _ in range(bots)]
    sat = [[0] * track.players for _ in range(bots)]
    for game in range(games):
        order = shuffled(tuple(range(bots)), dice)
        table: list[int] = []
        while len(table) < track.players:
            free = [bot for bot in order if whose[bot] not in {whose[other] for other in table}]
            table.append(
                min(free, key=lambda bot: (played[bot], sum(met[bot][other] for other in table)))
            )
        seats = min(
            (shuffled(tuple(table), dice) for _ in range(SHUFFLES)),
            key=lambda seats: sum(
                sat[bot][seat] + beside[seats[seat - 1]][bot] for seat, bot in enumerate(seats)
            ),
        )
        for seat, bot in enumerate(seats):
            played[bot] += 1
            sat[bot][seat] += 1
            beside[seats[seat - 1]][bot] += 1
            for other in seats:
                met[bot][other] += 1
        yield track.players, game // track.players, tuple(seats)

"""Results out of a known truth: skill and normal luck, as the ratings suppose."""

import random

from leagues.ratings.placed_match import PlacedMatch
from leagues.ratings.trueskill_fold import BETA


def ranks_of(performances: list[float], tie_within: float = 0.0) -> tuple[int, ...]:
    """Ranks from the best down; those within a distance of the best left share one."""
    ranks = [0] * len(performances)
    order = sorted(range(len(performances)), key=lambda seat: -performances[seat])
    first = 0
    for place, seat in enumerate(order):
        if performances[order[first]] - performances[seat] > tie_within:
            first = place
        ranks[seat] = first
    return tuple(ranks)


def play(
    skills: list[float],
    players: int,
    matches: int,
    seed: int,
    tie_within: float = 0.0,
    game: str = "seven",
    first_id: int = 1,
) -> list[PlacedMatch]:
    """Random tables; entrant 10 + i has the i-th skill."""
    rng = random.Random(seed)
    wonders = ("Babylon", "Ephesus", "Gizah", "Halikarnassos", "Olympia", "Rhodes", "Alexandria")
    found = []
    for match in range(matches):
        table = rng.sample(range(len(skills)), players)
        performances = [rng.gauss(skills[entrant], BETA) for entrant in table]
        found.append(
            PlacedMatch(
                match=first_id + match,
                game=game,
                entrants=tuple(10 + entrant for entrant in table),
                wonders=tuple(rng.sample(wonders, players)),
                scores=tuple(round(50 + performance) for performance in performances),
                ranks=ranks_of(performances, tie_within),
                faulty=(False,) * players,
            )
        )
    return found


def result(*ranks: int, entrants: tuple[int, ...] = (), match: int = 1) -> PlacedMatch:
    """One match in which only the ranks matter."""
    players = len(ranks)
    return PlacedMatch(
        match=match,
        game="seven",
        entrants=entrants or tuple(range(1, players + 1)),
        wonders=("Gizah",) * players,
        scores=tuple(50 - rank for rank in ranks),
        ranks=tuple(ranks),
        faulty=(False,) * players,
    )

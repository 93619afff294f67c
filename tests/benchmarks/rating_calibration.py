"""Are intervals as sure as they say? Fields of known skills, all at random tables of 2 to 4.

Printed as a table for docs/leagues.md: the share of bots whose true skill is in its 95 % interval,
of all and of the ten that lead, and whose true rank is in its range of nine chances in ten.
"""

import argparse
from collections.abc import Callable

import numpy as np

from leagues.ratings.field_prior import fit_field
from leagues.ratings.result_log import Floats, ResultLog, drawn_log
from leagues.ratings.statistics import SURE
from leagues.ratings.thurstone import Fit, count_pairs, fit_skills
from leagues.ratings.trueskill_fold import BETA

SIZES = (2, 3, 4)
TOP = 10
BOTS = (20, 50, 200)
GAMES = (10, 30, 100)
SKILLS_OF_A_CELL = 600  # bots over all its fields, for each time asked
LEAST_FIELDS = 10  # of a cell: as each has but ten that lead


def with_outliers(dice: np.random.Generator, bots: int) -> Floats:
    skills = dice.normal(0.0, 0.3, bots)
    apart = dice.choice(bots, max(1, bots // 20), replace=False)
    skills[apart] += dice.choice([-2.0, 2.0], len(apart))
    return skills


FIELDS: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "equal": lambda dice, bots: dice.normal(0.0, 0.001, bots),
    "spread 0.2": lambda dice, bots: dice.normal(0.0, 0.2, bots),
    "spread 0.7": lambda dice, bots: dice.normal(0.0, 0.7, bots),
    "spread 1.5": lambda dice, bots: dice.normal(0.0, 1.5, bots),
    "outliers": with_outliers,
}


def play(skills: Floats, games: int, dice: np.random.Generator) -> ResultLog:
    """Everybody at about so many tables; skills in betas."""
    entrants: list[int] = []
    ranks: list[int] = []
    sizes: list[int] = []
    while len(entrants) < games * len(skills):
        players = SIZES[len(sizes) % len(SIZES)]
        order = dice.permutation(len(skills))
        for first in range(0, len(skills) - players + 1, players):
            table = order[first : first + players]
            shown = skills[table] + dice.normal(size=players)
            entrants += table.tolist()
            ranks += np.argsort(np.argsort(-shown)).tolist()
            sizes.append(players)
    return drawn_log("seven", sizes, entrants, ranks, range(len(skills)))


def covered(fit: Fit, skills: Floats) -> tuple[list[bool], list[bool], list[bool]]:
    """Of all bots, of those that lead, and by rank: whether the truth is where it is said to be."""
    truth = (skills - skills.mean()) * BETA
    inside = np.abs(fit.mean - fit.mean.mean() - truth) < SURE * fit.deviation()
    leading = np.argsort(-fit.mean)[:TOP]
    rank = np.argsort(np.argsort(-skills)) + 1
    ranges = fit.rank_intervals()
    by_rank = [ranges[bot][0] <= rank[bot] <= ranges[bot][1] for bot in range(len(skills))]
    return inside.tolist(), inside[leading].tolist(), by_rank


def measure(name: str, bots: int, games: int, times: int) -> dict[str, list[list[bool]]]:
    """Both fits over the same fields."""
    found: dict[str, list[list[bool]]] = {"field": [[], [], []], "plain": [[], [], []]}
    for number in range(max(LEAST_FIELDS, SKILLS_OF_A_CELL // bots) * times):
        dice = np.random.default_rng((sum(map(ord, name)), bots, games, number))
        skills = FIELDS[name](dice, bots)
        pairs = count_pairs(play(skills, games, dice))
        for kind, fit in (("field", fit_field(pairs)), ("plain", fit_skills(pairs))):
            for kept, new in zip(found[kind], covered(fit, skills), strict=True):
                kept += new
    return found


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=1, help="so many thousand bots in each row")
    asked = parser.parse_args()
    heads = "95 % of all | of the top 10 | rank range, 90 % | of the top 10 by a fixed prior"
    say(f"| field | bots | games | {heads} |")
    say("|---|--:|--:|--:|--:|--:|--:|")
    total: list[list[bool]] = [[], [], [], []]
    for name in FIELDS:
        for bots in BOTS:
            for games in GAMES:
                found = measure(name, bots, games, asked.times)
                shares = [*found["field"], found["plain"][1]]
                for kept, new in zip(total, shares, strict=True):
                    kept += new
                cells = " | ".join(f"{100 * np.mean(share):.1f}" for share in shares)
                say(f"| {name} | {bots} | {games} | {cells} |")
    cells = " | ".join(f"{100 * np.mean(share):.1f}" for share in total)
    say(f"| all |  |  | {cells} |")


if __name__ == "__main__":
    main()

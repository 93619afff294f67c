"""What a league will cost and how sure it will be, tried with bots whose skills are known.

The tables are those that a real league would play; only the games are drawn: every bot performs
as its skill says, and a normal luck.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.league.planning.stage_plan import LeagueField, StagePlan, plan_stage
from arena.league.rules import LeagueRules
from arena.reports.table import Column, Report
from engine.errors import ArenaError
from engine.rng import derive
from leagues.ratings.field_prior import fit_field
from leagues.ratings.result_log import drawn_log
from leagues.ratings.statistics import SURE
from leagues.ratings.thurstone import Fit, count_pairs
from leagues.records import StageKind

UPDATE_STEP: Final = 0.3  # how far a new version is from the one before, in betas
MOST_BOTS: Final = 1000


@dataclass(frozen=True)
class Phase:
    """What was played until nothing was due, and what was known then."""

    name: str
    matches: int
    stages: int
    fewest_games: int
    most_games: int
    range_width: float  # ranks, of the bots this was about
    others_width: float | None  # of all others
    inside: float  # share of bots whose true rank is in their range


class SimulatedLeague:
    """A league whose bots are numbers."""

    def __init__(self, rules: LeagueRules, bots: int, spread: float, seed: int) -> None:
        self.rules = rules
        self.seed = seed
        self.dice = np.random.default_rng(seed)
        self.skill: list[float] = list(self.dice.normal(0.0, spread, bots))  # in betas
        self.playing = list(range(bots))  # entrants
        self.parents: dict[int, int] = {}
        self.entrants: list[int] = []  # of every seat
        self.ranks: list[int] = []
        self.sizes: list[int] = []
        self.stages = 0
        self.extra = 0

    def update(self) -> int:
        """One bot has a new version; which entrant that is."""
        place = int(self.dice.integers(len(self.playing)))
        parent = self.playing[place]
        self.parents[len(self.skill)] = parent
        self.skill.append(self.skill[parent] + self.dice.normal(0.0, UPDATE_STEP))
        self.playing[place] = len(self.skill) - 1
        return self.playing[place]

    def fit(self) -> Fit:
        roster = range(len(self.skill))
        log = drawn_log(self.rules.settings.game, self.sizes, self.entrants, self.ranks, roster)
        return fit_field(count_pairs(log), parents=self.parents)

    def games(self) -> list[int]:
        games = np.bincount(np.array(self.entrants, dtype=np.int64), minlength=len(self.skill))
        return [int(games[entrant]) for entrant in self.playing]

    def plan(self) -> StagePlan | str:
        field = LeagueField(
            [None] * len(self.playing),
            self.games(),
            lambda: self.fit().of(self.playing),
            self.rules.extra * len(self.skill) - self.extra,
        )
        return plan_stage(self.rules, field, derive(self.seed, f"stage/{self.stages + 1}"))

    def settle(self, name: str, about: list[int]) -> Phase:
        """Play all that is due."""
        before = len(self.sizes), self.stages
        while not isinstance(plan := self.plan(), str):
            self.stages += 1
            self.extra += len(plan.tables) * (plan.kind == StageKind.ADAPTIVE)
            for _, _, places in plan.tables:
                self._play([self.playing[place] for place in places])
        games = self.games()
        ranges = self.fit().of(self.playing).rank_intervals()
        width = {entrant: high - low for entrant, (low, high) in ranges.items()}
        others = [width[entrant] for entrant in self.playing if entrant not in about]
        order = sorted(self.playing, key=lambda entrant: -self.skill[entrant])
        inside = [low <= order.index(each) + 1 <= high for each, (low, high) in ranges.items()]
        return Phase(
            name,
            len(self.sizes) - before[0],
            self.stages - before[1],
            min(games),
            max(games),
            float(np.mean([width[entrant] for entrant in about])),
            float(np.mean(others)) if others else None,
            float(np.mean(inside)),
        )

    def _play(self, table: list[int]) -> None:
        shown = [self.skill[entrant] + self.dice.normal() for entrant in table]
        order = sorted(range(len(table)), key=lambda seat: -shown[seat])
        self.entrants += table
        self.ranks += [order.index(seat) for seat in range(len(table))]
        self.sizes.append(len(table))


def simulate_league(
    rules: LeagueRules, bots: int, updates: int, spread: float, seed: int
) -> list[Phase]:
    """A league that is filled at once, then new versions one after the other."""
    if not rules.counts[-1] <= bots <= MOST_BOTS:
        raise ArenaError(f"expected {rules.counts[-1]} to {MOST_BOTS} bots, got {bots}")
    if not 0 <= updates <= MOST_BOTS:
        raise ArenaError(f"expected 0 to {MOST_BOTS} updates, got {updates}")
    if not 0.0 <= spread <= 10.0:
        raise ArenaError(f"expected a spread from 0 to 10 betas, got {spread}")
    league = SimulatedLeague(rules, bots, spread, seed)
    phases = [league.settle("filling", list(league.playing))]
    names = (f"update {number + 1}" for number in range(updates))
    return [*phases, *(league.settle(name, [league.update()]) for name in names)]


def simulation_report(phases: list[Phase]) -> Report:
    """A row for the filling, a row for each update."""
    rows = [
        {
            "phase": phase.name,
            "matches": phase.matches,
            "stages": phase.stages,
            "fewest_games": phase.fewest_games,
            "most_games": phase.most_games,
            "rank_range": phase.range_width,
            "others_rank_range": phase.others_width,
            "inside": phase.inside,
        }
        for phase in phases
    ]
    columns = (
        Column("phase", "phase"),
        Column("matches", "matches", ","),
        Column("stages", "stages"),
        Column("fewest_games", "fewest games"),
        Column("most_games", "most games"),
        Column("rank_range", "rank range", ".1f"),
        Column("others_rank_range", "of the others", ".1f"),
        Column("inside", "true rank inside", ".0%"),
    )
    updates = phases[1:]
    caption = []
    if updates:
        mean = sum(phase.matches for phase in updates) / len(updates)
        most = max(phase.matches for phase in updates)
        caption.append(f"an update costs {mean:.0f} matches in the mean, {most} at most")
        filled = f"{phases[0].fewest_games} to {phases[0].most_games}"
        widths = [phase.range_width for phase in updates]
        reach = SURE * float(np.std(widths)) / max(1, len(widths) - 1) ** 0.5
        caption.append(
            f"rank range of a new version: {np.mean(widths):.1f} ± {reach:.1f} ranks in the mean; "
            f"of all bots when the league was filled, after {filled} games: "
            f"{phases[0].range_width:.1f}"
        )
    return Report("simulated league", columns, rows, caption)

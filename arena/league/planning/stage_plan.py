"""Which tables a league plays next, from what is known of its bots.

Who has too few games sits at every table that is played for it, with opponents near the skill it
may have. So a newcomer costs the same whatever the size of the field, and established bots are
not played anew because somebody arrived.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np

from arena.league.planning.seating import SHUFFLES, Seated, balanced, max_at_a_table, owner_groups
from arena.league.rules import LeagueRules
from arena.schedule import Track, open_track
from arena.schedule.adaptive import choose_tables, is_reached
from arena.schedule.wonders import shuffled
from engine.rng import Rng, derive
from leagues.ratings.thurstone import Fit
from leagues.ratings.trueskill_fold import BETA
from leagues.records import StageKind

PLACEMENT_BATCHES: Final = 3  # a newcomer's opponents are chosen anew so often
OPEN_TABLES: Final = 8  # at least, of a stage that looks where the order is open
# What makes an opponent worse, in betas of distance from the skill that is tried.
MET: Final = 1.0  # for every time it was met
SERVED: Final = 0.1  # for every game it has more than others
NOT_NEEDY: Final = 1.0  # if it needs no games itself


@dataclass(frozen=True)
class LeagueField:
    """The bots that play, in one order, and what is known of them."""

    owners: Sequence[str | None]  # who must sit apart
    games: Sequence[int]
    fit: Callable[[], Fit]  # made when it is needed: of these bots, in this order
    extra_left: int  # matches that may still be played where the order is open


@dataclass(frozen=True)
class StagePlan:
    """The tables of a stage to be opened."""

    kind: StageKind
    tables: list[Seated]


def plan_stage(rules: LeagueRules, field: LeagueField, seed: int) -> StagePlan | str:
    """The next stage, or why there is none."""
    most = max_at_a_table(field.owners)
    tracks = possible_tracks(rules, len(field.owners), most)
    newcomers = _needy(field, min(rules.placement, rules.games))
    per_round = sum(track.players for track in tracks)
    rounds = (rules.games - max(field.games)) // per_round
    if rounds > 0 and len(newcomers) in (0, len(field.games)):
        return StagePlan(StageKind.BALANCED, balanced(tracks, field.owners, rounds, seed))
    needy = newcomers or _needy(field, rules.games)
    if needy:
        batch = -(-rules.placement // PLACEMENT_BATCHES)
        needs = {place: min(games, batch) for place, games in needy.items()}
        return StagePlan(StageKind.PLACEMENT, _LedTables(field, seed).choose(tracks, needs))
    return _open_order(rules, field, tracks, seed)


def possible_tracks(rules: LeagueRules, bots: int, most: int) -> list[Track]:
    """The numbers of players that can sit together."""
    (track_rules,) = rules.settings.track_rules
    counts = [count for count in rules.counts if count <= most]
    return [open_track(track_rules, count, range(bots)) for count in counts]


def _needy(field: LeagueField, wanted: int) -> dict[int, int]:
    """Who has fewer games than wanted, and how many are missing."""
    return {place: wanted - games for place, games in enumerate(field.games) if games < wanted}


class _LedTables:
    """Tables for bots that need games: each is led by the one that needs most."""

    def __init__(self, field: LeagueField, seed: int) -> None:
        fit = field.fit()
        self.mean = fit.mean / BETA
        self.deviation = fit.deviation() / BETA
        groups = owner_groups(field.owners)
        self.whose = np.array([groups.index(group) for group in groups])
        self.games = np.array(field.games, dtype=np.float64)
        self.met = np.zeros((len(groups),) * 2)
        self.dice = Rng(derive(seed, "led"))

    def choose(self, tracks: Sequence[Track], needs: dict[int, int]) -> list[Seated]:
        left = dict(needs)
        led = dict.fromkeys(needs, 0)
        sat = {(place, track.players): [0] * track.players for place in needs for track in tracks}
        turn = self.dice.below(len(tracks))
        deals = {track.players: 0 for track in tracks}
        tables: list[Seated] = []
        while left:
            order = shuffled(tuple(left), self.dice)
            lead = max(order, key=lambda place: left[place])
            players = tracks[(turn + led[lead]) % len(tracks)].players
            table = self._table(lead, players, _spread(led[lead]), left)
            seats = self._seats(table, lead, sat[lead, players])
            tables.append((players, deals[players], seats))
            led[lead] += 1
            deals[players] += 1
            for place in table:
                self.games[place] += 1
                self.met[place, table] += 1
                if place in left:
                    left[place] -= 1
                    if not left[place]:
                        del left[place]
        return tables

    def _table(self, lead: int, players: int, chance: float, needy: dict[int, int]) -> list[int]:
        """Opponents near a skill that the leader may have, of owners that may meet."""
        skill = self.mean[lead] + self.deviation[lead] * NormalDist().inv_cdf(chance)
        cost = np.full(len(self.mean), NOT_NEEDY) + SERVED * (self.games - self.games.min())
        cost[list(needy)] = 0.0
        cost += np.abs(self.mean - skill)
        order = np.array(shuffled(tuple(range(len(cost))), self.dice))
        whose = self.whose[order]
        free = whose != self.whose[lead]
        table = [lead]
        while len(table) < players:
            price = cost + MET * self.met[table].sum(axis=0)
            # The last digits of a fit depend on the machine, and may not decide.
            at = int(np.argmin(np.where(free, np.round(price[order], 9), np.inf)))
            free &= whose != whose[at]
            table.append(int(order[at]))
        return table

    def _seats(self, table: list[int], lead: int, sat: list[int]) -> tuple[int, ...]:
        """Seats by lot, the leader where it sat least."""
        seats = min(
            (shuffled(tuple(table), self.dice) for _ in range(SHUFFLES)),
            key=lambda seats: sat[seats.index(lead)],
        )
        sat[seats.index(lead)] += 1
        return tuple(seats)


def _spread(number: int) -> float:
    """Chances that fill the space between 0 and 1 evenly: a half, a quarter, three quarters, ..."""
    number += 1
    chance, step = 0.0, 0.5
    while number:
        chance += step * (number & 1)
        number >>= 1
        step /= 2
    return chance


def _open_order(
    rules: LeagueRules, field: LeagueField, tracks: list[Track], seed: int
) -> StagePlan | str:
    """Tables where the order is open, as long as it is and the budget lasts."""
    if field.extra_left <= 0:
        return f"enough was played: all have {rules.games} games or more, and no extra matches left"
    goal = rules.until
    fit = field.fit()
    if (goal.top or 0) >= len(field.owners) or is_reached(fit.mean, fit.covariance, goal):
        return f"the goal is reached: {goal}"
    whose = owner_groups(field.owners)
    barred = np.array([[one == other for other in whose] for one in whose])
    np.fill_diagonal(barred, False)
    tables: list[Seated] = []
    for track in tracks:
        count = min(max(OPEN_TABLES, len(whose) // track.players), field.extra_left - len(tables))
        chosen = choose_tables(fit.mean, fit.covariance, goal, track.players, count, barred=barred)
        for deal, table in enumerate(chosen):
            dice = Rng(derive(seed, f"seats/{track.name}/{deal}"))
            tables.append((track.players, deal, tuple(shuffled(table, dice))))
    return StagePlan(StageKind.ADAPTIVE, tables)

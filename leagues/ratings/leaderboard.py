"""Leaderboards: a row an entrant, of all results of a game or of a slice of them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from leagues.ratings.field_prior import fit_field
from leagues.ratings.result_log import Bools, ResultLog
from leagues.ratings.statistics import SURE, Estimate, GameTally, tally_games, wilson
from leagues.ratings.thurstone import (
    Disagreement,
    Fit,
    PairCounts,
    count_pairs,
    fit_seats,
    measure_disagreement,
)
from leagues.ratings.totals import Totals, count_totals
from leagues.ratings.trueskill_fold import BETA, COUNT_STEP, Rating, RatingError, fold

PROVISIONAL: Final = 0.2 * BETA  # a rating less sure than this will still move
DECIDED: Final = 0.95  # likelihood from which one is called better than the next
SEAT_STEP: Final = 0.1 * BETA  # between a bot with one wonder or seat and the same bot overall


@dataclass(frozen=True, slots=True)
class LeaderboardFilter:
    """Which results a table is about: all, or those with this player count, opponent, ..."""

    players: int | None = None
    opponent: int | None = None
    wonder: str | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """One entrant's row."""

    rank: int
    best_rank: int  # with nine chances in ten between these two
    worst_rank: int
    entrant: int
    mu: float
    sigma: float
    shown: float
    skill: Estimate  # from all results at once
    superior: float | None  # likelihood to be better than the next row
    games: int
    win_share: Estimate
    fair_share: float  # the wins of one like all others
    mean_rank: Estimate | None
    rank_points: Estimate | None
    mean_score: Estimate | None
    faults: int
    fault_share: float

    @property
    def provisional(self) -> bool:
        return self.sigma > PROVISIONAL

    @property
    def level(self) -> bool:
        """Whether it cannot be told from the next."""
        return self.superior is not None and self.superior < DECIDED


@dataclass(frozen=True)
class Leaderboard:
    """A leaderboard, and what stands behind it."""

    game: str
    part: LeaderboardFilter
    rows: tuple[Standing, ...]
    matches: int
    unrated: int  # matches in which an entrant met itself
    draw: float
    fit: Fit
    disagreement: Disagreement


def build_leaderboard(
    log: ResultLog,
    priors: Mapping[int, Rating] | None = None,
    part: LeaderboardFilter | None = None,
    parents: Mapping[int, int] | None = None,
) -> Leaderboard:
    """The leaderboard of one game, or of a slice of its results."""
    part = part or LeaderboardFilter()
    priors = dict(priors or {})
    if part.players is not None:
        priors.update(count_priors(count_pairs(log), part.players, priors, parents))
    log = _matches_of(log, part)
    totals = count_totals(log)
    ratings = fold(log, priors, parents=parents)
    fitted = fit_field(totals.pair_counts(), priors, parents)
    seats = _seats_of(log, part)
    if seats is None:
        return leaderboard_of(log.game, totals, ratings, fitted, part)
    # One fold of half of every table is none; the slice is told from the skills of all.
    whole = leaderboard_of(log.game, totals, ratings, fitted, part)
    fitted = fit_seats(fitted, log, seats, SEAT_STEP)
    ratings = {entrant: fitted.belief(entrant) for entrant in log.entrants}
    counted = tally_games(log, log.entrant.astype(np.int64), len(log.entrants), seats)
    return replace(whole, rows=_rows(ratings, fitted, counted), fit=fitted)


def leaderboard_of(
    game: str,
    totals: Totals,
    ratings: Mapping[int, Rating],
    fitted: Fit,
    part: LeaderboardFilter | None = None,
) -> Leaderboard:
    """The leaderboard that sums and ratings make, wherever they come from."""
    return Leaderboard(
        game=game,
        part=part or LeaderboardFilter(),
        rows=_rows(ratings, fitted, totals.tally()),
        matches=totals.matches,
        unrated=totals.self_meetings,
        draw=totals.draw,
        fit=fitted,
        disagreement=measure_disagreement(ratings, fitted),
    )


def count_priors(
    pairs: PairCounts,
    players: int,
    priors: Mapping[int, Rating],
    parents: Mapping[int, int] | None = None,
) -> dict[int, Rating]:
    """What other player counts tell of the entrants at this one; duels are a game apart."""
    others = [count for count in pairs.above if count not in (players, 2)]
    if players == 2 or not others:
        return {}
    rest = pairs.only(*others)
    met = rest.total()
    told = fit_field(rest, priors, parents)
    return {
        entrant: told.belief(entrant).widened(COUNT_STEP)
        for place, entrant in enumerate(pairs.entrants)
        if met[place].any() or met[:, place].any()
    }


def _matches_of(log: ResultLog, part: LeaderboardFilter) -> ResultLog:
    kept = np.ones(len(log), dtype=np.bool_)
    if part.players is not None:
        kept &= log.size == part.players
    if part.opponent is not None:
        if part.opponent not in log.entrants:
            raise RatingError(f"expected an entrant of {log.game}, got {part.opponent}")
        kept &= log.where(log.entrant == log.entrants.index(part.opponent))
    return log if kept.all() else log.only(kept)


def _seats_of(log: ResultLog, part: LeaderboardFilter) -> Bools | None:
    if part.wonder is None and part.seat is None:
        return None
    seats = np.ones(len(log.entrant), dtype=np.bool_)
    if part.wonder is not None:
        if part.wonder not in log.wonders:
            raise RatingError(f"expected one of {', '.join(log.wonders)}, got {part.wonder}")
        seats &= log.wonder == log.wonders.index(part.wonder)
    if part.seat is not None:
        seats &= np.arange(len(log.entrant)) - np.repeat(log.start, log.size) == part.seat
    return seats


def _rows(ratings: Mapping[int, Rating], fitted: Fit, counted: GameTally) -> tuple[Standing, ...]:
    intervals = fitted.rank_intervals()
    deviation = fitted.deviation()
    order = sorted(
        range(len(fitted.entrants)),
        key=lambda place: (-fitted.mean[place], fitted.entrants[place]),
    )
    superior = [*fitted.superior(order), None]
    rows: list[Standing] = []
    for at, place in enumerate(order):
        entrant = fitted.entrants[place]
        rating = ratings[entrant]
        games = int(counted.wins.games[place])
        mean = float(fitted.mean[place])
        reach = SURE * float(deviation[place])
        tied = bool(rows) and abs(rows[-1].skill.value - mean) < 1e-9
        rows.append(
            Standing(
                rank=rows[-1].rank if tied else at + 1,
                best_rank=intervals[entrant][0],
                worst_rank=intervals[entrant][1],
                entrant=entrant,
                mu=rating.mu,
                sigma=rating.sigma,
                shown=rating.shown,
                skill=Estimate(mean, mean - reach, mean + reach),
                superior=superior[at],
                games=games,
                win_share=wilson(float(counted.wins.total[place]) / max(games, 1), games),
                fair_share=float(counted.fair.total[place]) / max(games, 1),
                mean_rank=counted.rank.estimate(place),
                rank_points=counted.points.estimate(place),
                mean_score=counted.score.estimate(place),
                faults=int(counted.faults.total[place]),
                fault_share=float(counted.faults.total[place]) / max(games, 1),
            )
        )
    return tuple(rows)

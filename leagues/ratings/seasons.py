"""Ratings that follow bots whose surroundings change: what was sure is less so a season later."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from leagues.ratings.result_log import ResultLog
from leagues.ratings.trueskill_fold import BETA, Rating, draw_rate, fold


def rate_seasons(
    log: ResultLog,
    starts: Sequence[int],
    drift: float,
    priors: Mapping[int, Rating] | None = None,
) -> dict[int, Rating]:
    """Ratings after all matches, in their order, season after season.

    A season begins at each of the places; the drift is how far skills may have moved since the one
    before, in betas. Without drift, or without seasons, this is the plain TrueSkill fold.
    """
    draw = draw_rate(log)
    places = np.arange(len(log))
    bounds = sorted({0, len(log), *starts})
    ratings: dict[int, Rating] = dict(priors or {})
    games = dict.fromkeys(log.entrants, 0)
    for first, stop in pairwise(bounds):
        if first and drift:
            ratings = {
                entrant: rating.widened(drift * BETA) if games.get(entrant) else rating
                for entrant, rating in ratings.items()
            }
        ratings |= fold(log.only((places >= first) & (places < stop)), ratings, draw)
        for entrant in log.entrants:
            games[entrant] += ratings[entrant].games
    return {
        entrant: replace(ratings.get(entrant, Rating()), games=games[entrant])
        for entrant in log.entrants
    }

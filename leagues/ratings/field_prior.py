"""Skills whose prior is estimated from the field itself (empirical Bayes).

The best of many equals are those that had most luck. How far apart the skills of a field are is
told by its results, and what is known of one bot is drawn towards the others by that: strongly
among equals, hardly at all where skills lie far apart. The prior is Student's t with few degrees
of freedom, so that one bot far from all others is left where its results put it.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from leagues.ratings.result_log import Floats
from leagues.ratings.thurstone import Fit, PairCounts, fit_skills
from leagues.ratings.trueskill_fold import BETA, MU, Rating

FREEDOM: Final = 4.0  # degrees of freedom of the prior
# What is believed of the spread before anything was played, and how many bots' worth that is.
SPREAD: Final = 0.5 * BETA
SPREAD_WORTH: Final = 1.0
SPREADS: Final = (0.02 * BETA, 2.0 * BETA)  # one that always wins could be any distance away
STEPS: Final = 60
CLOSE: Final = 1e-3


def fit_field(pairs: PairCounts, priors: Mapping[int, Rating] | None = None) -> Fit:
    """The most probable skills, each drawn towards the field as far as the field tells."""
    return fit_skills(pairs, field_priors(pairs, priors))


def field_priors(
    pairs: PairCounts, priors: Mapping[int, Rating] | None = None
) -> dict[int, Rating]:
    """What is believed of each entrant by the spread that makes all results most likely.

    Entrants with a prior of their own keep it. Spread and weights by MacKay's fixed point.
    """
    given = dict(priors or {})
    shared = [entrant for entrant in pairs.entrants if entrant not in given]
    free = np.array([entrant not in given for entrant in pairs.entrants], dtype=np.bool_)
    variance = SPREAD**2
    weight = np.ones(len(shared))
    skill: Floats | None = None
    believed: dict[int, Rating] = {}
    for _ in range(STEPS):
        believed = given | {
            entrant: Rating(MU, float(sigma))
            for entrant, sigma in zip(shared, np.sqrt(variance / weight), strict=True)
        }
        fitted = fit_skills(pairs, believed, skill)
        skill = fitted.mean
        offset = skill[free] - MU
        unsure = np.diag(fitted.covariance)[free]
        told = len(weight) - float(np.sum(weight * unsure)) / variance
        spread = float(np.sum(weight * offset**2)) + SPREAD_WORTH * SPREAD**2
        before = variance, weight
        variance = spread / (max(told, 0.0) + SPREAD_WORTH)
        variance = min(max(variance, SPREADS[0] ** 2), SPREADS[1] ** 2)
        weight = (FREEDOM + 1.0) / (FREEDOM + (offset**2 + unsure) / before[0])
        moved = np.max(np.abs(weight - before[1]), initial=abs(np.log(variance / before[0])))
        if moved < CLOSE:
            break
    return believed

"""Skills whose prior is estimated from the field itself (empirical Bayes).

The best of many equals are those that had most luck. How far apart the skills of a field are is
told by its results, and what is known of one bot is drawn towards the others by that: strongly
among equals, hardly at all where skills lie far apart. The prior is Student's t with few degrees
of freedom, so that one bot far from all others is left where its results put it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from leagues.ratings.result_log import Bools, Floats
from leagues.ratings.thurstone import Fit, PairCounts, fit_skills, version_links
from leagues.ratings.trueskill_fold import BETA, MU, Rating

FREEDOM: Final = 2.0  # degrees of freedom of the prior
# What is believed of the spread before anything was played, and how many bots' worth that is.
SPREAD: Final = 0.5 * BETA
SPREAD_WORTH: Final = 0.3
SPREADS: Final = (0.02 * BETA, 2.0 * BETA)  # one that always wins could be any distance away
MOST_DOUBT: Final = 0.5  # of what results tell of a skill, that the prior may take away
LEAST_BEND: Final = 0.1  # of the prior's curvature, as a share of its pull, where that is too much
STEPS: Final = 60
CLOSE: Final = 1e-3
STEP: Final = 1e-4  # Newton's last on the way: the next is its square, and the last fit is exact


@dataclass(frozen=True)
class FieldPrior:
    """What is believed of each entrant, and how far apart those are that were not given."""

    ratings: dict[int, Rating]
    variance: float
    free: Bools  # whose prior was estimated


def fit_field(
    pairs: PairCounts,
    priors: Mapping[int, Rating] | None = None,
    parents: Mapping[int, int] | None = None,
) -> Fit:
    """The most probable skills, each drawn towards the field as far as the field tells."""
    return fit_by_prior(pairs, estimate_prior(pairs, priors, parents), parents)


def fit_by_prior(
    pairs: PairCounts, prior: FieldPrior, parents: Mapping[int, int] | None = None
) -> Fit:
    """The most probable skills by a prior of the same entrants, maybe from more results."""
    fitted = fit_skills(pairs, prior.ratings, parents=parents)
    trust = np.array([prior.ratings.get(each, Rating()).sigma ** -2.0 for each in pairs.entrants])
    # Far from the field the prior bends the other way: a skill there is less sure than its results
    # alone would make it, for it may also be a nearer one that had luck.
    offset = (fitted.mean - MU) ** 2
    near = FREEDOM * prior.variance
    held = trust * (near - offset) / (near + offset)
    information = np.linalg.inv(fitted.covariance)
    told = np.diag(information) - trust
    for bent in (np.maximum(held, -MOST_DOUBT * told), np.maximum(held, LEAST_BEND * trust)):
        less = np.where(prior.free, bent - trust, 0.0)
        covariance = np.linalg.inv(information + np.diag(less))
        if np.all(np.linalg.eigvalsh(covariance) > 0.0):
            break  # as ever, but for outliers that met hardly anybody else
    return replace(fitted, covariance=covariance)


def estimate_prior(
    pairs: PairCounts,
    priors: Mapping[int, Rating] | None = None,
    parents: Mapping[int, int] | None = None,
) -> FieldPrior:
    """The prior by the spread that makes all results most likely.

    Entrants with a prior of their own keep it, new versions are near their parent. Spread and
    weights by MacKay's fixed point.
    """
    given = dict(priors or {})
    free = np.array([entrant not in given for entrant in pairs.entrants], dtype=np.bool_)
    free[version_links(pairs.entrants, given, parents or {})[0]] = False
    shared = [entrant for entrant, is_free in zip(pairs.entrants, free, strict=True) if is_free]
    variance = SPREAD**2
    weight = np.ones(len(shared))
    skill: Floats | None = None
    believed: dict[int, Rating] = {}
    before = variance, weight
    for _ in range(STEPS):
        believed = given | {
            entrant: Rating(MU, float(sigma))
            for entrant, sigma in zip(shared, np.sqrt(variance / weight), strict=True)
        }
        fitted = fit_skills(pairs, believed, skill, parents, STEP)
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
    return FieldPrior(believed, before[0], free)

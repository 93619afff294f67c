"""The field tells how far its bots are apart, and luck is drawn back by that much."""

import numpy as np
import pytest

from leagues.ratings.field_prior import SPREADS, estimate_prior, fit_field
from leagues.ratings.result_log import ResultLog, drawn_log
from leagues.ratings.thurstone import PairCounts, count_pairs, fit_skills
from leagues.ratings.trueskill_fold import BETA, MU, Rating


def results(skills: np.ndarray, games: int, seed: int) -> ResultLog:
    """Tables of four by lot; skills in betas."""
    dice = np.random.default_rng(seed)
    size = len(skills)
    matches = size * games // 4
    entrant = np.concatenate([dice.permutation(size)[:4] for _ in range(matches)])
    shown = (skills[entrant] + dice.normal(size=len(entrant))).reshape(matches, 4)
    rank = np.argsort(np.argsort(-shown, axis=1), axis=1).ravel()
    return drawn_log("seven", [4] * matches, entrant.tolist(), rank.tolist(), range(size))


def test_the_best_of_equals_are_not_far_ahead() -> None:
    pairs = count_pairs(results(np.zeros(100), 30, 1))
    plain, drawn = fit_skills(pairs), fit_field(pairs)
    assert np.ptp(drawn.mean) < 0.4 * np.ptp(plain.mean)
    best = int(np.argmax(drawn.mean))
    assert abs(drawn.mean[best] - MU) < 1.96 * drawn.deviation()[best]
    assert abs(plain.mean[best] - MU) > 1.96 * plain.deviation()[best]


def test_what_lies_far_apart_stays_there() -> None:
    skills = np.linspace(-2.0, 2.0, 40)
    pairs = count_pairs(results(skills, 100, 2))
    drawn = fit_field(pairs)
    assert np.corrcoef(drawn.mean, skills)[0, 1] > 0.99
    assert np.ptp(drawn.mean) == pytest.approx(4.0 * BETA, rel=0.15)


def test_an_outlier_is_left_where_it_is() -> None:
    skills = np.zeros(60)
    skills[7] = 2.0
    drawn = fit_field(count_pairs(results(skills, 60, 3)))
    others = np.delete(drawn.mean, 7)
    assert drawn.mean[7] - others.mean() > 1.5 * BETA
    assert np.std(others) < 0.2 * BETA


def test_who_has_a_prior_keeps_it() -> None:
    pairs = count_pairs(results(np.zeros(10), 20, 4))
    own = {3: Rating(40.0, 1.0)}
    found = estimate_prior(pairs, own).ratings
    assert found[3] == own[3]
    assert set(found) == set(range(10))


def test_one_that_always_wins_is_at_no_infinite_distance() -> None:
    pairs = count_pairs(results(np.array([50.0, 0.0, -50.0, -100.0]), 30, 5))
    assert all(rating.sigma < 3 * SPREADS[1] for rating in estimate_prior(pairs).ratings.values())
    assert np.all(np.isfinite(fit_field(pairs).mean))


def test_outliers_are_as_sure_as_they_say_after_few_games() -> None:
    """A prior that drew them in further held two in three of them."""
    held = []
    for seed in range(20):
        skills = np.random.default_rng(seed).normal(0.0, 0.3, 60)
        skills[:3] += 2.0
        found = fit_field(count_pairs(results(skills, 10, seed)))
        off = found.mean - found.mean.mean() - (skills - skills.mean()) * BETA
        held += (np.abs(off) < 1.96 * found.deviation())[:3].tolist()
    assert np.mean(held) >= 0.78


def test_outliers_that_met_only_each_other_have_a_finite_interval() -> None:
    pairs = PairCounts(range(8))
    pairs.above[2] = np.zeros((8, 8))
    pairs.above[2][:2, 2:] = 40.0  # two that beat all others
    pairs.above[2][0, 1] = pairs.above[2][1, 0] = 1.0
    found = fit_field(pairs)
    assert np.all(np.linalg.eigvalsh(found.covariance) > 0.0)
    assert np.all(found.deviation() < 3.0 * SPREADS[1])

"""The fit: the same in every order, and as sure of itself as it may be."""

import random
from itertools import permutations

import numpy as np
import pytest

from leagues.ratings.result_log import empty_log
from leagues.ratings.thurstone import (
    Fit,
    PairCounts,
    count_pairs,
    fit_skills,
    measure_disagreement,
    normal_cdf,
)
from leagues.ratings.trueskill_fold import BETA, MU, SIGMA, Rating, fold
from tests.support.made_results import play, result
from tests.support.object_logs import logs_by_game

GAPS = (0.0, 0.61, 1.02, 1.06, 1.11, 1.42, 1.48, 1.63)  # of real bots, in units of luck
TRUTH = [MU + BETA * (gap - sum(GAPS) / len(GAPS)) for gap in GAPS]


def fitted(players: int, games_each: int, seed: int) -> Fit:
    matches = games_each * len(TRUTH) // players
    return fit_skills(count_pairs(logs_by_game(play(TRUTH, players, matches, seed))["seven"]))


def test_any_order_of_the_matches_is_the_same_to_the_last_bit() -> None:
    placings = play(TRUTH, 4, 200, seed=1, tie_within=0.5) + play(TRUTH, 3, 100, seed=2)
    first = fit_skills(count_pairs(logs_by_game(placings)["seven"]))
    for seed in range(5):
        shuffled = random.Random(seed).sample(placings, len(placings))
        again = fit_skills(count_pairs(logs_by_game(shuffled)["seven"]))
        assert np.array_equal(first.mean, again.mean)
        assert np.array_equal(first.covariance, again.covariance)
        assert first.rank_intervals() == again.rank_intervals()


def test_the_fold_depends_little_on_the_order() -> None:
    """Less than a twentieth of luck after 100 games each, but for the level common to all."""
    placings = play(TRUTH, 4, 200, seed=1)
    means = []
    for seed in range(10):
        shuffled = random.Random(seed).sample(placings, len(placings))
        mean = np.array([rating.mu for rating in fold(logs_by_game(shuffled)["seven"]).values()])
        means.append(mean - np.mean(mean))
    assert np.max(np.std(means, axis=0)) < 0.05 * BETA


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7])
def test_errors_are_as_large_as_they_claim(players: int) -> None:
    truth = np.array(TRUTH)
    gaps = truth[:, None] - truth
    pairs = np.triu_indices(len(truth), 1)
    errors = []
    covered = []
    for seed in range(25):
        found = fitted(players, 100, seed)
        errors.append(found.mean - truth)
        off = np.abs(found.mean[:, None] - found.mean - gaps)[pairs]
        covered.append(off < 1.96 * found.difference_deviation()[pairs])
    assert np.sqrt(np.mean(np.square(errors))) < (0.20 if players == 2 else 0.14) * BETA
    assert 0.92 <= np.mean(covered) <= 0.99


def test_the_likelihood_of_superiority_is_one() -> None:
    """Among pairs that claim nine chances in ten, nine in ten are in the right order."""
    truth = np.array(TRUTH)
    claimed = []
    right = []
    for seed in range(60):
        found = fitted(4, 40, seed)
        for row, column in permutations(range(len(truth)), 2):
            (superior,) = found.superior([row, column])
            if superior > 0.5:
                claimed.append(superior)
                right.append(truth[row] > truth[column])
    claims = np.array(claimed)
    rights = np.array(right)
    for low, high in ((0.5, 0.7), (0.7, 0.9), (0.9, 0.98), (0.98, 1.0)):
        chosen = (claims >= low) & (claims <= high)
        assert chosen.sum() > 80
        assert np.mean(rights[chosen]) == pytest.approx(np.mean(claims[chosen]), abs=0.07)


def test_rank_intervals_hold_the_true_rank() -> None:
    truth = np.array(TRUTH)
    held = []
    for seed in range(40):
        intervals = fitted(4, 50, seed).rank_intervals()
        for place, rank in enumerate(np.argsort(np.argsort(-truth)) + 1):
            low, high = intervals[10 + place]
            assert 1 <= low <= high <= len(truth)
            held.append(low <= rank <= high)
    assert 0.85 < np.mean(held) < 0.99


def test_match_by_match_is_all_at_once() -> None:
    placings = [
        *play(TRUTH, 4, 60, seed=3, tie_within=1.0),
        *play(TRUTH, 7, 20, seed=4),
        result(0, 1, 2, entrants=(10, 10, 11)),
    ]
    log = logs_by_game(placings)["seven"]
    pairs = PairCounts(log.entrants)
    for placing in placings:
        pairs.add(placing)
    at_once = count_pairs(log)
    by_ranks = PairCounts(log.entrants)
    for players in (3, 4, 7):
        here = [placing for placing in placings if len(placing.ranks) == players]
        places = [[log.entrants.index(one) for one in placing.entrants] for placing in here]
        by_ranks.add_ranks(places, [placing.ranks for placing in here])
    assert pairs.above.keys() == at_once.above.keys() == by_ranks.above.keys() == {4, 7}
    for players, above in pairs.above.items():
        assert np.array_equal(above, at_once.above[players])
        assert np.array_equal(above, by_ranks.above[players])
    assert pairs.total().sum() == 60 * 6 + 20 * 21
    assert pairs.worth().sum() == pytest.approx(60 * 6 / 1.5 + 20 * 21 / 2.5)
    assert pairs.only(7).total().sum() == 20 * 21


def test_renumbering_entrants_changes_nothing() -> None:
    placings = play(TRUTH, 4, 150, seed=8)
    first = fit_skills(count_pairs(logs_by_game(placings)["seven"]))
    intervals = first.rank_intervals()
    for seed in range(20):
        names = dict(zip(range(10, 18), random.Random(seed).sample(range(50), 8), strict=True))
        renamed = [
            result(*p.ranks, entrants=tuple(names[e] for e in p.entrants), match=p.match)
            for p in placings
        ]
        log = logs_by_game(renamed)["seven"]
        again = fit_skills(count_pairs(log))
        for entrant, name in names.items():
            assert again.belief(name).mu == pytest.approx(first.belief(entrant).mu, abs=1e-9)
            assert again.rank_intervals()[name] == intervals[entrant]


def test_deviations_are_those_of_differences() -> None:
    found = fitted(4, 100, seed=1)
    own = found.deviation()
    apart = found.difference_deviation()
    for first, second in zip(*np.triu_indices(len(own), 1), strict=True):
        both = np.hypot(own[first], own[second])
        assert both == pytest.approx(apart[first, second], rel=0.05)
    folded = fold(logs_by_game(play(TRUTH, 4, 200, seed=1))["seven"])
    assert own == pytest.approx([rating.sigma for rating in folded.values()], rel=0.25)


def test_who_has_not_played_makes_nobody_unsure() -> None:
    placings = play(TRUTH, 4, 200, seed=1)
    alone = fit_skills(count_pairs(logs_by_game(placings)["seven"]))
    joined = fit_skills(count_pairs(logs_by_game(placings, roster=[99])["seven"]))
    assert joined.deviation()[:8] == pytest.approx(alone.deviation(), rel=0.02)
    assert SIGMA < joined.deviation()[8] < 1.1 * SIGMA  # to the others, whose level is unsure


def test_the_peak_is_a_peak() -> None:
    """Against the logarithm of the probability itself, moved a little every way."""
    pairs = count_pairs(logs_by_game(play(TRUTH, 4, 80, seed=6))["seven"])
    priors = {10: Rating(30.0, 1.0)}
    found = fit_skills(pairs, priors)

    def fitness(skill: np.ndarray) -> float:
        chance = normal_cdf((skill[:, None] - skill) / (2**0.5 * BETA))
        prior = np.full(len(skill), MU)
        spread = np.full(len(skill), SIGMA)
        prior[0], spread[0] = 30.0, 1.0
        return float(
            np.sum(pairs.worth() * np.log(chance)) - np.sum(((skill - prior) / spread) ** 2) / 2
        )

    best = fitness(found.mean)
    for place in range(len(found.mean)):
        for step in (-0.01, 0.01):
            moved = found.mean.copy()
            moved[place] += step
            assert fitness(moved) < best


def test_without_games_the_prior_stands() -> None:
    found = fit_skills(count_pairs(empty_log("seven", [4, 7])), {7: Rating(30.0, 2.0)})
    for entrant, mu, sigma in ((4, MU, SIGMA), (7, 30.0, 2.0)):
        belief = found.belief(entrant)
        assert belief.mu == mu
        assert belief.sigma == pytest.approx(sigma)
    nobody = fit_skills(count_pairs(empty_log("seven")))
    assert nobody.rank_intervals() == {}
    assert measure_disagreement({}, nobody).deviations == 0


@pytest.mark.parametrize("ranks", [(0,), (0, 0), (0, 1), (0, 0, 0, 0), (0, 0, 2, 2)])
@pytest.mark.parametrize("matches", [1, 50_000])
def test_lopsided_results_are_finite(ranks: tuple[int, ...], matches: int) -> None:
    pairs = count_pairs(logs_by_game([result(*ranks)])["seven"])
    pairs.above = {players: above * matches for players, above in pairs.above.items()}
    found = fit_skills(pairs)
    assert np.all(np.isfinite(found.mean))
    assert np.all(found.deviation() > 0)
    assert np.all(np.isfinite(found.superior(range(len(ranks)))))
    for first in range(len(ranks)):
        for second in range(first):
            if ranks[first] == ranks[second]:
                assert found.mean[first] == pytest.approx(found.mean[second])
            else:
                assert found.mean[first] < found.mean[second]


def test_how_far_fold_and_fit_are_apart() -> None:
    log = logs_by_game(play(TRUTH, 4, 200, seed=1))["seven"]
    found = fit_skills(count_pairs(log))
    same = {entrant: found.belief(entrant) for entrant in log.entrants}
    assert measure_disagreement(same, found).deviations == 0
    assert not measure_disagreement(same, found).reordered
    real = measure_disagreement(fold(log), found)
    assert 0 < real.deviations < 1
    moved = same | {12: Rating(same[12].mu + 4 * same[12].sigma, 1.0)}
    told = measure_disagreement(moved, found)
    assert (told.entrant, told.reordered) == (12, True)
    assert told.deviations == pytest.approx(3.5)  # an eighth of the step moved the level
    lifted = {entrant: Rating(rating.mu + 9.0, rating.sigma) for entrant, rating in same.items()}
    assert measure_disagreement(lifted, found).deviations == pytest.approx(0, abs=1e-9)

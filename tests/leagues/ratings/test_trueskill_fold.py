"""The fold: TrueSkill's numbers, at any distance, whatever the order on the list."""

import itertools
import random
import subprocess
import sys
from dataclasses import replace
from math import exp, isfinite, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest
import trueskill

import engine
from leagues.ratings import trueskill_fold as rating
from leagues.ratings.result_log import empty_log
from leagues.ratings.trueskill_fold import (
    BETA,
    DRAW,
    MU,
    SIGMA,
    Fold,
    Rating,
    RatingError,
    child_rating,
    draw_rate,
    environment,
    fold,
)
from leagues.ratings.trueskill_kernel import Skills, above_zero, within
from tests.support import command
from tests.support.made_results import play, result
from tests.support.object_logs import logs_by_game

MARGIN = NormalDist().inv_cdf((1 + DRAW) / 2) * sqrt(2) * BETA


def rated(
    means: list[float],
    deviations: list[float],
    ranks: list[int],
    beta: float = BETA,
    margin: float = MARGIN,
) -> list[tuple[float, float]]:
    players = list(range(len(means)))
    skills = Skills(means, deviations, beta, margin, len(means))
    skills.fold([len(means)], players, ranks)
    return [(skills.mean(player), skills.deviation(player)) for player in players]


def by_package(
    env: trueskill.TrueSkill, means: list[float], deviations: list[float], ranks: list[int]
) -> list[tuple[float, float]]:
    players = range(len(means))
    chain = sorted(players, key=lambda i: (ranks[i], means[i], deviations[i], i))
    teams = [(trueskill.Rating(means[i], deviations[i]),) for i in chain]
    after = env.rate(teams, ranks=[ranks[i] for i in chain])
    found = {i: (rating.mu, rating.sigma) for i, (rating,) in zip(chain, after, strict=True)}
    return [found[i] for i in players]


@pytest.mark.slow
@pytest.mark.parametrize(("exact", "gap"), [(True, 1e-8), (False, 1e-5)])
@pytest.mark.parametrize("draw", [0.001, 0.03, 0.3, 0.9])
def test_it_says_what_the_package_says(exact: bool, gap: float, draw: float) -> None:
    """The package's own error function is good to seven digits; with a better one, to eight."""
    env = environment(draw)
    if not exact:
        env = trueskill.TrueSkill(MU, SIGMA, BETA, 0.0, draw)
    margin = NormalDist().inv_cdf((1 + draw) / 2) * sqrt(2) * BETA
    rng = random.Random(f"{exact} {draw}")
    for _ in range(150):
        players = rng.randint(2, 7)
        means = [rng.gauss(MU, BETA) for _ in range(players)]
        deviations = [rng.uniform(0.3, SIGMA) for _ in range(players)]
        ranks = [rng.randrange(players) for _ in range(players)]
        wanted = by_package(env, means, deviations, ranks)
        for got, want in zip(rated(means, deviations, ranks, margin=margin), wanted, strict=True):
            assert got == pytest.approx(want, abs=gap, rel=0)


def test_extreme_matches_have_finite_ratings() -> None:
    """Where the package raises FloatingPointError in most of them."""
    rng = random.Random(1)
    surrendered = 0
    for number in range(3000):
        beta = rng.choice([0.01, 1.0, BETA])
        players = rng.randint(2, 7)
        means = [rng.uniform(-1000, 1000) for _ in range(players)]
        deviations = [rng.choice([0.01, 1.0, 8.0]) for _ in range(players)]
        ranks = [rng.randrange(players) for _ in range(players)]
        for (mean, deviation), before in zip(
            rated(means, deviations, ranks, beta, 0.05 * beta), deviations, strict=True
        ):
            assert isfinite(mean)
            assert 0 < deviation <= before * (1 + 1e-9)
        if number < 100:
            env = trueskill.TrueSkill(MU, SIGMA, beta, 0.0, DRAW)
            try:
                by_package(env, means, deviations, ranks)
            except (FloatingPointError, ZeroDivisionError):
                surrendered += 1
    assert surrendered > 50


def test_an_upset_of_any_size_meets_in_the_middle() -> None:
    """Two of the same deviation, far apart, and the weaker won: both end where they meet."""
    for gap in (1e4, 1e5, 1e7):
        (low, _), (high, _) = rated([0.0, gap], [100.0, 100.0], [0, 1], beta=1.0, margin=0.1)
        assert low == pytest.approx(gap / 2, rel=1e-3)
        assert high == pytest.approx(gap / 2, rel=1e-3)


@pytest.mark.parametrize("x", [-30.0, -8.0, -5.0001, -4.9999, -1.0, 0.0, 2.0, 9.0])
def test_a_normal_known_to_be_positive(x: float) -> None:
    """Against the plain sum over fine steps."""
    mean, variance = above_zero(x)
    high = max(x, 0.0) + 12.0
    steps = [high * (i + 0.5) / 200_000 for i in range(200_000)]
    want = moments(steps, x)
    assert (mean, variance) == pytest.approx(want, rel=1e-5)


def test_the_tail_is_joined_without_a_seam() -> None:
    """At the joint one form is exact to some twelve digits, the other to all."""
    assert above_zero(-5.0) == pytest.approx(above_zero(-5.0 + 1e-14), rel=2e-12)


@pytest.mark.slow
@pytest.mark.parametrize("x", [-40.0, -3.0, 0.0, 0.2, 6.0, 200.0])
@pytest.mark.parametrize("margin", [1e-4, 0.03, 0.99, 1.01, 4.0])
def test_a_normal_known_to_be_near_zero(x: float, margin: float) -> None:
    steps = [margin * ((i + 0.5) / 50_000 - 1.0) for i in range(100_000)]
    want = moments(steps, x)
    assert within(x, margin) == pytest.approx(want, rel=1e-3, abs=1e-9)


def moments(steps: list[float], x: float) -> tuple[float, float]:
    peak = max(-0.5 * (step - x) ** 2 for step in steps)
    weights = [exp(-0.5 * (step - x) ** 2 - peak) for step in steps]
    mass = sum(weights)
    mean = sum(w * step for w, step in zip(weights, steps, strict=True)) / mass
    spread = sum(w * (step - mean) ** 2 for w, step in zip(weights, steps, strict=True)) / mass
    return mean, spread


def test_ties_do_not_depend_on_the_order_of_the_list() -> None:
    rng = random.Random(3)
    for _ in range(25):
        players = rng.randint(2, 4)
        means = [rng.gauss(MU, 5) for _ in range(players)]
        deviations = [rng.uniform(1, 8) for _ in range(players)]
        ranks = [rng.choice([0, 0, 1]) for _ in range(players)]
        start = {i: Rating(m, d) for i, (m, d) in enumerate(zip(means, deviations, strict=True))}
        found = set()
        for order in itertools.permutations(range(players)):
            placing = result(*[ranks[i] for i in order], entrants=order)
            after = fold(logs_by_game([placing])["seven"], start, DRAW)
            found.add(tuple(round(after[i].mu, 8) for i in range(players)))
        assert len(found) == 1


def test_first_matches_of_newcomers() -> None:
    env = trueskill.TrueSkill(MU, SIGMA, BETA, 0.0, DRAW)
    for players in range(2, 8):
        log = logs_by_game([result(*range(players))])["seven"]
        after = fold(log, draw=DRAW)
        wanted = env.rate([(trueskill.Rating(MU, SIGMA),)] * players)
        for entrant, (want,) in zip(after, wanted, strict=True):
            assert after[entrant].mu == pytest.approx(want.mu, abs=1e-5)
            assert after[entrant].sigma == pytest.approx(want.sigma, abs=1e-5)
            assert after[entrant].games == 1
            assert after[entrant].shown == pytest.approx(want.mu - 3 * want.sigma, abs=1e-4)


def test_every_match_of_a_fold_can_be_rated_by_the_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    placings = play([MU + step for step in range(8)], 4, 300, seed=5, tie_within=0.3)
    by_package = rating._rate
    seen = []

    def watched(*match: Any) -> dict[int, Rating]:
        seen.append(match)
        return by_package(*match)

    monkeypatch.setattr(rating, "_rate", watched)
    monkeypatch.setattr(rating, "CONTROLS", len(placings))
    fold(logs_by_game(placings)["seven"], draw=DRAW)  # which compares, and raises
    assert len(seen) == len(placings)


def test_a_fold_survives_what_the_package_does_not() -> None:
    start = {1: Rating(-4000.0, 1.0), 2: Rating(4000.0, 1.0)}
    with pytest.raises(FloatingPointError):
        environment(DRAW).rate([(trueskill.Rating(-4000, 1),), (trueskill.Rating(4000, 1),)])
    after = fold(logs_by_game([result(0, 1)])["seven"], start, DRAW)
    assert after[1].mu > -4000 + 10
    assert after[2].mu < 4000 - 10
    assert after[1].games == 1


def test_a_wrong_twin_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        def __init__(self, *args: object) -> None:
            self.matches = 0

        def fold(self, *args: object) -> None:
            self.matches += 1

        def set_margin(self, margin: float) -> None:
            pass

        def mean(self, player: int) -> float:
            return MU

        def deviation(self, player: int) -> float:
            return SIGMA

    monkeypatch.setattr(rating, "Skills", Wrong)
    with pytest.raises(RatingError, match="as trueskill has it, got"):
        fold(logs_by_game(play([MU] * 4, 4, 500, seed=1))["seven"])


def test_priors_are_where_an_entrant_starts() -> None:
    parent = Rating(30.0, 1.0, 500)
    start = child_rating(parent)
    assert start == Rating(30.0, sqrt(1.0 + (0.5 * BETA) ** 2), 0)
    folded = fold(logs_by_game([result(0, 1)])["seven"], {1: start})
    assert folded[1].mu > folded[2].mu + 5
    unplayed = fold(empty_log("seven", [1, 2]), {1: start})
    assert unplayed == {1: start, 2: Rating()}


def test_the_draw_rate_counts_pairs() -> None:
    assert draw_rate(empty_log("seven")) == DRAW
    assert draw_rate(logs_by_game([result(0, 0, 0, 3)])["seven"]) == pytest.approx(
        (3 + DRAW * 100) / (6 + 100)
    )
    many = [result(0, 0, 2, match=i) for i in range(3000)] + [
        result(0, 1, match=i) for i in range(3000)
    ]
    assert draw_rate(logs_by_game(many)["seven"]) == pytest.approx(3000 / 12000, abs=2e-3)
    untied = logs_by_game([result(0, 1, match=i) for i in range(3000)])["seven"]
    assert draw_rate(untied) == 0.001
    for draw in (0.0, 1.0):
        with pytest.raises(RatingError, match="expected a draw probability between 0 and 1, got"):
            fold(untied, draw=draw)


def test_an_entrant_cannot_meet_itself() -> None:
    log = logs_by_game([result(0, 1, 2, entrants=(1, 1, 2)), result(0, 1)])["seven"]
    assert (len(log), log.unrated) == (1, 1)
    assert fold(log)[1].games == 1


def test_games_are_never_mixed() -> None:
    placings = play([MU] * 4, 4, 20, seed=1)
    logs = logs_by_game([replace(p, game="architects") if p.match % 2 else p for p in placings])
    assert list(logs) == ["architects", "seven"]
    assert [len(log) for log in logs.values()] == [10, 10]


def test_alone_at_a_table_nothing_is_learnt() -> None:
    log = logs_by_game([result(0)])["seven"]
    assert fold(log) == {1: Rating(MU, SIGMA, 1)}


def test_a_long_fold_finds_the_truth() -> None:
    """The level common to all is free, the rest is within its deviations."""
    truth = [MU + 0.2 * BETA * step for step in range(8)]
    matches = 20_000 if engine.COMPILED else 2_000
    found = fold(logs_by_game(play(truth, 4, matches, seed=1))["seven"])
    means = [found[10 + place].mu for place in range(8)]
    level = (sum(means) - sum(truth)) / 8
    for place, after in enumerate(found.values()):
        assert after.games > 0.45 * matches
        assert after.sigma < 1.6 * BETA / sqrt(after.games)
        assert abs(after.mu - level - truth[place]) < 4 * after.sigma


def test_a_fold_can_stop_anywhere() -> None:
    placings = play([MU + step for step in range(6)], 3, 60, seed=2)
    log = logs_by_game(placings)["seven"]
    way = Fold(log, draw=DRAW)
    for stop in (0, 7, 7, 31, 60):
        way.advance(stop)
        short = fold(log.first(stop), draw=DRAW)
        for place, entrant in enumerate(log.entrants):
            assert way.belief(place).mu == pytest.approx(short[entrant].mu, abs=1e-12)


@pytest.mark.slow
def test_it_is_imported_without_a_warning_where_no_byte_code_is_kept(tmp_path: Path) -> None:
    """The package trueskill has escapes that every Python warns of when it compiles them."""
    words = ["-B", "-X", f"pycache_prefix={tmp_path}", "-W", "error"]
    module = "leagues.ratings.trueskill_fold"
    done = subprocess.run(
        [sys.executable, *words, "-c", f"import {module}"],
        env=command.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")

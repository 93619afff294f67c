"""Leaderboards: every figure from the results by hand, and finite whatever they are."""

import random
from collections.abc import Iterator
from dataclasses import astuple, replace
from math import isfinite

import numpy as np
import pytest

from leagues.ratings.leaderboard import (
    LeaderboardFilter,
    Standing,
    build_leaderboard,
)
from leagues.ratings.placed_match import PlacedMatch
from leagues.ratings.result_log import empty_log
from leagues.ratings.statistics import wilson
from leagues.ratings.trueskill_fold import BETA, MU, SIGMA, Rating, RatingError, fold
from tests.support.made_results import play, result
from tests.support.object_logs import build_leaderboards, logs_by_game

SKILLS = [MU + 2.0 * step for step in range(-3, 4)]


def row_of(rows: tuple[Standing, ...], entrant: int) -> Standing:
    return next(row for row in rows if row.entrant == entrant)


def numbers(value: object) -> Iterator[float]:
    if isinstance(value, (int, float)):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from numbers(item)


def test_a_row_by_hand() -> None:
    first = result(0, 1, 1, 3)
    second = result(0, 0, entrants=(2, 1), match=2)
    third = replace(
        result(0, 2, 2, entrants=(3, 2, 1), match=3),
        scores=(70, 40, 66),
        faulty=(False, True, True),
    )
    placings = [first, second, third]
    found = build_leaderboards(placings)["seven"]
    one = row_of(found.rows, 1)
    assert (one.games, one.faults) == (3, 1)
    assert one.fault_share == pytest.approx(1 / 3)
    assert one.win_share.value == pytest.approx((1 + 0.5 + 0) / 3)
    assert one.fair_share == pytest.approx((1 / 4 + 1 / 2 + 1 / 3) / 3)
    assert one.mean_rank is not None
    assert one.mean_rank.value == pytest.approx((1 + 1.5 + 2.5) / 3)
    assert one.rank_points is not None
    assert one.rank_points.value == pytest.approx((1 + 0.5 + 0.25) / 3)
    assert one.mean_score is not None
    assert one.mean_score.value == pytest.approx((50 + 50 + 66) / 3)
    assert one.mean_score.low < 55 < one.mean_score.high
    four = row_of(found.rows, 4)
    assert (four.games, four.win_share.value) == (1, 0.0)
    ratings = fold(logs_by_game(placings)["seven"])
    for row in found.rows:
        assert (row.mu, row.sigma) == astuple(ratings[row.entrant])[:2]
        assert row.shown == pytest.approx(row.mu - 3 * row.sigma)
        assert row.provisional
    assert sum(row.win_share.value * row.games for row in found.rows) == pytest.approx(3)


def test_rows_come_by_skill() -> None:
    placings = play(SKILLS, 4, 400, seed=1)
    newcomer = result(0, 1, 2, 3, entrants=(99, 10, 11, 12))
    found = build_leaderboard(logs_by_game([*placings, newcomer])["seven"])
    skills = [row.skill.value for row in found.rows]
    assert skills == sorted(skills, reverse=True)
    assert [row.rank for row in found.rows] == list(range(1, 9))
    ratings = {row.entrant: row.shown for row in found.rows}
    best = row_of(found.rows, 99)
    assert best.provisional
    assert ratings[99] == min(ratings.values())  # the rating is what it surely has
    assert not row_of(found.rows, 16).provisional
    for row in found.rows:
        assert 1 <= row.best_rank <= row.worst_rank <= 8
        assert row.skill.low < row.skill.value < row.skill.high
    assert found.rows[-1].superior is None
    assert not found.rows[-1].level
    for row, next_row in zip(found.rows, found.rows[1:], strict=False):
        assert row.superior is not None
        assert row.level == (row.superior < 0.95)
        assert (row.superior > 0.5) == (row.skill.value > next_row.skill.value)
    assert found.disagreement.deviations < 1.5
    assert found.matches == 401


def test_a_faulty_seat_is_counted_and_shares_the_last_place() -> None:
    placings = [
        replace(p, ranks=(2, 2, 0, 1), faulty=(True, True, False, False))
        for p in play(SKILLS[:4], 4, 30, seed=2)
    ]
    found = build_leaderboard(logs_by_game(placings)["seven"])
    assert sum(row.faults for row in found.rows) == 60
    assert found.draw == pytest.approx((30 + 3) / (180 + 100))
    for row in found.rows:
        assert row.fault_share == row.faults / row.games


@pytest.mark.parametrize(
    ("share", "games", "low", "high"),
    [(0.0, 10, 0.0, 0.2775), (0.5, 100, 0.4038, 0.5962), (1.0, 10, 0.7225, 1.0), (0.0, 0, 0, 1)],
)
def test_wilson_intervals(share: float, games: int, low: float, high: float) -> None:
    found = wilson(share, games)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    "placings",
    [
        [],
        [result(0)],
        [result(0, 1)],
        [result(0, 0, 0, 0)],
        [result(0, 1, entrants=(1, 1))],
        [result(0, 0, 0, match=i) for i in range(500)],
        [result(0, 1, 2, 3, 4, 5, 6, match=i) for i in range(2000)],
    ],
    ids=["none", "alone", "one", "one tie", "itself", "all ties", "always the same"],
)
@pytest.mark.parametrize(
    "part",
    [
        LeaderboardFilter(),
        LeaderboardFilter(players=4),
        LeaderboardFilter(seat=0),
        LeaderboardFilter(opponent=1),
        LeaderboardFilter(players=9, seat=9),
    ],
)
def test_poor_results_have_finite_tables(
    placings: list[PlacedMatch], part: LeaderboardFilter
) -> None:
    logs = logs_by_game(placings, roster=[1, 2, 50])
    log = logs.get("seven", empty_log("seven", [1, 2, 50]))
    found = build_leaderboard(log, part=part)
    assert {row.entrant for row in found.rows} >= {1, 2, 50}
    for row in found.rows:
        assert all(isfinite(number) for number in numbers(astuple(row)))
        assert row.sigma > 0
    unplayed = row_of(found.rows, 50)
    assert unplayed.games == 0
    assert unplayed.mean_rank is unplayed.mean_score is unplayed.rank_points is None
    assert 0.2 * SIGMA < unplayed.sigma < 5 * SIGMA  # drawn towards a field of three, not firmly


def test_nobody_has_an_empty_table() -> None:
    assert build_leaderboard(empty_log("seven")).rows == ()
    assert build_leaderboards([]) == {}


def test_equals_share_a_rank() -> None:
    found = build_leaderboard(empty_log("seven", [3, 1, 2]))
    assert [(row.rank, row.entrant) for row in found.rows] == [(1, 1), (1, 2), (1, 3)]
    assert {(row.best_rank, row.worst_rank) for row in found.rows} == {(1, 3)}
    assert [row.superior for row in found.rows] == [0.5, 0.5, None]


def test_naming_changes_nothing_on_the_leaderboard() -> None:
    placings = play(SKILLS, 4, 300, seed=4, tie_within=0.3)
    first = build_leaderboard(logs_by_game(placings)["seven"])
    for seed in range(5):
        names = dict(zip(range(10, 17), random.Random(seed).sample(range(90), 7), strict=True))
        renamed = [replace(p, entrants=tuple(names[e] for e in p.entrants)) for p in placings]
        again = build_leaderboard(logs_by_game(renamed)["seven"])
        assert [row.entrant for row in again.rows] == [names[row.entrant] for row in first.rows]
        for row, twin in zip(first.rows, again.rows, strict=True):
            assert twin.mu == pytest.approx(row.mu, abs=0.05)
            assert twin.skill.value == pytest.approx(row.skill.value, abs=1e-9)
            assert (twin.best_rank, twin.worst_rank) == (row.best_rank, row.worst_rank)


def test_a_player_count_borrows_from_the_others() -> None:
    """With few games of its own it is nearer the truth than alone."""
    together = alone = 0.0
    for seed in range(8):
        few = play(SKILLS, 5, 14, seed=100 + seed)
        log = logs_by_game([*play(SKILLS, 4, 300, seed=seed), *few])["seven"]
        for found, mine in (
            (build_leaderboard(log, part=LeaderboardFilter(players=5)), True),
            (build_leaderboards(few)["seven"], False),
        ):
            assert found.matches == 14
            error = sum((row.skill.value - SKILLS[row.entrant - 10]) ** 2 for row in found.rows)
            if mine:
                together += error
            else:
                alone += error
    assert together < 0.7 * alone


def test_duels_are_a_game_apart() -> None:
    duels = play(SKILLS, 2, 100, seed=1)
    log = logs_by_game([*duels, *play(SKILLS[::-1], 4, 300, seed=2)])["seven"]
    apart = build_leaderboard(log, part=LeaderboardFilter(players=2))
    assert [row.mu for row in apart.rows] == [
        row.mu for row in build_leaderboards(duels)["seven"].rows
    ]


def test_a_slice_by_opponent_has_the_games_with_it() -> None:
    placings = play(SKILLS, 3, 200, seed=1)
    found = build_leaderboard(logs_by_game(placings)["seven"], part=LeaderboardFilter(opponent=12))
    met = [p for p in placings if 12 in p.entrants]
    assert found.matches == len(met) == row_of(found.rows, 12).games
    with pytest.raises(RatingError, match="expected an entrant of seven, got 99"):
        build_leaderboard(logs_by_game(placings)["seven"], part=LeaderboardFilter(opponent=99))


def test_a_slice_by_wonder_finds_who_is_better_with_it() -> None:
    rng = random.Random(1)
    placings = []
    for placing in play([MU] * 6, 4, 1500, seed=5):
        performances = [
            rng.gauss(0.5 * BETA if (entrant, wonder) == (10, "Gizah") else 0.0, BETA)
            for entrant, wonder in zip(placing.entrants, placing.wonders, strict=True)
        ]
        order = np.argsort(np.argsort([-p for p in performances]))
        placings.append(replace(placing, ranks=tuple(int(rank) for rank in order)))
    log = logs_by_game(placings)["seven"]
    every = row_of(build_leaderboard(log).rows, 10)
    with_it = row_of(build_leaderboard(log, part=LeaderboardFilter(wonder="Gizah")).rows, 10)
    without = row_of(build_leaderboard(log, part=LeaderboardFilter(wonder="Rhodes")).rows, 10)
    assert with_it.games == sum(
        (10, "Gizah") in zip(p.entrants, p.wonders, strict=True) for p in placings
    )
    assert with_it.mu > every.skill.value + 0.08 * BETA > without.mu
    assert with_it.sigma > every.sigma
    with pytest.raises(RatingError, match=r"expected one of Alexandria, .*, got Pluto"):
        build_leaderboard(log, part=LeaderboardFilter(wonder="Pluto"))


def test_a_slice_by_seat_counts_that_seat() -> None:
    placings = play(SKILLS, 4, 200, seed=1)
    found = build_leaderboard(logs_by_game(placings)["seven"], part=LeaderboardFilter(seat=3))
    assert sum(row.games for row in found.rows) == 200
    for row in found.rows:
        assert row.games == sum(p.entrants[3] == row.entrant for p in placings)


def test_versions_start_where_their_parent_is() -> None:
    start = Rating(35.0, 1.0)
    found = build_leaderboards([result(0, 1)], priors={1: start})["seven"]
    assert found.rows[0].entrant == 1
    assert found.rows[0].skill.value == pytest.approx(35, abs=1)

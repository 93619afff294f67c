"""Head to head, the curve, the reasons, and what is not skill."""

import random
from dataclasses import replace

import numpy as np
import pytest

from leagues.ratings.effects import (
    bot_wonders,
    neighbours,
    score_spreads,
    seat_effects,
    wonder_effects,
)
from leagues.ratings.field_prior import estimate_prior, fit_field
from leagues.ratings.head_to_head import head_to_head, measure_intransitivity
from leagues.ratings.history import explain_skill, skill_history
from leagues.ratings.placed_match import PlacedMatch
from leagues.ratings.result_log import ResultLog, empty_log
from leagues.ratings.thurstone import count_pairs, fit_skills
from leagues.ratings.trueskill_fold import BETA, MU, RatingError, fold
from tests.support.made_results import play, ranks_of, result
from tests.support.object_logs import logs_by_game

SKILLS = [MU + 2.0 * step for step in range(-3, 4)]


def log_of(placings: list[PlacedMatch]) -> ResultLog:
    return logs_by_game(placings)["seven"]


def test_head_to_head_by_hand() -> None:
    log = log_of([result(0, 1, 2), result(1, 0, match=2), result(0, 0, 0, match=3)])
    pairs = count_pairs(log)
    found = head_to_head(pairs, fit_skills(pairs))
    assert set(found) == {(a, b) for a in (1, 2, 3) for b in (1, 2, 3) if a != b}
    meeting = found[1, 2]
    assert (meeting.games, meeting.share.value) == (3, 0.5)
    assert found[3, 1].share.value == 0.25
    assert meeting.residual == pytest.approx(-found[2, 1].residual)
    assert meeting.share.low < 0.5 < meeting.share.high
    assert meeting.expected + found[2, 1].expected == pytest.approx(1)


def circle(players: int, matches: int, bend: float, seed: int) -> list[PlacedMatch]:
    """Six equals; each is better by a bend while the next one round is at its table."""
    rng = random.Random(seed)
    found = []
    for placing in play([MU] * 6, players, matches, seed):
        performances = [
            rng.gauss(bend * BETA if 10 + (entrant - 9) % 6 in placing.entrants else 0.0, BETA)
            for entrant in placing.entrants
        ]
        found.append(replace(placing, ranks=ranks_of(performances)))
    return found


def test_a_circle_is_found_and_luck_is_not() -> None:
    real = measure_intransitivity(log_of(circle(2, 900, 0.6, seed=1)), rounds=59)
    assert real.freedom == 10
    assert real.chance == pytest.approx(1 / 60)
    assert real.statistic > 3 * real.freedom
    assert real.residual > 0.05
    chances = [
        measure_intransitivity(log_of(play(SKILLS, 4, 150, seed)), rounds=19).chance
        for seed in range(12)
    ]
    assert 0.25 < np.mean(chances) < 0.75
    assert min(chances) >= 1 / 20


def test_the_statistic_of_larger_tables_is_smaller() -> None:
    """Which is why no table of chi-squares would do."""
    ratio = {}
    for players in (2, 7):
        found = [
            measure_intransitivity(
                log_of(play([*SKILLS, MU], players, 600 // players, seed)), rounds=0
            )
            for seed in range(12)
        ]
        ratio[players] = np.mean([each.statistic / each.freedom for each in found])
    assert 0.75 < ratio[2] < 1.25
    assert ratio[7] < 0.7 * ratio[2]


def test_history_ends_in_the_present() -> None:
    log = log_of([*play(SKILLS, 4, 100, seed=1), *play(SKILLS, 3, 50, seed=2)])
    found = skill_history(log, 7)
    assert [snapshot.matches for snapshot in found] == [150 * n // 7 for n in range(1, 8)]
    priors = estimate_prior(count_pairs(log)).ratings
    early = fit_skills(count_pairs(log.first(150 * 3 // 7)), priors)
    now = fit_field(count_pairs(log))
    assert np.array_equal(found[-1].fit.mean, now.mean)
    assert np.array_equal(found[-1].fit.covariance, now.covariance)
    assert explain_skill(log, log.entrants[0]).skill == now.belief(log.entrants[0])
    assert np.array_equal(found[2].fit.mean, early.mean)
    assert found[-1].fit.deviation().max() < found[0].fit.deviation().min()
    assert [snapshot.matches for snapshot in skill_history(log.first(2), 5)] == [1, 2]


def test_who_moved_an_entrant() -> None:
    """Beating the best lifts; losing to the worst sinks."""
    placings = play(SKILLS, 2, 400, seed=3)
    placings += [result(0, 1, entrants=(13, 16), match=1000 + i) for i in range(8)]
    placings += [result(1, 0, entrants=(13, 10), match=2000 + i) for i in range(8)]
    told = explain_skill(log_of(placings), 13)
    moved = {influence.meeting.opponent: influence.moved for influence in told.opponents}
    assert set(moved) == {10, 11, 12, 14, 15, 16}
    assert moved[16] == max(moved.values()) > 0
    assert moved[10] == min(moved.values()) < 0
    assert {influence.meeting.opponent for influence in told.opponents[:2]} == {10, 16}
    with pytest.raises(RatingError, match="expected an entrant of seven, got 99"):
        explain_skill(log_of(placings), 99)


def test_moves_add_up_to_the_rating() -> None:
    placings = play(SKILLS, 4, 60, seed=3)
    log = log_of(placings)
    told = explain_skill(log, 12, moves=1000)
    played = [placing for placing in placings if 12 in placing.entrants]
    assert [move.match for move in told.moves] == [placing.match for placing in played]
    assert [move.rank for move in told.moves] == [
        placing.ranks[placing.entrants.index(12)] for placing in played
    ]
    total = MU + sum(move.after.mu - move.before.mu for move in told.moves)
    assert total == pytest.approx(fold(log)[12].mu)
    few = explain_skill(log, 12, moves=3).moves
    assert len(few) == 3
    least = min(abs(move.after.mu - move.before.mu) for move in few)
    others = [move for move in told.moves if move not in few]
    assert all(abs(move.after.mu - move.before.mu) <= least for move in others)


def lucky(matches: int, seed: int) -> list[PlacedMatch]:
    """Four equals; Gizah is worth half of luck, for entrant 10 a whole one, seat 1 a quarter."""
    rng = random.Random(seed)
    found = []
    for placing in play([MU] * 6, 4, matches, seed):
        performances = []
        for seat in range(4):
            edge = 0.25 if seat == 1 else 0.0
            if placing.wonders[seat] == "Gizah":
                edge += 1.0 if placing.entrants[seat] == 10 else 0.5
            performances.append(rng.gauss(edge * BETA, BETA))
        scores = tuple(round(50 + performance) for performance in performances)
        found.append(replace(placing, ranks=ranks_of(performances), scores=scores))
    return found


def test_effects_of_wonders_and_seats() -> None:
    log = log_of(lucky(3000, seed=1))
    wonders = {effect.name: effect for effect in wonder_effects(log)}
    assert len(wonders) == 7
    assert sum(effect.games for effect in wonders.values()) == 12000
    for name, effect in wonders.items():
        assert effect.lift is not None
        assert effect.rank_points is not None
        assert effect.score is not None
        assert (effect.lift.low > 1.2) == (effect.rank_points.low > 0.55) == (name == "Gizah")
        # A fair share has the error sqrt(players - 1) by the root of the games.
        if name != "Gizah":
            reach = 1.96 * (3 / effect.games) ** 0.5
            assert effect.lift.high - effect.lift.value == pytest.approx(reach, rel=0.15)
    seats = seat_effects(log)
    assert [effect.name for effect in seats] == ["0", "1", "2", "3"]
    lifts = [effect.lift.value for effect in seats if effect.lift is not None]
    assert max(lifts) == lifts[1]
    assert sum(lifts) == pytest.approx(4)


def test_bots_with_wonders_are_drawn_to_their_mean() -> None:
    log = log_of(lucky(3000, seed=2))
    cells = {(cell.entrant, cell.wonder): cell for cell in bot_wonders(log)}
    assert len(cells) == 42
    best = max(cells, key=lambda cell: cells[cell].shrunk)
    assert best == (10, "Gizah")
    for cell in cells.values():
        mean = np.mean(
            [other.rank_points.value for other in cells.values() if other.entrant == cell.entrant]
        )
        assert abs(cell.shrunk - mean) <= abs(cell.rank_points.value - mean) + 0.01
    even = bot_wonders(log_of(play([MU] * 6, 4, 600, seed=3)))
    raw = np.std([cell.rank_points.value for cell in even])
    assert np.std([cell.shrunk for cell in even]) < 0.6 * raw


def test_neighbours_are_on_the_left() -> None:
    found = {(cell.entrant, cell.left): cell for cell in neighbours(log_of([result(0, 1, 2)]))}
    assert set(found) == {(1, 2), (2, 3), (3, 1)}
    assert found[1, 2].rank_points.value == 1.0
    assert found[2, 3].rank_points.value == 0.5
    many = neighbours(log_of(play(SKILLS, 4, 300, seed=1)))
    assert sum(cell.games for cell in many) == 1200
    assert len(many) == 42


def test_scores_and_how_far_behind_they_are() -> None:
    placings = [replace(result(0, 1, match=score), scores=(100, score)) for score in range(101)]
    best, other = score_spreads(logs_by_game(placings, roster=[9])["seven"])
    assert (best.entrant, best.games, best.behind) == (1, 101, 0.0)
    assert set(best.quantiles) == {100.0}
    assert other.quantiles == (5.0, 25.0, 50.0, 75.0, 95.0)
    assert other.behind == 50.0
    assert score_spreads(empty_log("seven", [1])) == []


@pytest.mark.parametrize(
    "placings",
    [
        [],
        [result(0)],
        [result(0, 1)],
        [result(0, 0, 0)],
        [result(0, 0, match=i) for i in range(99)],
    ],
)
def test_poor_results_have_finite_reports(placings: list[PlacedMatch]) -> None:
    log = logs_by_game(placings, [1, 50]).get("seven", empty_log("seven", [1, 50]))
    pairs = count_pairs(log)
    values = [meeting.residual for meeting in head_to_head(pairs, fit_skills(pairs)).values()]
    told = measure_intransitivity(log, rounds=3)
    values += [told.statistic, told.chance, told.residual]
    values += [float(each.fit.mean.sum()) for each in skill_history(log)]
    values += [influence.moved for influence in explain_skill(log, 1).opponents]
    for effect in wonder_effects(log) + seat_effects(log):
        assert effect.lift is not None
        values += [effect.lift.low, effect.lift.high]
    values += [cell.shrunk for cell in bot_wonders(log)]
    values += [cell.rank_points.high for cell in neighbours(log)]
    assert np.all(np.isfinite(values))
    assert not explain_skill(log, 50).opponents
    assert measure_intransitivity(empty_log("seven"), rounds=3).freedom == 0

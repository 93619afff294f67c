"""Adaptive tournaments: what is asked for, which tables tell most, and when enough is known."""

from math import erfc, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from arena.schedule import Balanced, Fixture, Schedule, TrackRules, open_track, open_tracks
from arena.schedule.adaptive import (
    OPENING_ROUNDS,
    Adaptive,
    choose_tables,
    confidence,
    is_reached,
    required_confidence,
    weights,
)
from arena.schedule.goal import Goal
from engine.errors import ArenaError
from engine.match import Variant
from engine.rng import Rng, derive
from leagues.ratings.placed_match import PlacedMatch
from leagues.ratings.result_log import Floats
from leagues.ratings.thurstone import Fit, PairCounts, fit_skills
from leagues.ratings.trueskill_fold import BETA

LABELS = tuple("abcdefgh")
TOP = Goal(1)


def known(*means: float, deviation: float = 0.5) -> tuple[Floats, Floats]:
    """Means in betas, each as sure as the others and for itself."""
    return BETA * np.array(means), np.eye(len(means)) * (deviation * BETA) ** 2


def test_a_pair_is_worth_its_doubt_times_what_a_game_tells() -> None:
    mean, covariance = known(0.0, 0.3, 1.0)
    covariance[0, 1] = covariance[1, 0] = 0.1 * BETA**2
    worth = weights(mean, covariance, Goal())
    variance = 0.25 + 0.25 - 2 * 0.1
    misorder = 0.5 * erfc(0.3 / sqrt(variance) / sqrt(2.0))
    assert worth[0, 1] == pytest.approx(misorder * variance / (variance + 2))
    assert worth[0, 1] == worth[1, 0]
    assert worth[0, 0] == 0.0
    assert worth[0, 1] > worth[1, 2] > worth[0, 2]


def test_a_top_asks_across_its_border() -> None:
    mean, covariance = known(2.0, 1.9, 1.0, 0.95)
    order = weights(mean, covariance, Goal())
    top = weights(mean, covariance, Goal(2))
    assert top[1, 2] == order[1, 2]
    assert top[0, 3] == order[0, 3]
    assert top[0, 1] == pytest.approx(0.02 * order[0, 1])
    assert top[2, 3] == pytest.approx(0.02 * order[2, 3])


def test_tables_seat_the_doubtful_and_do_not_repeat_themselves() -> None:
    mean, covariance = known(0.0, 0.02, 3.0, 3.02, 6.0, 6.02, deviation=0.3)
    tables = choose_tables(mean, covariance, Goal(), 2, 3)
    assert sorted(tuple(sorted(table)) for table in tables) == [(0, 1), (2, 3), (4, 5)]
    for players in range(2, 7):
        for table in choose_tables(mean, covariance, TOP, players, 4):
            assert len(set(table)) == players
    flat = choose_tables(np.zeros(4), np.zeros((4, 4)), Goal(), 4, 1)
    assert sorted(flat[0]) == [0, 1, 2, 3]


def test_enough_is_known_when_the_doubt_is_small_or_does_not_matter() -> None:
    for goal in (TOP, Goal(2), Goal()):
        assert not is_reached(*known(0.3, 0.2, 0.1, 0.0, deviation=0.5), goal)
        assert is_reached(*known(3.0, 2.0, 1.0, 0.0, deviation=0.1), goal)
        # Equals are told apart by nobody, and need not be.
        assert is_reached(*known(0.0, 0.0, 0.0, 0.0, deviation=0.01), goal)
    assert required_confidence(Goal(None, 0.95), 6) == pytest.approx(0.99)
    assert required_confidence(Goal(1, 0.95), 6) == pytest.approx(0.98)


def test_only_what_was_asked_has_to_be_known() -> None:
    means = known(3.0, 0.0, 0.0, 0.0, deviation=0.3)
    assert is_reached(*means, TOP)
    assert not is_reached(*means, Goal())
    assert not is_reached(*means, Goal(2))


def test_confidence_is_a_probability_of_the_whole_belief() -> None:
    mean, covariance = known(0.4, 0.0)
    together = covariance + 5 * BETA**2  # a level common to both says nothing
    for goal, zone in ((TOP, 0.1), (Goal(), 0.2)):
        exact = NormalDist().cdf((0.4 + zone) / sqrt(0.5))
        assert confidence(mean, covariance, goal) == pytest.approx(exact, abs=0.02)
        assert confidence(mean, together, goal) == pytest.approx(exact, abs=0.02)


def adaptive(goal: Goal = TOP, tables: int | None = None) -> Adaptive:
    tracks, _ = open_tracks(
        [TrackRules(Variant("architects")), TrackRules(Variant("seven"))], [3, 4], range(8), {4: 2}
    )
    return Adaptive(LABELS, tuple(tracks), goal, 9, tables)


def belief(luck: int) -> tuple[Floats, Floats]:
    rng = Rng(derive(luck, "belief"))
    mean = np.array([25.0 + rng.below(1000) / 100 for _ in LABELS])
    return mean, np.eye(8) * BETA**2 / 9


@pytest.mark.parametrize("tables", [None, 8])
def test_batches_go_on_from_the_opening(tables: int | None) -> None:
    plan = adaptive(tables=tables)
    fixtures = list(plan.opening)
    assert len(fixtures) == OPENING_ROUNDS * 6 * 8
    for number in range(14):
        assert plan.first(number) == len(fixtures)
        fixtures += plan.batch(number, *belief(number))
    assert [fixture.number for fixture in fixtures] == list(range(len(fixtures)))
    assert len({fixture.id for fixture in fixtures}) == len(fixtures)
    batches = fixtures[len(plan.opening) :]
    assert len({f.spec.seed for f in batches}) == len(batches)
    assert not {f.spec.seed for f in plan.opening} & {f.spec.seed for f in batches}
    assert {f.stage for f in batches} == {"adaptive"}
    for fixture in batches:
        assert len(set(fixture.entrants)) == fixture.spec.setup.players
        assert fixture.spec.bots == tuple(LABELS[bot] for bot in fixture.entrants)


def test_a_batch_follows_from_its_number_and_the_belief_alone() -> None:
    batch = adaptive().batch(5, *belief(1))
    again = adaptive()
    again.batch(4, *belief(2))
    assert again.batch(5, *belief(1)) == batch
    assert again.batch(5, *belief(3)) != batch
    assert [f.entrants for f in again.batch(6, *belief(1))] != [f.entrants for f in batch]


def test_wonders_of_batches_are_the_least_used() -> None:
    plan = Adaptive(LABELS, (open_track(TrackRules(Variant("seven")), 4, range(8)),), TOP, 3)
    used: dict[str, int] = {}
    for number in range(21):
        for fixture in plan.batch(number, *belief(number)):
            for wonder in fixture.spec.setup.wonders:
                used[wonder] = used.get(wonder, 0) + 1
    assert len(used) == 14
    assert max(used.values()) - min(used.values()) <= 2


def test_goals_and_batches_must_fit_the_field() -> None:
    with pytest.raises(ArenaError, match="smaller than the field of 8, got top8@95%"):
        adaptive(Goal(8))
    with pytest.raises(ArenaError, match="at least 1 table"):
        adaptive(tables=0)


class Season:
    """Bots of known skill, and luck that is the same on every machine."""

    def __init__(self, skills: list[float], luck: int) -> None:
        self.skills = skills
        self.pairs = PairCounts(range(len(skills)))
        self.rng = Rng(derive(luck, "season"))
        self.games = 0

    def play(self, fixture: Fixture) -> None:
        table = fixture.entrants
        shown = [self.skills[bot] + NormalDist().inv_cdf(self.uniform()) for bot in table]
        ranks = tuple(sum(other > own for other in shown) for own in shown)
        none = (0,) * len(table)
        wonders = fixture.spec.setup.wonders
        self.pairs.add(
            PlacedMatch(0, "architects", table, wonders, none, ranks, (False,) * len(table))
        )
        self.games += 1

    def uniform(self) -> float:
        return (int(self.rng.word()) + 0.5) / 2**32

    def believed(self) -> Fit:
        return fit_skills(self.pairs)


SKILLS = [0.9, 0.0, 2.1, 1.2, 0.3, 1.8, 0.6, 1.5]


def games_until(goal: Goal, by_plan: bool, luck: int) -> tuple[int, list[int]]:
    season = Season(SKILLS, luck)
    track = open_track(TrackRules(Variant("architects")), 4, range(8))
    plan = Adaptive(LABELS, (track,), goal, luck)
    for fixture in plan.opening:
        season.play(fixture)
    endless = Schedule(LABELS, [track], Balanced(luck), luck).start(len(plan.opening))
    number = 0
    while not is_reached((seen := season.believed()).mean, seen.covariance, goal):
        assert season.games < 3000
        batch = plan.batch(number, seen.mean, seen.covariance) if by_plan else []
        for fixture in batch or [next(endless) for _ in range(2)]:
            season.play(fixture)
        number += 1
    return season.games, [int(bot) for bot in np.argsort(-seen.mean)]


@pytest.mark.slow
@pytest.mark.parametrize(("goal", "most"), [(TOP, 0.7), (Goal(), 0.8)])
def test_games_where_they_tell_most_save_games(goal: Goal, most: float) -> None:
    chosen = [games_until(goal, True, luck) for luck in range(5)]
    round_robin = [games_until(goal, False, luck) for luck in range(5)]
    assert sum(n for n, _ in chosen) < most * sum(n for n, _ in round_robin)
    truth = [int(bot) for bot in np.argsort(-np.array(SKILLS))]
    right = [order[: goal.top] == truth[: goal.top] for _, order in chosen]
    assert sum(right) >= 4

"""A season later less is sure; a new version begins near its parent."""

import pytest

from leagues.ratings.priors import version_priors
from leagues.ratings.seasons import rate_seasons
from leagues.ratings.trueskill_fold import VERSION_STEP, Rating, fold
from tests.support.made_results import play, result
from tests.support.object_logs import logs_by_game

SKILLS = [20.0, 25.0, 30.0, 35.0]


def test_without_drift_seasons_change_nothing() -> None:
    log = logs_by_game(play(SKILLS, 3, 200, 1))["seven"]
    wanted = fold(log)
    for starts in ([], [0], [50, 120, 200]):
        found = rate_seasons(log, starts, 0.0)
        for entrant, rating in wanted.items():
            assert found[entrant].mu == pytest.approx(rating.mu, abs=1e-6)
            assert found[entrant].sigma == pytest.approx(rating.sigma, abs=1e-6)
            assert found[entrant].games == rating.games


def test_with_drift_a_rating_is_less_sure_and_follows_sooner() -> None:
    early = play(SKILLS, 2, 300, 2)
    late = play(list(reversed(SKILLS)), 2, 100, 3, first_id=1000)
    log = logs_by_game(early + late)["seven"]
    still, drifting = rate_seasons(log, [300], 0.0), rate_seasons(log, [300], 1.0)
    assert all(drifting[entrant].sigma > still[entrant].sigma for entrant in log.entrants)
    assert drifting[10].mu > still[10].mu + 1.0  # the worst became the best
    assert drifting[13].mu < still[13].mu - 1.0


def test_a_version_begins_where_its_parent_was() -> None:
    games = [result(0, 1, entrants=(1, 2), match=match) for match in range(30)]
    games += [result(0, 1, entrants=(2, 3), match=match) for match in range(30, 34)]
    log = logs_by_game(games, [1, 2, 3, 4, 5])["seven"]
    known = version_priors(log, {3: 1, 4: 3, 5: 99})
    parent = known[3]
    assert parent.mu > Rating().mu + 3.0
    assert parent.sigma > VERSION_STEP
    # The child of one that lost since is expected to lose; strangers tell nothing.
    assert known[4].mu < parent.mu
    assert 5 not in known


def test_a_parent_that_never_played_hands_on_what_it_was_given() -> None:
    games = [result(0, 1, entrants=(1, 2), match=match) for match in range(30)]
    log = logs_by_game(games, [1, 2, 3, 4])["seven"]
    known = version_priors(log, {3: 1, 4: 3})
    assert known[4].mu == known[3].mu
    assert known[4].sigma > known[3].sigma
    assert version_priors(log, {4: 3}) == {}


def test_a_version_that_was_never_let_play_does_not_wipe_out_what_was_known() -> None:
    games = [result(0, 1, entrants=(1, 2), match=match) for match in range(30)]
    log = logs_by_game(games, [1, 2, 4])["seven"]
    assert version_priors(log, {3: 2, 4: 3}) == version_priors(log, {4: 2})
    assert version_priors(log, {3: 2, 4: 3})[4].mu < Rating().mu - 3.0

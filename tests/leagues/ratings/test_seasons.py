"""A season later less is sure; a new version begins near its parent."""

import pytest

from leagues.ratings.field_prior import fit_field
from leagues.ratings.thurstone import count_pairs
from leagues.ratings.trueskill_fold import (
    VERSION_STEP,
    Fold,
    FoldRules,
    Rating,
    child_rating,
    fold,
)
from tests.support.made_results import play, result
from tests.support.object_logs import logs_by_game

SKILLS = [20.0, 25.0, 30.0, 35.0]
LOSSES = [result(0, 1, entrants=(1, 2), match=match) for match in range(30)]


def test_without_drift_seasons_change_nothing() -> None:
    log = logs_by_game(play(SKILLS, 3, 200, 1))["seven"]
    for seasons in ([], [0], [50, 120, 199]):
        assert fold(log, seasons=seasons) == fold(log)


def test_with_drift_a_rating_is_less_sure_and_follows_sooner() -> None:
    early = play(SKILLS, 2, 300, 2)
    late = play(list(reversed(SKILLS)), 2, 100, 3, first_id=1000)
    log = logs_by_game(early + late)["seven"]
    still, drifting = (fold(log, seasons=[300], drift=drift) for drift in (0.0, 1.0))
    assert all(drifting[entrant].sigma > still[entrant].sigma for entrant in log.entrants)
    assert drifting[10].mu > still[10].mu + 1.0  # the worst became the best
    assert drifting[13].mu < still[13].mu - 1.0


def test_a_fold_goes_on_to_the_last_digit() -> None:
    """Wherever it was stopped: versions, seasons and the rate of draws included."""
    log = logs_by_game(play([20.0 + step for step in range(8)], 3, 300, 4, tie_within=2.0))["seven"]
    rules = FoldRules(parents={14: 10, 15: 14}, drift=0.2)
    seasons = [0, 90, 200]
    whole = Fold(log, rules, seasons=seasons)
    whole.advance(300)
    for stops in ([1], [64], [65, 128], [90, 91, 200, 256]):
        state, done = None, 0
        for stop in [*stops, 300]:
            part = log.first(stop)
            part = part.only(part.match > done)
            later = [place - done for place in seasons if done <= place < stop]
            running = Fold(part, rules, state, later)
            running.advance(len(part))
            state, done = running.state(), stop
        assert state == whole.state()


def test_the_rate_of_draws_is_that_of_the_matches_before() -> None:
    ties = [result(0, 0, match=match) for match in range(200)]
    log = logs_by_game(ties)["seven"]
    running = Fold(log)
    found = []
    for stop in (1, 64, 65, 128, 129, 200):
        running.advance(stop)
        found.append(running.draw)
    assert found == pytest.approx([0.03, 0.03, 67 / 164, 67 / 164, 131 / 228, 131 / 228])


def test_a_version_begins_where_its_parent_was() -> None:
    games = LOSSES + [result(0, 1, entrants=(2, 3), match=match) for match in range(30, 34)]
    log = logs_by_game(games, [1, 2, 3, 4, 5])["seven"]
    before = fold(log.first(30))
    found = fold(log, parents={3: 1, 4: 3, 5: 99})
    running = Fold(log, FoldRules(parents={3: 1, 4: 3, 5: 99}))
    running.advance(30)
    assert running.belief(2) == child_rating(before[1])
    # The child of one that lost since is expected to lose; strangers tell nothing.
    assert found[4] == child_rating(found[3])
    assert found[4].mu < before[1].mu
    assert found[5] == Rating()


def test_the_fit_has_a_version_near_its_parent() -> None:
    games = LOSSES + [result(0, 1, entrants=(2, 3), match=match) for match in range(30, 34)]
    pairs = count_pairs(logs_by_game(games, [1, 2, 3, 4, 5])["seven"])
    fitted = fit_field(pairs, parents={4: 1, 5: 99})
    best, child, stranger = (fitted.entrants.index(entrant) for entrant in (1, 4, 5))
    assert fitted.mean[child] == pytest.approx(fitted.mean[best])
    apart = fitted.difference_deviation()
    assert apart[child, best] == pytest.approx(VERSION_STEP)
    assert apart[child, stranger] > apart[best, stranger]
    # What the version before it was never let play tells is what the one before that does.
    again = fit_field(pairs, parents={4: 98, 98: 1})
    assert again.mean[child] == pytest.approx(again.mean[best])


def test_a_parent_that_never_played_hands_on_what_it_was_given() -> None:
    log = logs_by_game(LOSSES, [1, 2, 3, 4])["seven"]
    found = fold(log, parents={3: 1, 4: 3})
    assert found[4].mu == found[3].mu
    assert found[4].sigma > found[3].sigma
    assert fold(log, parents={4: 3})[4] == Rating()
    assert fold(log, parents={4: 98, 98: 2})[4].mu < Rating().mu - 3.0

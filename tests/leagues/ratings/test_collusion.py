"""Helpers are found, honest fields are left in peace; simulated, from fixed seeds."""

import random

import pytest

from leagues.ratings.collusion import FEWEST, by_owner, estimate_lifts
from leagues.ratings.placed_match import PlacedMatch
from leagues.ratings.trueskill_fold import BETA
from tests.support.made_results import play, ranks_of
from tests.support.object_logs import logs_by_game

SKILLS = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]


def schemed(matches: int, seed: int, helper: int, helped: int, gift: float) -> list[PlacedMatch]:
    """Tables of four; where the two meet, the helper gives up something for the other's good."""
    rng = random.Random(seed)
    found = []
    for match in range(matches):
        table = rng.sample(range(8), 4)
        luck = [rng.gauss(SKILLS[bot], BETA) for bot in table]
        if helper in table and helped in table:
            luck[table.index(helped)] += gift * BETA
            luck[table.index(helper)] -= gift * BETA
        found.append(
            PlacedMatch(
                match=match,
                game="seven",
                entrants=tuple(10 + bot for bot in table),
                wonders=("Gizah",) * 4,
                scores=(0,) * 4,
                ranks=ranks_of(luck),
                faulty=(False,) * 4,
            )
        )
    return found


def test_who_is_helped_is_found() -> None:
    log = logs_by_game(schemed(1500, 1, 3, 4, 0.8))["seven"]
    found = estimate_lifts(log)
    best = next(lift for lift in found if lift.lift > 0)
    assert (best.entrant, best.other) == (14, 13)
    assert best.alarming
    assert best.lift > 0.1
    alarms = {(lift.entrant, lift.other) for lift in found if lift.alarming}
    assert alarms == {(14, 13), (13, 14)}  # and who gives shows it too


def test_an_owner_whose_bots_help_each_other_is_found() -> None:
    log = logs_by_game(schemed(1500, 2, 3, 4, 0.8))["seven"]
    owners = {10 + bot: ("ann" if bot in (3, 4) else f"o{bot % 3}") for bot in range(8)}
    found = by_owner(estimate_lifts(log), owners)
    assert found["ann", "ann"].alarming
    assert (found["ann", "ann"].entrant, found["ann", "ann"].other) == (14, 13)
    assert [pair for pair, lift in found.items() if lift.alarming] == [("ann", "ann")]


@pytest.mark.parametrize("players", [3, 4, 7])
def test_an_honest_field_raises_no_alarm(players: int) -> None:
    for seed in range(10):
        log = logs_by_game(play([BETA * skill / 2 for skill in SKILLS], players, 800, seed))[
            "seven"
        ]
        assert not any(lift.alarming for lift in estimate_lifts(log))


def test_few_games_and_duels_say_nothing() -> None:
    assert estimate_lifts(logs_by_game(play(SKILLS, 4, FEWEST // 2, 1))["seven"]) == []
    assert estimate_lifts(logs_by_game(play(SKILLS, 2, 500, 1))["seven"]) == []

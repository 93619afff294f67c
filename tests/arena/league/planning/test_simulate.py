"""What a league costs, by its simulation: the same in any field, about as much for every bot."""

import pytest

from arena.league.planning.simulate import simulate_league, simulation_report
from arena.league.rules import LeagueRules, league_rules_of


def rules(**facts: object) -> LeagueRules:
    return league_rules_of({"players": "2-4", "placement": 9, "games": 12} | facts, "the rules")


@pytest.mark.parametrize("bots", [9, 14])
def test_everybody_is_brought_to_as_many_games(bots: int) -> None:
    (filled,) = simulate_league(rules(extra=0), bots, 0, 0.7, seed=3)
    assert 12 <= filled.fewest_games <= filled.most_games <= 14


def test_an_update_costs_the_same_in_any_field() -> None:
    costs = set()
    for bots in (8, 24):
        filled, *updates = simulate_league(rules(extra=2), bots, 2, 0.7, seed=3)
        assert filled.matches > 2 * bots
        assert all(phase.matches <= 12 + 2 for phase in updates)
        costs |= {phase.matches for phase in updates}
        report = simulation_report([filled, *updates])
        assert "an update costs" in report.caption[0]
        one, two = (phase.range_width for phase in updates)
        reach = 1.96 * abs(one - two) / 2
        told = f"rank range of a new version: {(one + two) / 2:.1f} ± {reach:.1f} ranks"
        assert report.caption[1].startswith(told)
    assert max(costs) - min(costs) <= 2

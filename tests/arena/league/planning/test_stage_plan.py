"""Tables of a league: a newcomer costs the same in any field, and nobody is played anew for it."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from arena.league.planning.simulate import simulate_league, simulation_report
from arena.league.planning.stage_plan import LeagueField, StagePlan, plan_stage
from arena.league.rules import LeagueRules, parse_rules
from engine.errors import ArenaError
from leagues.ratings.thurstone import Fit
from leagues.ratings.trueskill_fold import BETA
from leagues.records import StageKind

RULES = parse_rules('players = "2-4"')


def field(
    games: Sequence[int], owners: Sequence[str | None] | None = None, spread: float = 1.0
) -> LeagueField:
    """Bots whose skills are known, from the worst to the best."""
    size = len(games)
    mean = 25.0 + spread * BETA * np.linspace(-1.0, 1.0, size)
    fit = Fit(tuple(range(size)), mean, np.eye(size) * (0.1 * BETA) ** 2)
    return LeagueField(owners or [None] * size, games, lambda: fit, extra_left=0)


def stage(rules: LeagueRules, of: LeagueField, seed: int = 1) -> StagePlan:
    plan = plan_stage(rules, of, seed)
    assert isinstance(plan, StagePlan)
    return plan


@pytest.mark.parametrize("size", [10, 50, 200])
def test_a_newcomer_costs_the_same_in_any_field(size: int) -> None:
    plan = stage(RULES, field([0] + [40] * (size - 1)))
    assert plan.kind == StageKind.PLACEMENT
    assert len(plan.tables) == RULES.placement // 3
    assert all(0 in places for _, _, places in plan.tables)
    sizes = Counter(players for players, _, _ in plan.tables)
    assert max(sizes.values()) - min(sizes.values()) <= 1
    assert len({(players, deal) for players, deal, _ in plan.tables}) == len(plan.tables)


def test_opponents_are_near_in_skill() -> None:
    size = 101
    middle = size // 2
    games = [40] * size
    games[middle] = 10
    plan = stage(RULES, field(games, spread=3.0))
    met = {place for _, _, places in plan.tables for place in places}
    assert max(abs(place - middle) for place in met) < size // 4


def test_newcomers_share_tables_unless_they_are_one_owners() -> None:
    games = [0, 0, 0, *[40] * 30]
    apart = stage(RULES, field(games))
    owners = ["ann", "ann", "ann", *[None] * 30]
    together = stage(RULES, field(games, owners))
    mixed = [sum(place < 3 for place in places) for _, _, places in apart.tables]
    assert max(mixed) > 1
    assert all(sum(place < 3 for place in places) == 1 for _, _, places in together.tables)
    for place in range(3):
        played = sum(place in places for _, _, places in apart.tables)
        assert played >= RULES.placement // 3
    assert len(apart.tables) < len(together.tables) == 3 * (RULES.placement // 3)


def test_nobody_is_played_anew_because_somebody_arrived() -> None:
    plan = stage(RULES, field([35] + [40] * 20))
    assert plan.kind == StageKind.PLACEMENT
    assert len(plan.tables) == RULES.games - 35
    assert isinstance(plan_stage(RULES, field([40] * 20), 1), str)


def test_opponents_take_turns() -> None:
    plan = stage(
        parse_rules('players = "2"\nplacement = 60\ngames = 60'), field([0] + [60] * 10, spread=0.0)
    )
    met = Counter(place for _, _, places in plan.tables for place in places if place)
    assert len(plan.tables) == 20
    assert set(met.values()) == {2}


def test_equal_seeds_give_equal_tables() -> None:
    of = field([0, 0, *[40] * 20])
    assert stage(RULES, of, 5) == stage(RULES, of, 5) != stage(RULES, of, 6)


def test_a_simulated_league_ends_with_all_games_played() -> None:
    rules = parse_rules('players = "2-3"\nplacement = 12\ngames = 20\nextra = 2')
    phases = simulate_league(rules, 8, 3, 0.5, 1)
    assert [phase.name for phase in phases] == ["filling", "update 1", "update 2", "update 3"]
    assert all(phase.fewest_games >= rules.games for phase in phases)
    assert all(phase.matches <= rules.games + rules.extra for phase in phases[1:])
    assert phases == simulate_league(rules, 8, 3, 0.5, 1)
    report = simulation_report(phases)
    assert [row["phase"] for row in report.rows] == [phase.name for phase in phases]
    assert "at most" in report.caption[0]


@pytest.mark.parametrize(
    ("bots", "updates", "spread", "reason"),
    [(3, 0, 1.0, "4 to 1000 bots, got 3"), (8, -1, 1.0, "updates"), (8, 1, -1.0, "spread")],
)
def test_what_cannot_be_simulated_is_told(
    bots: int, updates: int, spread: float, reason: str
) -> None:
    with pytest.raises(ArenaError, match=reason):
        simulate_league(RULES, bots, updates, spread, 1)

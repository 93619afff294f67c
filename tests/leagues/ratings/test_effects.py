"""One entrant's results by wonder, seat and number of players, against counting by hand."""

from collections import Counter

from leagues.ratings.effects import own_effects
from tests.support.made_results import play
from tests.support.object_logs import logs_by_game


def test_own_effects_are_what_counting_says() -> None:
    placings = play([0.0, 5.0, -5.0, 2.0], 3, 60, 1) + play([0.0, 5.0, -5.0], 2, 20, 2, first_id=61)
    log = logs_by_game(placings)["seven"]
    found = own_effects(log, 11)
    games: Counter[tuple[str, str]] = Counter()
    wins: Counter[tuple[str, str]] = Counter()
    for placing in placings:
        if 11 not in placing.entrants:
            continue
        seat = placing.entrants.index(11)
        for key in (
            ("wonder", placing.wonders[seat]),
            ("seat", str(seat)),
            ("players", str(len(placing.entrants))),
        ):
            games[key] += 1
            wins[key] += len(placing.entrants) * (placing.ranks[seat] == 0)
    assert {(by, row.name): row.games for by, rows in found.items() for row in rows} == games
    for by, rows in found.items():
        for row in rows:
            assert row.lift is not None
            assert row.rank_points is not None
            assert 0 <= row.lift.low <= row.lift.value <= row.lift.high
            assert 0 <= row.rank_points.low <= row.rank_points.high <= 1
            assert abs(row.lift.value - wins[by, row.name] / games[by, row.name]) < 1e-9


def test_no_interval_reaches_below_nothing() -> None:
    log = logs_by_game(play([0.0, 40.0], 2, 2, 1))["seven"]
    lifts = [effect.lift for effect in own_effects(log, 10)["players"]]
    assert lifts
    assert all(lift is not None and lift.low >= 0 for lift in lifts)


def test_who_never_played_has_none() -> None:
    log = logs_by_game(play([0.0, 1.0], 2, 3, 1))["seven"]
    assert own_effects(log, 99) == {}

"""Games two entrants shared, and the games one lost worst, against counting by hand."""

from leagues.ratings.pair_games import pair_games, worst_losses
from leagues.ratings.placed_match import PlacedMatch
from leagues.ratings.result_log import ResultLog, empty_log
from tests.support.made_results import play
from tests.support.object_logs import logs_by_game


def made_log() -> tuple[ResultLog, list[PlacedMatch]]:
    placings = play([0.0, 5.0, -5.0, 2.0], 3, 60, 1) + play([0.0, 5.0, -5.0], 2, 20, 2, first_id=61)
    return logs_by_game(placings)["seven"], placings


def test_shared_games_are_what_counting_says() -> None:
    log, placings = made_log()
    both = [it for it in placings if {10, 11} <= set(it.entrants)]
    found = pair_games(log, 10, 11)
    assert len(found) == len(both) > 0
    for at, it in enumerate(both):
        one, other = it.entrants.index(10), it.entrants.index(11)
        assert found.match[at] == it.match
        assert found.players[at] == len(it.entrants)
        assert found.lead[at] == it.scores[one] - it.scores[other]
        above = (it.ranks[one] < it.ranks[other]) + 0.5 * (it.ranks[one] == it.ranks[other])
        assert found.above[at] == above
    rows = found.by_players()
    assert [row.name for row in rows] == ["2", "3"]
    assert sum(row.games for row in rows) == len(found)
    assert all(row.share.low <= row.share.value <= row.share.high for row in rows)


def test_both_sides_of_the_same_games() -> None:
    log, _ = made_log()
    found = pair_games(log, 10, 11)
    turned = pair_games(log, 11, 10)
    assert found.turned().above.tolist() == turned.above.tolist()
    assert found.turned().clearest(3) == turned.clearest(3)
    leads = dict(zip(found.match.tolist(), found.lead.tolist(), strict=True))
    assert leads[found.clearest(1)[0]] == max(leads.values())
    assert abs(leads[found.closest(1)[0]]) == min(map(abs, leads.values()))


def test_worst_losses_are_those_furthest_behind_the_best_without_a_fault() -> None:
    log, placings = made_log()
    behind = {
        it.match: max(it.scores) - it.scores[it.entrants.index(12)]
        for it in placings
        if 12 in it.entrants and not it.faulty[it.entrants.index(12)]
    }
    found = worst_losses(log, 12, 5)
    assert len(found) == 5
    assert all(behind[match] == points for match, points in found)
    assert [points for _, points in found] == sorted(behind.values(), reverse=True)[:5]
    assert worst_losses(log, 99, 5) == []
    assert worst_losses(empty_log("seven", (12,)), 12, 5) == []

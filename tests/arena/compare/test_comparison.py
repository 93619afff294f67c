"""Blocks are counted whole and in order; who fails, and what the machine spoils, is told apart."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from itertools import islice

import pytest

from arena.compare.comparison import Comparison, Key, Verdict, play_until_decided
from arena.compare.pairs import PairDesign, PairSchedule
from arena.compare.report import facts, headline, line, lines, parts
from arena.compare.sprt import MIN_BLOCKS, Sprt
from arena.playing.machine_failures import MAX_CONSECUTIVE_MACHINE_FAILURES
from arena.playing.referee import play
from arena.playing.runner import MatchOutcome, NotPlayed, Runner
from arena.schedule.fixtures import TrackRules
from bots.chairs.limits import Limits
from bots.chairs.pool import open_chairs
from engine.match import Fault, MatchResult, MatchSpec, Variant

FIELD = ("f1", "f2")


def tables(design: str = "self", *counts: int, game: str = "architects") -> PairSchedule:
    field = () if design == "self" else FIELD
    return PairSchedule(
        TrackRules(Variant(game)), "new", "old", field, PairDesign(design), counts or (4,), 1
    )


def comparison(where: PairSchedule | None = None, most: int = 1000, **asked: float) -> Comparison:
    return Comparison(where or tables(), Sprt(**asked), most)


def won_by(spec: MatchSpec, best: str, faulty: tuple[int, ...] = ()) -> MatchResult:
    """A made-up result: the seats of one bot first, then all others."""
    order = sorted(range(len(spec.bots)), key=lambda seat: spec.bots[seat] != best)
    faults = tuple(Fault(seat, "crash", "expected an answer, got none", 3) for seat in faulty)
    return MatchResult(
        spec, [], [0] * len(order), [order.index(s) for s in range(len(order))], faults
    )


def feed(compared: Comparison, best: str) -> None:
    for key, spec in compared.matches():
        compared.add(key, won_by(spec, best))
        if compared.verdict is not None:
            return


def test_the_better_one_is_found_as_soon_as_may_be() -> None:
    compared = comparison()
    feed(compared, "new")
    assert compared.verdict is Verdict.BETTER
    assert compared.verdict.exit_code == 0
    assert compared.games == 2 * MIN_BLOCKS
    assert compared.new.share == 1
    assert compared.old.share == 0
    assert headline(compared) == "better: new is better than old"


def test_the_worse_one_is_not_called_better() -> None:
    compared = comparison()
    feed(compared, "old")
    assert compared.verdict is Verdict.NOT_BETTER
    assert compared.verdict.exit_code == 1
    assert headline(compared) == "not better: new is not better than old by 20 Elo"


@pytest.mark.parametrize(("best", "word", "code"), [("new", "no worse", 0), ("old", "worse", 1)])
def test_no_regression_has_words_of_its_own(best: str, word: str, code: int) -> None:
    compared = comparison(elo0=-20, elo1=0)
    feed(compared, best)
    assert headline(compared).startswith(f"{word}: ")
    assert compared.verdict is not None
    assert compared.verdict.exit_code == code


def test_the_most_games_leave_it_undecided() -> None:
    compared = comparison(most=10)
    feed(compared, "new")
    assert compared.verdict is Verdict.UNDECIDED
    assert compared.verdict.exit_code == 4
    assert len(compared.scores) == 10
    assert headline(compared) == "undecided: the most games allowed were played"


def test_blocks_count_in_their_order_whatever_finishes_first() -> None:
    compared = comparison()
    games = list(islice(compared.matches(), 8))
    for key, spec in reversed(games[1:]):
        assert not compared.add(key, won_by(spec, "new"))
        assert compared.scores == []
    assert compared.add(games[0][0], won_by(games[0][1], "new"))
    assert len(compared.scores) == 4


def test_nothing_counts_after_the_verdict() -> None:
    compared = comparison()
    games = list(islice(compared.matches(), 4 * MIN_BLOCKS))
    for key, spec in games:
        compared.add(key, won_by(spec, "new"))
    assert compared.games == 2 * MIN_BLOCKS
    before = facts(compared, 0)
    compared.close("time")
    assert facts(compared, 0) == before


@pytest.mark.parametrize("bot", ["new", "old"])
def test_a_bot_that_always_fails_ends_it_at_once(bot: str) -> None:
    compared = comparison()
    for key, spec in compared.matches():
        seats = tuple(seat for seat, who in enumerate(spec.bots) if who == bot)
        compared.add(key, won_by(spec, "new", seats))
        if compared.verdict is not None:
            break
    assert compared.verdict is Verdict.FAULT
    assert compared.verdict.exit_code == 5
    assert compared.games <= 12
    assert f"by {bot}" in compared.reason
    assert any("crash: expected an answer" in told for told in lines(compared, "1 s"))


def test_a_bot_that_fails_now_and_then_ends_as_a_fault() -> None:
    compared = comparison(tables("mirror", 3), most=20)
    for number, (key, spec) in enumerate(compared.matches()):
        seat = (spec.bots.index("old"),) if number in (3, 21) else ()
        compared.add(key, won_by(spec, "new", seat))
        assert compared.verdict is None or number == 39
    assert compared.verdict is Verdict.FAULT
    assert compared.reason == "expected at most 5% forfeits, got 2 of 20 by old"


def test_rare_forfeits_are_told_and_no_more() -> None:
    compared = comparison(most=30)
    for number, (key, spec) in enumerate(compared.matches()):
        compared.add(key, won_by(spec, "new", (spec.bots.index("new"),) if not number else ()))
    assert compared.verdict is Verdict.UNDECIDED
    assert facts(compared, 0)["new"]["forfeits"] == 1
    assert facts(compared, 0)["old"]["forfeits"] == 0


def test_forfeits_of_the_field_are_not_counted_against_the_two() -> None:
    compared = comparison(tables("mirror", 3), most=20)
    for key, spec in compared.matches():
        field = tuple(seat for seat, who in enumerate(spec.bots) if who in FIELD)
        compared.add(key, won_by(spec, "new", field))
    assert compared.verdict is Verdict.UNDECIDED
    assert compared.new.forfeits == compared.old.forfeits == 0


def test_a_block_the_machine_spoiled_does_not_count() -> None:
    compared = comparison(most=100)
    for number, (key, spec) in enumerate(islice(compared.matches(), 60)):
        spoiled = NotPlayed("2 workers died playing this match")
        compared.add(
            key, spoiled if number == 4 else won_by(spec, "new" if number % 4 < 2 else "old")
        )
    assert compared.scores[2] is None
    assert (compared.unplayed_blocks, compared.games) == (1, 58)
    assert compared.verdict is None
    compared.close("interrupted")
    assert headline(compared) == "undecided: interrupted"


def test_a_machine_that_fails_is_a_fault() -> None:
    compared = comparison()
    games = list(islice(compared.matches(), MAX_CONSECUTIVE_MACHINE_FAILURES))
    for key, _ in games[:-1]:
        compared.add(key, NotPlayed("no"))
    assert compared.verdict is None
    compared.add(games[-1][0], NotPlayed("no bubblewrap"))
    assert compared.verdict is Verdict.FAULT
    assert compared.reason == "stopped after 20 machine failures in a row, the last: no bubblewrap"


def test_a_machine_that_begins_to_fail_late_is_a_fault_too() -> None:
    compared = comparison(most=1000)
    good = 2 * 400
    for number, (key, spec) in enumerate(compared.matches()):
        best = "new" if number % 4 < 2 else "old"
        compared.add(key, won_by(spec, best) if number < good else NotPlayed("no"))
        if compared.verdict is not None:
            break
    assert number == good + MAX_CONSECUTIVE_MACHINE_FAILURES - 1
    assert compared.verdict is Verdict.FAULT
    assert compared.has_machine_failed
    assert compared.reason == "stopped after 20 machine failures in a row, the last: no"


def test_failures_of_the_machine_with_games_between_them_stop_nothing() -> None:
    compared = comparison(most=40)
    for number, (key, spec) in enumerate(compared.matches()):
        compared.add(key, won_by(spec, "new") if number % 2 else NotPlayed("no"))
        assert compared.verdict is None or number == 79
    assert compared.verdict is Verdict.FAULT
    assert compared.reason == "the machine failed to play 40 of 40 blocks"


def test_gains_are_told_by_players_and_wonder() -> None:
    compared = comparison(tables("self", 2, 3), most=14)
    feed(compared, "new")
    by_players, by_wonder = parts(compared)
    assert [row["part"] for row in by_players.rows] == ["2 players", "3 players"]
    assert [row["count"] for row in by_players.rows] == [7, 7]
    assert by_players.rows[0]["gain"] == pytest.approx(1)
    assert by_players.rows[1]["gain"] == pytest.approx(0.75)
    assert len(by_wonder.rows) == 7
    assert sum(row["count"] for row in by_wonder.rows) == 7 * 2 + 7 * 3
    assert all(row["gain"] > 0 for row in by_wonder.rows)
    told = facts(compared, 1.5)
    assert told["seconds"] == 1.5
    assert [row["part"] for row in told["by_players"]] == [2, 3]
    assert len(told["scores"]) == 14


def test_the_standing_can_be_told_before_anything_was_played() -> None:
    compared = comparison()
    assert "0 games" in line(compared)
    assert facts(compared, 0)["verdict"] == "open"
    compared.close("interrupted")
    assert "takes 0" not in "\n".join(lines(compared, "1 s"))
    assert facts(compared, 0)["fixed_games"] is None
    assert facts(compared, 0)["gain"]["elo_low"] < -1000


class Here(Executor):
    """A pool without processes."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[list[MatchOutcome]] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def run(
    compared: Comparison, together: Callable[[list[MatchSpec]], list[MatchOutcome]], over: int
) -> None:
    """Until there is a verdict, or so many blocks were counted."""
    told: list[int] = []
    with Runner[Key](Here, together, lambda: 1) as runner:
        play_until_decided(
            compared,
            runner,
            lambda: told.append(len(compared.scores)),
            lambda: len(compared.scores) >= over,
        )
    assert told == sorted(set(told))
    assert told[-1] == len(compared.scores)


def test_it_ends_when_time_is_over() -> None:
    compared = comparison()
    run(compared, lambda specs: [won_by(spec, "new") for spec in specs], 5)
    assert 5 <= len(compared.scores) < MIN_BLOCKS
    assert headline(compared) == "undecided: the time allowed is over"


def test_it_ends_with_a_verdict() -> None:
    compared = comparison()
    run(compared, lambda specs: [won_by(spec, "new") for spec in specs], 1000)
    assert compared.verdict is Verdict.BETTER
    assert len(compared.scores) == MIN_BLOCKS


def real(bots: dict[str, str]) -> Callable[[list[MatchSpec]], list[MatchOutcome]]:
    """Real games in this process."""

    def together(specs: list[MatchSpec]) -> list[MatchOutcome]:
        results: list[MatchOutcome] = []
        for spec in specs:
            with open_chairs([bots[label] for label in spec.bots], True, Limits()) as chairs:
                results.append(play(spec, chairs, Limits()))
        return results

    return together


@pytest.mark.slow
@pytest.mark.parametrize(
    "where",
    [
        tables("self", 2, 3, 4),
        tables("self", 3, game="seven"),
        tables("field", 3),
        tables("mirror", 3),
    ],
    ids=lambda where: f"{where.game.id}-{where.design}",
)
def test_a_bot_and_its_copy_score_exactly_nothing(where: PairSchedule) -> None:
    """Bots are seeded by deal and seat, not by name: both games of a block are the same one."""
    compared = comparison(where, most=3)
    greedy = "greedy:worlds=1"
    run(compared, real({"new": greedy, "old": greedy, "f1": "random", "f2": "random"}), 3)
    assert compared.scores == [0.0] * 3


def test_bots_that_differ_score_something() -> None:
    compared = comparison(tables("self", 2), most=4)
    run(compared, real({"new": "greedy:worlds=1", "old": "random"}), 4)
    assert set(compared.scores) != {0.0}
    assert all(score is not None and -1 <= score <= 1 for score in compared.scores)


def test_a_better_one_whose_interval_holds_0_is_explained() -> None:
    compared = comparison(elo1=40)
    for key, spec in compared.matches():
        block, _ = key
        compared.add(key, won_by(spec, "old" if block % 5 in (0, 2) else "new"))
        if compared.verdict is not None:
            break
    assert compared.verdict is Verdict.BETTER
    gain, explained, *_ = lines(compared, "1 s")
    assert gain.startswith("gain    +70 Elo at stop; 95% interval, at any time: -8 to ")
    assert explained == (
        "        better all the same: the test errs in 5% of cases at most, "
        "and the interval is wider, as it may be read at any time"
    )

"""Reports of matches under way: whole rounds, of matches that take long, late enough."""

import time
from pathlib import Path

import pytest

from arena.playing import worker
from arena.playing.live.reporter import MatchReport, MatchReporter, match_key, read_reports
from bots.chairs.limits import Limits
from bots.chairs.pool import choose_isolation
from engine.catalog import find
from engine.match import MatchResult, MatchSpec

SLOW = """
import time
def decide(decision):
    time.sleep(0.05)
    return decision.options[0]
"""


def spec(seed: int = 1) -> MatchSpec:
    game = find("seven")
    return game.spec(game.setup(3, 1), seed, ("a", "b", "c"))


def play_rounds(reporter: MatchReporter, match: MatchSpec, count: int) -> list[int]:
    """So many rounds, each seat's first option; what was decided."""
    state = find("seven").deal(match.setup, match.seed)
    watch = reporter.watcher(match)
    watch(state, [])
    decisions: list[int] = []
    for _ in range(count):
        moves = [(seat, state.legal(seat)[0]) for seat in state.pending()]
        for seat, action in moves:
            state.apply(seat, action)
        decisions += [action for _, action in moves]
        watch(state, moves)
    return decisions


def test_a_report_tells_the_decisions_of_whole_rounds(tmp_path: Path) -> None:
    reporter = MatchReporter(tmp_path, every=0.0)
    decisions = play_rounds(reporter, spec(), 2)
    reporter.report()
    (report,) = read_reports(tmp_path)
    assert report.key == match_key(spec())
    assert list(report.decisions) == decisions
    assert [count for _, count in report.rounds] == [0, 3, 6]


def test_a_match_that_has_just_begun_is_not_reported(tmp_path: Path) -> None:
    reporter = MatchReporter(tmp_path)
    reporter.report()
    play_rounds(reporter, spec(), 5)
    reporter.report()
    assert list(read_reports(tmp_path)) == []


def test_nothing_new_is_not_reported_again(tmp_path: Path) -> None:
    reporter = MatchReporter(tmp_path, every=0.0)
    play_rounds(reporter, spec(), 2)
    reporter.report()
    (path,) = tmp_path.iterdir()
    path.unlink()
    reporter.report()
    assert not path.exists()
    play_rounds(reporter, spec(2), 2)
    reporter.report()
    (report,) = read_reports(tmp_path)
    assert report.key == match_key(spec(2))


def test_of_a_report_only_what_is_old_enough_is_given() -> None:
    report = MatchReport(match_key(spec()), (7, 8, 9), ((10.0, 0), (11.0, 1), (14.0, 3)))
    assert report.until(9.9) is None
    assert report.until(10.0) == ()
    assert report.until(13.9) == (7,)
    assert report.until(14.0) == (7, 8, 9)


@pytest.mark.slow
def test_a_worker_reports_its_slow_match_and_no_fast_one(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    folder = tmp_path / "reports"
    folder.mkdir()
    bots = {"a": "random", "b": "random", "c": str(tmp_path / "slow.py")}
    isolation = choose_isolation([], in_process=True)
    conditions = worker.Conditions(bots, isolation, Limits(), reports=str(folder))
    player = worker._MatchPlayer(conditions)
    reporter = player.reporter
    assert reporter is not None
    began = time.monotonic()
    fast = player.play(spec(), bots | {"c": "random"})
    reporter.report()
    assert isinstance(fast, MatchResult)
    assert time.monotonic() > began + 1.0 or list(read_reports(folder)) == []
    reporter.every = 0.2
    reporter.start()
    slow = [player.play(spec(seed), bots) for seed in range(2, 4)]
    player.close()
    reports = list(read_reports(folder))
    assert reports
    for report in reports:
        (result,) = [
            each
            for each in slow
            if isinstance(each, MatchResult) and match_key(each.spec) == report.key
        ]
        assert tuple(result.decisions[: len(report.decisions)]) == report.decisions

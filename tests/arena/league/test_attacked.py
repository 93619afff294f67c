"""A few matches of what `make soak` plays by the thousand: a league and a good bot under attack."""

from pathlib import Path

import pytest

from arena import log_config
from arena.cluster.workers import Workers
from arena.league import suspension
from arena.league.unpacked_bots import WorkerOptions
from arena.league.worker import open_league_worker
from arena.playing import worker
from bots.sandbox.container import Layers
from leagues.records import SubmissionState
from leagues.storage.handle import open_storage
from tests.benchmarks import attacked_league, fairness
from tests.bots.matches import children
from tests.bots.sandbox.matches import need

pytestmark = pytest.mark.slow


def test_attackers_are_suspended_and_nobody_else_has_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(Layers())
    monkeypatch.setattr(suspension, "MIN_GAMES", 3)
    before = children()
    with open_storage(str(tmp_path / "siege.db")) as storage:
        league = attacked_league.found_league(storage, good=3, games=6)
        for entry in storage.reader.leagues.submissions(league.id):
            storage.leagues.set_submission_state(entry.id, SubmissionState.ACCEPTED)
        with (
            log_config.SharedLog(worker.SPAWN, 0, None) as queue,
            open_league_worker(storage, WorkerOptions(Workers(1)), queue) as player,
        ):
            player.work([], follow=False)
        entries = storage.reader.leagues.submissions(league.id)
        suspended = [(e.name, e.reason) for e in entries if e.state == SubmissionState.SUSPENDED]
        assert attacked_league.judge(storage, league, suspended) == []
    assert children() == before


def test_who_needs_two_thirds_of_the_time_has_it_among_hostile_bots() -> None:
    need(Layers())
    assert fairness.compare(matches=3, jobs=1, load=0) == []

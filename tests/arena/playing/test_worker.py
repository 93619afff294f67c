"""A worker: whom a match that could not be played is blamed on."""

from unittest.mock import patch

import pytest

from arena.log_config import LOGGER
from arena.playing import runner, worker
from arena.playing.machine_failures import RETRY, Blame
from arena.playing.referee import play as play_match
from arena.playing.runner import NotPlayed
from bots.chairs import processor_speed
from bots.chairs.limits import FactorBounds, Limits
from bots.chairs.pool import choose_isolation
from bots.chairs.processor_speed import Measurement
from bots.discovery.spec import BotError
from bots.sandbox.errors import SandboxError
from engine.catalog import GAMES
from engine.match import Fault, FaultKind, MatchResult, MatchSpec

BOTS = {"one": "random", "two": "random"}


def spec() -> MatchSpec:
    game = GAMES[0]
    return game.spec(game.setup(2, 1), 1, tuple(BOTS))


@pytest.fixture
def player() -> worker._MatchPlayer:
    return worker._MatchPlayer(
        worker.Conditions(BOTS, choose_isolation([], in_process=True), Limits())
    )


def test_an_error_of_ours_is_blamed_on_nobody_and_the_next_match_is_played(
    player: worker._MatchPlayer, caplog: pytest.LogCaptureFixture
) -> None:
    LOGGER.addHandler(caplog.handler)
    with patch.object(worker, "referee", side_effect=ZeroDivisionError("ours")) as referee:
        outcome = player.play(spec(), BOTS)
    LOGGER.removeHandler(caplog.handler)
    assert isinstance(outcome, NotPlayed)
    assert outcome.internal_error
    assert outcome.detail.startswith("ZeroDivisionError: ours\nTraceback")
    assert referee.call_count == 1
    assert "Traceback" in caplog.text
    assert isinstance(player.play(spec(), BOTS), MatchResult)


def test_what_is_wrong_with_a_bot_is_told_by_its_match_not_while_it_prepares(
    player: worker._MatchPlayer,
) -> None:
    with patch.object(worker, "_player", player):
        worker.prepare(["nobody"])
        worker.prepare(["random", "random"])
    assert len(player.chairs.kept) == 2


def test_limits_are_scaled_by_the_processor_and_the_match_says_so() -> None:
    limits = Limits(start=3.0, move=1.0, bank=2.0)
    conditions = worker.Conditions(
        BOTS,
        choose_isolation([], in_process=True),
        limits,
        factor_bounds=FactorBounds(0.5, 2.0),
    )
    player = worker._MatchPlayer(conditions)
    slow = Measurement(0.8)
    with (
        patch.object(processor_speed, "measure_processor", lambda: slow),
        patch.object(worker, "referee", wraps=play_match) as referee,
    ):
        player.settle_limits()
        result = player.play(spec(), BOTS)
    assert isinstance(result, MatchResult)
    assert result.time_factor == 1.25
    assert referee.call_args.args[2] == Limits(3.75, 1.25, 2.5)
    assert runner._unpack(result.spec, runner._pack(result)) == result
    assert player.time_factor.take_latest() == slow


def test_a_machine_that_fails_has_its_attempts(player: worker._MatchPlayer) -> None:
    with patch.object(worker, "referee", side_effect=SandboxError("starved")) as referee:
        outcome = player.play(spec(), BOTS)
    assert outcome == NotPlayed("starved", machine_works=True)
    assert referee.call_count == RETRY.attempts


def test_where_one_bots_process_fails_every_time_that_is_told(player: worker._MatchPlayer) -> None:
    def fail(seats: list[int], kind: FaultKind = FaultKind.CRASH) -> NotPlayed:
        problems = [SandboxError("gone", kind) for _ in seats]
        for problem, seat in zip(problems, seats, strict=True):
            problem.seat = seat
        with patch.object(worker, "referee", side_effect=problems):
            outcome = player.play(spec(), BOTS, attempts=len(seats))
        assert isinstance(outcome, NotPlayed)
        return outcome

    assert fail([1, 1, 1]) == NotPlayed("gone", seat=1, machine_works=True)
    assert fail([1, 0, 1]).seat is None
    assert fail([1], FaultKind.MEMORY).kind is FaultKind.MEMORY
    assert fail([1, 1, 1], FaultKind.TIME).seat is None


def test_who_is_blamed_forfeits_without_being_run(player: worker._MatchPlayer) -> None:
    bots = BOTS | {"two": "nobody"}
    blame = Blame(FaultKind.MEMORY, "it took too much")
    result = player.play(spec(), bots, {"two": blame})
    assert isinstance(result, MatchResult)
    assert result.faults == (Fault(1, FaultKind.MEMORY, "it took too much", 0),)
    assert result.ranks == [0, 1]


def test_what_a_user_can_mend_is_told_as_it_is(player: worker._MatchPlayer) -> None:
    with pytest.raises(BotError, match="expected"):
        player.play(spec(), BOTS | {"two": "nobody"})

"""A worker's desk: whom a match that could not be played is blamed on."""

from unittest.mock import patch

import pytest

from arena.log_config import LOGGER
from arena.playing import worker
from arena.playing.runner import NotPlayed
from bots.chairs.limits import Limits
from bots.chairs.pool import choose_isolation
from bots.discovery.spec import BotError
from bots.sandbox.errors import SandboxError
from engine.catalog import GAMES
from engine.match import MatchResult, MatchSpec

BOTS = {"one": "random", "two": "random"}


def spec() -> MatchSpec:
    game = GAMES[0]
    return MatchSpec(game.setup(2, 1), 1, tuple(BOTS), game.version)


@pytest.fixture
def desk() -> worker._Desk:
    return worker._Desk(worker.Conditions(BOTS, choose_isolation([], in_process=True), Limits()))


def test_an_error_of_ours_is_blamed_on_nobody_and_the_next_match_is_played(
    desk: worker._Desk, caplog: pytest.LogCaptureFixture
) -> None:
    LOGGER.addHandler(caplog.handler)
    with patch.object(worker, "referee", side_effect=ZeroDivisionError("ours")) as referee:
        outcome = desk.play(spec(), BOTS)
    LOGGER.removeHandler(caplog.handler)
    assert isinstance(outcome, NotPlayed)
    assert outcome.ours
    assert outcome.detail.startswith("ZeroDivisionError: ours\nTraceback")
    assert referee.call_count == 1
    assert "Traceback" in caplog.text
    assert isinstance(desk.play(spec(), BOTS), MatchResult)


def test_a_machine_that_fails_has_its_attempts(desk: worker._Desk) -> None:
    with patch.object(worker, "referee", side_effect=SandboxError("starved")) as referee:
        outcome = desk.play(spec(), BOTS)
    assert outcome == NotPlayed("starved")
    assert referee.call_count == worker.ATTEMPTS


def test_what_a_user_can_mend_is_told_as_it_is(desk: worker._Desk) -> None:
    with pytest.raises(BotError, match="expected"):
        desk.play(spec(), BOTS | {"two": "nobody"})

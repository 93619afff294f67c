"""How limits are written, and how time is booked."""

import time

import pytest

from bots.chairs.clock import ThreadClock, TimeBudget
from bots.chairs.limits import Limits, parse_limits, write_limits
from bots.discovery.spec import BotError


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("1s", Limits(move=1)),
        ("500ms", Limits(move=0.5)),
        ("2m", Limits(move=120)),
        ("0.5s", Limits(move=0.5)),
        ("1s+10s", Limits(move=1, bank=10)),
        ("1s+0s", Limits(move=1)),
        ("10ms+1m/30s", Limits(30, 0.01, 60)),
        ("1s/5s", Limits(5, 1)),
    ],
)
def test_limits_are_read(text: str, limits: Limits) -> None:
    assert parse_limits(text) == limits
    assert parse_limits(write_limits(limits)) == limits


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "s",
        "-1s",
        "1s+",
        "+1s",
        "1s+1",
        "1h",
        "1s/",
        "1 s",
        "1s+1s+1s",
        "0s",
        "1e3s",
        "9999999s",
        "infs",
        "nans",
        "1s\n",
        "١s",
    ],
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(BotError, match="expected"):
        parse_limits(text)


def test_a_tally_draws_on_its_bank() -> None:
    budget = TimeBudget(Limits(move=1, bank=2))
    left = []
    for seconds in (0.5, 1.5, 1.0, 2.0, 3.0, 0.1):
        budget.charge(seconds)
        left.append(budget.left)
    assert left == [3.0, 2.5, 2.5, 1.5, 1.0, 1.0]
    assert budget.longest == 3.0
    assert budget.computed == pytest.approx(8.1)


def test_what_a_thread_computes_is_charged() -> None:
    clock = ThreadClock()
    clock.begin()
    began = time.thread_time()
    while time.thread_time() < began + 0.02:
        pass
    assert clock.used() >= 0.02


def test_what_a_thread_waits_for_is_not_charged() -> None:
    clock = ThreadClock()
    clock.begin()
    time.sleep(0.2)  # as if it had no processor
    assert 0 <= clock.used() < 0.1


def test_a_clock_that_was_not_read_for_long_begins_anew() -> None:
    clock = ThreadClock()
    clock.begin()
    began = time.thread_time()
    while time.thread_time() < began + 0.2:
        pass
    clock.begin()
    time.sleep(0.02)
    assert 0 <= clock.used() < 0.1

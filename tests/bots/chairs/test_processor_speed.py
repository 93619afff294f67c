"""The speed of a processor, and what limits become by it."""

from unittest.mock import patch

import pytest

from bots.chairs import processor_speed
from bots.chairs.limits import (
    NOT_SCALED,
    FactorBounds,
    Limits,
    is_timed,
    parse_factor_bounds,
    scale_limits,
    write_factor_bounds,
)
from bots.chairs.processor_speed import Measurement, TimeFactor, measure_processor, noise_of
from bots.discovery.spec import BotError


def test_a_measurement_is_of_computing() -> None:
    found = measure_processor()
    assert 0.02 < found.speed < 50
    assert 0 <= found.waited <= 1


def test_bounds_are_read_and_written() -> None:
    for text in ("0.5-2", "1-4", "0.25-1", "off"):
        assert write_factor_bounds(parse_factor_bounds(text)) == text
    assert parse_factor_bounds("off") == parse_factor_bounds("1-1") == NOT_SCALED
    for text in ("", "2", "0-2", "2-3", "0.5-0.9", "on", "1-x"):
        with pytest.raises(BotError, match=r"expected bounds of the time factor as 0\.5-2, or off"):
            parse_factor_bounds(text)


def test_a_slow_processor_has_more_seconds_within_bounds() -> None:
    bounds = FactorBounds(0.5, 2.0)
    assert [bounds.factor(speed) for speed in (1.0, 0.8, 0.1, 9.0)] == [1.0, 1.25, 2.0, 0.5]
    assert [bounds.hold(speed) for speed in (0.49, 0.5, 2.0, 2.1)] == [False, True, True, False]
    assert scale_limits(Limits(20, 1, 10, True), 1.5) == Limits(30, 1.5, 15, True)
    assert not is_timed(Limits(freeze=True))
    assert is_timed(Limits(move=1.0))


@pytest.mark.parametrize(
    ("recent", "noise"),
    [
        ([], ""),
        ([Measurement(1.0, 0.1), Measurement(1.1, 0.2)], ""),
        ([Measurement(1.0), Measurement(1.0, 0.4)], "it waited for a processor 40% of the time"),
        ([Measurement(1.0, 0.4), Measurement(1.0)], ""),
        ([Measurement(1.0), Measurement(0.7)], "its speed went from 0.70 to 1.00"),
    ],
)
def test_noise_is_waiting_or_drift(recent: list[Measurement], noise: str) -> None:
    assert noise_of(recent) == noise


def test_the_factor_changes_when_the_speed_has() -> None:
    speeds = iter([0.8, 0.82, 0.5, 0.5, 0.5])
    factor = TimeFactor(FactorBounds(0.5, 4.0))
    with (
        patch.object(processor_speed, "EVERY", 0.0),
        patch.object(processor_speed, "measure_processor", lambda: Measurement(next(speeds))),
    ):
        assert [factor.current() for _ in range(5)] == [1.25, 1.25, 1.25, 1.538, 2.0]
    assert factor.take_latest() == Measurement(0.5)
    assert factor.take_latest() is None
    assert TimeFactor(NOT_SCALED).current() == 1.0

"""What a machine tells with every heartbeat."""

import pytest

from arena.cluster.metrics import ANY_CORE, MachineMetrics
from bots.chairs.processor_speed import Measurement


def test_matches_count_when_they_were_played() -> None:
    metrics = MachineMetrics()
    with metrics.count(5):
        assert metrics.heartbeat()["played"] == 0
    with pytest.raises(KeyError), metrics.count(7):
        raise KeyError
    assert metrics.heartbeat()["played"] == 5


def test_cores_are_compared_with_themselves() -> None:
    metrics = MachineMetrics()
    assert "speed" not in metrics.heartbeat()
    metrics.add_measurement(ANY_CORE, Measurement(2.0))
    for core, speed in ((0, 1.0), (1, 0.6), (1, 0.6)):
        metrics.add_measurement(core, Measurement(speed))
    told = metrics.heartbeat()
    assert (told["speed"], told["noise"]) == (0.8, "")
    metrics.add_measurement(1, Measurement(0.4))
    assert metrics.heartbeat()["noise"] == "its speed went from 0.40 to 0.60"
    metrics.add_measurement(ANY_CORE, Measurement(0.4))
    assert metrics.heartbeat()["noise"] == ""

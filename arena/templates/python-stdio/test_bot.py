"""Run with pytest in this folder; pip install pytest if it is not there."""

from bot import choose


def test_it_builds_when_it_can() -> None:
    assert choose({"options": ["end", "build 1 with wood+clay"]}) == 1
    assert choose({"options": ["take left", "take right"]}) in (0, 1)

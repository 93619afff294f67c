"""Run with pytest in this folder; pip install pytest if it is not there."""

from pathlib import Path
from runpy import run_path

choose = run_path(str(Path(__file__).with_name("bot.py")))["choose"]  # beside other bots too


def test_it_builds_when_it_can() -> None:
    assert choose({"options": ["end", "build 1 with wood+clay"]}) == 1
    assert choose({"options": ["take left", "take right"]}) in (0, 1)

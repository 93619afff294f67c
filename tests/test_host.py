"""A bot's own process keeps to the order of messages, whatever the bot does."""

import json
from pathlib import Path

from command import arena

BLIND = """
from bots.api import Bot

class Blind(Bot):
    def decide(self, decision):
        return decision.options[0]

    def observe(self, view):
        raise ValueError("too bright")
"""


def test_what_observe_raises_is_told_in_place_of_the_next_answer(tmp_path: Path) -> None:
    (tmp_path / "blind.py").write_text(BLIND, encoding="utf-8")
    words = ("random", "random", "blind.py", "--games", 4, "--seed", 1, "--json")
    done = arena("play", "architects", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for game in json.loads(done.stdout)["games"]:
        (fault,) = game["faults"]
        assert (fault["seat"], fault["kind"]) == (2, "exception")
        assert fault["decision"] > 0
        assert "too bright" in fault["detail"]

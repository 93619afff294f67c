"""A bot's own process keeps to the order of messages, whatever the bot does."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.support.command import arena

pytestmark = pytest.mark.slow

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
    words = ("random", "random", "blind.py", "--games", 4, "--seed", 1, "--json", "--fixed-seats")
    done = arena("play", "architects", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for game in json.loads(done.stdout)["games"]:
        (fault,) = game["faults"]
        assert (fault["seat"], fault["kind"]) == (2, "exception")
        assert fault["decision"] > 0
        assert "too bright" in fault["detail"]


LONG = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    reply = {"type": "ready", "id": message.get("id")}
    if message["type"] == "decide":
        reply = {"type": "choice", "id": message["id"], "option": 0}
    text = json.dumps(reply)
    print(text + " " * (int(sys.argv[1]) - len(text)), flush=True)
"""


@pytest.mark.parametrize(("length", "kinds"), [(16_384, []), (16_385, ["protocol"])])
def test_a_reply_has_its_full_length_and_no_more(
    length: int, kinds: list[str], tmp_path: Path
) -> None:
    (tmp_path / "long.py").write_text(LONG, encoding="utf-8")
    bot = f"cmd:{shlex.quote(sys.executable)} long.py {length}"
    done = arena("play", "architects", bot, "random", "--seed", 1, "--json", cwd=tmp_path)
    (game,) = json.loads(done.stdout)["games"]
    assert [fault["kind"] for fault in game["faults"]] == kinds


def test_whatever_a_bot_raises_fits_a_reply(tmp_path: Path) -> None:
    text = 'def decide(decision):\n    raise ValueError("\\U0001f600\\x01" * 9000)\n'
    (tmp_path / "loud.py").write_text(text, encoding="utf-8")
    done = arena("play", "architects", "loud.py", "random", "--seed", 1, "--json", cwd=tmp_path)
    (game,) = json.loads(done.stdout)["games"]
    assert [fault["kind"] for fault in game["faults"]] == ["exception"]

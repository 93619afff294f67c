"""Notes of bots: with the question they belong to, whatever is in them, wherever the bot runs."""

import json
import sys
from pathlib import Path

import pytest

from bots.protocol.notes import MAX_NOTE, notes_by_decision, read_notes, write_note
from tests.bots.matches import arena

PYTHON = """
def decide(decision):
    print("loud")
    decision.note(f"asked {decision.prompt}")
    decision.note("second\\nline \\x1b[31m")
    return decision.options[0]
"""
PROGRAM = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    answer = {"type": "ready", "id": told["id"]} if "id" in told else None
    if told["type"] == "decide":
        note = "asked " + told["prompt"]
        answer = {"type": "choice", "id": told["id"], "option": 0, "note": note}
    if answer:
        print(json.dumps(answer), flush=True)
"""


def test_notes_are_told_from_what_is_printed() -> None:
    printed = "\n".join(["hello", write_note(0, "a"), write_note(12, "b\nc"), "[note x] d", "e"])
    assert read_notes(printed) == ({0: ["a"], 12: ["b c"]}, "hello\n[note x] d\ne")
    assert notes_by_decision(printed, [3, 7]) == {3: ["a"]}  # there was no thirteenth
    assert len(write_note(1, "x" * 9999)) == MAX_NOTE + len("[note 1] ")


@pytest.mark.slow
@pytest.mark.parametrize("how", ["in process", "sandbox", "program"])
def test_notes_are_shown_beside_their_decisions(tmp_path: Path, how: str) -> None:
    (tmp_path / "bot.py").write_text(PROGRAM if how == "program" else PYTHON, "utf-8")
    spec = f"cmd:{sys.executable} {tmp_path}/bot.py" if how == "program" else "./bot.py"
    more = ["--in-process"] if how == "in process" else []
    played = arena("play", "architects", "random", spec, "--seed", 1, *more, cwd=tmp_path)
    assert played.returncode == 0, played.stderr
    shown = arena("match", "show", 1, cwd=tmp_path).stdout
    facts = (
        json.loads(arena("match", "debug", 1, "--seat", 1, "--json", cwd=tmp_path).stdout)
        if (how != "program")
        else {}
    )
    watched = arena("match", "trace", 1, "--watch", cwd=tmp_path).stdout
    assert "seat 1" in shown
    assert "noted:" in shown
    assert "asked draw" in watched
    assert "\x1b" not in shown + watched
    if facts:
        assert f"decision {facts['decision']}: asked {facts['prompt']}" in shown

"""What is told of a bot's failure: its own code and the error, never ours nor what it printed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bots.chairs.base import Chair
from bots.chairs.in_process import InProcessChair, open_in_process
from bots.discovery.finder import find_bot
from bots.discovery.spec import parse_spec
from bots.house.random import Random
from bots.protocol.tracebacks import summary_line
from tests.bots.matches import in_a_process, match

RAISED = """Traceback (most recent call last):
  File "/bots/x/bot.py", line 7, in decide
    return json.loads("")
           ^^^^^^^^^^^^^^
  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode
    raise JSONDecodeError("Expecting value", s, err.value) from None
json.decoder.JSONDecodeError: Expecting value
of many lines
"""
CHAINED = f"""{RAISED}
During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/bots/x/mind.py", line 3, in think
    oops
NameError: name 'oops' is not defined
"""
SYNTAX = """  File "/bots/x/bot.py", line 3
    def decide(decision)
                        ^
SyntaxError: expected ':'
"""
PROGRAM = "expected an answer, got exit code 1\nhello\n"


@pytest.mark.parametrize(
    ("kind", "detail", "line"),
    [
        ("exception", RAISED, "json.decoder.JSONDecodeError: Expecting value (bot.py, line 7)"),
        ("exception", CHAINED, "NameError: name 'oops' is not defined (mind.py, line 3)"),
        ("exception", f"t(message)\n{CHAINED}", "NameError: name 'oops' is not defined (mind.py, "),
        ("exception", SYNTAX, "SyntaxError: expected ':' (bot.py, line 3)"),
        ("exception", "TypeError: no option\n", "TypeError: no option"),
        ("exception", "\n", "no word"),
        ("illegal", "expected at age one of a, b; got 'c'", "expected at age one of a, b; got 'c'"),
        ("crash", PROGRAM, "expected an answer, got exit code 1"),
        ("crash", PROGRAM + SYNTAX, "got exit code 1: SyntaxError: expected ':' (bot.py, line 3)"),
    ],
)
def test_a_fault_in_a_line(kind: str, detail: str, line: str) -> None:
    assert line in summary_line(kind, detail)
    assert "hello" not in summary_line(kind, detail)
    assert "\n" not in summary_line(kind, detail)


def here(spec: str) -> Chair:
    return open_in_process(parse_spec(spec), find_bot(parse_spec(spec)))


WANTED = "expected register_bots, a function decide, or one class with a method decide in short.py"
# What is written, and all that is told of it.
SOURCES = {
    "def decide(decision):\n    return None\n": [
        "TypeError: expected an option or its text from decide, got None"
    ],
    "def decid(decision):\n    return None\n": [f"{WANTED}, got none"],
    "class A:\n    decide = 1\n\n\nclass B(A):\n    pass\n": [f"{WANTED}, got the classes A, B"],
    "def decide(decision)\n": [
        '  File "short.py", line 1',
        "    def decide(decision)",
        "                        ^",
        "SyntaxError: expected ':'",
    ],
}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("make", [here, in_a_process])
def test_no_line_of_ours_is_told(tmp_path: Path, source: str, make: Callable[[str], Chair]) -> None:
    (tmp_path / "short.py").write_text(source, "utf-8")
    chair = make(f"{tmp_path}/short.py")
    try:
        [fault] = match([chair, InProcessChair(Random)], 1).faults
    finally:
        chair.close()
    assert fault.detail.replace(f"{tmp_path}/", "").splitlines() == SOURCES[source]

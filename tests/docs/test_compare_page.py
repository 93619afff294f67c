"""Every command of the page runs and ends as it says; what it claims of itself is so."""

import re
import shlex
from pathlib import Path

import pytest

from arena.compare.comparison import Verdict
from arena.compare.sprt import MIN_BLOCKS, PRIOR_BLOCKS, PRIOR_VARIANCE, excess
from tests.support.command import ROOT, arena

pytestmark = pytest.mark.slow

TEXT = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_commands_run_in_order(tmp_path: Path) -> None:
    assert {kind for kind, _ in BLOCKS} == {"sh"}
    assert TEXT.count("```") == 2 * len(BLOCKS)
    for line in "".join(text for _, text in BLOCKS).splitlines():
        words = shlex.split(line, comments=True)
        assert words[0] == "arena", line
        expected = re.search(r"# exit (\d)$", line)
        done = arena(*words[1:], cwd=tmp_path)
        assert done.returncode == (int(expected[1]) if expected else 0), (line, done.stderr)
        assert done.stdout


def test_exit_codes_are_those_of_the_verdicts() -> None:
    told = dict(re.findall(r"^\| (\d) \| ([a-z]+(?: [a-z]+)?)", TEXT, re.MULTILINE))
    assert {int(code): word for code, word in told.items()} == {
        verdict.exit_code: str(verdict) for verdict in Verdict
    }


def test_figures_of_the_test_are_the_ones_in_use() -> None:
    assert f"not before {MIN_BLOCKS} blocks" in TEXT
    assert {8: "Eight"}[PRIOR_BLOCKS] + " blocks are added to those seen" in TEXT
    assert f"variance of {PRIOR_VARIANCE} times" in TEXT
    assert f"20 Elo is {(1 + excess(20)) / 2:.1%}".replace("%", " %") in TEXT
    assert f"100 is {(1 + excess(100)) / 2:.0%}".replace("%", " %") in TEXT


def test_equal_bots_are_rarely_called_better_and_a_better_one_is() -> None:
    rows = re.findall(
        r"^\| [^|]+ \| (\w+), (\w+) \| \d+ \| ([\d.]+)% \| [\d.]+% \| ([\d,]+) \| ([\d,]+) \|",
        TEXT,
        re.MULTILINE,
    )
    assert {("greedy", "twice"), ("planner", "greedy")} <= {(one, two) for one, two, *_ in rows}
    for _, second, better, games, fixed in rows:
        assert int(games.replace(",", "")) < int(fixed.replace(",", ""))
        if second == "twice":
            assert float(better) <= 5
        else:
            assert float(better) >= 90

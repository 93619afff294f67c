"""The page has a place for every benchmark, and its figures are read and written as they are."""

import re
from pathlib import Path

import pytest

from tests.benchmarks.figures import WHERE, Figure, keep, read
from tests.support.command import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"
TEXT = PAGE.read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def benched() -> list[str]:
    """The scripts that make bench runs."""
    [target] = re.findall(r"^bench: .*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    return re.findall(r"tests/benchmarks/(\w+\.py)", target)


def test_every_benchmark_of_make_bench_is_on_the_page_with_its_command() -> None:
    assert benched()
    assert len(benched()) == len(set(benched()))
    for script in benched():
        assert f"| `python tests/benchmarks/{script}` |" in TEXT
        assert (ROOT / "tests" / "benchmarks" / script).exists()


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "benchmarks"))  # a script, by itself
    from tests.benchmarks import page as table

    return table


def test_all_are_run_for_the_page_and_have_a_place_there(table) -> None:  # type: ignore[no-untyped-def]
    assert {bench.words[0] for bench in table.BENCHES} == set(benched())
    text = TEXT
    for name in (table.MACHINE, *(bench.name for bench in table.BENCHES)):
        assert text.count(table.mark(name)) == 1
        text = table.put(text, name, [f"| {name} 1 |", f"| {name} 2 |"])
        text = table.put(text, name, [f"| {name} 3 |"])
        assert f"{table.mark(name)}\n\n| {name} 3 |\n\n" in text
        assert f"| {name} 1 |" not in text
    headings = re.findall(r"^## .*$", TEXT, re.MULTILINE)
    assert re.findall(r"^## .*$", text, re.MULTILINE) == headings


def test_the_page_says_how_much_is_measured_for_it(table) -> None:  # type: ignore[no-untyped-def]
    words = {bench.name: " ".join(bench.words[1:]) for bench in table.BENCHES}
    assert f"`{words['engine']}`" in TEXT
    assert f"`{words['search']}`" in TEXT
    assert f"{int(words['storage']):,} matches are read back" in TEXT
    assert f"over {int(words['leaderboard'].split()[1]):,} matches" in TEXT
    assert words["rating"].endswith(" 1000000")
    assert "a million matches." in TEXT


def test_figures_are_kept_only_if_someone_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "figures"
    keep("clone", 1.0, "µs", "< 2")
    assert read(file) == []
    monkeypatch.setenv(WHERE, str(file))
    keep("clone", 1.5, "µs", "< 2")
    keep("view", None, "")
    assert read(file) == [Figure("clone", 1.5, "µs", "< 2"), Figure("view", None, "", "")]


@pytest.mark.parametrize(
    ("value", "aim", "met"),
    [
        (3.0, "<= 3", True),
        (3.1, "<= 3", False),
        (10_000.0, ">= 10,000", True),
        (9_999.0, ">= 10,000", False),
        (2.0, "< 2", False),
        (1.0, "", None),
        (None, "<= 3", None),
    ],
)
def test_aims_are_met_or_not(value: float | None, aim: str, met: bool | None) -> None:
    assert Figure("it", value, "", aim).met is met


def test_a_table_tells_figures_aims_and_what_went_wrong(table) -> None:  # type: ignore[no-untyped-def]
    figures = [Figure("clone", 0.98765, "µs", "< 1"), Figure("games", 12345.6, "a second", "")]
    assert table.lines(figures, "no | pipe")[2:] == [
        "| clone | 0.988 µs | < 1 | met |",
        "| games | 12,346 a second |  |  |",
        "| ended early: no / pipe | | | |",
    ]
    assert table.lines([], "")[2:] == ["| nothing measured | | | |"]


def test_a_benchmark_that_fails_is_told_in_a_line(table, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    problem = table.run(("engine_speed.py", "--rounds", "none"), tmp_path / "figures")
    assert problem.endswith("invalid int value: 'none'")

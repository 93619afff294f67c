"""The gate closes at more than 5 % more, and says why where its figures do not hold."""

import json

import pytest

from tests.benchmarks import instructions
from tests.benchmarks.instructions import ACCEPTED, judge, unfit
from tests.support.command import ROOT

pytestmark = pytest.mark.slow

HERE = {"python": "3.11.7", "machine": "x86_64", "compiler": "cc 12"}


def test_five_percent_more_is_let_pass_and_no_more() -> None:
    for now, sound in ((1000, True), (1050, True), (1051, False), (500, True)):
        lines, found = judge({"clone": 1000}, {"clone": now})
        assert found is sound
        assert ("TOO MANY" in lines[0]) is not sound
    assert "fewer: accept them" in judge({"clone": 1000}, {"clone": 900})[0][0]


def test_one_piece_of_work_is_enough() -> None:
    lines, sound = judge({"clone": 1000, "view": 10}, {"clone": 1000, "view": 11})
    assert not sound
    assert ["TOO MANY" in line for line in lines] == [False, True]


def test_work_that_came_or_went_is_to_be_accepted() -> None:
    assert judge({}, {"clone": 1}) == (
        ["clone                                   1  not accepted yet"],
        False,
    )
    assert not judge({"clone": 1}, {})[1]


def test_figures_of_another_python_or_processor_say_nothing() -> None:
    assert unfit(HERE, HERE | {"python": "3.11.9", "compiler": "cc 14"}) == ""
    assert unfit(HERE, HERE | {"python": "3.13.1"}) == "figures are of python 3.11, this is 3.13"
    problem = "figures are of machine x86_64, this is aarch64"
    assert unfit(HERE, HERE | {"machine": "aarch64"}) == problem


def test_what_is_accepted_has_a_figure_for_every_piece_of_both_games() -> None:
    kept = json.loads(ACCEPTED.read_text(encoding="utf-8"))
    assert kept.keys() == HERE.keys() | {"instructions"}
    figures = kept["instructions"]
    assert len(figures) == 26
    assert {name.split()[0] for name in figures} == {"architects", "seven"}
    assert all(count > 1000 for count in figures.values())


def test_the_command_that_accepts_is_there() -> None:
    target = instructions.COMMAND.removeprefix("make ")
    assert f"\n{target}: " in (ROOT / "Makefile").read_text(encoding="utf-8")

"""One table, four ways to write it."""

import csv
import io
import json

import pytest
from rich.console import Console

from arena.reports.output import OutputFormat
from arena.reports.table import Column, Report

REPORT = Report(
    "a <title>",
    (
        Column("bot", "bot"),
        Column("mu", "mu", ".1f"),
        Column("games", "games", ",d"),
        Column("hidden", "hidden", shown=False),
        Column("los", "over next", ".0%"),
    ),
    [
        {"bot": "=cmd|' /C calc'!A0", "mu": 25.123456789, "games": 1234, "hidden": 1, "los": 0.95},
        {"bot": "\x1b[31m[red]x[/]", "mu": 24.0, "games": 7, "hidden": True, "los": None},
    ],
    ["2 games, seed 3"],
)


def test_json_has_every_key_and_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    REPORT.write(OutputFormat.JSON)
    out, err = capsys.readouterr()
    rows = json.loads(out)
    assert rows[0]["mu"] == 25.123457
    assert rows[1] == {
        "bot": "\x1b[31m[red]x[/]",
        "mu": 24.0,
        "games": 7,
        "hidden": True,
        "los": None,
    }
    assert "\x1b" not in out
    assert err == "2 games, seed 3\n"


def test_csv_is_read_back_and_holds_no_formula(capsys: pytest.CaptureFixture[str]) -> None:
    REPORT.write(OutputFormat.CSV)
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows[0] == ["bot", "mu", "games", "hidden", "los"]
    assert rows[1][0].startswith("'=")
    assert rows[2][0] == "\ufffd[31m[red]x[/]"
    assert rows[2][4] == ""


def test_markdown_is_a_table_with_its_caption(capsys: pytest.CaptureFixture[str]) -> None:
    REPORT.write(OutputFormat.MD)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "| bot | mu | games | over next |"
    assert lines[2].count(" | ") == 3
    assert "cmd\\|" in lines[2]
    assert lines[-1].strip() == "2 games, seed 3"


def test_a_table_is_plain_text_for_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    REPORT.write(OutputFormat.TABLE)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "[red]x[/]" in out
    assert "25.1" in out
    assert "1,234" in out
    assert "hidden" not in out
    assert out.rstrip().endswith("2 games, seed 3")


@pytest.mark.parametrize(
    ("width", "left_out"), [(40, set()), (39, {"c"}), (30, {"b", "c"}), (5, {"b", "c"})]
)
def test_a_narrow_terminal_has_whole_names_and_fewer_columns(
    width: int,
    left_out: set[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    keys = {"a": 0, "b": 1, "c": 2}
    columns = tuple(Column(key, key, spare=spare) for key, spare in keys.items())
    row = {"a": "a-name-of-seventeen", "b": "12345678", "c": "123456"}  # 1 + 21 + 10 + 8
    report = Report("narrow", columns, [row])
    assert {column.key for column in report.fitting(width)} == keys.keys() - left_out
    monkeypatch.setattr(
        "arena.reports.table.console",
        lambda: Console(width=width, force_terminal=True, color_system=None),
    )
    report.write(OutputFormat.TABLE)
    out = capsys.readouterr().out
    assert ("too narrow for" in out) == bool(left_out)
    if width > len(row["a"]) + 2:
        assert all(value in out for key, value in row.items() if key not in left_out)

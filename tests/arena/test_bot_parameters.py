"""The parameters of bots are told from their sources."""

import inspect
import json
from pathlib import Path

import pytest

from arena.bot_list import show_bot
from arena.bot_parameters import DeclaredParameter, declared_parameters, house_makers
from bots.discovery.manifest_reader import read_manifest
from bots.discovery.spec import parse_spec
from bots.house import LADDER, PARAMETERS
from tests.support.command import ROOT

OWN = """
raise SystemExit("is not run")

class Mine(Bot):
    def __init__(
        self,
        worlds: int = 10,  # imagined worlds
        *,
        name: str,
        loud=False,
    ) -> None:
        pass

    def decide(self, decision):
        pass
"""


def test_every_parameter_of_the_house_has_a_meaning() -> None:
    makers = house_makers()
    for name, meanings in PARAMETERS.items():
        known = inspect.signature(makers[name]).parameters if meanings else {}
        assert list(known) == list(meanings), name
    assert list(PARAMETERS) == list(LADDER)


def test_the_page_has_those_of_the_house() -> None:
    text = (ROOT / "docs" / "python_bots.md").read_text(encoding="utf-8")
    for name in LADDER:
        for each in declared_parameters(read_manifest(parse_spec(name))) or []:
            written = f"`{name}:{each.name}={(each.default or '').strip(chr(39))}`"
            [row] = [line for line in text.splitlines() if written in line and line[0] == "|"]
            assert row.endswith(f"| {each.meaning} |")


def test_a_bot_of_ones_own_is_read_and_not_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OWN, encoding="utf-8")
    show_bot(str(file), as_json=True)
    assert json.loads(capsys.readouterr().out)["parameters"] == [
        {"name": "worlds", "type": "int", "default": "10", "meaning": "imagined worlds"},
        {"name": "name", "type": "str", "default": None, "meaning": None},
        {"name": "loud", "type": None, "default": "False", "meaning": None},
    ]
    show_bot(str(file), as_json=False)
    shown = capsys.readouterr().out.splitlines()
    assert shown[-3:] == [
        "   takes  worlds=10   imagined worlds",
        "          name=str",
        "          loud=False",
    ]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def decide(decision): ...", []),
        ("class A(Bot):\n  def decide(self, decision): ...", []),
        ("class A(Other):\n  def decide(self, decision): ...", None),
        ("def register_bots(register): ...", None),
        ("not Python", None),
    ],
)
def test_what_cannot_be_told_is_not(
    tmp_path: Path, source: str, found: list[DeclaredParameter] | None
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(source, encoding="utf-8")
    assert declared_parameters(read_manifest(parse_spec(str(file)))) == found

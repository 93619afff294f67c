"""What the doctor and the page promise is what attacks find, at every level."""

import json
import platform
from pathlib import Path

import pytest

from arena.reports.doctor import show_machine
from bots.sandbox.probe import LAYERS, guarantees
from tests.bots.sandbox.matches import LEVELS, need
from tests.bots.sandbox.promises import MARK, OF_THE_MACHINE, PAGE, TABLE, seen, table


def claimed() -> dict[str, dict[str, bool]]:
    return {
        level: {e.name: e.holds for e in guarantees(layers) if e.name not in OF_THE_MACHINE}
        for level, layers in LEVELS.items()
    }


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the attacks know its system calls")
@pytest.mark.parametrize("level", LEVELS)
def test_what_is_promised_is_kept(level: str, tmp_path: Path) -> None:
    need(LEVELS[level])
    found = seen(LEVELS[level], tmp_path)
    assert found == claimed()[level]


def test_the_page_says_what_was_found() -> None:
    text = PAGE.read_text("utf-8")
    found = TABLE.search(text)
    assert found is not None
    assert found[0] == f"{MARK}\n{table(claimed())}"


def test_levels_are_what_the_tests_take_them_for() -> None:
    assert {str(level): layers for level, layers in LAYERS.items()} == LEVELS


def test_the_doctor_tells_all_promises(capsys: pytest.CaptureFixture[str]) -> None:
    need(LEVELS["full"])
    show_machine(as_json=True)
    facts = json.loads(capsys.readouterr().out)
    promised = {level: facts["levels"][level]["guarantees"] for level in LEVELS}
    assert all(facts["levels"][level]["works"] for level in LEVELS)
    for level, names in claimed().items():
        assert {name: promised[level][name] for name in names} == names
    show_machine(as_json=False)
    said = capsys.readouterr().out
    for name, fact in facts["guarantees"].items():
        word = "keeps" if fact["holds"] else "does not keep"
        assert f"  {word} {name}: {fact['found']}" in said

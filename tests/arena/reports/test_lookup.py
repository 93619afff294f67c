"""Bots of a database by the names that people give them."""

import pytest

from arena.reports.lookup import find_entrant
from engine.errors import ArenaError
from leagues.records import Entrant


def entrant(id: int, label: str, spec: str, digest: str) -> Entrant:
    return Entrant(id, label, spec, digest, "", None, None, 0)


FIELD = [
    entrant(1, "mybot", "./mybot", "aaaaaa"),
    entrant(2, "random", "random", "bbbbbb"),
    entrant(3, "mybot", "./mybot", "cccccc"),
]


@pytest.mark.parametrize("name", ["mybot", "./mybot"])
def test_a_bot_that_changed_is_meant_as_it_is_now(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert find_entrant(FIELD, name).id == 3
    assert capsys.readouterr().err == f"{name} is mybot+cccccc, the newest; others: mybot+aaaaaa\n"


def test_a_version_has_a_name_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert find_entrant(FIELD, "mybot+aaaaaa").id == 1
    assert find_entrant(FIELD, "random").id == 2
    assert capsys.readouterr().err == ""
    with pytest.raises(ArenaError, match=r"expected a bot out of mybot.*, got nobody"):
        find_entrant(FIELD, "nobody")

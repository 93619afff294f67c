"""The page python_bots.md: its tables name what a bot gets, all of it and nothing else."""

import re
from dataclasses import fields, is_dataclass

import pytest

from bots.api import Decision, Option, Outcome, Seating
from tests.support.command import ROOT

TEXT = (ROOT / "docs" / "python_bots.md").read_text(encoding="utf-8")


def public(kind: type) -> set[str]:
    if is_dataclass(kind):
        own = {each.name for each in fields(kind)}
    else:
        own = set(kind.__match_args__)  # type: ignore[attr-defined]
    return own | {name for name in vars(kind) if not name.startswith("_")}


@pytest.mark.parametrize("kind", [Decision, Option, Seating, Outcome])
def test_a_table_names_exactly_the_public_attributes(kind: type) -> None:
    table = re.search(rf"^\| `{kind.__name__}`.*?\n\n", TEXT, re.MULTILINE | re.DOTALL)
    assert table
    cells = [line.split("|")[1] for line in table[0].splitlines()[2:] if line]
    named = re.findall(r"`(\w+)(?:\(\w*\))?`", " ".join(cells))
    assert sorted(named) == sorted(public(kind))

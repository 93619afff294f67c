"""A league whose bots could have cheated says so wherever a tournament does."""

from pathlib import Path

import pytest

from arena.cli import run as arena
from arena.league.planning.agenda import agenda
from arena.league.rules import parse_rules
from arena.site.app.factory import create_app
from leagues.storage.handle import open_storage
from tests.arena.league.sample_league import enter, found, play
from tests.arena.site.sample_site import Visitor


@pytest.mark.slow
@pytest.mark.parametrize(("sandbox", "contained"), [("in-process", False), ("full", True)])
def test_a_league_without_a_sandbox_is_marked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sandbox: str, contained: bool
) -> None:
    db = str(tmp_path / "arena.db")
    with open_storage(db) as storage:
        league = found(storage, players="2", games=4, extra=0)
        for name in "ab":
            enter(storage, league, name)
        due = agenda(storage, league, parse_rules(league.rules)).due
        assert due is not None
        play(storage, due, sandbox=sandbox)
        visitor = Visitor(create_app(storage))
        assert ("ran without a sandbox" in visitor.get("/leagues/spring").text) != contained
        assert visitor.get("/api/leagues/spring").json()["rated"] is contained
    for words in (
        ("league", "table", "spring"),
        ("league", "show", "spring"),
        ("rank", "show", "--tournament", "spring"),
        ("match", "show", "1"),
    ):
        arena([*words, "--db", db])
        said = capsys.readouterr().out
        assert ("NOT CONTAINED" in said) != contained, words

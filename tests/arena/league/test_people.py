"""People invited by a list: links to send, who has not come yet, and links called back."""

import csv
import io
import json
from pathlib import Path

import pytest

from arena.league.organiser.people import call_back, invite_people, show_invitations
from arena.reports.output import OutputFormat
from engine.errors import ArenaError
from leagues.storage.handle import open_storage

LIST = "email,name,link\nann@example.org, ann ,old\nnobody@example.org,,\n,ben,\n"


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "arena.db")


def invitations(
    db: str, capsys: pytest.CaptureFixture[str], everything: bool = False
) -> list[tuple[int, str, str]]:
    capsys.readouterr()
    show_invitations(everything, OutputFormat.JSON, db)
    return [(row["id"], row["name"], row["state"]) for row in json.loads(capsys.readouterr().out)]


def test_a_list_of_people_comes_back_with_links(tmp_path: Path, db: str) -> None:
    file = tmp_path / "people.csv"
    file.write_text(LIST, encoding="utf-8")
    told = invite_people(["cyd"], file, "https://arena.example/", "ref", db)
    rows = list(csv.DictReader(io.StringIO(told)))
    assert [(row["email"], row["name"]) for row in rows] == [
        ("", "cyd"),
        ("ann@example.org", "ann"),
        ("", "ben"),
    ]
    assert list(rows[0]) == ["email", "name", "link"]
    links = {row["link"] for row in rows}
    assert len(links) == 3
    assert all(link.startswith("https://arena.example/join/join_") for link in links)
    file.write_text("mail\nann@example.org\n", encoding="utf-8")
    with pytest.raises(ArenaError, match=r"expected a column name in .*, got \['mail'\]"):
        invite_people([], file, "https://arena.example", "ref", db)


def test_a_link_that_was_called_back_lets_nobody_in(
    db: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = invite_people(["ann", "ben"], None, "https://arena.example", "ref", db)
    secrets = [line.rpartition("/")[2] for line in told.splitlines()[1:]]
    assert call_back(2, "sent to the wrong address", "ref", db) == "invitation 2 no longer holds"
    assert invitations(db, capsys) == [(1, "ann", "READY")]
    with open_storage(db) as storage:
        with pytest.raises(ArenaError, match="expected an invitation that holds, got none"):
            storage.invitations.join(secrets[1], "ben")
        storage.invitations.join(secrets[0], "ann")
        assert storage.reader.moderation.acts()[-1].reason == "sent to the wrong address"
    assert invitations(db, capsys) == []
    assert invitations(db, capsys, everything=True) == [(1, "ann", "USED"), (2, "ben", "REVOKED")]
    with pytest.raises(ArenaError, match="expected an invitation that is open, got 2"):
        call_back(2, "again", "ref", db)

"""arena league as a user types it: exit codes, errors in one line, nothing written by mistake."""

import io
import json
import re
import sys
import tomllib
import zipfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pytest

from arena.cli import main, run
from leagues.storage import leases
from leagues.storage.handle import open_storage
from tests.arena.league.sample_league import BROKEN, FIRST
from tests.support.command import arena

pytestmark = pytest.mark.slow


def league(folder: Path, *words: object, code: int = 0) -> str:
    """Run the command in this process, which saves the time to start another."""
    out, errors = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "argv", ["arena", "league", *map(str, words)]),
        chdir(folder),
        redirect_stdout(out),
        redirect_stderr(errors),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    assert (ended.value.code or 0) == code, errors.getvalue()
    if code < 2:
        return out.getvalue()
    assert re.fullmatch("arena: [^\n]+\n", errors.getvalue())
    return errors.getvalue()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    league(folder, "create", "spring", "--players", "2-3", "--require-sandbox", "none")
    return folder


def test_rules_by_flags_and_by_file_are_the_same(home: Path) -> None:
    shown = league(home, "show", "spring")
    rules = shown.partition("\n\n")[2].partition("\n\n")[0]
    assert tomllib.loads(rules)["players"] == "2-3"
    (home / "rules.toml").write_text(rules)
    league(home, "create", "copy", "--rules", "rules.toml", "--games", 3)
    with open_storage(home / "arena.db") as storage:
        rows = {row.name: tomllib.loads(row.rules) for row in storage.reader.leagues.all()}
    assert rows["copy"] == rows["spring"] | {"games": 3}


def test_rules_by_rounds_are_refused(home: Path) -> None:
    (home / "old.toml").write_text("rounds = 2\n")
    told = league(home, "create", "old", "--rules", "old.toml", code=2)
    assert "by placement, games and extra, got rounds" in told


def test_states_change_by_command(home: Path) -> None:
    league(home, "create", "summer")
    for word, state in (("open", "OPEN"), ("pause", "PAUSED"), ("freeze", "FROZEN")):
        assert league(home, word, "summer") == f"summer is {state}\n"
    league(home, "close", "summer", "--yes", "--reason", "it is autumn")
    assert "summer is CLOSED already" in league(home, "close", "summer", "--yes", code=2)
    assert "expected --yes, got none" in league(home, "close", "summer", code=2)
    assert "summer is permanently CLOSED" in league(home, "open", "summer", code=2)
    rows = json.loads(league(home, "list", "-o", "json"))
    assert ("summer", "CLOSED") in [(row["league"], row["state"]) for row in rows]


def test_a_bot_is_checked_while_its_owner_waits(home: Path) -> None:
    (home / "good.py").write_text(FIRST)
    (home / "bad.py").write_text(BROKEN)
    words = ("--owner", "ann", "--wait", "--in-process")
    said = arena("league", "submit", "spring", "good.py", *words, cwd=home)
    assert (said.stdout + said.stderr).count("ACCEPTED") == 1
    told = league(home, "submit", "spring", "bad.py", *words, code=1)
    assert "REJECTED" in told
    assert "RuntimeError: <b>broken</b>" in told
    assert "unchanged: REJECTED" in league(home, "submit", "spring", "bad.py", "--owner", "ann")
    label = said.stdout.partition(":")[0]
    assert "WITHDRAWN: tired" in league(home, "withdraw", "spring", "good", "--reason", "tired")
    assert f"{label} is WITHDRAWN already" in league(home, "withdraw", "spring", "good", code=2)
    assert "ACCEPTED" in league(home, "resume", "spring", "ann/good")
    assert f"{label} plays already" in league(home, "resume", "spring", "good", code=2)
    assert "SUSPENDED" in league(home, "suspend", "spring", "good", "--reason", "rude")
    assert "RECEIVED" in league(home, "resume", "spring", "bad")
    history = league(home, "show", "spring", "good")
    assert history.splitlines()[-1].endswith("SUSPENDED: rude")
    facts = json.loads(league(home, "show", "spring", "good", "-o", "json"))
    assert (facts["owner"], facts["standing"], facts["faults"]) == ("ann", None, {})
    states = ["RECEIVED", "ACCEPTED", "WITHDRAWN", "RESUMED", "SUSPENDED"]
    assert [event["state"] for event in facts["events"]] == states


def test_who_waits_leaves_alone_what_a_worker_is_at_and_nothing_else(home: Path) -> None:
    (home / "busy.py").write_text(FIRST + "# busy\n")
    words = ("submit", "spring", "busy.py", "--wait", "--in-process")
    with open_storage(home / "arena.db") as storage:
        elsewhere = storage.leases.register("at another league", lease=1000)
        task = leases.check_task(
            max(entry.id for entry in storage.reader.leagues.submissions(1)) + 1
        )
        assert storage.leases.claim(elsewhere, task)
        slept = []

        def sleep(seconds: float) -> None:
            slept.append(seconds)
            assert len(slept) == 1
            storage.leases.release(elsewhere, [task])  # which leaves nothing to wait for

        with patch("arena.league.manage.sleep", sleep):
            assert "ACCEPTED" in league(home, *words)
        assert len(slept) == 1
        assert list(storage.reader.leases.active_workers()) == ["at another league"]
        storage.leases.unregister(elsewhere)


def test_a_token_is_shown_once_and_kept_as_a_hash(home: Path) -> None:
    token = league(home, "token", "ann").strip()
    with open_storage(home / "arena.db") as storage:
        assert storage.reader.accounts.owner_of_token(token) == "ann"
    assert token.encode() not in (home / "arena.db").read_bytes()


def test_a_token_for_somebody_new_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["owner", "token", "ada", "--db", str(tmp_path / "arena.db")]
    tokens = []
    for told in ("ada is a new owner\n", ""):
        run(words)
        found = capsys.readouterr()
        assert found.err == told
        tokens += found.out.split()
    assert len(set(tokens)) == 2


def test_what_to_do_next_is_the_whole_command(tmp_path: Path) -> None:
    told = league(tmp_path, "create", "two", "--db", "two.db")
    assert told == "created two; now: arena league open two --db two.db\n"


ERRORS = {
    "no league": (("show", "winter"), "expected a league out of"),
    "no bot": (("withdraw", "spring", "nobody"), "expected a bot of the league"),
    "no file": (("submit", "spring", "none.py"), "No such file"),
    "no game": (("create", "chess", "--game", "chess"), "expected a game out of"),
    "no rules": (("create", "other", "--rules", "none.toml"), "cannot read none.toml"),
    "bad name": (("create", "<b>"), "expected a name"),
    "taken": (("create", "spring"), "which is a league already"),
    "bad owner": (("submit", "spring", "ok.py", "--owner", "<ann>"), "expected an owner's name"),
    "no database": (("list", "--db", "none.db"), "no results yet: none.db does not exist"),
    "work": (("work", "winter"), "expected a league out of"),
    "table": (("table", "winter"), "expected a league out of"),
    "token": (("token", "a b"), "expected an owner's name"),
}


@pytest.mark.parametrize(("words", "reason"), ERRORS.values(), ids=ERRORS)
def test_what_is_wrong_is_one_line(home: Path, words: tuple[str, ...], reason: str) -> None:
    (home / "ok.py").write_text(FIRST)
    assert reason in league(home, *words, code=2)


def test_a_hostile_archive_leaves_nothing_behind(home: Path, tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    with zipfile.ZipFile(deep / "evil.zip", "w") as archive:
        archive.writestr("bot.py", FIRST)
        archive.writestr("../../evil.py", FIRST)
    with open_storage(home / "arena.db") as storage:
        before = len(storage.reader.leagues.submissions(1))
    seen = sorted(tmp_path.rglob("*"))
    words = ("submit", "spring", "evil.zip", "--db", home / "arena.db")
    assert "inside the bot's folder" in league(deep, *words, code=2)
    assert sorted(tmp_path.rglob("*")) == seen
    with open_storage(home / "arena.db") as storage:
        assert len(storage.reader.leagues.submissions(1)) == before
        assert not list(storage.reader.results.damages())


def test_moderation_is_recorded_and_shown(tmp_path: Path) -> None:
    league(tmp_path, "create", "spring", "--require-sandbox", "none")
    for name in ("ann", "bob"):
        (tmp_path / f"{name}s.py").write_text(f"{FIRST}# {name}\n")
        league(tmp_path, "submit", "spring", f"{name}s.py", "--owner", name)
    assert "got the owner ann, whose bots are ann/anns" in league(
        tmp_path, "suspend", "spring", "ann", code=2
    )
    assert "--reason" in league(tmp_path, "hide", "spring", "ann/anns", code=2)
    assert "anonymous@" in league(
        tmp_path, "hide", "spring", "ann/anns", "--reason", "rude", "--by", "ref"
    )
    assert "ann" not in league(tmp_path, "show", "spring", "-o", "csv")
    league(tmp_path, "open", "spring", "--reason", "go", "--by", "ref")
    facts = json.loads(league(tmp_path, "show", "spring", "--json"))
    assert (facts["state"], facts["reason"], facts["rules"]["sandbox"]) == ("OPEN", "go", "none")
    assert [(act["act"], act["by"]) for act in facts["acts"]] == [("hide", "ref"), ("state", "ref")]
    assert [event["reason"] for event in facts["events"]] == ["", "go"]
    shown = league(tmp_path, "show", "spring")
    assert "spring is OPEN: go" in shown
    assert "rude (ref)" in shown
    assert "2 acts in all" in league(tmp_path, "acts", "spring")

"""Every command that reads results, in every form."""

import csv
import io
import json
import re
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from arena.cli import app
from arena.reports.leaderboard import agreement
from arena.reports.lookup import find_entrant
from arena.reports.wording import format_time
from leagues.ratings.leaderboard import build_leaderboard
from leagues.ratings.result_log import empty_log
from leagues.ratings.thurstone import Disagreement
from leagues.storage.handle import open_storage
from leagues.storage.match_filter import MatchFilter
from tests.arena.conftest import Run
from tests.arena.reports.sample_tournament import (
    FAULTY,
    LABELS,
    NAME,
    TRACEBACK,
    begin,
    build,
    matches,
    plan,
)
from tests.leagues.storage.test_old_database import DUMP as OLD_DATABASE

pytestmark = pytest.mark.slow

READERS = [
    ("tournament", "list"),
    ("tournament", "status", NAME),
    ("match", "list"),
    ("match", "show", 3),
    ("rank", "show"),
    ("rank", "show", "--by", "players"),
    ("rank", "show", "--by", "wonder", "--game", "architects"),
    ("rank", "show", "--by", "seat"),
    ("rank", "show", "--opponent", "greedy"),
    ("rank", "show", "--players", 3, "--seat", 1),
    ("rank", "matrix"),
    ("rank", "history", "greedy", "--points", 3),
    ("rank", "explain", LABELS[1]),
    ("rank", "effects", "--bots"),
]
ids = [" ".join(map(str, words)) for words in READERS]


@pytest.mark.parametrize("words", READERS, ids=ids)
def test_every_form(db: Path, run: Run, words: tuple[object, ...]) -> None:
    table = run(*words)
    assert (table.code, table.err) == (0, "")
    assert "\x1b" not in table.out
    facts = run(*words, "-o", "json")
    assert facts.code == 0
    assert json.loads(facts.out)
    assert run(*words, "--json").out == facts.out
    sheet = run(*words, "-o", "csv")
    rows = list(csv.reader(io.StringIO(sheet.out)))
    assert sheet.code == 0
    assert len(rows) > 1
    assert len({len(row) for row in rows}) == 1
    assert not any(cell[:1] == "=" for row in rows for cell in row if cell not in ("=", "=?"))
    page = run(*words, "-o", "md")
    assert page.code == 0
    assert page.out.startswith("|")


def test_whoever_asks_for_a_form_may_ask_for_json(db: Path, run: Run) -> None:
    run("--help")  # which loads all commands
    pending: list[tuple[str, Any]] = [("arena", get_command(app))]
    seen = []
    while pending:
        name, command = pending.pop()
        pending += [
            (f"{name} {key}", each) for key, each in getattr(command, "commands", {}).items()
        ]
        options = {word for parameter in command.params for word in parameter.opts}
        if "--output" in options and name != "arena tournament export":  # which is data anyway
            seen.append(name)
            assert {"--json", "-o"} <= options, name
    assert {"arena rank show", "arena match verify", "arena match diff"} <= set(seen)
    assert run("rank", "show", "--json", "-o", "csv").code == 2
    assert run("match", "verify", 1, "-o", "csv").code == 2


def test_a_leaderboard_for_programs(db: Path, run: Run) -> None:
    rows = json.loads(run("rank", "show", "-o", "json").out)
    assert [row["game"] for row in rows] == ["architects"] * 3 + ["seven"] * 3
    assert {row["bot"] for row in rows} == set(LABELS)
    for row in rows:
        assert row["rating"] == pytest.approx(row["mu"] - 3 * row["sigma"], abs=1e-5)
        assert row["games"] == 6
        assert 1 <= row["rank_low"] <= row["rank_high"] <= 3
        assert row["skill_low"] < row["skill"] < row["skill_high"]
        assert row["win_low"] <= row["win_share"] <= row["win_high"]
        assert row["provisional"] is True
    for game in (rows[:3], rows[3:]):
        skills = [row["skill"] for row in game]
        assert skills == sorted(skills, reverse=True)
        assert [row["superior"] is None for row in game] == [False, False, True]
        assert sum(row["win_share"] for row in game) == pytest.approx(1, abs=1e-5)
    assert sum(row["faults"] for row in rows) == 1


def test_a_caption_says_where_a_table_comes_from(db: Path, run: Run) -> None:
    for words in READERS[4:]:
        said = run(*words, "--explain")
        for fact in (
            "matches",
            "tournament spring: seed 5, balanced design",
            "sandbox: full",
            "played by: arena tournament run random random:x=1",
            "this table: arena rank",
        ):
            assert fact in said.out, (words, fact)
    said = run("rank", "show", "--game", "seven", "-o", "json")
    assert "6 matches" in said.err
    assert "this table: arena rank show --game seven" in said.err
    assert "TrueSkill and the fit of all matches" in said.err


@pytest.mark.parametrize(
    ("apart", "reordered", "words"),
    [
        (0.1, False, "agree (largest gap 0.1 sigma, a)"),
        (0.504, False, "agree (largest gap 0.5 sigma, a)"),
        (0.506, False, "differ on a by 0.5 sigma"),
        (0.4, True, "bots that are close in another order (largest gap 0.4 sigma, a)"),
        (0.9, False, "note: TrueSkill and the fit of all matches differ on a by 0.9 sigma"),
        (0.9, True, "they put the bots in another order"),
    ],
)
def test_a_disagreement_is_said_in_words(apart: float, reordered: bool, words: str) -> None:
    made = replace(
        build_leaderboard(empty_log("seven", [1, 2])),
        disagreement=Disagreement(1, apart, reordered),
    )
    assert words in agreement({1: "a", 2: "b"}, made)


def test_a_table_for_people_is_not_too_wide(db: Path, run: Run) -> None:
    lines = run("rank", "show").out.splitlines()
    table = [line for line in lines if line.startswith(" ")]
    assert max(len(line.rstrip()) for line in table) <= 100
    assert any(LABELS[1] in line for line in table)


@pytest.mark.parametrize("words", READERS[4:], ids=str)
def test_a_caption_is_short(db: Path, run: Run, words: tuple[str, ...]) -> None:
    said = run(*words)
    table, *others = re.split(r"\n(?=\S.*\n *\n)", said.out)
    for each in (table, *others):
        below = each.rstrip().rpartition("  \n")[2].splitlines()
        # One more for slices, which say what they borrow.
        assert len(below) <= (4 if len(words) > 2 else 3), below


def test_bots_cannot_be_told_apart_yet(db: Path, run: Run) -> None:
    rows = json.loads(run("rank", "show", "-o", "json").out)
    for row in rows:
        assert row["level"] == (row["superior"] is not None and row["superior"] < 0.95)
    assert "= no significant difference from the next" in run("rank", "show").out


def test_slices_have_their_own_tables(db: Path, run: Run) -> None:
    rows = json.loads(run("rank", "show", "--by", "seat", "--game", "seven", "-o", "json").out)
    assert [row["seat"] for row in rows] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert sum(row["games"] for row in rows) == 18
    rows = json.loads(run("rank", "show", "--wonder", "giza", "-o", "json").out)
    assert {(row["game"], row["wonder"]) for row in rows} == {("architects", "giza")}


KINDS: list[dict[str, object]] = [
    {"game": "seven", "edition": "1st"},
    {"game": "architects", "expansions": ("medals",)},
    {"game": "architects", "expansions": ("medals",), "expert": True},
]


@pytest.fixture(scope="session")
def kinds(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same bots in several kinds of games."""
    path = Path(shutil.copy(original, tmp_path_factory.mktemp("kinds") / "arena.db"))
    with open_storage(path) as storage:
        for at, kind in enumerate(KINDS):
            row, _ = begin(storage, plan(1 + at, name=f"kind {at}", **kind))
            storage.results.add(row.id, list(matches(storage, row)))
    return path


TITLES = [
    "architects",
    "architects, with medals",
    "architects, with medals, expert",
    "seven, 1st edition",
    "seven, 2nd edition",
]
COUNTS = [6, 6, 9, 3, 6]  # matches of each
OF_KINDS = [
    (("show",), "leaderboard of "),
    (("matrix",), "head to head, "),
    (("history", "greedy", "--points", "1"), "greedy in "),
    (("effects",), "effects besides skill, "),
]


@pytest.mark.parametrize(("words", "title"), OF_KINDS, ids=[words[0] for words, _ in OF_KINDS])
def test_kinds_of_games_are_never_mixed(
    kinds: Path, run: Run, words: tuple[str, ...], title: str
) -> None:
    said = run("rank", *words, "--db", kinds)
    assert said.code == 0
    lines = [line.strip() for line in said.out.splitlines()]
    assert [line.removeprefix(title) for line in lines if line.startswith(title)] == TITLES
    counted = re.findall("^([0-9]+ matches); sandbox: ", said.out, re.M)
    assert counted == [f"{count} matches" for count in COUNTS]
    rows = json.loads(run("rank", *words, "--db", kinds, "-o", "json").out)
    found = dict.fromkeys((r["game"], r["edition"], *r["expansions"], r["expert"]) for r in rows)
    assert list(found) == [
        ("architects", None, False),
        ("architects", None, "medals", False),
        ("architects", None, "medals", True),
        ("seven", "1st", False),
        ("seven", "2nd", False),
    ]


def test_the_kind_of_a_match_is_told_to_programs(kinds: Path, run: Run, tmp_path: Path) -> None:
    words = ("match", "list", "--db", kinds, "-n", 1, "-o", "json")
    (row,) = json.loads(run(*words, "--tournament", "kind 2").out)
    assert (row["game"], row["expansions"], row["expert"]) == ("architects", ["medals"], True)
    sheet = run("tournament", "export", "kind 2", "--csv", "--db", kinds).out
    rows = list(csv.DictReader(io.StringIO(sheet)))
    assert {(row["edition"], row["expansions"], row["expert"]) for row in rows} == {
        ("", "medals", "1")
    }


def test_excluded_matches_do_not_count_and_are_told(db: Path, run: Run) -> None:
    said = run("match", "exclude", 1, "--reason", "power cut", "--by", "Ada")
    assert said.code == 0
    assert "power cut" in run("match", "show", 1).out
    [back] = re.findall("to undo this: arena (match restore 1 .*)", said.out)
    said = run("rank", "show", "--game", "architects")
    assert "5 matches, 1 excluded" in said.out
    assert run(*back.replace("WHY", "a_mistake").split()).code == 0
    assert "6 matches; sandbox" in run("rank", "show", "--game", "architects").out
    shown = run("match", "show", 1).out
    assert shown.index("power cut") < shown.index("a_mistake")


def test_what_is_excluded_or_counts_already_stays_so(db: Path, run: Run) -> None:
    assert "not excluded; nothing was changed" in run("match", "restore", 1, "--reason", "x").out
    run("match", "exclude", 1, "--reason", "power cut")
    again = run("match", "exclude", 1, "--reason", "once more")
    assert "excluded already; nothing was changed" in again.out
    assert "once more" not in run("match", "show", 1).out


@pytest.mark.parametrize(
    ("damage", "words", "problem"),
    [
        ("DELETE FROM match WHERE id = 2", ("match", "show", 2), "expected a match"),
        ("DELETE FROM match WHERE id = 2", ("match", "debug", 2, "--seat", 0), "expected a match"),
        (
            "DELETE FROM entrant WHERE id = 2",
            ("rank", "show"),
            "entrant 2 of its results",
        ),
        (
            "DELETE FROM entrant WHERE id = 2",
            ("rank", "matrix"),
            "entrant 2 of its results",
        ),
    ],
)
def test_a_damaged_database_is_one_line(
    db: Path, run: Run, damage: str, words: tuple[object, ...], problem: str
) -> None:
    with closing(sqlite3.connect(db)) as base, base:
        base.execute(damage)
    said = run(*words)
    assert said.code == 2
    assert problem in said.err


def test_bots_that_were_not_contained_are_not_rated(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    build(tmp_path / "arena.db", rated=False)
    refused = run("rank", "show")
    assert refused.code == 2
    assert refused.err.startswith("arena: expected rated matches in arena.db, got 12 of bots that")
    for words in (("--unrated",), ("--tournament", NAME)):
        said = run("rank", "show", *words)
        assert said.code == 0
        assert said.out.count("NOT RATED: 6 matches") == 2
    assert (
        "--trust-bots" in json.loads(run("tournament", "status", NAME, "-o", "json").out)["resume"]
    )


def test_a_match_is_shown_with_all_that_happened(db: Path, run: Run) -> None:
    said = run("match", "show", FAULTY + 1)
    for line in TRACEBACK.splitlines():
        assert f"    {line}" in said.out
    assert "    hello [red]world[/]\n" in said.out
    assert "\u202e" not in said.out
    assert "sandbox: full; rated" in said.out
    assert f"arena match trace {FAULTY + 1} --watch" in said.out
    assert "0.500" in said.out
    alone = run("match", "show", FAULTY + 1, "--seat", 0)
    assert "ZeroDivisionError" not in alone.out
    facts = json.loads(run("match", "show", FAULTY + 1, "-o", "json").out)
    assert facts["faults"] == [{"seat": 1, "kind": "exception", "detail": TRACEBACK, "decision": 4}]
    assert facts["accounts"][0]["longest"] == 0.25
    assert facts["seats"][1]["rank"] == 3
    rows = csv.DictReader(io.StringIO(run("match", "show", FAULTY + 1, "-o", "csv").out))
    assert [int(row["rank"]) for row in rows] == [seat["rank"] for seat in facts["seats"]]
    moved = json.loads(run("rank", "explain", LABELS[1], "-o", "json").out)
    assert {row["rank"] for each in moved for row in each["moves"]} <= {1, 2, 3}


def test_matches_are_found(db: Path, run: Run) -> None:
    def found(*words: object) -> list[int]:
        return [row["match"] for row in json.loads(run("match", "list", *words, "-o", "json").out)]

    assert found() == list(range(12, 0, -1))
    assert found("--limit", 2) == [12, 11]
    assert found("--faulty") == [FAULTY + 1]
    assert len(found("--game", "seven")) == 6
    assert len(found("--bot", "greedy", "--tournament", NAME, "--players", 3)) == 12
    assert found("--players", 4) == []


def test_matches_are_listed_as_they_came(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_storage(tmp_path / "arena.db") as storage:
        row, _ = begin(storage, plan())
        played = list(matches(storage, row))[:3]
        for each in (played[2], played[0], played[1]):
            storage.results.add(row.id, [each])
    told = json.loads(run("match", "list", "-o", "json").out)
    assert [each["match"] for each in told] == [3, 2, 1]


def test_times_say_where_they_are_meant(db: Path, run: Run) -> None:
    assert format_time(1_000_000_000) == "2001-09-09 01:46 UTC"
    assert run("match", "exclude", 1, "--reason", "power cut").code == 0
    for words, times in (
        (("tournament", "list"), 1),
        (("tournament", "status", NAME), 2),
        (("match", "show", 1), 2),
    ):
        said = run(*words).out
        day = "[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]+"
        assert len(re.findall(day, said)) == len(re.findall(f"{day} UTC", said)) == times


def test_a_trace_is_what_replay_reads(db: Path, run: Run, tmp_path: Path) -> None:
    assert run("match", "trace", 2, "--out", "two.jsonl").err == "wrote two.jsonl\n"
    assert run("replay", "two.jsonl").out == "1 game confirmed by the rules\n"
    assert run("match", "trace", 2).out == (tmp_path / "two.jsonl").read_text(encoding="utf-8")
    watched = run("match", "trace", 2, "--watch")
    assert watched.out.count("──") > 10


def test_an_export_holds_everything(db: Path, run: Run, tmp_path: Path) -> None:
    lines = run("tournament", "export", NAME).out.splitlines()
    facts = [json.loads(line) for line in lines]
    assert [fact["number"] for fact in facts] == list(range(12))
    with open_storage(db) as storage:
        for fact, stored in zip(
            facts, storage.reader.results.matches(latest_first=False), strict=True
        ):
            assert fact["decisions"] == stored.result.decisions
            assert [seat["score"] for seat in fact["seats"]] == stored.result.scores
            ranks = [ahead + 1 for ahead in stored.result.ranks]
            assert [seat["rank"] for seat in fact["seats"]] == ranks
            assert fact["spec"]["seed"] == stored.result.spec.seed
            assert fact["spec"]["wonders"] == list(stored.result.spec.setup.wonders)
    said = run("tournament", "export", NAME, "--csv", "--out", "all.csv")
    assert (said.out, said.err) == ("", "wrote all.csv: 12 matches\n")
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 36
    assert [int(row["rank"]) for row in rows] == [
        seat["rank"] for fact in facts for seat in fact["seats"]
    ]
    assert {row["bot"] for row in rows} == {LABELS[0], LABELS[1], f"'{LABELS[2]}"}


def test_how_far_a_tournament_is(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open_storage(tmp_path / "arena.db") as storage:
        row, _ = begin(storage, plan())
        played = list(matches(storage, row))
        storage.results.add(row.id, played[:8])
        storage.results.report_incident(row.id, 9, "the machine slept")
    facts = json.loads(run("tournament", "status", NAME, "-o", "json").out)
    assert (facts["played"], facts["planned"], facts["complete"]) == (8, 12, False)
    assert facts["faults"] == [
        {"bot": facts["faults"][0]["bot"], "fault": "exception", "matches": 1, "last": 3}
    ]
    assert facts["incidents"][0]["number"] == 9
    assert sum(track["played"] for track in facts["tracks"]) == 8
    assert [track["planned"] for track in facts["tracks"]] == [6, 6]
    assert [track["open_played"] for track in facts["tracks"]] == [2, None]
    said = run("tournament", "status", NAME).out
    assert "8 of 12 matches" in said
    assert "to go on: arena tournament run" in said
    assert "the machine slept" in said
    listed = json.loads(run("tournament", "list", "-o", "json").out)
    assert [(row["name"], row["played"], row["planned"]) for row in listed] == [(NAME, 8, 12)]


def test_bots_of_one_label_are_told_apart(db: Path) -> None:
    with open_storage(db) as storage:
        storage.results.get_or_create_entrant("greedy", "other", "otherdigest")
        everyone = storage.reader.results.entrants()
    assert find_entrant(everyone, "greedy").digest == "otherdigest"  # the newest
    assert find_entrant(everyone, "greedy+0diges").digest == "0digest"
    assert find_entrant(everyone, "other").digest == "otherdigest"


REFUSED = [
    (("tournament", "status", "autumn"), "expected a tournament out of spring, got autumn"),
    (("tournament", "verify", "autumn"), "expected a tournament out of spring, got autumn"),
    (("tournament", "export", "autumn"), "expected a tournament out of spring, got autumn"),
    (("match", "show", 99), "expected a match of this database, got 99"),
    (("match", "trace", 99), "expected a match of this database, got 99"),
    (("match", "verify", 99), "expected a match of this database, got 99"),
    (("match", "exclude", 99, "--reason", "x"), "expected a match of this database, got 99"),
    (("match", "show", 1, "--seat", 3), "expected a seat from 0 to 2, got 3"),
    (("match", "list", "--bot", "nobody"), "expected a bot out of greedy, [bold red]x[/]"),
    (("match", "list", "--game", "chess"), "expected a game out of"),
    (("rank", "show", "--tournament", "autumn"), "expected a tournament out of spring"),
    (("rank", "show", "--players", 5), "expected matches of 3 players, got 5"),
    (("rank", "show", "--wonder", "babel"), "expected a wonder out of"),
    (("rank", "show", "--opponent", "nobody"), "expected a bot out of"),
    (("rank", "show", "--by", "moon"), "expected tables by players, wonder, seat, got moon"),
    (("rank", "history", "nobody"), "expected a bot out of"),
    (("rank", "explain", "nobody"), "expected a bot out of"),
    (("rank", "plot", "--out", "x.gif"), "expected a file .png or .svg, got x.gif"),
    (("rank", "plot", "--out", "x.png", "--kind", "pie"), "expected a kind out of rating"),
    (("rank", "plot", "--out", "no/x.png"), "expected to write no/x.png"),
]


@pytest.mark.parametrize(("words", "problem"), REFUSED, ids=[str(words) for words, _ in REFUSED])
def test_what_is_not_there_is_told_in_a_line(
    db: Path, run: Run, words: tuple[object, ...], problem: str
) -> None:
    said = run(*words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"arena: {problem}")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("words", [*READERS, ("tournament", "verify"), ("match", "verify", 1)])
def test_readers_make_no_database(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    said = run(*words)
    assert (said.code, said.err) == (
        2,
        "arena: no results yet: arena.db does not exist (arena tournament run ..., or --db FILE)\n",
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        *READERS,
        ("tournament", "verify"),
        ("tournament", "export", NAME),
        ("match", "verify", 1),
        ("match", "trace", 1),
        ("match", "debug", 1, "--seat", 0),
        ("rank", "plot", "--out", "x.png"),
        ("league", "list"),
        ("league", "show", "x"),
        ("league", "table", "x"),
        ("league", "collusion", "x"),
        ("site", "build", "pages"),
    ],
    ids=str,
)
def test_readers_change_no_schema(db: Path, run: Run, words: tuple[object, ...]) -> None:
    base = sqlite3.connect(db)
    base.executescript("DROP TABLE wish; UPDATE alembic_version SET version_num = '0002'")
    base.close()
    before = db.read_bytes()
    said = run(*words)
    assert (said.code, said.out) == (2, "")
    assert said.err == (
        "arena: arena.db has schema 0002 of an older wonders-arena: arena upgrade --db arena.db\n"
    )
    assert db.read_bytes() == before


def test_verify_does_not_confirm_a_file_copied_while_in_use(db: Path, run: Run) -> None:
    with open_storage(db) as storage, storage.database.writing():
        shutil.copy(db, db.with_name("copy.db"))
    assert run("backup", "whole.db").out.endswith("MB, a complete copy of arena.db\n")
    assert run("tournament", "verify", NAME, "--db", "whole.db").code == 0
    said = run("tournament", "verify", NAME, "--db", "copy.db")
    assert said.code == 1
    assert said.out.startswith("copy.db is an incomplete copy: it was copied without copy.db-wal")
    assert run("backup", "whole.db").err == "arena: whole.db exists already (--force replaces it)\n"
    assert run("backup", "x.db", "--db", "postgresql://h/x").code == 2


def test_a_database_of_an_older_program_is_upgraded(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect("arena.db")) as base:
        base.executescript(OLD_DATABASE.read_text(encoding="utf-8"))
    assert run("tournament", "list").code == 2
    assert run("upgrade").out == "arena.db is up to date\n"
    assert "cup" in run("tournament", "list").out
    (tmp_path / "none").mkdir()
    assert run("upgrade", "--db", "none/arena.db").code == 2
    assert not list((tmp_path / "none").iterdir())


def test_a_database_without_matches(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_storage(tmp_path / "arena.db") as storage:
        assert storage.reader.results.count(MatchFilter()) == 0
    assert run("tournament", "list").out.endswith("no tournaments yet\n")
    assert "0 matches" in run("match", "list").out
    assert run("rank", "show").err == (
        "arena: expected rated matches in arena.db, got none "
        "(games of play, compare and tune are not rated)\n"
    )
    assert run("rank", "plot", "--out", "x.png").code == 2
    assert run("tournament", "verify").code == 2


def test_strangers_words_do_nothing(db: Path, run: Run) -> None:
    with closing(sqlite3.connect(db)) as base, base:
        base.execute("UPDATE entrant SET label = ? WHERE label = 'greedy'", ["\x1b[31m[link=x]g"])
    for words in READERS[:6]:
        said = run(*words)
        assert "\x1b" not in said.out
        page = run(*words, "-o", "md")
        assert "\x1b" not in page.out
        assert "<b>" not in page.out.replace("\\<b\\>", "")


@pytest.mark.parametrize("kind", ["rating", "matrix", "scores", "wonders"])
@pytest.mark.parametrize("form", ["png", "svg"])
def test_pictures(db: Path, run: Run, tmp_path: Path, kind: str, form: str) -> None:
    said = run("rank", "plot", "--kind", kind, "--out", f"x.{form}")
    assert (said.code, said.err, said.out) == (0, "", f"wrote x.{form}\n")
    content = (tmp_path / f"x.{form}").read_bytes()
    assert content.startswith(b"\x89PNG" if form == "png" else b"<?xml")

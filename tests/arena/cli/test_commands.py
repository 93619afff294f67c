"""The command line as a user meets it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import arena, environment
from tests.support.setups import ROWS

pytestmark = pytest.mark.slow

PLAY = ("play", "architects", "random", "random")


def test_play_writes_the_same_traces_again(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        done = arena(*PLAY, "--games", 5, "--seed", 1, "--trace", name, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert "seed 1" in done.stdout
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert len((tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()) == 5


def test_game_i_of_a_run_is_the_game_of_seed_plus_i(tmp_path: Path) -> None:
    words = ("--games", 3, "--seed", 5, "--fixed-seats")
    arena(*PLAY, *words, "--trace", "all.jsonl", cwd=tmp_path)
    arena(*PLAY, "--seed", 7, "--trace", "one.jsonl", cwd=tmp_path)
    last = (tmp_path / "all.jsonl").read_text(encoding="utf-8").splitlines()[2]
    assert last == (tmp_path / "one.jsonl").read_text(encoding="utf-8").strip()


def test_play_as_json(tmp_path: Path) -> None:
    words = ("--games", 3, "--seed", 5, "--json", "--in-process", "--fixed-seats")
    done = arena(*PLAY, *words, cwd=tmp_path)
    facts = json.loads(done.stdout)
    assert (facts["game"], facts["bots"], facts["seed"]) == ("architects", ["random"] * 2, 5)
    assert [game["seed"] for game in facts["games"]] == [5, 6, 7]
    assert all(sorted(game["ranks"]) in ([1, 1], [1, 2]) for game in facts["games"])


def test_a_seed_of_our_own_is_printed(tmp_path: Path) -> None:
    done = arena(*PLAY, "--no-save", cwd=tmp_path)
    seed = done.stdout.split("\nseed ")[1].split()[0]
    assert arena(*PLAY, "--no-save", "--seed", seed, cwd=tmp_path).stdout == done.stdout


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_watch_fits_80_columns_without_colour(tmp_path: Path, lang: str) -> None:
    words = ("--expansions", "medals", "--expert", "--wonders", "rome,halicarnassus")
    done = arena(*PLAY, *words, "--watch", "--seed", 2, "--lang", lang, cwd=tmp_path)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    pictures, _, _ = done.stdout.partition("7 Wonders Architects, 1 ")
    assert max(map(len, pictures.splitlines())) <= 80
    assert ("Halicarnasse" in done.stdout) == (lang == "fr")
    legends = pictures.count("2= 4 costs 2 equal resources")
    assert legends == (lang == "en")  # once, as this is no terminal
    assert all(symbol in done.stdout for symbol in "◆■●✕▲")


def test_provisional_wonders_are_announced_once(tmp_path: Path) -> None:
    words = ("--expansions", "medals", "--wonders", "rome,ur", "--games", 2, "--seed", 1)
    done = arena(*PLAY, *words, cwd=tmp_path)
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert all("provisional" in line for line in lines)
    assert "provisoires" in arena(*PLAY, *words, "--lang", "fr", cwd=tmp_path).stderr
    assert arena(*PLAY, "--wonders", "giza,rhodes", cwd=tmp_path).stderr == ""


@pytest.mark.parametrize("game", sorted({row.game for row in ROWS}))
def test_rules_as_tables_and_as_json(tmp_path: Path, game: str) -> None:
    shown = arena("rules", game, cwd=tmp_path)
    french = arena("rules", game, "--lang", "fr", cwd=tmp_path)
    facts = json.loads(arena("rules", game, "--json", cwd=tmp_path).stdout)
    faits = json.loads(arena("rules", game, "--json", "--lang", "fr", cwd=tmp_path).stdout)
    assert shown.returncode == french.returncode == 0
    assert shown.stdout != french.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 80
    assert facts != faits
    cards = facts["cards"]
    assert [card["id"] for card in cards] == [card["id"] for card in faits["cards"]]
    whole = set(shown.stdout.split())
    names = [card["name"] for card in cards]
    assert {word for name in names for word in name.split()} <= whole  # none is broken


def test_rules_of_architects_hold_the_box(tmp_path: Path) -> None:
    facts = json.loads(arena("rules", "architects", "--json", cwd=tmp_path).stdout)
    assert len(facts["wonders"]) == 9
    assert [w["id"] for w in facts["wonders"] if w["provisional"]] == ["rome", "ur"]
    assert sum(len(wonder["stages"]) for wonder in facts["wonders"]) == 45
    assert sum(row["centre"] for row in facts["cards"]) == 60
    assert sum(row["copies"] for row in facts["tokens"]) == 15
    assert sum(row["copies_expanded"] for row in facts["tokens"]) == 19
    assert len(facts["medals"]) == 12


def test_perft_from_a_deal_and_from_a_dump(tmp_path: Path) -> None:
    deal = arena("perft", "architects", "-p", 2, "-d", 3, "--seed", 1, "--json", cwd=tmp_path)
    counts = json.loads(deal.stdout)["counts"]
    assert [row["depth"] for row in counts] == [1, 2, 3]
    arena(*PLAY, "--seed", 1, "--trace", "t.jsonl", cwd=tmp_path)
    dump = arena("replay", "t.jsonl", "--game", 1, "--step", 1, cwd=tmp_path)
    (tmp_path / "dump.json").write_text(dump.stdout, encoding="utf-8")
    again = arena("perft", "architects", "-d", 3, "--state", "dump.json", "--json", cwd=tmp_path)
    assert json.loads(again.stdout)["counts"] == counts
    assert "leaves" in arena("perft", "architects", "--seed", 1, cwd=tmp_path).stdout


def test_replay_confirms_and_shows(tmp_path: Path) -> None:
    arena(*PLAY, "--games", 2, "--seed", 1, "--trace", "t.jsonl", cwd=tmp_path)
    assert arena("replay", "t.jsonl", cwd=tmp_path).stdout == "2 games confirmed by the rules\n"
    facts = json.loads(arena("replay", "t.jsonl", "--json", cwd=tmp_path).stdout)
    assert facts["confirmed"] == 2
    shown = arena("replay", "t.jsonl", "--game", 2, "--watch", "--lang", "fr", cwd=tmp_path)
    assert re.search(r"\(1\) : prise (de |d.).+ dans la pioche de ", shown.stdout)


def test_version_and_help(tmp_path: Path) -> None:
    assert "engine" in arena("--version", cwd=tmp_path).stdout
    assert "COMMAND" in arena(cwd=tmp_path).stdout
    for words in ((), ("play",), ("rules",), ("perft",), ("replay",)):
        assert "Usage: arena" in arena(*words, "--help", cwd=tmp_path).stdout


MEDALS = ("--expansions", "medals")
BAD = {
    "unknown command": ("plya",),
    "unknown option": (*PLAY, "--sede", 1),
    "missing bots": ("play", "architects"),
    "unknown game": ("play", "chess", "random", "random"),
    "one player": ("play", "architects", "random"),
    "eight players": ("play", "architects", *["random"] * 8),
    "unknown bot": ("play", "architects", "random", "deep"),
    "unknown wonder": (*PLAY, "--wonders", "giza,atlantis"),
    "two equal wonders": (*PLAY, "--wonders", "giza,giza"),
    "too few wonders": (*PLAY, "--wonders", "giza"),
    "rome without medals": (*PLAY, "--wonders", "giza,rome"),
    "expert without medals": (*PLAY, "--expert"),
    "unknown expansion": (*PLAY, "--expansions", "cities"),
    "medals twice": (*PLAY, "--expansions", "medals,medals"),
    "an edition of architects": (*PLAY, "--edition", "1st"),
    "games not a number": (*PLAY, "--games", "many"),
    "no games": (*PLAY, "--games", 0),
    "unknown language": (*PLAY, "--lang", "de"),
    "trace into nowhere": (*PLAY, "--trace", "no/where/t.jsonl"),
    "trace onto a folder": (*PLAY, "--trace", "."),
    "trace onto a full disk": (*PLAY, "--trace", "/dev/full"),
    "perft of a dump and a setup": ("perft", "architects", "--state", "bad.json", "--expert"),
    "rules of nothing": ("rules", "go"),
    "rules of an edition": ("rules", "architects", "--edition", "1st"),
    "perft of nine": ("perft", "architects", "--players", 9),
    "perft of no dump": ("perft", "architects", "--state", "none.json"),
    "perft of a bad dump": ("perft", "architects", "--state", "bad.json"),
    "replay of nothing": ("replay", "none.jsonl"),
    "replay of an empty file": ("replay", "empty.jsonl"),
    "replay of no text": ("replay", "binary.jsonl"),
    "replay of no trace": ("replay", "bad.json"),
    "replay of game 9": ("replay", "good.jsonl", "--game", 9),
    "replay of step 9999": ("replay", "good.jsonl", "--step", 9999),
}


@pytest.fixture(scope="module")
def littered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("littered")
    (folder / "bad.json").write_text('{"format": "architects/2", "wonder": [1, 2]}\n', "utf-8")
    (folder / "empty.jsonl").write_text("", "utf-8")
    (folder / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    arena(*PLAY, "--seed", 1, "--trace", "good.jsonl", cwd=folder)
    return folder


@pytest.mark.parametrize("words", BAD.values(), ids=BAD)
def test_bad_input_is_one_line_and_exit_code_2(littered: Path, words: tuple[object, ...]) -> None:
    done = arena(*words, cwd=littered)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("arena: ")
    assert done.stderr.count("\n") == 1
    assert len(done.stderr) < 400


@pytest.mark.parametrize(
    "words", [(*PLAY, "--watch", "--seed", "1"), ("rules", "architects", "--json")]
)
def test_a_closed_pipe_is_no_traceback(tmp_path: Path, words: tuple[str, ...]) -> None:
    words = (sys.executable, "-m", "arena", *words)
    with subprocess.Popen(
        words, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        assert run.stderr.read() == b""


@pytest.mark.parametrize("words", [("--lang", "fr"), ("--lang=fr",)])
def test_what_is_wrong_is_told_in_the_language_asked_for(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    done = arena("play", "architects", "nobody", "random", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("arena: pas de bot nobody")
    assert "expected" in arena("play", "architects", "nobody", "random", cwd=tmp_path).stderr


def test_a_command_is_called_by_the_name_it_was_given(tmp_path: Path) -> None:
    bots = ("one=cmd:false", "two=cmd:false", "--trust-bots", "--no-save")
    done = arena("play", "architects", *bots, "--seed", 1, cwd=tmp_path)
    assert "0  one " in done.stdout
    assert "seat 1 (two) failed" in done.stderr
    assert "arena bot check two=cmd:false" in done.stderr.replace("'", "")

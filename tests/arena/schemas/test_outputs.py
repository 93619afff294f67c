"""What commands print with --json is what their schemas say, and every command has one."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from typer.main import get_command

import arena.cli
from arena.schemas.outputs import OUTPUTS, file_name, schema_text
from engine.catalog import GAMES, find
from engine.match import Variant
from engine.seven.components.lookup import CARD_IDS, CARDS, EDITION_CARDS
from tests.support.schemas import FOLDER

# A run of each command whose output has a schema.
RUNS = {
    "compare": "compare random random --players 2 --max-games 4 --in-process -j 1 --seed 1",
    "ladder show": "ladder show --ladder ladder",
    "match debug": "match debug 1 --seat 1 --bot random",
    "match diff": "match diff 1 2",
    "match explain": "match explain 1 --seat 1",
    "match show": "match show 1",
    "owner tokens": "owner tokens ada",
    "play": "play architects random random --games 2 --in-process --seed 1",
    "tune": "tune greedy --param worlds=1..2 --against random --players 2 --candidates 1 --games 2 "
    "--max-games 4 --seed 1 --in-process -j 1",
    "bot check": "bot check random --budget 1s --game architects --trust-bots",
    "bot list": "bot list",
    "bot show": "bot show greedy",
    "doctor": "doctor",
    "league acts": "league acts",
    "league duplicates": "league duplicates spring",
    "league webhook list": "league webhook list spring",
    "owner invitations": "owner invitations --all",
    "owner list": "owner list",
    "league collusion": "league collusion spring",
    "league list": "league list",
    "league show": "league show spring",
    "league simulate": "league simulate --bots 4 --updates 1 --players 2 --games 4 --seed 1",
    "league table": "league table spring",
    "match list": "match list",
    "match verify": "match verify 1",
    "perft": "perft architects --depth 1 --seed 1",
    "rank effects": "rank effects --unrated",
    "rank explain": "rank explain last --unrated",
    "rank history": "rank history last --unrated",
    "rank matrix": "rank matrix --unrated",
    "rank show": "rank show --unrated",
    "replay": "replay game.jsonl",
    "rules architects": "rules architects",
    "rules seven": "rules seven --edition 1st",
    "tournament list": "tournament list",
    "tournament run": "tournament run random random --players 2 --rounds 1 --seed 2 --in-process",
    "tournament status": "tournament status cup",
    "tournament verify": "tournament verify cup",
}

# Nobody plays there yet, and nothing has happened.
EMPTY = {
    *("league acts", "league collusion", "league duplicates", "league table"),
    "league webhook list",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database of a small tournament and a league."""
    path = tmp_path_factory.mktemp("outputs")
    db = str(path / "arena.db")
    arena.play("architects", ["random", "random"], seed=1).save(path / "game.jsonl")
    arena.tournament(
        {"last": lambda decision: decision.options[-1], "random": "random"},
        "architects",
        players=2,
        rounds=2,
        seed=1,
        name="cup",
        db=db,
    )
    (path / "ladder").mkdir()
    rungs = str(path / "ladder" / "ladder.db")
    arena.tournament(["random", "random"], "architects", players=2, rounds=1, seed=1, db=rungs)
    arena.cli.run(shlex.split(f"owner token ada --db {db}"))
    arena.cli.run(shlex.split(f"owner invite eve --db {db}"))
    arena.cli.run(shlex.split(f"league create spring --players 2 --games 4 --seed 1 --db {db}"))
    return path


def output(words: str, capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    arena.cli.run([*shlex.split(words), "--json"])
    return json.loads(capsys.readouterr().out)


def test_every_schema_is_tried() -> None:
    assert set(RUNS) | {"cluster status"} == set(OUTPUTS)  # which tests of a cluster validate


@pytest.mark.usefixtures("hasty_judge")
@pytest.mark.parametrize(
    "command",
    [pytest.param(run, marks=[pytest.mark.slow] * (run == "match explain")) for run in RUNS],
)
def test_output_agrees_with_its_schema(
    command: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    found = output(RUNS[command], capsys)
    jsonschema_rs.validate(json.loads(schema_text(command)), found)
    assert found != [] or command in EMPTY


@pytest.mark.parametrize("command", OUTPUTS)
def test_schema_files_are_up_to_date(command: str) -> None:
    text = (FOLDER / file_name(command)).read_text(encoding="utf-8")
    assert text == schema_text(command), "run make schemas"


def test_there_are_no_other_schema_files() -> None:
    assert {path.name for path in FOLDER.glob("*.json")} == set(map(file_name, OUTPUTS))


def json_commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    for name, each in getattr(command, "commands", {}).items():
        yield from json_commands(each, (*path, name))
    if any("--json" in parameter.opts for parameter in command.params):
        yield " ".join(path)


def test_every_command_with_json_has_a_schema() -> None:
    arena.cli._load(["--help"])
    commands = set(json_commands(get_command(arena.cli.app)))
    assert commands
    games = {f"rules {game.id}" for game in GAMES}
    assert (commands - {"rules"}) | games == set(OUTPUTS)


def test_rules_name_every_card_once_by_its_id(capsys: pytest.CaptureFixture[str]) -> None:
    for number, edition in enumerate(("1st", "2nd")):
        found = output(f"rules seven --edition {edition}", capsys)
        cards = {card["id"]: card for card in found["cards"]}
        assert len(cards) == len(EDITION_CARDS[number])
        for card in cards.values():
            assert set(card["free_from"]) | set(card["chains_to"]) <= set(cards)
            for name in card["chains_to"]:
                assert card["id"] in cards[name]["free_from"]
        rows = {CARD_IDS[row]: CARDS[row] for row in EDITION_CARDS[number]}
        for id, card in cards.items():
            assert sum(card["cost"].values()) == len(rows[id].cost)
            assert len(card["copies"]) == len(rows[id].copies)
            assert len(card["effects"]) == len(rows[id].gives)
        boards = {board["id"] for board in found["boards"]}
        assert boards == set(find("seven").wonders(Variant("seven", edition)))


def test_some_rules_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    found = output("rules seven --edition 2nd", capsys)
    cards = {card["id"]: card for card in found["cards"]}
    assert cards["palace"]["cost"] == {
        **dict.fromkeys(("wood", "stone", "ore", "clay"), 1),
        **dict.fromkeys(("glass", "papyrus", "cloth"), 1),
    }
    assert cards["palace"]["effects"] == [{"kind": "points", "amount": 8}]
    assert cards["east_trading_post"]["effects"] == [
        {"kind": "discount", "resources": ["wood", "stone", "ore", "clay"], "neighbours": ["right"]}
    ]
    assert cards["forum"]["free_from"] == ["east_trading_post", "west_trading_post"]
    french = output("rules seven --edition 2nd --lang fr", capsys)
    assert [card["id"] for card in french["cards"]] == list(cards)
    assert french["cards"] != found["cards"]
    architects = output("rules architects", capsys)
    assert all(sum(wonder["deck"].values()) == 25 for wonder in architects["wonders"])
    assert sum(card["centre"] for card in architects["cards"]) == 60
    giza = next(wonder for wonder in architects["wonders"] if wonder["id"] == "giza")
    assert giza["effect"] == "none"

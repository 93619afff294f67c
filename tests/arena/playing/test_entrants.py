"""Bots are refused for a game they say they do not play, before anything is played."""

from pathlib import Path

import pytest

from arena.playing.entrants import check_games, contenders
from bots.discovery.spec import BotError, parse_spec
from engine.errors import ArenaError
from tests.bots.matches import arena

SEVEN_ONLY = """# /// script
# [tool.arena]
# games = ["seven"]
# ///
def decide(decision):
    raise SystemExit("was asked")
"""
COMMANDS = {
    "play": ("play", "architects", "./s7.py", "random"),
    "compare": ("compare", "./s7.py", "random"),
    "field": ("compare", "random", "greedy", "--field", "./s7.py"),
    "tournament": ("tournament", "run", "./s7.py", "random", "greedy", "--players", "3"),
    "both games": ("tournament", "run", "./s7.py", "random", "greedy", "--game", "both"),
    "dry run": ("tournament", "run", "./s7.py", "random", "--players", "2", "--dry-run"),
    "tune": ("tune", "./s7.py", "--param", "x=1..2"),
    "check": ("bot", "check", "./s7.py", "--game", "architects"),
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_bot_of_another_game_is_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "s7.py").write_text(SEVEN_ONLY, "utf-8")
    done = arena(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "arena: expected a bot that plays architects, got one for seven: ./s7.py\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["s7.py"]  # no database either


def test_a_bot_that_names_no_games_plays_all(tmp_path: Path) -> None:
    (tmp_path / "any.py").write_text("def decide(decision): ...\n", "utf-8")
    check_games([str(tmp_path / "any.py"), "random"], ["architects", "seven"])
    (tmp_path / "s7.py").write_text(SEVEN_ONLY, "utf-8")
    check_games([str(tmp_path / "s7.py")], ["seven"])
    with pytest.raises(ArenaError, match="plays architects, got one for seven"):
        check_games(["random", str(tmp_path / "s7.py")], ["seven", "architects"])


def test_a_command_may_have_a_name() -> None:
    named, plain = contenders(["fast=cmd:python3 bot.py --fast", "cmd:python3 bot.py --fast"])
    assert named.label == "fast"
    assert named.digest == plain.digest.partition("#")[0]  # the same bot
    assert parse_spec(named.spec).command == ["python3", "bot.py", "--fast"]
    for wrong in ("a b=cmd:x", "=cmd:x", "a/b=cmd:x"):
        with pytest.raises(BotError, match="before =cmd:"):
            parse_spec(wrong)
    assert parse_spec("cmd:x a=cmd:y").name == ""

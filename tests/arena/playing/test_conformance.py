"""How much of a bot is checked, in which order, and what is told of it."""

from pathlib import Path

import pytest

from arena.playing import bot_report
from arena.playing.bot_report import check_scope
from arena.playing.conformance import STEPS, BotCheck, CheckScope, seed_of
from bots.chairs.limits import Limits
from engine.errors import ArenaError

LIMITS = Limits()


def check(spec: str, scope: CheckScope) -> BotCheck:
    return BotCheck(spec, LIMITS, in_process=True, scope=scope)


def verdicts(checked: BotCheck) -> list[str]:
    return [step.verdict for step in checked.run()]


def test_without_a_budget_everything_is_played() -> None:
    full = check("random", CheckScope(("architects",)))
    assert len(verdicts(full)) == len(STEPS)
    assert len(full.results) == 12
    assert "--full" not in " ".join(step.found for step in full.run())


def test_a_spent_budget_leaves_one_game_of_each_and_says_so() -> None:
    quick = check("random", CheckScope(budget=0.0))
    steps = list(quick.run())
    assert sorted(game for game, _, _ in quick.results) == ["architects", "seven"]
    assert [step.verdict for step in steps[2:4]] == ["note", "note"]
    assert steps[2].found.endswith("; 20 games not played in 0 s (--full plays all)")


def test_games_come_in_turn() -> None:
    planned = [(game.id, players) for game, players, _ in check("random", CheckScope())._planned()]
    assert planned[:4] == [("architects", 2), ("seven", 3), ("architects", 3), ("seven", 4)]
    assert len(planned) == len(set(planned)) * 2 == 22


def test_one_game_alone() -> None:
    one = check("random", CheckScope(("seven",), players=4, seed=seed_of(4, 1)))
    assert len(verdicts(one)) == len(STEPS)
    assert list(one.results) == [("seven", 4, 4001)]


def test_the_failing_game_is_played_again_by_the_command(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "def decide(decision):\n    assert decision.view.players < 3, 'too many'\n"
        "    return decision.options[0]\n",
        "utf-8",
    )
    failing = check(str(bot), CheckScope(("architects",)))
    assert verdicts(failing) == ["ok", "ok", "FAIL"]
    assert failing.repeat_command() == (
        f"arena bot check {bot} --game architects --players 3 --seed 3000"
    )
    failing.limits = Limits(move=0.2, bank=3, freeze=True)
    assert failing.repeat_command().endswith("--seed 3000 --time 0.2s+3s --freeze")
    again = check(str(bot), CheckScope(("architects",), players=3, seed=3000))
    assert verdicts(again) == ["ok", "ok", "FAIL"]
    assert "FAIL" not in verdicts(check(str(bot), CheckScope(("architects",), players=2)))


def test_options_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ArenaError, match="expected 3 to 7 players for seven, got 2"):
        check_scope(["seven"], 2, None, "20s", full=False)
    with pytest.raises(ArenaError, match="expected one --game"):
        check_scope([], None, 5, "20s", full=False)
    assert check_scope(["seven"], 3, 5, "20s", full=True).budget == float("inf")


def test_who_waits_for_a_silent_program_is_asked_about_flushing() -> None:
    ticker = bot_report._CheckTicker()
    assert "flush" not in ticker.line(20)
    ticker.is_program = True
    assert "flush" not in ticker.line(10)
    assert (
        ticker.line(20)
        == "step 1: waiting for the bot, 20 s; does it flush stdout after every line?"
    )
    ticker.update("3 games, 40 decisions")
    assert ticker.line(20) == "step 1: 3 games, 40 decisions, 20 s"

"""A series of games: seats are exchanged over the same deals, and nothing of it is lost."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from arena.series.report import PlayedSeries, SeriesGame, _t95, bot_figures
from arena.series.run import Series
from bots.chairs.limits import Limits
from bots.chairs.pool import choose_isolation
from engine.match import MatchResult, Variant
from tests.bots.matches import arena
from tests.support.command import environment

IN_PROCESS = ("--in-process", "--seed", "1")


@pytest.mark.parametrize(("game", "players"), [("architects", 2), ("architects", 5), ("seven", 3)])
def test_every_bot_has_every_seat_of_every_deal(game: str, players: int) -> None:
    bots = tuple(f"bot{place}" for place in range(players))
    games = list(Series(Variant(game), bots, 7, 3 * players).seated())
    assert Counter(each.spec.seed for each in games) == {7: players, 8: players, 9: players}
    for seed in (7, 8, 9):
        block = [each for each in games if each.spec.seed == seed]
        assert len({each.spec.setup for each in block}) == 1
        for seat in range(players):
            assert sorted(each.spec.bots[seat] for each in block) == sorted(bots)
            assert sorted(each.order[seat] for each in block) == list(range(players))
    assert games[0].spec.bots == bots


def test_seats_may_be_fixed_and_are_for_a_person() -> None:
    fixed = Series(Variant("architects"), ("a", "b"), 7, 3, fixed_seats=True)
    assert [each.spec.seed for each in fixed.seated()] == [7, 8, 9]
    person = Series(Variant("architects"), ("me", "b"), 7, 2)
    assert [each.spec.bots for each in person.seated()] == [("me", "b")] * 2


def played(*ranks: tuple[int, int]) -> PlayedSeries:
    """Games of two bots with these ranks of the first and the second."""
    series = Series(Variant("architects"), ("a", "b"), 1, len(ranks))
    found = PlayedSeries(1, ("a", "b"), Limits(), choose_isolation([], in_process=True))
    for game, pair in zip(series.seated(), ranks, strict=True):
        by_seat = [pair[place] for place in game.order]
        found.games.append(SeriesGame(game.spec, game.order))
        found.results.append(MatchResult(game.spec, [], [10 - rank for rank in by_seat], by_seat))
    return found


def test_figures_follow_the_bot_and_not_the_seat() -> None:
    found = played((0, 1), (0, 1), (1, 0), (0, 0))
    first, second = bot_figures(found, 0), bot_figures(found, 1)
    assert (first.wins, second.wins) == (2.5, 1.5)
    assert first.mean_rank.value == 1.25
    assert first.win_share.low < 0.625 < first.win_share.high
    # Two deals with means 1 and 1.5: t of one degree of freedom times 0.25.
    assert first.mean_rank.high - first.mean_rank.value == pytest.approx(12.71 * 0.25)


def test_one_deal_has_no_interval() -> None:
    assert bot_figures(played((0, 1), (1, 0)), 0).mean_score.high == float("inf")


def test_quantiles_fall_towards_those_of_the_normal() -> None:
    values = [_t95(freedom) for freedom in range(1, 200)]
    assert values == sorted(values, reverse=True)
    assert values[-1] == 1.98


def test_a_series_is_kept_and_is_not_rated(tmp_path: Path) -> None:
    words = ("play", "architects", "random", "greedy", "--games", 4, *IN_PROCESS, "--json")
    told = json.loads(arena(*words, cwd=tmp_path).stdout)
    assert [game["match"] for game in told["games"]] == [1, 2, 3, 4]
    assert [game["bots"] for game in told["games"]] == [
        ["random", "greedy"],
        ["greedy", "random"],
    ] * 2
    assert [sheet["total"] for sheet in told["games"][0]["score_sheets"]] == told["games"][0][
        "scores"
    ]
    shown = json.loads(arena("match", "show", 2, "--json", cwd=tmp_path).stdout)
    assert [seat["bot"] for seat in shown["seats"]] == ["greedy", "random"]
    assert [seat["points"]["total"] for seat in shown["seats"]] == told["games"][1]["scores"]
    assert (shown["rated"], shown["tournament"]) == (False, told["saved_as"])
    refused = arena("rank", "show", cwd=tmp_path)
    assert refused.returncode == 2
    assert "games of play, compare and tune are not rated" in refused.stderr
    assert arena("rank", "show", "--tournament", told["saved_as"], cwd=tmp_path).returncode == 0
    verified = arena("tournament", "verify", cwd=tmp_path)
    assert verified.stdout == "4 matches of play-1: checksums and rules confirmed\n"
    listed = arena("tournament", "list", cwd=tmp_path).stdout
    assert "1 runs of play, compare and tune" in listed
    status = arena("tournament", "status", "play-1", cwd=tmp_path)
    assert (status.returncode, status.stdout) == (2, "")


def test_games_beside_a_tournament_do_not_change_its_table(tmp_path: Path) -> None:
    words = ("tournament", "run", "random", "greedy", "--players", 2, "--rounds", 1, *IN_PROCESS)
    assert arena(*words, cwd=tmp_path).returncode == 0
    table = arena("rank", "show", "--unrated", "-o", "csv", cwd=tmp_path).stdout
    again = ("play", "architects", "greedy", "random", "--games", 4, *IN_PROCESS)
    assert arena(*again, cwd=tmp_path).returncode == 0
    assert arena("rank", "show", "--unrated", "-o", "csv", cwd=tmp_path).stdout == table
    assert table.count("\n") == 3


def test_nothing_is_kept_where_that_is_asked(tmp_path: Path) -> None:
    words = ("play", "architects", "random", "random", *IN_PROCESS, "--no-save")
    assert arena(*words, cwd=tmp_path).returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_cannot_be_written(tmp_path: Path) -> None:
    """By default it is said; named by the user, it is an error."""
    (tmp_path / "arena.db").mkdir()
    words = ("play", "architects", "random", "random", *IN_PROCESS)
    done = arena(*words, cwd=tmp_path)
    assert done.returncode == 0
    assert "the games are not saved: " in done.stderr
    assert "saved as" not in done.stdout
    named = arena(*words, "--db", tmp_path / "none" / "x.db", cwd=tmp_path)
    assert (named.returncode, named.stdout) == (2, "")


def test_prints_in_process_do_not_break_json(tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(
        "print('in')\ndef decide(d):\n    print('x')\n    return d.options[0]\n"
    )
    words = ("play", "architects", "./noisy.py", "random", *IN_PROCESS, "--no-save", "--json")
    assert json.loads(arena(*words, cwd=tmp_path).stdout)["bots"] == ["./noisy.py", "random"]


@pytest.mark.slow
def test_ctrl_c_prints_what_there_is(tmp_path: Path) -> None:
    words = ["play", "architects", "random", "random", "-n", "100000", "--in-process"]
    words += ["--trace", "t.jsonl"]
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        while process.poll() is None:
            trace = tmp_path / "t.jsonl"
            if trace.exists() and trace.stat().st_size:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, problems = process.communicate()
    assert process.returncode == 130
    assert "saved as match" in out
    assert "stopped after" in problems
    assert "Traceback" not in problems


def test_what_cannot_be_stored_is_named_and_not_the_names_that_were_tried(tmp_path: Path) -> None:
    bot = tmp_path / "two\nlines" / "first.py"
    bot.parent.mkdir()
    bot.write_text("def decide(decision):\n    return decision.options[0]\n", encoding="utf-8")
    done = arena("play", "architects", bot, "random", *IN_PROCESS, "--db", "kept.db", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("without control characters, got '\\n'")

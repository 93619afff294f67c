"""arena compare as a user or a CI job runs it: verdicts, exit codes, what is printed where."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli import run
from engine.errors import ArenaError
from tests.support.command import ROOT, arena, environment

pytestmark = pytest.mark.slow

SAMPLES = ROOT / "tests" / "bots" / "sample_bots"
QUICK = ("--players", "2", "--in-process", "-j", "1", "--seed", "1")


def test_better_is_0(tmp_path: Path) -> None:
    words = ("compare", "greedy:worlds=1", "random", "--min-gain", "60", *QUICK, "--json")
    done = arena(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["verdict"] == "better"
    assert told["llr"] >= told["bounds"][1]
    assert told["games"] == 2 * told["blocks"] == 2 * len(told["scores"]) >= 64
    assert told["gain"]["elo_low"] < told["gain"]["elo"] < told["gain"]["elo_high"]
    assert told["gain"]["elo"] > 0
    assert told["new"]["win_share"] > 0.5 > told["old"]["win_share"]
    assert told["new"]["win_share"] + told["old"]["win_share"] == pytest.approx(1)
    assert (told["seed"], told["sandbox"], told["design"]) == (1, "in-process", "self")
    assert {row["part"] for row in told["by_players"]} == {2}
    assert len(told["by_wonder"]) == 7


def test_not_better_is_1_as_a_copy_is_after_a_few_blocks_of_nothing(tmp_path: Path) -> None:
    done = arena("compare", "random", "random", *QUICK, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("not better: random is not better than random#2 by 20 Elo\n")
    assert "+0.000 rank points a game" in done.stdout
    games = next(line for line in done.stdout.splitlines() if line.startswith("games"))
    assert 64 <= int(games.split()[1]) <= 200


def test_undecided_is_4_and_the_same_again_with_the_seed_it_drew(tmp_path: Path) -> None:
    """Whatever the number of workers."""
    words = ("greedy:worlds=1", "random", "--players", "2-3", "--max-games", "8", "--in-process")
    first = arena("compare", *words, "-j", "1", "--json", cwd=tmp_path)
    assert first.returncode == 4, first.stderr
    told = json.loads(first.stdout)
    assert (told["verdict"], told["games"]) == ("undecided", 8)
    assert told["command"].endswith(f"--seed {told['seed']}")
    again = arena(*told["command"].split()[1:], "-j", "3", cwd=tmp_path)
    for key in ("scores", "llr", "gain", "by_wonder", "new"):
        assert json.loads(again.stdout)[key] == told[key]


def test_what_bots_in_process_print_is_not_in_the_json(tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(
        "from bots.api import Bot\nprint('import')\nclass Noisy(Bot):\n"
        "    def decide(self, decision):\n        print('hi')\n        return decision.options[0]\n"
    )
    words = ("compare", "noisy.py", "random", "--max-games", "4", *QUICK, "--json", "--no-save")
    done = arena(*words, cwd=tmp_path)
    assert json.loads(done.stdout)["games"] == 4


def test_undecided_when_time_is_over(tmp_path: Path) -> None:
    done = arena("compare", "random", "greedy", *QUICK, "--budget", "0.001s", cwd=tmp_path)
    assert done.returncode == 4, done.stderr
    assert done.stdout.startswith("undecided: the time allowed is over\n")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("nobody", "random"), "expected a bot out of"),
        (("random", "greedy", "--game", "chess"), "expected a game out of"),
        (("random", "greedy", "--players", "9"), "expected numbers of players between 2 and 7"),
        (("random", "greedy", "--game", "seven", "--players", "2"), "expected 3 to 7 players"),
        (("random", "greedy", "--design", "mirror"), "expected a field of bots"),
        (("random", "greedy", "--design", "self", "--field", "random"), "expected the design"),
        (("random", "greedy", "--min-gain", "0"), "expected a gain from 1 to 400 Elo"),
        (("random", "greedy", "--alpha", "0.7"), "expected a risk between"),
        (("random", "greedy", "--budget", "soon"), "expected a time such as"),
        (("random", "greedy", "--wonders", "giza,rhodes"), "expected at least 4 wonders"),
    ],
)
def test_bad_input_is_refused_before_a_game(words: tuple[str, ...], problem: str) -> None:
    with pytest.raises(ArenaError, match=problem):
        run(["compare", *words, "--in-process"])


def test_bad_input_is_2_with_one_line_and_no_verdict(tmp_path: Path) -> None:
    done = arena("compare", "random", "greedy", "--design", "mirror", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "arena: expected a field of bots for the design mirror, got none\n"


def test_a_bot_that_fails_is_5(tmp_path: Path) -> None:
    done = arena("compare", SAMPLES / "raises.py", "random", *QUICK, cwd=tmp_path)
    assert done.returncode == 5, done.stderr
    assert done.stdout.startswith("fault: expected at most 5% forfeits, got ")
    assert "by raises" in done.stdout
    assert "raises: exception: " in done.stdout
    told = [line for line in done.stderr.splitlines() if "; try: " in line]
    assert len(told) == 1  # of very many
    assert told[0].endswith(f"; try: arena bot check {SAMPLES}/raises.py")
    assert "Traceback" not in done.stdout + done.stderr


def test_bots_play_in_the_sandbox_among_a_field(tmp_path: Path) -> None:
    words = ("compare", "planner", "greedy", "--field", "random,flat:worlds=1,ms=5", "--players")
    more = ("3-4", "--max-games", "4", "--seed", "3", "-j", "2", "--game", "seven")
    done = arena(*words, *more, cwd=tmp_path)
    assert done.returncode == 4, done.stderr
    lines = done.stdout.splitlines()
    assert "seven, 3, 4 players, mirror among random, flat:worlds=1,ms=5" in lines
    assert lines[-1] == "arena " + " ".join([*words, *more])
    assert "by number of players" in done.stdout
    assert any(line.startswith("seed 3; sandbox: ") for line in lines)


def test_no_regression_of_a_copy_is_0(tmp_path: Path) -> None:
    done = arena("compare", "random", "random", *QUICK, "--non-regression", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("no worse: random is not worse than random#2 by 20 Elo\n")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopped_it_prints_the_standing_so_far(how: signal.Signals, tmp_path: Path) -> None:
    words = ("compare", "random", "random", *QUICK, "--min-gain", "1")
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stderr is not None
        assert process.stdout is not None
        first = process.stderr.readline()
        process.send_signal(how)
        out, problems = process.stdout.read(), process.stderr.read()
    assert first.startswith("64 games: gain +0 Elo"), first
    assert "Traceback" not in problems
    assert process.returncode == 130
    assert out.startswith("undecided: interrupted\n")
    assert "gain    +0 Elo so far" in out


def test_the_help_tells_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    run(["compare", "--help"])
    words = " ".join(capsys.readouterr().out.split())
    for part in ("0 better", "1 not better", "4 undecided", "5 fault", "130 interrupted"):
        assert part in words

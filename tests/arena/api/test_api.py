"""The arena from Python: objects play, results are objects, and nothing is loaded in vain."""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import arena
from bots.api import Bot, Decision, Option, Seating
from engine.errors import ArenaError
from engine.match import MatchSpec
from leagues.storage.handle import read_storage
from tests.support.command import ROOT


class First(Bot):
    def __init__(self) -> None:
        self.matches = 0

    def start(self, seating: Seating) -> None:
        self.matches += 1

    def decide(self, decision: Decision) -> Option:
        return decision.options[0]


class Fails(Bot):
    name = "broken"

    def decide(self, decision: Decision) -> Option:
        raise RuntimeError("no idea")


def last(decision: Decision) -> Option:
    return decision.options[-1]


@pytest.mark.parametrize("given", [{"min_gain": "x"}, {"alpha": None}, {"max_games": "9"}])
def test_a_comparison_names_an_argument_of_another_type(given: dict[str, Any]) -> None:
    [(name, value)] = given.items()
    with pytest.raises(ArenaError, match=f"expected {name} as a number, got {value!r}"):
        arena.compare("random", "random", **given)


def test_objects_classes_functions_and_specs_play() -> None:
    mine = First()
    match = arena.play("seven", [mine, First, last, "random"], seed=1)
    assert match.bots == ("First", "First#2", "last", "random")
    assert match.faults == ()
    assert mine.matches == 1
    assert match.game == "seven"
    assert match.seed == 1
    assert sorted(match.ranks)[0] == 1
    assert match.winners == [match.bots[match.ranks.index(1)]]
    assert [sheet["total"] for sheet in match.score_sheet] == match.scores
    again = arena.play("seven", [First(), First(), last, "random"], seed=1)
    assert again.result.decisions == match.result.decisions


def test_positions_and_moves_of_a_match(tmp_path: Path) -> None:
    match = arena.play("architects", [First(), "random"], seed=2)
    states = list(match.states())
    moves = match.moves
    assert len(states) == len(moves) + 1  # one seat at a time
    assert states[-1].scores() == match.scores
    replayed = states[0].clone()
    for move in moves:
        replayed.apply_checked(move.seat, move.action)
    assert replayed == match.final_state
    assert {move.bot for move in moves if move.seat == 0} == {"First"}
    match.save(tmp_path / "game.jsonl")
    assert (tmp_path / "game.jsonl").read_text().count("\n") == 1
    assert pickle.loads(pickle.dumps(match)).scores == match.scores


def test_a_fault_is_kept_or_raised() -> None:
    match = arena.play("architects", [Fails(), "random"], seed=1)
    assert [(fault.seat, fault.kind) for fault in match.faults] == [(0, "exception")]
    assert match.ranks == [2, 1]
    assert "broken (seat 0) failed at decision" in str(match)
    with pytest.raises(
        arena.BotFailedError, match=r"broken failed at decision .* no idea"
    ) as caught:
        arena.play("architects", [Fails(), "random"], seed=1, strict=True)
    assert caught.value.__notes__[0].splitlines()[0] == "Traceback (most recent call last):"
    assert "RuntimeError" in caught.value.__notes__[0].splitlines()[-1]
    assert caught.value.match.scores == match.scores


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        ([1, "random"], "expected a bot, its class, a function or a spec, got 1"),
        (["random", "nobody"], "nobody"),
        (["random"], "expected 2 to 7 players"),
    ],
)
def test_what_is_no_bot_is_refused(bots: list[Any], said: str) -> None:
    with pytest.raises(ArenaError, match=said):
        arena.play("architects", bots)


def test_a_bot_for_another_game_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(
        'name = "s"\nversion = "1"\nentry = "bot.py"\ngames = ["seven"]\n'
    )
    (tmp_path / "bot.py").write_text("def decide(decision):\n    return decision.options[0]\n")
    with pytest.raises(ArenaError, match="expected a bot that plays architects, got one for"):
        arena.play("architects", [str(tmp_path), "random"])
    with pytest.raises(ArenaError, match="expected a bot that plays architects, got one for"):
        arena.compare(str(tmp_path), "random")
    with pytest.raises(ArenaError, match="expected a bot that plays architects, got one for"):
        arena.tournament([str(tmp_path), "random"])


def test_one_object_is_not_seated_twice() -> None:
    mine = First()
    with pytest.raises(ArenaError, match="got one twice: give its class instead"):
        arena.play("architects", [mine, mine])


def test_several_games_rotate_over_the_seats_of_each_deal() -> None:
    played = arena.play_games("architects", [First(), "random"], games=4, seed=5)
    assert [match.seed for match in played] == [5, 5, 6, 6]
    assert [match.bots[0] for match in played] == ["First", "random"] * 2
    assert [match.wonders for match in played[:2]] == [played[0].wonders] * 2
    fixed = arena.play_games("architects", [First(), "random"], games=2, rotate=False, seed=5)
    assert [match.seed for match in fixed] == [5, 6]
    rows = played.report.rows
    assert sum(row["wins"] for row in rows) == pytest.approx(4)
    assert {row["games"] for row in rows} == {4}
    assert len(played[1:]) == 3
    with pytest.raises(ArenaError, match="expected at least 1 game, got 0"):
        arena.play_games("architects", ["random", "random"], games=0)


class Log(arena.Hook):
    def __init__(self) -> None:
        self.started: list[MatchSpec] = []
        self.moves = 0
        self.ended: list[arena.Match] = []

    def start(self, spec: MatchSpec) -> None:
        self.started.append(spec)

    def step(self, step: arena.Step) -> None:
        assert step.number >= 0
        self.moves += len(step.moves)
        assert step.over == (step.state.pending() == [])

    def finish(self, match: arena.Match) -> None:
        self.ended.append(match)


def test_hooks_are_told_of_every_step() -> None:
    log = Log()
    rounds: list[int] = []
    match = arena.play(
        "seven",
        ["random"] * 3,
        seed=1,
        hooks=[log, lambda step: rounds.append(step.number)],
    )
    assert [spec.seed for spec in log.started] == [1]
    assert log.moves == len(match.result.decisions)
    assert log.ended == [match]
    assert rounds == list(range(len(rounds)))


def test_a_hook_that_fails_ends_the_run() -> None:
    def fails(step: arena.Step) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        arena.play("architects", ["random", "random"], hooks=[fails])


def test_a_tournament_of_objects(tmp_path: Path) -> None:
    log = Log()
    db = tmp_path / "arena.db"
    bots: dict[str, Any] = {"mine": First(), "last": last, "random": "random"}
    found = arena.tournament(bots, players=2, rounds=2, seed=1, db=db, hooks=[log])
    assert found.seed == 1
    assert len(found.matches) == len(log.ended) == 6
    assert {row["bot"] for row in found.leaderboard.rows} == set(bots)
    assert "mine" in repr(found)
    assert "<table>" in found._repr_html_()
    with read_storage(db) as reader:
        assert reader.results.tournament(found.name) is not None
    again = arena.tournament(bots, players=2, rounds=2, seed=1)
    decisions = [match.result.decisions for match in found.matches]
    assert [match.result.decisions for match in again.matches] == decisions
    with pytest.raises(ArenaError, match=r"expected .* in the arguments, got roundz"):
        arena.tournament(bots, roundz=2)


def test_a_comparison_of_objects() -> None:
    found = arena.compare(First(), last, players="2", min_gain=150, seed=1, max_games=60)
    assert found.verdict in ("better", "not better", "undecided")
    low, high = found.interval
    assert low <= found.elo <= high
    assert found.facts()["games"] == found.games
    assert found.verdict in str(found)
    assert found.verdict in repr(found)
    assert found.verdict in found._repr_html_()
    assert "<pre>gain    " in found._repr_html_()  # its columns are aligned by blanks
    assert found.parts[-1].title == "by wonder"
    assert repr(found.parts[-1]) == "<Report 'by wonder': 7 rows of part, count, gain, error>"


def test_an_object_that_sits_twice_is_copied() -> None:
    mine = First()
    arena.compare(mine, "random", players=4, seed=1, max_games=2)
    assert mine.matches == 2  # its copy has played the other seat of each game


def test_ctrl_c_ends_a_comparison_with_what_there_is() -> None:
    def interrupt(step: arena.Step) -> None:
        if step.over and step.spec.bots[0] == "last":
            raise KeyboardInterrupt

    found = arena.compare("random", last, players=2, seed=1, hooks=[interrupt])
    assert found.verdict == "undecided"
    assert "interrupted" in str(found)


def test_tables_become_data_frames() -> None:
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    played = arena.play_games("architects", [First(), "random"], games=2, seed=5)
    frame = played.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["seed", "seat", "bot", "wonder", "rank", "score", "fault"]
    assert len(frame) == 4
    assert "points_military" in played[0].to_pandas().columns


def test_html_is_escaped() -> None:
    match = arena.play("architects", {"<b>": First(), "random": "random"}, seed=1)
    assert "<b>" not in match._repr_html_()
    assert "&lt;b&gt;" in match._repr_html_()


def test_the_import_is_cheap_and_both_spellings_work() -> None:
    code = (
        "import sys, arena\n"
        "assert not {'arena.api.match', 'engine', 'bots', 'rich'} & set(sys.modules)\n"
        "import arena.compare.run\n"
        "from arena import compare, tournament, Match, play\n"
        "assert callable(compare) and callable(tournament) and callable(play)\n"
        "assert 'play' in dir(arena)\n"
        "try: arena.nothing\n"
        "except AttributeError: print('ok')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == "ok\n", done.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("hasty_judge")
def test_a_match_is_explained_for_the_last_place_or_a_seat() -> None:
    match = arena.play("architects", ["random", "random"], seed=3)
    reasons = match.explain()
    assert match.ranks[reasons.facts()["seat"]] == 2
    assert reasons.facts()["match"] is None
    assert "points for" in str(reasons)
    assert "<table>" in reasons._repr_html_()
    assert match.explain(0).explanation.seat == 0
    with pytest.raises(ArenaError, match="expected a seat from 0 to 1, got 2"):
        match.explain(2)

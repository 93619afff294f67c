"""Ranges are read as written, the search finds what is best, and only fresh deals confirm it."""

import json
import math
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path

import pytest

from arena.cli import run
from arena.compare.comparison import Comparison
from arena.compare.pairs import PairDesign, PairSchedule
from arena.compare.sprt import Sprt
from arena.playing.runner import MatchOutcome, NotPlayed, Play, Runner
from arena.schedule.fixtures import TrackRules
from arena.tune.optimiser import Optimiser
from arena.tune.ranges import Range, first_point, parse_range, parse_ranges, spec_at
from arena.tune.report import Advice
from arena.tune.search import (
    FINAL_FACTOR,
    FINALISTS,
    MAX_FAILED_CANDIDATES,
    Candidate,
    Search,
    Ticket,
)
from bots.discovery.spec import parse_spec
from engine.errors import ArenaError
from engine.match import Fault, MatchResult, MatchSpec, Variant
from engine.rng import Rng, derive
from tests.support.command import arena

pytestmark = pytest.mark.slow

BLOCKS = 10


@pytest.mark.parametrize(
    ("text", "range"),
    [
        ("depth=1..8", Range("depth", 1, 8, whole=True)),
        ("c=0.1..2.0", Range("c", 0.1, 2, whole=False)),
        ("c=0..2.5", Range("c", 0, 2.5, whole=False)),
        ("c=-3..-1", Range("c", -3, -1, whole=True)),
        ("c=1e-3..10:log", Range("c", 0.001, 10, whole=False, log=True)),
        ("sims=10..1000:log", Range("sims", 10, 1000, whole=True, log=True)),
    ],
)
def test_ranges_are_read(text: str, range: Range) -> None:
    assert parse_range(text) == range


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        ([], "expected a parameter to tune"),
        (["depth"], "expected a range such as"),
        (["depth=1-8"], "expected a range such as"),
        (["depth=1..8:exp"], "expected a range such as"),
        (["1x=1..8"], "expected a range such as"),
        (["depth=1..nan"], "expected a range such as"),
        (["depth=8..1"], "from less to more"),
        (["depth=8..8"], "from less to more"),
        (["depth=1..1e999"], "from less to more"),
        (["c=0..1:log"], "to begin above 0"),
        (["c=0..1", "c=0..2"], "got c twice"),
    ],
)
def test_other_ranges_are_refused(texts: list[str], problem: str) -> None:
    with pytest.raises(ArenaError, match=problem):
        parse_ranges(texts)


def test_a_value_is_told_short_and_within_its_range() -> None:
    assert parse_range("n=1..9").text(3.7) == "4"
    assert parse_range("c=0.1..2.0").text(1.23456789) == "1.235"
    assert parse_range("c=0..0.12345").text(0.12345) == "0.12345"
    assert parse_range("c=1e-7..1e-5:log").text(2e-6) == "2e-06"
    assert parse_range("n=1..10000:log").middle == 100


def test_a_point_takes_its_place_among_the_other_parameters() -> None:
    bot = parse_spec("./mybot:ms=5,depth=2")
    ranges = parse_ranges(["depth=1..8", "c=0.5..1.5"])
    assert spec_at(bot, ranges, (3, 0.75)) == "./mybot:ms=5,depth=3,c=0.75"
    assert first_point(bot, ranges) == (2, 1.0)
    assert first_point(parse_spec("./mybot:depth=99"), ranges) == (4, 1.0)
    with pytest.raises(ArenaError, match=r"expected a bot that takes parameters, got cmd:\./bot"):
        spec_at(parse_spec("cmd:./bot"), ranges, (3, 0.75))


def look(seed: int, tries: int = 60) -> tuple[float, ...]:
    """The best point of a hill whose top is at 7 and 0.2, told with some noise."""
    ranges = parse_ranges(["a=1..20", "b=0.01..10:log"])
    optimiser = Optimiser(ranges, seed, tuple(each.middle for each in ranges))
    dice = Rng(seed)
    found: list[tuple[float, tuple[float, ...]]] = []
    for _ in range(tries):
        number, (a, b) = optimiser.ask()
        value = -(((a - 7) / 19) ** 2) - (math.log10(b / 0.2) / 3) ** 2
        optimiser.tell(number, value + (dice.below(1000) - 500) / 50_000)
        found.append((value, (a, b)))
    return max(found)[1]


def test_the_optimiser_climbs_a_hill_and_the_same_again_with_its_seed() -> None:
    for seed in (1, 2, 3):
        a, b = look(seed)
        assert abs(a - 7) <= 1
        assert 0.1 < b < 0.4
    assert look(1) == look(1)
    assert look(1) != look(2)


class Here(Executor):
    """A pool without processes."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[list[MatchOutcome]] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def tables(_: str) -> PairSchedule:
    return PairSchedule(
        TrackRules(Variant("architects")), "new", "old", (), PairDesign.SELF, (2,), 5
    )


def strength(depth: int) -> float:
    """How often a depth wins: 12 does best."""
    return 0.9 - abs(depth - 12) / 15


def made_up(faulty: Callable[[int, str], bool] = lambda depth, who: False) -> Callable[[str], Play]:
    """Games that are won by the dice of their deal and the strength of a depth."""

    def play_as(bot: str) -> Play:
        depth = int(dict(parse_spec(bot).params)["depth"])

        def play(specs: list[MatchSpec]) -> list[MatchOutcome]:
            return [result(spec) for spec in specs]

        def result(spec: MatchSpec) -> MatchResult:
            side = spec.bots.index("new")
            luck = int(Rng(derive(spec.seed, f"luck {side}")).below(1000))
            lucky = luck < 1000 * strength(depth)
            ranks = [0 if (bot == "new") == lucky else 1 for bot in spec.bots]
            faults = tuple(
                Fault(seat, "crash", "expected an answer, got none", 0)
                for seat, who in enumerate(spec.bots)
                if faulty(depth, who)
            )
            return MatchResult(spec, [], [0, 0], ranks, faults)

        return play

    return play_as


def search(
    play_as: Callable[[str], Play] | None = None,
    over: Callable[[], bool] = lambda: False,
    most: int = 30,
) -> tuple[Search, list[Candidate]]:
    """A search of so many turns, and whom it told of."""
    bot, ranges = parse_spec("mybot"), parse_ranges(["depth=1..16"])
    optimiser = Optimiser(ranges, 3, first_point(bot, ranges))
    made = Search(bot, ranges, optimiser, tables, play_as or made_up(), BLOCKS)
    told: list[Candidate] = []
    with Runner[Ticket](Here, lambda specs: [], lambda: 1) as runner:
        made.run(most, runner, lambda _, candidate: told.append(candidate), over)
    return made, told


def test_the_search_finds_what_wins_most() -> None:
    made, told = search()
    assert made.best is not None
    assert abs(int(made.best.params["depth"]) - 12) <= 1
    assert made.best.spec == f"mybot:depth={made.best.params['depth']}"
    assert made.best.gain > 0.5
    assert len(told) == 30 + FINALISTS
    assert told[0].params == {"depth": "8"}  # the middle
    assert made.games == sum(2 * each.blocks for each in made.candidates.values())
    assert made.problem == ""
    again, _ = search()
    assert [each.comparison.scores for each in again.candidates.values()] == [
        each.comparison.scores for each in made.candidates.values()
    ]


def test_candidates_play_the_same_deals_and_the_best_play_on() -> None:
    made, told = search()
    deals = {each.comparison.tables.block(3).games[0].seed for each in told}
    assert len(deals) == 1
    counts = [each.blocks for each in made.finalists]
    assert len(counts) == FINALISTS
    assert min(counts) >= FINAL_FACTOR * BLOCKS
    repeated = {each.spec for each in told[:30] if told[:30].count(each) > 1}
    assert repeated  # whole numbers come up again
    for each in made.candidates.values():
        if each in told and each not in made.finalists:
            assert each.blocks == BLOCKS * told.count(each)


def test_the_table_has_the_best_first_and_the_verdict_is_of_the_confirmation() -> None:
    made, _ = search()
    found = Advice(made, 1)
    assert found.headline().startswith("undecided: ")
    assert found.lines() == []
    gains = [row["gain"] for row in found.table().rows]
    assert gains == sorted(gains, reverse=True)
    assert made.best is not None
    assert found.table().rows[0]["candidate"] == made.best.words
    found.confirmation = Comparison(tables(made.best.spec), Sprt(), 40)
    for key, spec in found.confirmation.matches():
        found.confirmation.add(key, made_up()("mybot:depth=1")([spec])[0])
    assert found.headline() == "not better: new is not better than old by 20 Elo"
    assert found.facts()["verdict"] == "not better"
    assert found.facts()["best"]["spec"] == made.best.spec
    assert found.lines()[0].startswith("gain    -")


def test_a_candidate_that_fails_is_not_chosen() -> None:
    made, told = search(made_up(lambda depth, who: who == "new" and depth >= 10))
    failed = [each for each in told if each.failed]
    assert failed
    assert all(each.gain == -1 for each in failed)
    assert made.best is not None
    assert int(made.best.params["depth"]) < 10
    assert made.problem == ""


@pytest.mark.parametrize("who", ["new", "old"])
def test_there_is_no_going_on_if_all_fail_or_the_baseline_does(who: str) -> None:
    made, told = search(made_up(lambda depth, bot: bot == who))
    assert len(told) == (MAX_FAILED_CANDIDATES if who == "new" else 1)
    assert f"by {who}" in made.problem
    assert made.best is None
    assert Advice(made, 1).headline() == f"fault: {made.problem}"
    assert Advice(made, 1).lines() == [f"        {who}: crash: expected an answer, got none"]


def test_where_all_of_a_few_fail_nothing_is_confirmed() -> None:
    made, told = search(made_up(lambda depth, bot: bot == "new"), most=MAX_FAILED_CANDIDATES - 1)
    assert len(told) == MAX_FAILED_CANDIDATES - 1
    assert "by new" in made.problem


def test_a_machine_that_fails_ends_it_at_once() -> None:
    made, told = search(lambda bot: lambda specs: [NotPlayed("no") for _ in specs])
    assert len(told) == 1
    assert made.problem == "the machine failed to play 10 of 10 blocks"
    assert made.best is None


def test_when_time_is_over_only_whole_candidates_count() -> None:
    asked = iter(range(1000))
    made, told = search(over=lambda: next(asked) > 50)
    assert 0 < len(told) < 30
    assert made.finalists == []
    assert made.best in told
    facts = Advice(made, 1).facts()
    assert facts["verdict"] == "undecided"
    assert facts["confirmation"] is None


QUICK = ("--players", "2", "--in-process", "-j", "1", "--seed", "1")


def test_choices_are_tried_by_their_names() -> None:
    bot = parse_spec("./mybot:mode=deep")
    choice = parse_range("mode=fast|deep|wide")
    assert first_point(bot, [choice]) == (1.0,)
    assert [choice.text(value) for value in (0.0, 1.0, 2.0)] == ["fast", "deep", "wide"]
    optimiser = Optimiser([choice], 1, (1.0,))
    tried = set()
    for _ in range(20):
        number, point = optimiser.ask()
        tried.add(spec_at(bot, [choice], point))
        optimiser.tell(number, 0.0)
    assert tried == {f"./mybot:mode={name}" for name in ("fast", "deep", "wide")}
    for wrong in ("mode=fast|fast", "mode=fast|", "mode=|fast", "mode=fast"):
        with pytest.raises(ArenaError):
            parse_range(wrong)


def test_a_real_search_ends_with_a_comparison_on_fresh_deals(tmp_path: Path) -> None:
    words = ("tune", "greedy:worlds=1", "--param", "worlds=1..3", "--candidates", "3", "--games")
    done = arena(*words, "2", "--max-games", "6", *QUICK, "--json", cwd=tmp_path)
    assert done.returncode == 4, done.stderr
    told = json.loads(done.stdout)
    assert told["verdict"] == told["confirmation"]["verdict"] == "undecided"
    first = told["candidates"][0]
    assert (first["spec"], first["points"]) == ("greedy:worlds=1", 0)  # a copy of the baseline
    assert told["best"]["spec"] in [each["spec"] for each in told["candidates"]]
    assert told["confirmation"]["games"] == 6
    assert told["search_games"] == sum(each["games"] for each in told["candidates"])
    assert done.stderr.startswith("candidate 1 of 3: worlds=1: the baseline itself, not played")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("greedy",), "expected a parameter to tune"),
        (("greedy", "--param", "worlds=5"), "expected a range such as"),
        (("greedy", "--param", "depth=1..5"), "expected worlds for greedy, got depth"),
        (("greedy", "--param", "worlds=0..5"), "expected worlds from 1 to 1000, got 0"),
        (("nobody", "--param", "worlds=1..5"), "expected a bot out of"),
        (("greedy", "--param", "worlds=1..5", "--against", "nobody"), "expected a bot out of"),
        (("greedy", "--param", "worlds=1..5", "--min-gain", "0"), "expected a gain from 1"),
        (("cmd:./x", "--param", "worlds=1..5"), "expected a bot that takes parameters"),
    ],
)
def test_bad_input_is_refused_before_a_game(words: tuple[str, ...], problem: str) -> None:
    with pytest.raises(ArenaError, match=problem):
        run(["tune", *words, "--in-process"])


def test_bad_input_is_2_with_one_line(tmp_path: Path) -> None:
    done = arena("tune", "greedy", "--param", "worlds=5..1", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "arena: expected a range from less to more, got worlds=5..1\n"


def test_a_parameter_the_bot_does_not_take_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def decide(decision):\n    return decision.options[0]\n")
    done = arena("tune", "./mine.py", "--param", "depth=1..8", *QUICK, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "arena: ./mine.py:depth=4 does not start: exception: expected no parameters for mine, "
        "got depth; try: arena bot check ./mine.py:depth=4\n"
    )

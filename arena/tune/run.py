"""A search for better parameters and its confirmation: what `arena tune` does."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from arena.compare.comparison import Verdict
from arena.compare.pairs import PairSchedule
from arena.compare.run import INTERRUPTED, ComparisonPlan, RunSettings, play_to_verdict
from arena.playing import worker
from arena.playing.entrants import Contender, check_games, contenders
from arena.playing.progress import format_duration
from arena.playing.runner import Play, Runner
from arena.reports import terminal
from arena.reports.output import OutputFormat
from arena.series.saved_games import SavedGames
from arena.tune.optimiser import Optimiser
from arena.tune.ranges import Range, first_point, spec_at
from arena.tune.report import Advice
from arena.tune.search import FINAL_FACTOR, FINALISTS, Candidate, Search, Ticket
from bots.api import Seating
from bots.chairs.base import ChairFault
from bots.chairs.pool import Isolation, open_chair
from bots.discovery.finder import find_bot
from bots.discovery.spec import parse_spec
from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError
from engine.match import MatchResult
from engine.rng import derive

SEARCH_SHARE: Final = 2 / 3  # of the time allowed; the rest is for the confirmation


@dataclass(frozen=True)
class TuningPlan:
    """A bot, the ranges of its parameters, and the comparison with the baseline."""

    ranges: tuple[Range, ...]
    candidates: int
    games: int  # of each candidate
    comparison: ComparisonPlan  # of the bot as NEW with the baseline as OLD

    def tables(self, spec: str, stage: str) -> PairSchedule:
        """The tables of a candidate; the confirmation has other deals than the search."""
        plan = self.comparison
        return plan.tables(list(self._labels(spec)), derive(plan.seed, stage))

    def play_as(self, spec: str) -> Play:
        """How matches of a candidate are played."""
        return partial(worker.play, bots=self._labels(spec))

    def corners(self) -> list[str]:
        """The bot as it is, and with all parameters at either end of their ranges."""
        bot = parse_spec(self.comparison.new)
        low, high = (tuple(r.low for r in self.ranges), tuple(r.high for r in self.ranges))
        points = (first_point(bot, self.ranges), low, high)
        return [spec_at(bot, self.ranges, point) for point in points]

    def search(self, on_game: Callable[[str, MatchResult], None]) -> Search:
        bot = parse_spec(self.comparison.new)
        seed = derive(self.comparison.seed, "optimiser")
        return Search(
            bot,
            self.ranges,
            Optimiser(self.ranges, seed, first_point(bot, self.ranges)),
            partial(self.tables, stage="search"),
            self.play_as,
            max(1, self.games // 2),
            on_game,
            self._is_baseline,
        )

    def _is_baseline(self, spec: str) -> bool:
        candidate, baseline, *_ = self.field(spec)
        return candidate.digest == baseline.digest.partition("#")[0]

    def field(self, spec: str) -> list[Contender]:
        """A candidate, the baseline and the further opponents."""
        return contenders([spec, self.comparison.old, *self.comparison.field])

    def _labels(self, spec: str) -> dict[str, str]:
        return {each.label: each.spec for each in self.field(spec)}


def run_tuning(
    plan: TuningPlan, settings: RunSettings, command: str, as_json: bool, db: str | None
) -> int:
    """Search, confirm the best candidate on fresh deals, and print it all; the exit code."""
    check_games(plan.comparison.bots, [plan.comparison.rules.variant.game])
    # House bots refuse a parameter or a value here, before a game.
    corners = plan.corners()
    plan.tables(corners[0], "search")
    isolation = settings.isolate([*corners, *plan.comparison.bots[1:]])
    conditions = settings.conditions({}, isolation)
    _try_start(corners, plan, conditions)
    began = time.monotonic()
    seed = plan.comparison.seed
    with (
        SavedGames(db, "tune", seed, command, plan.field(corners[0])) as saved,
        settings.workers(conditions, plan.comparison.bots) as open_runner,
        open_runner(worker.play) as runner,
    ):
        keep = _SearchGames(plan, saved)
        advice = Advice(plan.search(keep.add), seed)
        code = _search(advice.search, runner, plan, began)
        if code is None:
            runner.drop()  # its workers go on, with the containers they have
            code = _confirm(advice, plan, runner, began, keep)
        saved.write()
        advice.saved_as = saved.name
    advice.seconds = time.monotonic() - began
    _write(advice, isolation, command, as_json)
    return Verdict.UNDECIDED.exit_code if code is None else code


class _SearchGames:
    """Saves the games of candidates one after the other."""

    def __init__(self, plan: TuningPlan, saved: SavedGames) -> None:
        self.plan = plan
        self.saved = saved
        self.count = 0
        self._known: dict[str, dict[str, Contender]] = {}  # by spec and label

    def add(self, spec: str, result: MatchResult) -> None:
        """Save a game of a candidate."""
        if spec not in self._known:
            self._known[spec] = {each.label: each for each in self.plan.field(spec)}
        bots = [self._known[spec][label] for label in result.spec.bots]
        self.saved.add(self.count, self.count // 2, bots, result)
        self.count += 1


def _try_start(corners: Sequence[str], plan: TuningPlan, conditions: worker.Conditions) -> None:
    """Start the bot with its parameters; ArenaError if it starts with none of these."""
    game = plan.comparison.rules.game
    setup = plan.tables(corners[0], "search").block(0).games[0].setup
    problem: ChairFault | None = None
    for text in dict.fromkeys(corners):
        spec = parse_spec(text)
        with closing(
            open_chair(spec, find_bot(spec), conditions.limits, conditions.isolation)
        ) as chair:
            try:
                return chair.start(Seating(game, setup, 0, plan.comparison.seed))
            except ChairFault as fault:
                problem = problem or fault
    assert problem is not None
    check = f"arena bot check {shlex.quote(corners[0])}"
    raise ArenaError(f"{corners[0]} does not start: {problem.summary_line}; try: {check}")


def _search(search: Search, runner: Runner[Ticket], plan: TuningPlan, began: float) -> int | None:
    """Search until all was tried or time is over; an exit code if nothing can come of it."""
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    end = began + SEARCH_SHARE * plan.comparison.budget

    def report(turn: int, candidate: Candidate) -> None:
        tried = turn <= plan.candidates
        what = f"candidate {turn} of {plan.candidates}" if tried else "playing on"
        best = search.best
        lead = f"; best {best.words} {best.gain:+.3f}" if best else ""
        result = "failed" if candidate.failed else f"{candidate.gain:+.3f} rank points"
        if search.is_baseline(candidate.spec):
            result = "the baseline itself, not played"
        turns = plan.candidates + FINALISTS * (FINAL_FACTOR - 1)
        left = (time.monotonic() - began) / turn * max(0, turns - turn)
        rest = f"; about {format_duration(left)} left" if tried else ""
        line = f"{what}: {candidate.words}: {result}{lead}{rest}"
        console.print(Text(for_terminal(line)), soft_wrap=True)

    try:
        search.run(plan.candidates, runner, report, lambda: time.monotonic() > end)
    except KeyboardInterrupt:
        return INTERRUPTED
    return Verdict.FAULT.exit_code if search.problem else None


def _confirm(
    advice: Advice, plan: TuningPlan, runner: Runner[Any], began: float, keep: _SearchGames
) -> int | None:
    """Compare the best candidate with the baseline on fresh deals; the exit code."""
    best = advice.search.best
    if best is None:
        return None
    started = time.monotonic()
    advice.confirmation = plan.comparison.comparison(plan.tables(best.spec, "confirmation"))
    runner.play = plan.play_as(best.spec)
    code = play_to_verdict(
        advice.confirmation,
        runner,
        began + plan.comparison.budget,
        lambda _, result: keep.add(best.spec, result),
    )
    advice.confirmed_in = time.monotonic() - started
    return code


def _write(advice: Advice, isolation: Isolation, command: str, as_json: bool) -> None:
    if as_json:
        more = {"sandbox": isolation.name, "command": command}
        print(json.dumps(advice.facts() | more))  # noqa: T201 - escaped: bots write some of it
        return
    out = terminal.console()
    for line in advice.tried():
        out.print(Text(for_terminal(line)), soft_wrap=True)
    if advice.search.ranking:
        advice.table().write(OutputFormat.TABLE)
    out.print(Text(for_terminal(advice.headline()), style="bold"), soft_wrap=True)
    for line in advice.lines():
        out.print(Text(for_terminal(line)), soft_wrap=True)
    out.print(Text(for_terminal(f"seed {advice.seed}; sandbox: {isolation.line}")), soft_wrap=True)
    out.print(Text(for_terminal(command)), soft_wrap=True)
    if advice.saved_as:
        where = f"saved, not rated: arena match list --tournament {advice.saved_as}"
        out.print(Text(for_terminal(where)), soft_wrap=True)
    if advice.search.best is not None:
        out.print(
            Text(for_terminal(f"best    {advice.search.best.spec}"), style="bold"), soft_wrap=True
        )

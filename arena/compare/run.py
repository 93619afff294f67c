"""A comparison from its plan to the verdict: what `arena compare` does."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from arena import log_config
from arena.cluster.workers import HERE, Workers
from arena.compare import report
from arena.compare.comparison import (
    Comparison,
    Key,
    OnGame,
    ignore_game,
    play_until_decided,
)
from arena.compare.pairs import PairDesign, PairSchedule
from arena.compare.sprt import MIN_BLOCKS, Sprt
from arena.playing import worker
from arena.playing.entrants import Contender, check_games, contenders
from arena.playing.progress import format_duration
from arena.playing.runner import Play, Runner
from arena.playing.signals import as_ctrl_c
from arena.reports import terminal
from arena.reports.output import OutputFormat
from arena.schedule.fixtures import TrackRules
from arena.series.saved_games import SavedGames
from bots.chairs.limits import FactorBounds, Limits
from bots.chairs.pool import Isolation
from bots.protocol.sanitize import for_terminal
from engine.match import MatchResult

INTERRUPTED: Final = 130  # the exit code


@dataclass(frozen=True)
class ComparisonPlan:
    """Two bots to compare, at which tables, and how sure the verdict has to be."""

    new: str  # specs of bots
    old: str
    field: tuple[str, ...]
    rules: TrackRules
    counts: tuple[int, ...]  # numbers of players
    design: PairDesign | None
    test: Sprt
    max_games: int
    seed: int
    budget: float = math.inf  # seconds

    @property
    def bots(self) -> tuple[str, ...]:
        return (self.new, self.old, *self.field)

    def tables(self, labels: Sequence[str], seed: int) -> PairSchedule:
        """The tables of bots with these labels: NEW, OLD, and the field."""
        design = self.design or (PairDesign.MIRROR if self.field else PairDesign.SELF)
        return PairSchedule(
            self.rules, labels[0], labels[1], tuple(labels[2:]), design, self.counts, seed
        )

    def comparison(self, tables: PairSchedule) -> Comparison:
        return Comparison(tables, self.test, self.max_games // 2)


@dataclass(frozen=True)
class RunSettings:
    """How matches are run: limits and isolation of bots, matches at once, what is logged."""

    limits: Limits
    in_process: bool = False
    trust: bool = False
    where: Workers = HERE
    verbose: int = 0
    log_file: Path | None = None
    factor_bounds: FactorBounds | None = None

    def conditions(self, bots: dict[str, str], isolation: Isolation) -> worker.Conditions:
        """Under what these bots play."""
        return worker.Conditions(bots, isolation, self.limits, factor_bounds=self.factor_bounds)

    def isolate(self, bots: Sequence[str]) -> Isolation:
        return self.where.isolate(bots, self.in_process, self.trust)

    @contextmanager
    def workers(
        self, conditions: worker.Conditions, bots: Sequence[str] = ()
    ) -> Iterator[Callable[[Play], Runner[Any]]]:
        """A function that opens a runner, whose workers' logs are collected meanwhile."""
        try:
            with (
                as_ctrl_c(),
                log_config.SharedLog(worker.SPAWN, self.verbose, self.log_file) as queue,
            ):
                yield lambda play: self.where.open_runner(conditions, queue, play, bots)
        except KeyboardInterrupt:
            os._exit(INTERRUPTED)  # the second one, while games under way were finished


def run_comparison(
    plan: ComparisonPlan, settings: RunSettings, command: str, as_json: bool, db: str | None
) -> int:
    """Play until there is a verdict, and print it; the exit code. Games are kept in `db`."""
    check_games(plan.bots, [plan.rules.variant.game])
    field = contenders(plan.bots)
    labels = [contender.label for contender in field]
    comparison = plan.comparison(plan.tables(labels, plan.seed))
    isolation = settings.isolate(plan.bots)
    bots = dict(zip(labels, plan.bots, strict=True))
    began = time.monotonic()
    with (
        SavedGames(db, "compare", plan.seed, command, field) as saved,
        settings.workers(settings.conditions(bots, isolation)) as open_runner,
        open_runner(worker.play) as runner,
    ):
        code = play_to_verdict(comparison, runner, began + plan.budget, save_pairs(saved, field))
        took = time.monotonic() - began
        games = report.DecidingGames(saved.match_ids(), saved.name, db or "")
        _write(comparison, games, took, isolation, command, as_json)
    return code


def save_pairs(saved: SavedGames, field: Sequence[Contender], first: int = 0) -> OnGame:
    """A function that saves the games of blocks, numbered from `first` on."""
    known = {contender.label: contender for contender in field}

    def save(key: Key, result: MatchResult) -> None:
        block, which = key
        bots = [known[label] for label in result.spec.bots]
        saved.add(first + 2 * block + which, block, bots, result)

    return save


def play_to_verdict(
    comparison: Comparison, runner: Runner[Key], end: float, on_game: OnGame = ignore_game
) -> int:
    """Play until it is decided, time is over or the user interrupts; the exit code."""
    with _VerdictTicker(comparison) as ticker:
        try:
            play_until_decided(
                comparison, runner, ticker.update, lambda: time.monotonic() > end, on_game
            )
        except KeyboardInterrupt:
            comparison.close("interrupted")
            return INTERRUPTED
    assert comparison.verdict is not None
    return comparison.verdict.exit_code


class _VerdictTicker(AbstractContextManager["_VerdictTicker"]):
    """The score so far: a live line on a terminal, anywhere else a line now and then."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.console = Console(stderr=True, highlight=False, markup=False, emoji=False)
        self.live = Live(console=self.console, get_renderable=self._text, transient=True)
        self.next = MIN_BLOCKS  # blocks at which the next line is printed

    def __enter__(self) -> Self:
        if self.console.is_terminal:
            self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.live.stop()

    def update(self) -> None:
        """Print a line if enough blocks were played since the last."""
        blocks = len(self.comparison.scores)
        if not self.console.is_terminal and blocks >= self.next:
            self.next = blocks + max(MIN_BLOCKS // 4, blocks // 4)
            self.console.print(self._text(), soft_wrap=True)

    def _text(self) -> Text:
        return Text(for_terminal(report.line(self.comparison)))


def _write(
    comparison: Comparison,
    games: report.DecidingGames,
    seconds: float,
    isolation: Isolation,
    command: str,
    as_json: bool,
) -> None:
    if as_json:
        facts = report.facts(comparison, seconds) | games.facts(comparison)
        more = {"sandbox": isolation.name, "command": command}
        print(json.dumps(facts | more))  # noqa: T201 - escaped: bots write some of it
        return
    out = terminal.console()
    out.print(Text(for_terminal(report.headline(comparison)), style="bold"), soft_wrap=True)
    for line in report.lines(comparison, format_duration(seconds)):
        out.print(Text(for_terminal(line)), soft_wrap=True)
    for part in report.parts(comparison):
        part.write(OutputFormat.TABLE)
    for line in games.lines(comparison):
        out.print(Text(for_terminal(line)), soft_wrap=True)
    tables = comparison.tables
    counts = ", ".join(map(str, tables.counts))
    field = f" among {', '.join(tables.field)}" if tables.field else ""
    for line in (
        f"{tables.game.id}, {counts} players, {tables.design}{field}",
        f"seed {tables.seed}; sandbox: {isolation.line}",
        command,
    ):
        out.print(Text(for_terminal(line)), soft_wrap=True)

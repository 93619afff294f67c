"""arena compare: is NEW better than OLD, as soon as that is sure."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import sys
import time
from contextlib import AbstractContextManager
from functools import partial
from typing import Annotated, Final, Self

import typer
from rich.console import Console
from rich.live import Live
from rich.text import Text

from arena import log_config
from arena.cli.options import (
    AlphaOpt,
    BetaOpt,
    EditionOpt,
    ExpansionsOpt,
    ExpertOpt,
    FieldOpt,
    FreezeOpt,
    InProcessOpt,
    JobsOpt,
    JsonOpt,
    LogFileOpt,
    OneGameOpt,
    PoolOpt,
    RunSeedOpt,
    TimeOpt,
    TrustOpt,
    TurnsOpt,
    VerboseOpt,
    settle_seed,
    split,
)
from arena.compare import report as findings
from arena.compare.comparison import Comparison, Key, settle
from arena.compare.pairs import Design, Tables
from arena.compare.sprt import FIRST, Question
from arena.playing import worker
from arena.playing.progress import span
from arena.playing.runner import Runner
from arena.playing.signals import as_ctrl_c
from arena.reports import terminal
from arena.reports.output import OutputFormat
from arena.reports.wording import plain
from arena.schedule.adaptive import parse_budget
from arena.schedule.fixtures import TrackRules
from arena.tournament.entrants import contenders
from arena.tournament.plan import parse_counts
from bots.chairs.limits import parse_limits
from bots.chairs.pool import Isolation, choose_isolation
from bots.sandbox.probe import suggested_jobs
from engine.catalog import find

INTERRUPTED: Final = 130


def compare(
    new: Annotated[str, typer.Argument(metavar="NEW", help="The bot that may be better.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The bot it may be better than.")],
    game: OneGameOpt = "architects",
    players: TurnsOpt = "4",
    field: FieldOpt = "",
    design: Annotated[
        Design | None,
        typer.Option(
            help="self: NEW and OLD alone at the table; mirror: NEW, then OLD in its seat, among "
            "the field; field: both among the field. If not given, self, or mirror with a field."
        ),
    ] = None,
    min_gain: Annotated[
        float, typer.Option(metavar="ELO", help="The least gain worth finding.")
    ] = 20.0,
    alpha: AlphaOpt = 0.05,
    beta: BetaOpt = 0.05,
    non_regression: Annotated[
        bool, typer.Option("--non-regression", help="Is NEW no worse, rather than worse by that?")
    ] = False,
    max_games: Annotated[
        int, typer.Option(min=2, help="Games after which it stays undecided.")
    ] = 20_000,
    budget: Annotated[
        str, typer.Option(metavar="TIME", help="Time after which too: 90s, 10m, 2h.")
    ] = "",
    seed: RunSeedOpt = None,
    jobs: JobsOpt = None,
    wonders: PoolOpt = None,
    edition: EditionOpt = None,
    expansions: ExpansionsOpt = "",
    expert: ExpertOpt = False,
    limits: TimeOpt = "10s",
    freeze: FreezeOpt = False,
    in_process: InProcessOpt = False,
    trust: TrustOpt = False,
    as_json: JsonOpt = False,
    verbose: VerboseOpt = 0,
    log_file: LogFileOpt = None,
) -> None:
    """Find out whether NEW is better than OLD, in as few games as that takes.

    Games come in blocks of two with the same deal, wonders, seats and opponents, NEW and OLD
    exchanged. A gain of E Elo is to finish above the other in 1 / (1 + 10 ** (-E / 400)) of the
    games: 20 is 52.9 %. With a field, it is the gain in rank points that this would mean if its
    bots were as strong as OLD.

    Exit code: 0 better, 1 not better, 2 undecided, 3 fault (a bot failed in more than 5 % of its
    seats, or bots cannot be contained here), 130 interrupted. Bad input is 2 as well, with nothing
    on stdout and one line on stderr that begins with "arena: expected".
    """
    bots = [new, old, *listed(field)]
    labels = [contender.label for contender in contenders(bots)]
    chosen = settle_seed(seed)
    tables = Tables(
        TrackRules(find(game).id, split(wonders), edition, split(expansions), expert),
        labels[0],
        labels[1],
        tuple(labels[2:]),
        design or (Design.MIRROR if labels[2:] else Design.SELF),
        parse_counts(players),
        chosen,
    )
    low, high = (-min_gain, 0.0) if non_regression else (0.0, min_gain)
    comparison = Comparison(tables, Question(low, high, alpha, beta), max_games // 2)
    allowed = parse_budget(budget) if budget else math.inf
    ground = choose_isolation(bots, in_process, trust)
    conditions = worker.Conditions(
        dict(zip(labels, bots, strict=True)),
        ground,
        parse_limits(limits, freeze),
    )
    count = jobs or suggested_jobs()
    extra = [] if seed is not None else ["--seed", str(chosen)]
    command = shlex.join(["arena", *sys.argv[1:], *extra])
    began = time.monotonic()
    try:
        with (
            as_ctrl_c(),
            log_config.configure_logging(worker.SPAWN, verbose, log_file) as queue,
            Runner[Key](
                partial(worker.open_pool, conditions, count, queue), worker.play, count
            ) as runner,
        ):
            code = play_out(comparison, runner, began + allowed)
            _write(comparison, time.monotonic() - began, ground, command, as_json)
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)  # once more, while games under way were finished
    raise typer.Exit(code)


def listed(text: str) -> list[str]:
    """Bots out of a,b:x=1,y=2: what is a parameter belongs to the bot before it."""
    bots: list[str] = []
    for part in split(text):
        if bots and re.match(r"\w+=", part):
            bots[-1] += f",{part}"
        else:
            bots.append(part)
    return bots


class _Ticker(AbstractContextManager["_Ticker"]):
    """How it stands: a live line on a terminal, anywhere else a line now and then."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.console = Console(stderr=True, highlight=False, markup=False, emoji=False)
        self.live = Live(console=self.console, get_renderable=self._text, transient=True)
        self.next = FIRST  # blocks at which there is a line

    def __enter__(self) -> Self:
        if self.console.is_terminal:
            self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.live.stop()

    def tell(self) -> None:
        """The standing moved."""
        blocks = len(self.comparison.scores)
        if not self.console.is_terminal and blocks >= self.next:
            self.next = blocks + max(FIRST // 4, blocks // 4)
            self.console.print(self._text(), soft_wrap=True)

    def _text(self) -> Text:
        return Text(plain(findings.line(self.comparison)))


def play_out(comparison: Comparison, runner: Runner[Key], end: float) -> int:
    """Play until it is settled, time is over or the user has enough; the exit code."""
    with _Ticker(comparison) as ticker:
        try:
            settle(comparison, runner, ticker.tell, lambda: time.monotonic() > end)
        except KeyboardInterrupt:
            comparison.close("interrupted")
            return INTERRUPTED
    assert comparison.verdict is not None
    return comparison.verdict.exit_code


def _write(
    comparison: Comparison, taken: float, ground: Isolation, command: str, as_json: bool
) -> None:
    if as_json:
        facts = findings.facts(comparison, taken)
        more = {"sandbox": ground.name, "command": command}
        typer.echo(json.dumps(facts | more))  # escaped: bots have a say in it
        return
    out = terminal.console()
    out.print(Text(plain(findings.headline(comparison)), style="bold"), soft_wrap=True)
    for line in findings.lines(comparison, span(taken)):
        out.print(Text(plain(line)), soft_wrap=True)
    for report in findings.parts(comparison):
        report.write(OutputFormat.TABLE)
    tables = comparison.tables
    counts = ", ".join(map(str, tables.counts))
    field = f" among {', '.join(tables.field)}" if tables.field else ""
    out.print(
        Text(plain(f"{tables.game.id}, {counts} players, {tables.design}{field}")), soft_wrap=True
    )
    out.print(Text(plain(f"seed {tables.seed}; sandbox: {ground.line}")), soft_wrap=True)
    out.print(Text(plain(command)), soft_wrap=True)

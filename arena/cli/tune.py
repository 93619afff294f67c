"""arena tune: better parameters for a bot, and whether they are better indeed."""

from __future__ import annotations

import json
import math
import os
import shlex
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from arena import log_config
from arena.cli.compare import INTERRUPTED, listed, play_out
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
from arena.compare.comparison import Comparison, Key, Verdict
from arena.compare.pairs import Design, Tables
from arena.compare.sprt import Question
from arena.playing import worker
from arena.playing.runner import Runner
from arena.playing.signals import as_ctrl_c
from arena.reports import terminal
from arena.reports.output import OutputFormat
from arena.reports.wording import plain
from arena.schedule.adaptive import parse_budget
from arena.schedule.fixtures import TrackRules
from arena.tournament.entrants import contenders
from arena.tournament.plan import parse_counts
from arena.tune.ranges import first_point, parse_ranges, spec_at
from bots.api import Seating
from bots.chairs.base import ChairFault
from bots.chairs.limits import parse_limits
from bots.chairs.pool import Isolation, choose_isolation, seat
from bots.discovery.loader import find_bot
from bots.discovery.spec import parse_spec
from bots.sandbox.probe import suggested_jobs
from engine.catalog import find
from engine.errors import ArenaError
from engine.rng import derive

if TYPE_CHECKING:
    from arena.tune.report import Advice
    from arena.tune.search import Candidate, Play, Search, Ticket

SEARCHED: Final = 2 / 3  # of the time allowed; the rest is for the confirmation


def tune(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot to find parameters for.")],
    param: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=LO..HI[:log]",
            help="A parameter and its range, of whole numbers if both bounds are; several times.",
        ),
    ] = None,
    against: Annotated[
        str, typer.Option(metavar="BOT", help="The baseline; BOT as it is if not given.")
    ] = "",
    candidates: Annotated[int, typer.Option(min=1, help="Sets of parameters to try.")] = 40,
    games: Annotated[int, typer.Option(min=2, help="Games that each of them plays.")] = 100,
    game: OneGameOpt = "architects",
    players: TurnsOpt = "4",
    field: FieldOpt = "",
    design: Annotated[
        Design | None, typer.Option(help="As for compare: self, or mirror with a field.")
    ] = None,
    min_gain: Annotated[
        float, typer.Option(metavar="ELO", help="The least gain worth confirming.")
    ] = 20.0,
    alpha: AlphaOpt = 0.05,
    beta: BetaOpt = 0.05,
    max_games: Annotated[
        int, typer.Option(min=2, help="Games after which the confirmation stays undecided.")
    ] = 20_000,
    budget: Annotated[
        str,
        typer.Option(metavar="TIME", help="Time for all: 90s, 10m, 2h; two thirds for the search."),
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
    """Search for better parameters of BOT, and confirm the best on fresh deals; needs optuna.

    Every candidate meets the baseline in the same blocks of two games, as in compare; the best few
    play on. What the best gains is told by a comparison of its own, since the best of many is
    lucky too.

    Exit code, of the confirmation: 0 better, 1 not better, 2 undecided (or bad input), 3 fault,
    130 interrupted.
    """
    ranges = parse_ranges(param or [])
    own = parse_spec(bot)
    first = first_point(own, ranges)
    chosen = settle_seed(seed)
    others = (against or bot, *listed(field))
    bench = _Bench(
        others,
        TrackRules(find(game).id, split(wonders), edition, split(expansions), expert),
        design or (Design.MIRROR if others[1:] else Design.SELF),
        parse_counts(players),
        chosen,
    )
    question = Question(0.0, min_gain, alpha, beta)
    allowed = parse_budget(budget) if budget else math.inf
    # House bots refuse a parameter or a value here, before a game.
    corners = [
        spec_at(own, ranges, point)
        for point in (first, tuple(r.low for r in ranges), tuple(r.high for r in ranges))
    ]
    bench.tables(corners[0], "search")
    ground = choose_isolation([*corners, *others], in_process, trust)
    conditions = worker.Conditions({}, ground, parse_limits(limits, freeze))
    _try_out(corners, bench, conditions)
    count = jobs or suggested_jobs()
    try:
        from arena.tune.optimiser import Optimiser
        from arena.tune.report import Advice
        from arena.tune.search import Search, Ticket
    except ImportError as problem:
        raise ArenaError(
            f"expected optuna, got {problem}; pip install 'wonders-arena[tune]'"
        ) from None
    search = Search(
        own,
        ranges,
        Optimiser(ranges, derive(chosen, "optimiser"), first),
        partial(bench.tables, stage="search"),
        bench.play_as,
        max(1, games // 2),
    )
    extra = [] if seed is not None else ["--seed", str(chosen)]
    command = shlex.join(["arena", *sys.argv[1:], *extra])
    found = Advice(search, chosen)
    began = time.monotonic()
    try:
        with as_ctrl_c(), log_config.configure_logging(worker.SPAWN, verbose, log_file) as queue:
            open_pool = partial(worker.open_pool, conditions, count, queue)
            with Runner[Ticket](open_pool, worker.play, count) as runner:
                code = _search(search, runner, candidates, began + SEARCHED * allowed)
            best = search.best
            if code is None and best is not None:
                asked = time.monotonic()
                tables = bench.tables(best.spec, "confirmation")
                found.confirmation = Comparison(tables, question, max_games // 2)
                with Runner[Key](open_pool, bench.play_as(best.spec), count) as fresh:
                    code = play_out(found.confirmation, fresh, began + allowed)
                found.confirmed_in = time.monotonic() - asked
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)  # once more, while games under way were finished
    found.seconds = time.monotonic() - began
    _write(found, ground, command, as_json)
    raise typer.Exit(Verdict.UNDECIDED.exit_code if code is None else code)


def _try_out(corners: Sequence[str], bench: _Bench, conditions: worker.Conditions) -> None:
    """Sit the bot down with parameters; ArenaError if it starts with none of these."""
    game = find(bench.rules.game)
    setup = bench.tables(corners[0], "search").block(0).games[0].setup
    problem: ChairFault | None = None
    for text in dict.fromkeys(corners):
        spec = parse_spec(text)
        with closing(seat(spec, find_bot(spec), conditions.limits, conditions.ground)) as chair:
            try:
                return chair.start(Seating(game, setup, 0, bench.seed))
            except ChairFault as fault:
                problem = problem or fault
    assert problem is not None
    check = f"arena bot check {shlex.quote(corners[0])}"
    raise ArenaError(f"{corners[0]} does not start: {problem.summary_line}; try: {check}")


@dataclass(frozen=True)
class _Bench:
    """Where candidates sit: the baseline and the field, and what they play."""

    others: Sequence[str]  # specs: the baseline first
    rules: TrackRules
    design: Design
    counts: tuple[int, ...]
    seed: int

    def tables(self, spec: str, stage: str) -> Tables:
        labels = list(self._labels(spec))
        seed = derive(self.seed, stage)
        return Tables(
            self.rules, labels[0], labels[1], tuple(labels[2:]), self.design, self.counts, seed
        )

    def play_as(self, spec: str) -> Play:
        return partial(worker.play, bots=self._labels(spec))

    def _labels(self, spec: str) -> dict[str, str]:
        bots = [spec, *self.others]
        return {each.label: text for each, text in zip(contenders(bots), bots, strict=True)}


def _search(search: Search, runner: Runner[Ticket], candidates: int, end: float) -> int | None:
    """Search until all was tried or time is over; an exit code if nothing can come of it."""
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)

    def tell(turn: int, candidate: Candidate) -> None:
        what = f"candidate {turn} of {candidates}" if turn <= candidates else "playing on"
        best = search.best
        lead = f"; best {best.words} {best.gain:+.3f}" if best else ""
        result = "failed" if candidate.failed else f"{candidate.gain:+.3f} rank points"
        line = f"{what}: {candidate.words}: {result}{lead}"
        console.print(Text(plain(line)), soft_wrap=True)

    try:
        search.run(candidates, runner, tell, lambda: time.monotonic() > end)
    except KeyboardInterrupt:
        return INTERRUPTED
    return Verdict.FAULT.exit_code if search.problem else None


def _write(found: Advice, ground: Isolation, command: str, as_json: bool) -> None:
    if as_json:
        more = {"sandbox": ground.name, "command": command}
        typer.echo(json.dumps(found.facts() | more))  # escaped: bots have a say in it
        return
    out = terminal.console()
    for line in found.tried():
        out.print(Text(plain(line)), soft_wrap=True)
    if found.search.ranking:
        found.table().write(OutputFormat.TABLE)
    out.print(Text(plain(found.headline()), style="bold"), soft_wrap=True)
    for line in found.lines():
        out.print(Text(plain(line)), soft_wrap=True)
    out.print(Text(plain(f"seed {found.seed}; sandbox: {ground.line}")), soft_wrap=True)
    out.print(Text(plain(command)), soft_wrap=True)
    if found.search.best is not None:
        out.print(Text(plain(f"best    {found.search.best.spec}"), style="bold"), soft_wrap=True)

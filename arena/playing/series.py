"""A series of games between the same bots, played here and now: what `arena play` does."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track

from arena.display import display_of
from arena.display.names import fault_name
from arena.i18n import gettext
from arena.playing.human import ME, RESIGNED, LeftError, seat_person
from arena.playing.machine_failures import RETRY, AttemptLog, Blame, can_contain
from arena.playing.referee import Watcher
from arena.playing.referee import play as referee
from arena.reports import terminal
from arena.reports.output import create_file
from arena.reports.series import series_facts, show_series
from arena.reports.wording import format_move
from bots.chairs.base import Chair
from bots.chairs.limits import Limits
from bots.chairs.pool import Isolation, choose_isolation, open_chairs
from bots.protocol.sanitize import for_terminal
from bots.protocol.tracebacks import summary_line
from bots.sandbox.affinity import pin
from bots.sandbox.errors import SandboxError
from engine.catalog import find
from engine.contract import Action, State
from engine.errors import ArenaError
from engine.match import Fault, MatchResult, MatchSpec, Variant
from engine.replay import trace, write_trace


@dataclass(frozen=True)
class Series:
    """Games of the same bots with consecutive seeds."""

    variant: Variant
    bots: tuple[str, ...]
    seed: int
    games: int = 1
    wonders: tuple[str, ...] = ()

    def specs(self) -> Iterator[MatchSpec]:
        """The games, in their order."""
        rules = find(self.variant.game)
        for seed in range(self.seed, self.seed + self.games):
            setup = rules.setup(len(self.bots), seed, self.wonders, self.variant)
            yield rules.spec(setup, seed, self.bots)


@dataclass(frozen=True)
class SeriesOutput:
    """What is shown of a series, and where its traces go."""

    watch: bool = False
    pace: float = 0.5  # seconds between pictures on a terminal
    trace_file: Path | None = None
    lang: str = "en"
    as_json: bool = False


def play_series(
    series: Series, limits: Limits, in_process: bool, trust: bool, output: SeriesOutput
) -> None:
    """Play the games, then print the scores as a table or as JSON."""
    if output.watch and output.as_json:
        raise ArenaError("expected --watch or --json, got both")
    next(series.specs())  # bad input is found before a file is touched
    person = seat_person(series.bots, output.lang)
    if person and (output.watch or output.as_json):
        raise ArenaError(f"expected {ME} without --watch and --json, got both")
    others = [bot for bot in series.bots if bot != ME]
    isolation = choose_isolation(others, in_process, trust)
    pin()
    game = find(series.variant.game)
    watcher = person.watch(game) if person else _watcher(series, output) if output.watch else None
    announcer = _Announcer(series, output.lang)
    results: list[MatchResult] = []
    with (
        open_chairs(others, in_process, limits, trust) as chairs,
        create_file(output.trace_file) if output.trace_file else nullcontext() as traces,
        suppress(LeftError),
    ):
        if person:
            chairs.insert(person.seat, person)
        for spec in announcer.track(quiet=watcher is not None):
            results.append(_play(spec, chairs, limits, watcher, isolation))
            announcer.report_faults(results[-1])
            if traces:
                traces.write(write_trace(trace(results[-1])) + "\n")
    if len(results) < series.games:  # the person left
        left = gettext("you left; the game was not finished", output.lang)
        announcer.messages.print(f"\n{left}")
    if results and output.as_json:
        facts = series_facts(series.seed, results, limits, isolation)
        print(json.dumps(facts))  # noqa: T201 - escaped: bots write some of it
    elif results:
        show_series(series.seed, results, isolation, output.lang)


class _Announcer:
    """Tells on stderr how far a series is, and what is worth knowing of it, once each."""

    def __init__(self, series: Series, lang: str) -> None:
        self.series = series
        self.lang = lang
        self.messages = Console(stderr=True, highlight=False, markup=False)
        self.seen: set[str] = set()

    def track(self, quiet: bool) -> Iterator[MatchSpec]:
        """The games with a progress bar, and with notices about their set-up."""
        games = self.series.games
        quiet = quiet or games == 1 or not self.messages.is_terminal
        display = display_of(self.series.variant.game)
        for spec in track(
            self.series.specs(), "playing", games, console=self.messages, disable=quiet
        ):
            for notice in display.setup_notices(spec.setup, self.lang):
                self._print_once(notice, notice)
            yield spec

    def report_faults(self, result: MatchResult) -> None:
        """The first fault of every bot; the table counts the rest."""
        for fault in result.faults:
            if fault.kind != RESIGNED:
                bot = result.spec.bots[fault.seat]
                self._print_once(f"fault of {bot}", _fault_line(result, fault, self.lang))

    def _print_once(self, key: str, line: str) -> None:
        if key not in self.seen:
            self.seen.add(key)
            self.messages.print(line, soft_wrap=True)


def _play(
    spec: MatchSpec,
    chairs: list[Chair],
    limits: Limits,
    watcher: Watcher | None,
    isolation: Isolation,
) -> MatchResult:
    """Play a match, again if the machine failed, for which no bot is blamed.

    Unless it was one bot's process that failed every time, and the machine works for ours.
    """
    log = AttemptLog()
    try:
        return RETRY.run(
            lambda: referee(spec, chairs, limits, watcher, isolation.name),
            lambda _attempt, problem: log.add(problem),
        )
    except SandboxError as problem:
        if log.seat is None or not can_contain(isolation.layers):
            raise
        seated = list(chairs)
        blame = Blame(log.kind, f"{problem}; in all of {RETRY.attempts} attempts at this match")
        seated[log.seat] = blame.chair()
    return referee(spec, seated, limits, watcher, isolation.name)


def _watcher(series: Series, output: SeriesOutput) -> Watcher:
    console = terminal.console()
    display = display_of(series.variant.game)
    before: State | None = None

    def draw(state: State, moves: list[tuple[int, Action]]) -> None:
        nonlocal before
        if console.is_terminal:
            console.clear()
        console.print(terminal.render_scene(display.scene(state, output.lang), series.bots))
        for seat, action in moves:
            text = display.describe_action(action, output.lang, state=before)
            console.print(format_move(series.bots[seat], seat, text, output.lang))
        before = state.clone()
        console.print()
        if console.is_terminal:
            time.sleep(output.pace)

    return draw


def _fault_line(result: MatchResult, fault: Fault, lang: str) -> str:
    bot = for_terminal(result.spec.bots[fault.seat])
    return gettext(
        "seed {seed}: seat {seat} ({bot}) failed at decision {decision}: {kind}: {summary}; "
        "try: arena bot check {spec}",
        lang,
        seed=str(result.spec.seed),
        seat=str(fault.seat),
        bot=bot,
        decision=str(fault.decision),
        kind=fault.kind if lang == "en" else fault_name(fault.kind, lang),
        summary=for_terminal(summary_line(fault.kind, fault.detail)),
        spec=shlex.quote(bot),
    )

"""A series of games between the same bots, played here and now: what `arena play` does."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from rich.console import Console
from rich.progress import track

from arena.display import display_of
from arena.display.names import fault_name
from arena.i18n import gettext
from arena.playing.entrants import Contender, check_games, contenders
from arena.playing.human import ME, RESIGNED, LeftError, Person, seat_person
from arena.playing.machine_failures import RETRY, AttemptLog, Blame
from arena.playing.progress import notify_once
from arena.playing.referee import Watcher
from arena.playing.referee import play as referee
from arena.reports import terminal
from arena.reports.output import create_file
from arena.reports.wording import format_move
from arena.series.report import PlayedSeries, SeriesGame, series_facts, show_series
from arena.series.saved_games import SavedGames
from bots.chairs.base import Chair
from bots.chairs.limits import Limits
from bots.chairs.pool import Isolation, choose_isolation, open_chairs
from bots.discovery.spec import parse_spec
from bots.protocol.sanitize import for_terminal
from bots.protocol.tracebacks import summary_line
from bots.sandbox.affinity import pin
from bots.sandbox.errors import SandboxError
from engine.catalog import find
from engine.contract import Action, State
from engine.errors import ArenaError
from engine.match import Fault, MatchResult, MatchSpec, Variant
from engine.replay import trace, write_trace

INTERRUPTED: Final = 130  # the exit code


@dataclass(frozen=True)
class Series:
    """Games of the same bots: every deal once for each of their seatings, or each deal once."""

    variant: Variant
    bots: tuple[str, ...]
    seed: int
    games: int = 1
    wonders: tuple[str, ...] = ()
    fixed_seats: bool = False

    def seated(self) -> Iterator[SeriesGame]:
        """The games, in their order; bots move on by a seat from game to game of a deal."""
        rules = find(self.variant.game)
        bots = self.bots
        turns = 1 if self.fixed_seats or ME in bots else len(bots)
        for number in range(self.games):
            deal, turn = divmod(number, turns)
            order = tuple((seat - turn) % len(bots) for seat in range(len(bots)))
            seed = self.seed + deal
            setup = rules.setup(len(bots), seed, self.wonders, self.variant)
            names = tuple(_shown_name(bots[at]) for at in order)
            yield SeriesGame(rules.spec(setup, seed, names), order)


@dataclass(frozen=True)
class SeriesOptions:
    """How a series is played and what becomes of it."""

    limits: Limits
    in_process: bool = False
    trust: bool = False
    db: str | None = None  # where its games are kept, if they are
    command: str = ""


@dataclass(frozen=True)
class SeriesOutput:
    """What is shown of a series, and where its traces go."""

    watch: bool = False
    pace: float = 0.5  # seconds between pictures on a terminal
    trace_file: Path | None = None
    lang: str = "en"
    as_json: bool = False


def play_series(
    series: Series,
    options: SeriesOptions,
    output: SeriesOutput,
    show: Callable[[int], None] | None = None,
) -> int:
    """Play the games, then print the scores as a table or as JSON; the exit code.

    At the end the number of the last match that was kept is shown, if somebody shows it.
    """
    if output.watch and output.as_json:
        raise ArenaError("expected --watch or --json, got both")
    next(series.seated())  # bad input is found before a file is touched
    person = seat_person(series.bots, output.lang)
    if person and (output.watch or output.as_json):
        raise ArenaError(f"expected {ME} without --watch and --json, got both")
    others = [bot for bot in series.bots if bot != ME]
    check_games(others, [series.variant.game])
    field = _field(series.bots)
    isolation = choose_isolation(others, options.in_process, options.trust)
    pin()
    names = tuple(map(_shown_name, series.bots))
    played = PlayedSeries(series.seed, names, options.limits, isolation)
    announcer = _Announcer(series, output.lang)
    with (
        _hidden_prints(options.in_process and output.as_json),
        open_chairs(others, options.in_process, options.limits, options.trust) as chairs,
        create_file(output.trace_file) if output.trace_file else nullcontext() as traces,
        SavedGames(options.db, "play", series.seed, options.command, field) as saved,
    ):
        notify_once(isolation.weakness)
        if person:
            chairs.insert(person.seat, person)
        ended = _play_games(series, chairs, announcer, output, played, saved, traces)
        played.matches, played.name = saved.match_ids(), saved.name
    if ended is LeftError:
        left = gettext("you left; the game was not finished", output.lang)
        announcer.messages.print(f"\n{left}")
    elif ended is KeyboardInterrupt:
        announcer.messages.print(f"stopped after {len(played.games)} of {series.games} games")
    if played.games and output.as_json:
        print(json.dumps(series_facts(played)))  # noqa: T201 - escaped: bots write some of it
    elif played.games:
        show_series(played, output.lang, options.db)
    if show and played.matches and ended is not KeyboardInterrupt:
        show(max(played.matches.values()))
    return INTERRUPTED if ended is KeyboardInterrupt else 0


def _field(bots: Sequence[str]) -> list[Contender]:
    """The bots as the database knows them; a person is one too."""
    others = iter(contenders([bot for bot in bots if bot != ME]))
    return [Contender(ME, ME, ME, "", "person") if bot == ME else next(others) for bot in bots]


def _hidden_prints(hidden: bool) -> AbstractContextManager[object]:
    """What bots in this process print goes to stderr where JSON is printed."""
    return redirect_stdout(sys.stderr) if hidden else nullcontext()


def _play_games(
    series: Series,
    chairs: list[Chair],
    announcer: _Announcer,
    output: SeriesOutput,
    played: PlayedSeries,
    saved: SavedGames,
    traces: TextIO | None,
) -> type[BaseException] | None:
    """Play until the end; what ended it before, if something did."""
    person = next((chair for chair in chairs if isinstance(chair, Person)), None)
    game = find(series.variant.game)
    try:
        for number, seated in enumerate(announcer.track(quiet=output.watch or person is not None)):
            names = seated.spec.bots
            drawn = _watcher(series.variant.game, names, output) if output.watch else None
            watcher = person.watch(game) if person else drawn
            sat = [chairs[at] for at in seated.order]
            result = _play(seated.spec, sat, played.limits, watcher, played.isolation)
            played.games.append(seated)
            played.results.append(result)
            announcer.report_faults(result)
            if traces:
                traces.write(write_trace(trace(result)) + "\n")
            saved.add(number, number, [saved.field[at] for at in seated.order], result)
    except (LeftError, KeyboardInterrupt) as ended:
        return type(ended)
    return None


class _Announcer:
    """Tells on stderr how far a series is, and what is worth knowing of it, once each."""

    def __init__(self, series: Series, lang: str) -> None:
        self.series = series
        self.lang = lang
        self.messages = Console(stderr=True, highlight=False, markup=False)
        self.seen: set[str] = set()

    def track(self, quiet: bool) -> Iterator[SeriesGame]:
        """The games with a progress bar, and with notices about their set-up."""
        games = self.series.games
        quiet = quiet or games == 1 or not self.messages.is_terminal
        display = display_of(self.series.variant.game)
        for seated in track(
            self.series.seated(), "playing", games, console=self.messages, disable=quiet
        ):
            for notice in display.setup_notices(seated.spec.setup, self.lang):
                self._print_once(notice, notice)
            yield seated

    def report_faults(self, result: MatchResult) -> None:
        """The first fault of every bot; the table counts the rest."""
        for fault in result.faults:
            if fault.kind != RESIGNED:
                bot = result.spec.bots[fault.seat]
                spec = next(each for each in self.series.bots if _shown_name(each) == bot)
                self._print_once(f"fault of {bot}", _fault_line(result, fault, spec, self.lang))

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
        if log.seat is None or not log.machine_works(isolation.layers):
            raise
        seated = list(chairs)
        blame = Blame(log.kind, f"{problem}; in all of {RETRY.attempts} attempts at this match")
        seated[log.seat] = blame.chair()
    return referee(spec, seated, limits, watcher, isolation.name)


def _watcher(game: str, names: tuple[str, ...], output: SeriesOutput) -> Watcher:
    console = terminal.console()
    display = display_of(game)
    before: State | None = None

    def draw(state: State, moves: list[tuple[int, Action]]) -> None:
        nonlocal before
        if console.is_terminal:
            console.clear()
        for seat, action in moves:
            assert before is not None
            text = display.tell_action(action, output.lang, True, before, seat)
            console.print(format_move(names[seat], seat, text, output.lang))
        console.print(terminal.render_scene(display.scene(state, output.lang), names))
        if console.is_terminal or before is None:  # below every picture, or once in a file
            console.print("\n".join(display.legend(output.lang)), style="dim")
        before = state.clone()
        console.print()
        if console.is_terminal:
            time.sleep(output.pace)

    return draw


def _shown_name(spec: str) -> str:
    """The name that a command was given; of other bots the spec."""
    return parse_spec(spec).name or spec


def _fault_line(result: MatchResult, fault: Fault, spec: str, lang: str) -> str:
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
        spec=shlex.quote(for_terminal(spec)),
    )

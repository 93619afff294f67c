"""arena play: games between bots, here and now."""

import json
import shlex
import time
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from arena.cli.options import (
    EditionOpt,
    ExpansionsOpt,
    ExpertOpt,
    FreezeOpt,
    GameArg,
    JsonOpt,
    Lang,
    LangOpt,
    SeedOpt,
    TimeOpt,
    TrustOpt,
    WondersOpt,
    settle_seed,
    split,
)
from arena.display import display_of
from arena.display.scene import counted, say
from arena.playing.human import ME, RESIGNED, LeftError, said, seat_person
from arena.playing.referee import Watcher
from arena.playing.referee import play as referee
from arena.reports import terminal
from arena.reports.output import create_file
from arena.reports.wording import plain
from bots.chairs.base import Chair
from bots.chairs.limits import Limits, parse_limits, write_limits
from bots.chairs.pool import Isolation, choose_isolation, sit_down
from bots.protocol.tracebacks import summary_line
from bots.sandbox.affinity import pin
from bots.sandbox.errors import SandboxError
from engine.catalog import find
from engine.contract import Action, Game, State
from engine.errors import ArenaError
from engine.match import Fault, MatchResult, MatchSpec, trace, write_trace

ATTEMPTS = 3  # at a match, where the machine and not a bot fails
GAMES = (("game", "games"), ("partie", "parties"))
HEADINGS = (
    ("seat", "place"),
    ("bot", "robot"),
    ("wins", "victoires"),
    ("mean rank", "rang moyen"),
    ("mean score", "score moyen"),
)
CAPTION = (
    "seed {}; a shared win counts by its share",
    "graine {} ; une victoire partagée compte pour sa part",
)
FAULTS = ("faults", "fautes")
RELIEVED = (
    "* the steward played on where the bot failed, which then ranks last",
    "* l'intendant a joué à la place du bot en faute, qui est alors dernier",
)
LEFT = ("you left; the game was not finished", "vous êtes parti ; la partie n'est pas finie")
SANDBOX = ("sandbox", "bac à sable")


def play(
    game: GameArg,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="One bot a seat: NAME, NAME:key=value, a path, cmd:PROGRAM, or me.",
        ),
    ],
    seed: SeedOpt = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 1,
    trace_file: Annotated[
        Path | None,
        typer.Option("--trace", metavar="FILE", dir_okay=False, help="Write one trace a line."),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Draw the table as they play.")] = False,
    pace: Annotated[
        float, typer.Option(min=0, help="Seconds between pictures on a terminal.")
    ] = 0.5,
    wonders: WondersOpt = "",
    edition: EditionOpt = None,
    expansions: ExpansionsOpt = "",
    expert: ExpertOpt = False,
    in_process: Annotated[
        bool, typer.Option("--in-process", help="Run the bots in this process: only your own.")
    ] = False,
    trust: TrustOpt = False,
    limits_text: TimeOpt = "10s",
    freeze: FreezeOpt = False,
    lang: LangOpt = Lang.EN,
    as_json: JsonOpt = False,
) -> None:
    """Play games between bots. The first has the seed SEED, the next SEED + 1, and so on."""
    if watch and as_json:
        raise ArenaError("expected --watch or --json, got both")
    rules = find(game)
    first = settle_seed(seed)

    def specs() -> Iterator[MatchSpec]:
        for match_seed in range(first, first + games):
            setup = rules.setup(
                len(bots), match_seed, split(wonders), edition, split(expansions), expert
            )
            yield MatchSpec(rules.id, setup, match_seed, tuple(bots), rules.version)

    limits = parse_limits(limits_text, freeze)
    check = next(specs())  # bad input is found before a file is touched
    person = seat_person(bots, lang)
    if person and (watch or as_json):
        raise ArenaError(f"expected {ME} without --watch and --json, got both")
    others = [bot for bot in bots if bot != ME]
    ground = choose_isolation(others, in_process, trust)
    pin()
    messages = Console(stderr=True, highlight=False, markup=False)
    quiet = watch or person is not None or games == 1 or not messages.is_terminal
    watcher = _watcher(rules, check.bots, lang, pace) if watch else None
    watcher = person.watch(rules) if person else watcher
    results: list[MatchResult] = []
    noticed: set[str] = set()
    told: set[str] = set()  # bots that failed; once each, the table counts the rest
    with (
        sit_down(others, in_process, limits, trust) as chairs,
        create_file(trace_file) if trace_file else nullcontext() as out,
        suppress(LeftError),
    ):
        if person:
            chairs.insert(person.seat, person)
        for spec in track(specs(), "playing", games, console=messages, disable=quiet):
            for notice in display_of(game).setup_notices(spec.setup, lang):
                if notice not in noticed:
                    noticed.add(notice)
                    messages.print(notice, soft_wrap=True)
            results.append(_replayed(spec, chairs, limits, watcher, ground.name))
            for fault in results[-1].faults:
                bot = bots[fault.seat]
                if fault.kind != RESIGNED and bot not in told:
                    told.add(bot)
                    messages.print(_fault_line(results[-1], fault), soft_wrap=True)
            if out:
                out.write(write_trace(trace(results[-1])) + "\n")
    if len(results) < games:  # the person left
        messages.print(f"\n{say(LEFT, lang)}")
    if not results:
        return
    if as_json:
        facts = _report(first, results, limits, ground)
        typer.echo(json.dumps(facts))  # escaped: bots have a say in it
    else:
        _show(rules, first, results, ground, lang)


def _replayed(
    spec: MatchSpec, chairs: list[Chair], limits: Limits, watcher: Watcher | None, sandbox: str
) -> MatchResult:
    """The match; played again where the machine failed, for which no bot is blamed."""
    for _ in range(ATTEMPTS - 1):
        try:
            return referee(spec, chairs, limits, watcher, sandbox)
        except SandboxError:
            continue
    return referee(spec, chairs, limits, watcher, sandbox)


def _watcher(rules: Game, names: tuple[str, ...], lang: str, pace: float) -> Watcher:
    console = terminal.console()
    display = display_of(rules.id)
    before: State | None = None

    def draw(state: State, moves: list[tuple[int, Action]]) -> None:
        nonlocal before
        if console.is_terminal:
            console.clear()
        console.print(terminal.scene(display.scene(state, lang), names))
        for seat, action in moves:
            told = display.describe_action(action, lang, state=before)
            console.print(said(names[seat], seat, told, lang))
        before = state.clone()
        console.print()
        if console.is_terminal:
            time.sleep(pace)

    return draw


def _fault_line(result: MatchResult, fault: Fault) -> str:
    bot = result.spec.bots[fault.seat]
    told = plain(summary_line(fault.kind, fault.detail))
    return (
        f"seed {result.spec.seed}: seat {fault.seat} ({plain(bot)}) failed at decision "
        f"{fault.decision}: {fault.kind}: {told}; try: arena bot check {shlex.quote(plain(bot))}"
    )


def _report(
    seed: int, results: list[MatchResult], limits: Limits, ground: Isolation
) -> dict[str, object]:
    return {
        "game": results[0].spec.game,
        "bots": list(results[0].spec.bots),
        "seed": seed,
        "time": write_limits(limits),
        "sandbox": ground.name,
        "games": [
            {
                "seed": result.spec.seed,
                "wonders": list(result.spec.setup.wonders),
                "scores": result.scores,
                "ranks": [ahead + 1 for ahead in result.ranks],
                "faults": [
                    {"seat": f.seat, "kind": f.kind, "detail": f.detail, "decision": f.decision}
                    for f in result.faults
                ],
                "accounts": [asdict(account) for account in result.accounts],
                "seconds": result.seconds,
            }
            for result in results
        ],
    }


def _failures(results: list[MatchResult], seat: int) -> int:
    """Games in which the bot of a seat failed."""
    return sum(any(fault.seat == seat for fault in result.faults) for result in results)


def _show(rules: Game, seed: int, results: list[MatchResult], ground: Isolation, lang: str) -> None:
    console = terminal.console()
    bots = results[0].spec.bots
    title = f"{rules.id}, {counted(len(results), GAMES, lang)}"
    table = Table(title=title, title_justify="left")
    faults = [_failures(results, seat) for seat in range(len(bots))]
    for heading in (*HEADINGS, *([FAULTS] if any(faults) else [])):
        table.add_column(say(heading, lang), justify="left" if heading[0] == "bot" else "right")
    for seat, name in enumerate(bots):
        ranks = [result.ranks[seat] + 1 for result in results]
        wins = sum(1 / r.ranks.count(0) for r in results if r.ranks[seat] == 0)
        mean_rank = sum(ranks) / len(ranks)
        mean_score = sum(result.scores[seat] for result in results) / len(results)
        figures = (
            f"{wins:g}",
            f"{mean_rank:.2f}",
            f"{mean_score:.1f}{'*' if faults[seat] else ''}",
        )
        point = "," if lang == "fr" else "."
        cells = [str(seat), name, *(figure.replace(".", point) for figure in figures)]
        table.add_row(*cells, *([str(faults[seat])] if any(faults) else []))
    console.print(table)
    if any(faults):
        console.print(say(RELIEVED, lang))
    console.print(say(CAPTION, lang).format(seed))
    console.print(f"{say(SANDBOX, lang)}: {plain(ground.line)}")

"""arena replay: recorded games, checked against the rules and shown again."""

import json
from typing import Annotated

import typer

from arena.cli.options import FileArg, JsonOpt, Lang, LangOpt
from arena.display import display_of
from arena.playing.human import said
from arena.reports import terminal
from arena.reports.output import read_text
from engine.errors import ArenaError, TraceError
from engine.match import Replay, read_trace


def replay(
    file: FileArg,
    game: Annotated[
        int | None, typer.Option("--game", min=1, help="Only the game on this line.")
    ] = None,
    step: Annotated[
        int | None,
        typer.Option(min=1, help="Stop before this decision and print the state's dump."),
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Draw the table at each decision.")
    ] = False,
    lang: LangOpt = Lang.EN,
    as_json: JsonOpt = False,
) -> None:
    """Play traces again: every option, choice, shuffle and score must be what the rules say."""
    if watch and as_json:
        raise TraceError("expected --watch or --json, got both")
    checked = 0
    for number, line in enumerate(read_text(file).splitlines(), 1):
        if game not in (None, number):
            continue
        try:
            dump = replay_one(line, step, watch, lang)
        except ArenaError as problem:
            raise TraceError(f"{file}, game {number}: {problem}") from None
        if dump:
            typer.echo(dump)
            return
        checked += 1
    if not checked:
        raise TraceError(
            f"{file}: expected {'a game' if game is None else f'game {game}'}, got none"
        )
    if as_json:
        typer.echo(json.dumps({"file": str(file), "confirmed": checked}))
    else:
        games = "game" if checked == 1 else "games"
        typer.echo(f"{checked} {games} confirmed by the rules")


def replay_one(line: str, step: int | None, watch: bool, lang: str) -> str | None:
    """Check one game; the dump of the state before decision `step` if that is asked for."""
    record = Replay(read_trace(line))
    console = terminal.console()
    names = record.setup.wonders
    display = display_of(record.game.id)
    if watch:
        console.print(terminal.scene(display.scene(record.state, lang), names))
        console.print()
    decision = 0
    while True:
        decision += 1
        if decision == step:
            return record.state.dump()
        before = record.state.clone() if watch else None
        move = record.advance()
        if move is None:
            break
        if watch:
            told = display.describe_action(move[1], lang, state=before)
            console.print(said(names[move[0]], move[0], told, lang))
            console.print(terminal.scene(display.scene(record.state, lang), names))
            console.print()
    if step is not None:
        raise TraceError(f"expected at least {step} decisions, got {decision - 1}")
    return None

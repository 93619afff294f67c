"""Recorded games, checked against the rules and shown again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from arena.display import display_of
from arena.display.names import wonder_name
from arena.i18n import NN_, ngettext
from arena.reports import terminal
from arena.reports.output import read_text
from arena.reports.wording import format_move
from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError, TraceError
from engine.replay import Replay, read_trace

NO_NOTES: Final[Mapping[int, Sequence[str]]] = MappingProxyType({})


def replay_file(
    file: Path, game: int | None, step: int | None, watch: bool, lang: str, as_json: bool
) -> None:
    """Check the games of a file, one a line; print the state before decision `step` if given."""
    if watch and as_json:
        raise TraceError("expected --watch or --json, got both")
    checked = 0
    for number, line in enumerate(read_text(file).splitlines(), 1):
        if game not in (None, number):
            continue
        try:
            dump = replay_trace(line, step, watch, lang)
        except ArenaError as problem:
            raise TraceError(f"{file}, game {number}: {problem}") from None
        if dump:
            print(dump)  # noqa: T201
            return
        checked += 1
    if not checked:
        wanted = "a game" if game is None else f"game {game}"
        raise TraceError(f"{file}: expected {wanted}, got none")
    if as_json:
        print(json.dumps({"file": str(file), "confirmed": checked}))  # noqa: T201
    else:
        one, many = NN_("{n} game confirmed by the rules", "{n} games confirmed by the rules")
        print(ngettext(one, many, checked, lang))  # noqa: T201


def replay_trace(
    line: str,
    step: int | None,
    watch: bool,
    lang: str,
    bots: Sequence[str] = (),
    notes: Mapping[int, Sequence[str]] = NO_NOTES,
) -> str | None:
    """Check one game; return the state before decision `step` if that is given.

    Seats are called by their bots, or by their wonders where the bots are not known.
    """
    record = Replay(read_trace(line))
    console = terminal.console()
    names = tuple(bots) or tuple(
        wonder_name(record.game.id, id, lang) for id in record.setup.wonders
    )
    display = display_of(record.game.id)
    if watch:
        console.print("\n".join(display.legend(lang)), style="dim")
        console.print(terminal.render_scene(display.scene(record.state, lang), names))
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
        if before is not None:
            text = display.tell_action(move[1], lang, True, before, move[0])
            console.print(format_move(names[move[0]], move[0], text, lang))
            for note in notes.get(decision - 1, ()):
                console.print(f"    {for_terminal(note)}", markup=False)
            console.print(terminal.render_scene(display.scene(record.state, lang), names))
            console.print()
    if step is not None:
        raise TraceError(f"expected at least {step} decisions, got {decision - 1}")
    return None

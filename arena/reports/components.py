"""The components of a game as tables, and leaf counts of its rules."""

from __future__ import annotations

import json
import time

import msgspec
from rich.table import Table

from arena.display import display_of
from arena.reports import terminal
from arena.schemas.architects_rules import architects_rules
from arena.schemas.seven_rules import seven_rules
from engine.contract import State
from engine.perft import perft


def show_components(game: str, edition: str | None, lang: str, as_json: bool) -> None:
    """Print the cards, wonders and tokens of a game."""
    sheets = display_of(game).components(edition, lang)
    if as_json:
        facts = seven_rules(edition, lang) if game == "seven" else architects_rules(lang)
        print(msgspec.json.format(msgspec.json.encode(facts), indent=1).decode())  # noqa: T201
        return
    console = terminal.console()
    for sheet in sheets:
        console.print(terminal.render_sheet(sheet))
        console.print()


def show_leaf_counts(
    game: str, state: State, source: dict[str, object], depth: int, as_json: bool
) -> None:
    """Print how many lines of play there are, for every depth up to the given one."""
    rows = []
    for level in range(1, depth + 1):
        start = time.perf_counter()
        leaves = perft(state, level)
        rows.append((level, leaves, time.perf_counter() - start))
    if as_json:
        counts = [{"depth": level, "leaves": leaves} for level, leaves, _ in rows]
        print(json.dumps({"game": game, **source, "counts": counts}))  # noqa: T201
        return
    table = Table()
    for heading in ("depth", "leaves", "seconds"):
        table.add_column(heading, justify="right")
    for level, leaves, seconds in rows:
        table.add_row(str(level), f"{leaves}", f"{seconds:.3f}")
    console = terminal.console()
    console.print(table)
    console.print(", ".join(f"{what} {value}" for what, value in source.items()))

"""arena perft: leaf counts of the rules."""

import json
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from arena.cli.options import (
    EditionOpt,
    ExpansionsOpt,
    ExpertOpt,
    GameArg,
    JsonOpt,
    SeedOpt,
    WondersOpt,
    settle_seed,
    split,
)
from arena.reports import terminal
from arena.reports.output import read_text
from engine.catalog import find
from engine.errors import ArenaError
from engine.perft import perft as count_leaves


def perft(
    game: GameArg,
    players: Annotated[
        int | None, typer.Option("--players", "-p", help="Number of seats.  [default: 3]")
    ] = None,
    depth: Annotated[
        int, typer.Option("--depth", "-d", min=1, help="Decisions to look ahead.")
    ] = 4,
    seed: SeedOpt = None,
    wonders: WondersOpt = "",
    edition: EditionOpt = None,
    expansions: ExpansionsOpt = "",
    expert: ExpertOpt = False,
    state_file: Annotated[
        Path | None,
        typer.Option("--state", metavar="FILE", dir_okay=False, help="A dumped state."),
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Count the sequences of decisions from the deal, or from a dumped state."""
    rules = find(game)
    if state_file:
        if seed is not None or players or wonders or edition or expansions or expert:
            raise ArenaError("expected --state alone or a setup, got both")
        state = rules.load(read_text(state_file))
        source: dict[str, object] = {"state": str(state_file)}
    else:
        first = settle_seed(seed)
        setup = rules.setup(players or 3, first, split(wonders), edition, split(expansions), expert)
        state = rules.deal(setup, first)
        source = {"seed": first}
    rows = []
    for level in range(1, depth + 1):
        start = time.perf_counter()
        leaves = count_leaves(state, level)
        rows.append((level, leaves, time.perf_counter() - start))
    if as_json:
        counts = [{"depth": level, "leaves": leaves} for level, leaves, _ in rows]
        typer.echo(json.dumps({"game": rules.id, **source, "counts": counts}))
        return
    table = Table()
    for heading in ("depth", "leaves", "seconds"):
        table.add_column(heading, justify="right")
    for level, leaves, seconds in rows:
        table.add_row(str(level), f"{leaves}", f"{seconds:.3f}")
    console = terminal.console()
    console.print(table)
    console.print(", ".join(f"{what} {value}" for what, value in source.items()))

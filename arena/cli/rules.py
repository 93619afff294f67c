"""arena rules and perft: the components of a game, and leaf counts of its rules."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import (
    EditionOpt,
    GameArg,
    JsonOpt,
    Lang,
    LangOpt,
    SeedOpt,
    VariantOptions,
    WondersOpt,
    grouped,
    settle_seed,
    split,
)
from engine.errors import ArenaError


def rules(
    game: GameArg,
    edition: EditionOpt = None,
    lang: LangOpt = Lang.EN,
    as_json: JsonOpt = False,
) -> None:
    """Show the components of a game as tables."""
    from arena.reports.components import show_components

    show_components(game, edition, lang, as_json)


@grouped
def perft(
    game: GameArg,
    *,
    players: Annotated[
        int | None, typer.Option("--players", "-p", help="Number of seats.  [default: 3]")
    ] = None,
    depth: Annotated[
        int, typer.Option("--depth", "-d", min=1, help="Decisions to look ahead.")
    ] = 4,
    seed: SeedOpt = None,
    wonders: WondersOpt = "",
    variant: VariantOptions,
    state_file: Annotated[
        Path | None,
        typer.Option(
            "--state",
            metavar="FILE",
            dir_okay=False,
            help="A position, as arena replay --step prints it.",
        ),
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Count the sequences of decisions from the deal, or from a given position."""
    from arena.reports.components import show_leaf_counts
    from arena.reports.output import read_text
    from engine.catalog import find

    found = find(game)
    if state_file:
        if seed is not None or players or wonders or variant != VariantOptions():
            raise ArenaError("expected --state alone or a setup, got both")
        state = found.load(read_text(state_file))
        source: dict[str, object] = {"state": str(state_file)}
    else:
        first = settle_seed(seed)
        setup = found.setup(players or 3, first, split(wonders), variant.of(game))
        state = found.deal(setup, first)
        source = {"seed": first}
    show_leaf_counts(found.id, state, source, depth, as_json)

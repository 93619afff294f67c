"""arena play and replay: games between bots here and now, and recorded games again."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import (
    FileArg,
    GameArg,
    InProcessOpt,
    JsonOpt,
    Lang,
    LangOpt,
    LimitOptions,
    SeedOpt,
    TrustOpt,
    VariantOptions,
    WondersOpt,
    grouped,
    settle_seed,
    split,
)


@grouped
def play(
    game: GameArg,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="One bot per seat: NAME, NAME:key=value, a path, cmd:PROGRAM, or me.",
        ),
    ],
    *,
    seed: SeedOpt = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Number of games.")] = 1,
    trace_file: Annotated[
        Path | None,
        typer.Option("--trace", metavar="FILE", dir_okay=False, help="Write one trace per line."),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Draw the table as they play.")] = False,
    pace: Annotated[
        float, typer.Option(min=0, help="Seconds between pictures on a terminal.")
    ] = 0.5,
    wonders: WondersOpt = "",
    variant: VariantOptions,
    limits: LimitOptions,
    in_process: InProcessOpt = False,
    trust: TrustOpt = False,
    lang: LangOpt = Lang.EN,
    as_json: JsonOpt = False,
) -> None:
    """Play games between bots. The first has the seed SEED, the next SEED + 1, and so on."""
    from arena.playing.series import Series, SeriesOutput, play_series

    series = Series(variant.of(game), tuple(bots), settle_seed(seed), games, split(wonders))
    output = SeriesOutput(watch, pace, trace_file, lang, as_json)
    play_series(series, limits.parse(), in_process, trust, output)


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
    from arena.reports.replay import replay_file

    replay_file(file, game, step, watch, lang, as_json)

"""arena play, dataset and replay: games between bots here and now, and recorded games again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.options import (
    FileArg,
    GameArg,
    InProcessOpt,
    JsonOpt,
    Lang,
    LangOpt,
    LimitOptions,
    RunOptions,
    SavingOptions,
    SeedOpt,
    TrustOpt,
    VariantOptions,
    WondersOpt,
    grouped,
    repeat_command,
    settle_seed,
    split,
)
from arena.cli.site import open_viewer
from engine.errors import ArenaError

if TYPE_CHECKING:
    from arena.series.run import SeriesOutput

GamesOpt = Annotated[
    int,
    typer.Option(
        "--games", "-n", min=1, help="Number of games; bots rotate seats over the same deals."
    ),
]
FixedSeatsOpt = Annotated[
    bool, typer.Option("--fixed-seats", help="Do not rotate seats; deal anew for every game.")
]


@dataclass(frozen=True, kw_only=True)
class ShowOptions:
    """What is shown of games while they are played, and written of them."""

    trace_file: Annotated[
        Path | None,
        typer.Option("--trace", metavar="FILE", dir_okay=False, help="Write one trace per line."),
    ] = None
    watch: Annotated[bool, typer.Option("--watch", help="Draw the table as they play.")] = False
    pace: Annotated[float, typer.Option(min=0, help="Seconds between pictures on a terminal.")] = (
        0.5
    )
    browser: Annotated[
        bool, typer.Option("--browser", help="Then watch the last game in a browser, until Ctrl-C.")
    ] = False
    lang: LangOpt = Lang.EN
    as_json: JsonOpt = False

    def output(self) -> SeriesOutput:
        """The same as a series takes it."""
        from arena.series.run import SeriesOutput

        return SeriesOutput(self.watch, self.pace, self.trace_file, self.lang, self.as_json)


@grouped
def play(
    game: GameArg,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT",
            help="One bot per seat: NAME, NAME:key=value, a path, cmd:PROGRAM, or me.",
        ),
    ],
    *,
    seed: SeedOpt = None,
    games: GamesOpt = 1,
    fixed_seats: FixedSeatsOpt = False,
    wonders: WondersOpt = "",
    variant: VariantOptions,
    limits: LimitOptions,
    in_process: InProcessOpt = False,
    trust: TrustOpt = False,
    saving: SavingOptions,
    show: ShowOptions,
) -> int:
    """Play games between bots, and keep them in the database, unrated.

    The first deal has the seed SEED, the next SEED + 1, and so on. Each deal is played once for
    every rotation of the bots over the seats. Ctrl-C prints what was played.
    """
    from arena.series.run import Series, SeriesOptions, play_series

    first = settle_seed(seed)
    wanted = split(wonders)
    series = Series(variant.of(game), tuple(bots), first, games, wanted, fixed_seats)
    command = repeat_command(seed, first)
    options = SeriesOptions(limits.parse(), in_process, trust, saving.place, command)
    viewer = _viewer(saving.place, show.lang) if show.browser else None
    return play_series(series, options, show.output(), viewer)


def _viewer(db: str | None, lang: str) -> Callable[[int], None]:
    """Opens the page of a match of this database."""
    if db is None:
        raise ArenaError("expected --browser or --no-save, got both: the viewer shows kept games")

    view = open_viewer(db)
    query = "" if lang == "en" else f"?lang={lang}"
    return lambda match: view(f"matches/{match}{query}")


@grouped
def dataset(
    game: GameArg,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT", help="One bot per seat: NAME, NAME:key=value, a path or cmd:PROGRAM."
        ),
    ],
    *,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", dir_okay=False, help="File to write.")
    ],
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, help="Number of games; bots exchange seats.")
    ] = 1000,
    seed: SeedOpt = None,
    wonders: WondersOpt = "",
    variant: VariantOptions,
    limits: LimitOptions,
    run: RunOptions,
) -> int:
    """Play games between bots, and write them to a compact file to learn from.

    The file is gzip over lines of JSON, described in docs/dataset.md; arena.dataset reads it. The
    same command with the same seed writes the same bytes, unless a bot's thinking depends on the
    clock.
    """
    from arena.dataset.recording import record_games
    from arena.series.run import Series

    series = Series(variant.of(game), tuple(bots), settle_seed(seed), games, split(wonders))
    return record_games(series, run.settings(limits, None), out)


def replay(
    file: FileArg,
    game: Annotated[
        int | None, typer.Option("--game", min=1, help="Only the game on this line.")
    ] = None,
    step: Annotated[
        int | None,
        typer.Option(min=1, help="Stop before this decision and print the position as JSON."),
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Draw the table at each decision.")
    ] = False,
    lang: LangOpt = Lang.EN,
    as_json: JsonOpt = False,
) -> None:
    """Replay traces and check every option, choice, shuffle and score against the rules."""
    from arena.reports.replay import replay_file

    replay_file(file, game, step, watch, lang, as_json)

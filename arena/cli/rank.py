"""arena rank: how good the bots are, and how certain that is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.options import (
    DbOpt,
    ExplainOpt,
    OnlyGameOpt,
    OnlyPlayersOpt,
    OutputOptions,
    TournamentOpt,
    grouped,
)
from arena.extras import needs_extra
from arena.reports.wording import DEFAULT_DB
from bots.protocol.sanitize import for_terminal

if TYPE_CHECKING:
    from arena.reports.ranked_results import RankedResults

app = typer.Typer(help="Show leaderboards and ratings.", no_args_is_help=True)
BotArg = Annotated[str, typer.Argument(metavar="BOT", help="Name of the bot, as tables show it.")]


@dataclass(frozen=True, kw_only=True)
class ResultOptions:
    """Which results are read."""

    tournament: TournamentOpt = None
    game: OnlyGameOpt = None
    players: OnlyPlayersOpt = None
    unrated: Annotated[
        bool, typer.Option("--unrated", help="Also matches played without a sandbox.")
    ] = False
    explain: ExplainOpt = False
    db: DbOpt = DEFAULT_DB

    def read(self) -> RankedResults:
        """The results that are meant."""
        from arena.reports.ranked_results import Query, gather
        from leagues.storage.handle import read_storage

        query = Query(self.tournament, self.game, self.players, unrated=self.unrated, db=self.db)
        with read_storage(self.db) as reader:
            return gather(reader, query)


@app.command()
@grouped
def show(
    *,
    results: ResultOptions,
    wonder: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only seats with this wonder.")
    ] = None,
    seat: Annotated[int | None, typer.Option(min=0, max=6, help="Only this seat, from 0.")] = None,
    opponent: Annotated[
        str | None, typer.Option(metavar="BOT", help="Only matches against this bot.")
    ] = None,
    by: Annotated[
        str | None, typer.Option(help="One table for each: players, wonder or seat.")
    ] = None,
    output: OutputOptions,
) -> None:
    """Show a leaderboard for every kind of game, with confidence intervals."""
    from arena.reports.leaderboard import show_boards
    from arena.reports.ranked_results import Query

    query = Query(
        results.tournament,
        results.game,
        results.players,
        wonder,
        seat,
        opponent,
        by,
        results.unrated,
        results.db,
    )
    show_boards(query, output.settle(), results.explain)


@app.command()
def rebuild(db: DbOpt = DEFAULT_DB) -> None:
    """Drop the stored ratings and compute them again from the results."""
    from arena.reports.wording import format_count
    from leagues.storage.handle import open_storage

    with open_storage(db, create=False) as storage:
        found = storage.ratings.rebuild()
    for name, matches in found.items():
        typer.echo(f"{for_terminal(name)}: {format_count(matches, 'match')}")
    typer.echo(f"rebuilt {format_count(len(found), 'leaderboard')}")


@app.command()
@grouped
def matrix(*, results: ResultOptions, output: OutputOptions) -> None:
    """Show head-to-head results, and whether skill alone explains them."""
    from arena.reports.analysis import show_matrix

    format = output.settle()
    show_matrix(results.read(), format, results.explain)


@app.command()
@grouped
def history(
    bot: BotArg,
    *,
    results: ResultOptions,
    points: Annotated[int, typer.Option(min=1, max=200, help="Number of rows.")] = 20,
    output: OutputOptions,
) -> None:
    """Show a bot's skill over the matches that were played."""
    from arena.reports.analysis import show_history

    format = output.settle()
    show_history(results.read(), bot, points, format, results.explain)


@app.command()
@grouped
def explain(bot: BotArg, *, results: ResultOptions, output: OutputOptions) -> None:
    """Show which opponents and matches moved a bot's rating most."""
    from arena.reports.analysis import show_reasons

    format = output.settle()
    show_reasons(results.read(), bot, format, results.explain)


@app.command()
@grouped
def effects(
    *,
    results: ResultOptions,
    bots: Annotated[
        bool, typer.Option("--bots", help="Also each bot with each wonder and left neighbour.")
    ] = False,
    output: OutputOptions,
) -> None:
    """Show the effects of wonders, seats and neighbours, with 95 % confidence intervals."""
    from arena.reports.analysis import show_effects

    format = output.settle()
    show_effects(results.read(), bots, format, results.explain)


@app.command()
@grouped
def plot(
    *,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", dir_okay=False, help="A .png or .svg file.")
    ],
    kind: Annotated[str, typer.Option(help="rating, matrix, scores or wonders.")] = "rating",
    results: ResultOptions,
) -> None:
    """Plot skills, head-to-head results, scores or wonders; needs matplotlib."""
    with needs_extra("a plot", "plots"):
        from arena.reports import plots
    plots.draw(results.read(), kind, out)
    typer.echo(f"wrote {for_terminal(str(out))}")

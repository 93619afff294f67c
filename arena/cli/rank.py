"""arena rank: who is how good, and how sure that is."""

from typing import Annotated

import typer

from arena.cli.options import (
    DEFAULT_DB,
    DbOpt,
    FormOpt,
    OnlyGameOpt,
    OnlyPlayersOpt,
    TournamentOpt,
)
from arena.report import Form, write_all
from arena.standing import Query, boards
from leagues.store import open_store

app = typer.Typer(help="Who is how good, and how sure that is.", no_args_is_help=True)
WonderOpt = Annotated[str | None, typer.Option(metavar="NAME", help="Only seats with this wonder.")]
SeatOpt = Annotated[int | None, typer.Option(min=0, max=6, help="Only this seat, from 0.")]
OpponentOpt = Annotated[
    str | None, typer.Option(metavar="BOT", help="Only matches in which this bot sat too.")
]
ByOpt = Annotated[str | None, typer.Option(help="A table for each: players, wonder or seat.")]
UnratedOpt = Annotated[
    bool, typer.Option("--unrated", help="Also matches of bots that were not contained.")
]


@app.command()
def show(
    tournament: TournamentOpt = None,
    game: OnlyGameOpt = None,
    players: OnlyPlayersOpt = None,
    wonder: WonderOpt = None,
    seat: SeatOpt = None,
    opponent: OpponentOpt = None,
    by: ByOpt = None,
    unrated: UnratedOpt = False,
    db: DbOpt = DEFAULT_DB,
    form: FormOpt = Form.TABLE,
) -> None:
    """Show the leaderboard of every game, with how sure it is of every place."""
    query = Query(tournament, game, players, wonder, seat, opponent, by, unrated, db)
    with open_store(db, create=False) as store:
        write_all(boards(store, query), form)

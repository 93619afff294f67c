"""Options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from arena.reports.output import OutputFormat
from engine.errors import ArenaError
from engine.rng import draw_seed


class Lang(StrEnum):
    """Languages of names and labels."""

    EN = "en"
    FR = "fr"


def split(value: str | None) -> tuple[str, ...]:
    """The parts of a comma-separated list; none of nothing."""
    return tuple(part.strip() for part in value.split(",")) if value and value.strip() else ()


GameArg = Annotated[str, typer.Argument(metavar="GAME", help="architects or seven.")]
SeedOpt = Annotated[
    int | None,
    typer.Option("--seed", "-s", help="Seed of the first game; drawn and printed if not given."),
]
WondersOpt = Annotated[
    str, typer.Option(metavar="A,B,...", help="Wonders by seat; drawn from the seed if not given.")
]
# Of runs of many games: compare, tune, tournaments, leagues.
RunSeedOpt = Annotated[
    int | None, typer.Option("--seed", "-s", help="Drawn and printed if not given.")
]
PoolOpt = Annotated[
    str | None, typer.Option(metavar="A,B,...", help="Wonders in play; all if not given.")
]
CountsOpt = Annotated[
    str | None, typer.Option(metavar="2-5", help="Numbers of players: 3, 2-4 or 2,5.")
]
# Of comparisons: compare and tune.
OneGameOpt = Annotated[str, typer.Option(help="architects or seven.")]
TurnsOpt = Annotated[str, typer.Option(metavar="2-4", help="Numbers of players, which take turns.")]
FieldOpt = Annotated[
    str, typer.Option(metavar="BOT,...", help="Opponents that sit at the same tables.")
]
AlphaOpt = Annotated[float, typer.Option(help="Risk of calling better what does not gain at all.")]
BetaOpt = Annotated[float, typer.Option(help="Risk of not calling better what gains that much.")]
EditionOpt = Annotated[str | None, typer.Option(help="Edition of seven: 2nd or 1st.")]
ExpansionsOpt = Annotated[str, typer.Option(metavar="A,B", help="Expansions: medals (architects).")]
ExpertOpt = Annotated[bool, typer.Option("--expert", help="Two more medals in the centre.")]
LangOpt = Annotated[Lang, typer.Option(help="Language of names.")]
TimeOpt = Annotated[
    str,
    typer.Option(
        "--time",
        metavar="MOVE+BANK/START",
        help="Computing time of a bot, in ms, s or m: for an answer; from a bank for the whole "
        "game, which pays what an answer takes beyond that; to get ready. 1s+10s/20s; 1s will do.",
    ),
]
FreezeOpt = Annotated[
    bool, typer.Option("--freeze", help="Stop bots while it is not for them to answer.")
]
JsonOpt = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
TrustOpt = Annotated[
    bool,
    typer.Option("--trust-bots", help="Run bots uncontained: only those you wrote or reviewed."),
]
InProcessOpt = Annotated[
    bool, typer.Option("--in-process", help="Run the bots in the arena's process: only your own.")
]
DbOpt = Annotated[
    str,
    typer.Option(
        "--db", envvar="ARENA_DB", metavar="URL", help="Where results are kept: a file or a URL."
    ),
]
JobsOpt = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, help="Matches at once; one a processor if not given."),
]
VerboseOpt = Annotated[
    int, typer.Option("--verbose", "-v", count=True, help="Log more; twice for all.")
]
LogFileOpt = Annotated[
    Path | None, typer.Option("--log-file", metavar="FILE", help="Log all to a file.")
]
FormOpt = Annotated[OutputFormat, typer.Option("--output", "-o", help="How the table is written.")]
LinesOpt = Annotated[OutputFormat, typer.Option("--output", "-o", help="table for lines, or json.")]
TournamentOpt = Annotated[
    str | None, typer.Option(metavar="NAME", help="Only matches of this tournament or league.")
]
OnlyGameOpt = Annotated[str | None, typer.Option("--game", help="Only architects, or only seven.")]
OnlyPlayersOpt = Annotated[
    int | None, typer.Option("--players", min=2, max=7, help="Only with so many players.")
]
OutOpt = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", dir_okay=False, help="To a file, not the screen."),
]
FileArg = Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False)]


def settle_form(form: OutputFormat, as_json: bool, lines: bool = False) -> OutputFormat:
    """The form asked for, in either way; what is told in lines has no other than JSON."""
    if as_json and form not in (OutputFormat.TABLE, OutputFormat.JSON):
        raise ArenaError(f"expected --json or --output {form}, got both")
    if lines and form not in (OutputFormat.TABLE, OutputFormat.JSON):
        raise ArenaError(f"expected table or json, got {form}")
    return OutputFormat.JSON if as_json else form


def settle_seed(seed: int | None) -> int:
    """The seed asked for, or one of our own."""
    return draw_seed() if seed is None else seed

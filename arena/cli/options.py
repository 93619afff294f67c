"""Options that several commands share, and groups of them that a command takes as one value."""

from __future__ import annotations

import inspect
import math
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_type_hints

import typer

from arena.reports.output import OutputFormat
from arena.reports.wording import DEFAULT_DB
from engine.errors import ArenaError
from engine.rng import draw_seed

if TYPE_CHECKING:
    from arena.cluster.workers import Workers
    from arena.compare.run import ComparisonPlan, RunSettings
    from arena.schedule.fixtures import TrackRules
    from bots.chairs.limits import Limits
    from engine.match import Variant

Result = TypeVar("Result")


class Lang(StrEnum):
    """Languages of names and labels."""

    EN = "en"
    FR = "fr"


GameArg = Annotated[str, typer.Argument(metavar="GAME", help="architects or seven.")]
FileArg = Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="A file of traces.")]
SeedOpt = Annotated[
    int | None,
    typer.Option("--seed", "-s", help="Seed of the first game; random if not given, and printed."),
]
RunSeedOpt = Annotated[
    int | None, typer.Option("--seed", "-s", help="Random seed; drawn if not given, and printed.")
]
WondersOpt = Annotated[
    str, typer.Option(metavar="A,B,...", help="Wonders by seat; random if not given.")
]
CountsOpt = Annotated[
    str | None,
    typer.Option(metavar="2-5", help="Numbers of players: 3, 2-4 or 2,5; up to 5 if not given."),
]
OneGameOpt = Annotated[str, typer.Option(help="architects or seven.")]
TurnsOpt = Annotated[
    str, typer.Option(metavar="2-4", help="Numbers of players, in turn: 3, 2-4 or 2,5.")
]
FieldOpt = Annotated[
    str, typer.Option(metavar="BOT,...", help="Opponents that complete the tables.")
]
AlphaOpt = Annotated[
    float, typer.Option(help="False positive rate: how often a bot without gain is called better.")
]
BetaOpt = Annotated[
    float, typer.Option(help="False negative rate: how often a gain of --min-gain is missed.")
]
LangOpt = Annotated[Lang, typer.Option(help="Language of the output.")]
JsonOpt = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
TrustOpt = Annotated[
    bool,
    typer.Option("--trust-bots", help="Run bots without a sandbox: only bots you trust."),
]
InProcessOpt = Annotated[
    bool,
    typer.Option(
        "--in-process", help="Run bots in this process, without a sandbox: only your own."
    ),
]
TIME_METAVAR = "MOVE+BANK/START"
TIME_HELP = (
    "CPU time limit in ms, s or m: per move, + a reserve for the whole game, / to start. "
    "For example 1s, or 1s+10s/20s."
)
TimeOpt = Annotated[str, typer.Option("--time", metavar=TIME_METAVAR, help=TIME_HELP)]
FactorOpt = Annotated[
    str | None,
    typer.Option(
        "--time-factor",
        metavar="LOW-HIGH",
        help="Multiply time limits on a slow machine, divide them on a fast one, between these "
        "factors; off: never. If not given: 0.5-2 on a cluster, off elsewhere.",
    ),
]
RequiredLevelOpt = Annotated[
    str,
    typer.Option(
        "--require-sandbox",
        metavar="LEVEL",
        help="Minimum sandbox level: full, strong or reduced; default: the level of this machine.",
    ),
]
FreezeOpt = Annotated[bool, typer.Option("--freeze", help="Suspend bots while opponents think.")]
DbOpt = Annotated[
    str,
    typer.Option(
        "--db",
        envvar="ARENA_DB",
        metavar="URL",
        help="Database: an SQLite file or a PostgreSQL URL.",
    ),
]
JobsOpt = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, help="Matches at a time; one per core if not given."),
]
ClusterOpt = Annotated[
    str,
    typer.Option(
        "--cluster",
        envvar="ARENA_CLUSTER",
        metavar="ADDRESS",
        help="Play on a cluster: tcp://HOST:8786, tls://HOST:8786, or local:CORES to try one.",
    ),
]
VerboseOpt = Annotated[
    int, typer.Option("--verbose", "-v", count=True, help="More log messages; -vv for all.")
]
LogFileOpt = Annotated[
    Path | None,
    typer.Option("--log-file", metavar="FILE", help="Write all log messages to a file."),
]
FormatOpt = Annotated[OutputFormat, typer.Option("--output", "-o", help="Output format.")]
LinesOpt = Annotated[
    OutputFormat,
    typer.Option("--output", "-o", metavar="table|json", help="Output format: text or JSON."),
]
PoolOpt = Annotated[
    str | None, typer.Option(metavar="A,B,...", help="Wonders to draw from; all if not given.")
]
EditionOpt = Annotated[str | None, typer.Option(help="Edition of seven: 2nd or 1st.")]
OutOpt = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", dir_okay=False, help="Write to a file."),
]
ExplainOpt = Annotated[
    bool, typer.Option("--explain", help="Explain the columns and where the results come from.")
]
TournamentOpt = Annotated[
    str | None, typer.Option(metavar="NAME", help="Only matches of this tournament or league.")
]
OnlyGameOpt = Annotated[str | None, typer.Option("--game", help="Only architects, or only seven.")]
OnlyPlayersOpt = Annotated[
    int | None, typer.Option("--players", min=2, max=7, help="Only this number of players.")
]


def split(value: str | None) -> tuple[str, ...]:
    """The parts of a comma-separated list; an empty text has none."""
    return tuple(part.strip() for part in value.split(",")) if value and value.strip() else ()


def given_only(**options: Any) -> dict[str, Any]:
    """The options that the user gave: others are None, False, or no names at all."""
    return {
        key: value
        for key, value in options.items()
        if value is not None and value is not False and value != ()
    }


def split_bots(text: str) -> tuple[str, ...]:
    """Bots out of a,b:x=1,y=2: a parameter belongs to the bot before it."""
    bots: list[str] = []
    for part in split(text):
        if bots and re.match(r"\w+=", part):
            bots[-1] += f",{part}"
        else:
            bots.append(part)
    return tuple(bots)


@dataclass(frozen=True, kw_only=True)
class VariantOptions:
    """Which variant of a game is played."""

    edition: EditionOpt = None
    expansions: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Expansion of architects: medals, or tokens (only its tokens)."
        ),
    ] = ""
    expert: Annotated[
        bool, typer.Option("--expert", help="Expert variant: two more medals in the centre.")
    ] = False

    def of(self, game: str) -> Variant:
        """The variant of that game; SetupError if there is no such game."""
        from engine.catalog import find
        from engine.match import Variant

        return Variant(find(game).id, self.edition, split(self.expansions), self.expert)

    def rules(self, game: str, wonders: str | None) -> TrackRules:
        """The game to be played, with this pool of wonders."""
        from arena.schedule.fixtures import TrackRules

        return TrackRules(self.of(game), split(wonders))

    def given(self) -> dict[str, Any]:
        """What the user chose, by the names that plans and league rules use."""
        return given_only(
            edition=self.edition, expansions=split(self.expansions), expert=self.expert
        )


@dataclass(frozen=True, kw_only=True)
class LimitOptions:
    """How much time a bot has."""

    time: TimeOpt = "10s"
    freeze: FreezeOpt = False

    def parse(self) -> Limits:
        """The limits as bots are held to."""
        from bots.chairs.limits import parse_limits

        return parse_limits(self.time, self.freeze)


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How matches are run: how many at once, how bots are isolated, what is logged."""

    jobs: JobsOpt = None
    cluster: ClusterOpt = ""
    require_sandbox: RequiredLevelOpt = ""
    in_process: InProcessOpt = False
    trust: TrustOpt = False
    verbose: VerboseOpt = 0
    log_file: LogFileOpt = None

    def settings(self, limits: LimitOptions, time_factor: str | None) -> RunSettings:
        """The same as comparisons take it."""
        from arena.compare.run import RunSettings
        from bots.chairs.limits import parse_factor_bounds

        return RunSettings(
            limits.parse(),
            self.in_process,
            self.trust,
            self.workers(),
            self.verbose,
            self.log_file,
            parse_factor_bounds(time_factor) if time_factor else None,
        )

    def workers(self) -> Workers:
        """Where matches are played."""
        from arena.cluster.workers import Workers

        if self.require_sandbox and (self.in_process or self.trust):
            raise ArenaError("expected --require-sandbox or bots that are trusted, got both")
        return Workers(self.jobs, self.cluster, self.require_sandbox)


@dataclass(frozen=True, kw_only=True)
class SavingOptions:
    """Where games are kept that are no tournament."""

    db: DbOpt = DEFAULT_DB
    save: Annotated[
        bool, typer.Option("--save/--no-save", help="Keep the games in the database, unrated.")
    ] = True

    @property
    def place(self) -> str | None:
        """The database, if they are kept."""
        return self.db if self.save else None


@dataclass(frozen=True, kw_only=True)
class ComparisonOptions:
    """Where two bots are compared, and how sure the verdict has to be."""

    game: OneGameOpt = "architects"
    players: TurnsOpt = "4"
    field: FieldOpt = ""
    design: Annotated[
        Literal["self", "field", "mirror"] | None,
        typer.Option(
            help="Who sits at a table. self: NEW and OLD only; mirror: one of them and bots of "
            "--field; field: both and bots of --field. Default: self, or mirror with a --field."
        ),
    ] = None
    min_gain: Annotated[
        float, typer.Option(metavar="ELO", help="Smallest gain worth finding, in Elo.")
    ] = 20.0
    alpha: AlphaOpt = 0.05
    beta: BetaOpt = 0.05
    max_games: Annotated[
        int, typer.Option(min=2, help="Stop after this many games, undecided.")
    ] = 20_000
    budget: Annotated[
        str, typer.Option(metavar="TIME", help="Stop after this time: 90s, 10m, 2h.")
    ] = ""
    seed: RunSeedOpt = None
    wonders: PoolOpt = None
    variant: VariantOptions
    limits: LimitOptions
    time_factor: FactorOpt = None
    run: RunOptions
    saving: SavingOptions
    as_json: JsonOpt = False

    def plan(self, new: str, old: str, non_regression: bool = False) -> ComparisonPlan:
        """The comparison of two bots by these options."""
        from arena.compare.pairs import PairDesign
        from arena.compare.run import ComparisonPlan
        from arena.compare.sprt import Sprt
        from arena.playing.game_settings import parse_counts
        from arena.schedule.goal import parse_budget

        low, high = (-self.min_gain, 0.0) if non_regression else (0.0, self.min_gain)
        return ComparisonPlan(
            new,
            old,
            split_bots(self.field),
            self.variant.rules(self.game, self.wonders),
            parse_counts(self.players),
            PairDesign(self.design) if self.design else None,
            Sprt(low, high, self.alpha, self.beta),
            self.max_games,
            settle_seed(self.seed),
            parse_budget(self.budget) if self.budget else math.inf,
        )

    def command(self, seed: int) -> str:
        """The command that repeats this one, with the seed that was drawn."""
        return repeat_command(self.seed, seed)


@dataclass(frozen=True, kw_only=True)
class OutputOptions:
    """In which format a table is printed."""

    format: FormatOpt = OutputFormat.TABLE
    as_json: JsonOpt = False

    def settle(self) -> OutputFormat:
        """The format, from either of the two options."""
        if self.as_json and self.format not in (OutputFormat.TABLE, OutputFormat.JSON):
            raise ArenaError(f"expected --json or --output {self.format}, got both")
        return OutputFormat.JSON if self.as_json else self.format

    def as_lines(self) -> OutputFormat:
        """The format of output that is lines of text, or JSON."""
        format = self.settle()
        if format not in (OutputFormat.TABLE, OutputFormat.JSON):
            raise ArenaError(f"expected table or json, got {format}")
        return format


@dataclass(frozen=True, kw_only=True)
class LineOptions:
    """Whether lines of text or JSON are printed."""

    format: LinesOpt = OutputFormat.TABLE
    as_json: JsonOpt = False

    def settle(self) -> OutputFormat:
        """The format, from either of the two options."""
        return OutputOptions(format=self.format, as_json=self.as_json).as_lines()


def repeat_command(given: int | None, seed: int) -> str:
    """The command that was given, with the seed that was drawn if none was given."""
    extra = [] if given is not None else ["--seed", str(seed)]
    return shlex.join(["arena", *sys.argv[1:], *extra])


def settle_seed(seed: int | None) -> int:
    """The given seed, or a new one."""
    return draw_seed() if seed is None else seed


def grouped(command: Callable[..., Result]) -> Callable[..., Result]:
    """Let a command take dataclasses of options: every field becomes an option of its own."""
    hints = get_type_hints(command, include_extras=True)
    parameters = inspect.signature(command).parameters.values()
    flat = [each for parameter in parameters for each in _flattened(parameter, hints)]

    @wraps(command)
    def call(**given: Any) -> Result:
        return command(
            **{each.name: _built(each.name, hints[each.name], given) for each in parameters}
        )

    call.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]
    call.__annotations__ = {each.name: each.annotation for each in flat}
    del call.__wrapped__
    return call


def _is_group(kind: Any) -> bool:
    return is_dataclass(kind)


def _flattened(parameter: inspect.Parameter, hints: dict[str, Any]) -> Iterator[inspect.Parameter]:
    kind = hints[parameter.name]
    if not _is_group(kind):
        yield parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=kind)
        return
    inner = get_type_hints(kind, include_extras=True)
    for each in inspect.signature(kind).parameters.values():
        yield from _flattened(each, inner)


def _built(name: str, kind: Any, given: dict[str, Any]) -> Any:
    """The value of a parameter: a group out of its options, or the option itself."""
    if not _is_group(kind):
        return given[name]
    inner = get_type_hints(kind, include_extras=True)
    names = [field.name for field in fields(kind)]
    return kind(**{each: _built(each, inner[each], given) for each in names})

"""arena tune: better parameters for a bot, and whether they are better indeed."""

from typing import Annotated

import typer

from arena.cli.options import ComparisonOptions, grouped
from arena.extras import needs_extra

ParamOpt = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=LO..HI[:log]",
        help="Parameter and range, such as depth=1..8, weight=0.1..2.5 or sims=50..500:log; or "
        "choices, such as mode=fast|deep; may be repeated.",
    ),
]


@grouped
def tune(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot to find parameters for.")],
    *,
    param: ParamOpt = None,
    against: Annotated[
        str, typer.Option(metavar="BOT", help="The baseline; BOT unchanged if not given.")
    ] = "",
    candidates: Annotated[int, typer.Option(min=1, help="Sets of parameters to try.")] = 40,
    games: Annotated[int, typer.Option(min=2, help="Games per candidate.")] = 100,
    options: ComparisonOptions,
) -> int:
    """Search for better parameters of BOT, and confirm the best on fresh deals; needs optuna.

    Every candidate plays paired games against the baseline, as in compare; the best few play on.
    The best of many is partly lucky, so its gain is measured on fresh deals. Of a --budget, two
    thirds are for the search.

    Exit codes: 0 better (confirmed), 1 not better, 2 bad input, 4 undecided, 5 fault,
    130 interrupted.
    """
    from arena.tune.ranges import first_point, parse_ranges
    from bots.discovery.spec import parse_spec

    ranges = tuple(parse_ranges(param or []))
    first_point(parse_spec(bot), ranges)
    comparison = options.plan(bot, against or bot)
    settings = options.run.settings(options.limits, options.time_factor)
    with needs_extra("tuning", "tune"):
        from arena.tune.run import TuningPlan, run_tuning
    plan = TuningPlan(ranges, candidates, games, comparison)
    command = options.command(comparison.seed)
    return run_tuning(plan, settings, command, options.as_json, options.saving.place)

"""arena compare: is NEW better than OLD, as soon as that is certain."""

from typing import Annotated

import typer

from arena.cli.options import ComparisonOptions, grouped


@grouped
def compare(
    new: Annotated[str, typer.Argument(metavar="NEW", help="The bot that may be better.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The bot it may be better than.")],
    *,
    non_regression: Annotated[
        bool,
        typer.Option(
            "--non-regression", help="Test that NEW is at most --min-gain weaker than OLD."
        ),
    ] = False,
    options: ComparisonOptions,
) -> int:
    """Test whether NEW is better than OLD, in as few games as possible (SPRT).

    Games come in pairs: same deal, wonders, seats and opponents, with NEW and OLD exchanged. A gain
    of 20 Elo means finishing above the other in 52.9 % of the games, of 100 Elo in 64 %.

    Exit codes: 0 better, 1 not better, 2 bad input, 3 no sandbox on this machine, 4 undecided, 5
    fault (a bot failed in more than 5 % of its seats), 130 interrupted.
    """
    from arena.compare.run import run_comparison

    plan = options.plan(new, old, non_regression)
    settings = options.run.settings(options.limits, options.time_factor)
    command = options.command(plan.seed)
    return run_comparison(plan, settings, command, options.as_json, options.saving.place)

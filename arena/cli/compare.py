"""arena compare: is NEW better than OLD, as soon as that is sure."""

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
        typer.Option("--non-regression", help="Ask whether NEW is no worse by --min-gain."),
    ] = False,
    options: ComparisonOptions,
) -> int:
    """Find out whether NEW is better than OLD, in as few games as that takes (SPRT).

    Games come in blocks of two with the same deal, wonders, seats and opponents, NEW and OLD
    exchanged. A gain of E Elo is to finish above the other in 1 / (1 + 10 ** (-E / 400)) of the
    games: 20 is 52.9 %. With a field, it is the gain in rank points that this would mean if its
    bots were as strong as OLD.

    Exit code: 0 better, 1 not better, 2 undecided, 3 fault (a bot failed in more than 5 % of its
    seats, or bots cannot be contained here), 130 interrupted. Bad input is 2 as well, with nothing
    on stdout and one line on stderr that begins with "arena:".
    """
    from arena.compare.run import run_comparison

    plan = options.plan(new, old, non_regression)
    settings = options.run.settings(options.limits)
    return run_comparison(plan, settings, options.command(plan.seed), options.as_json)

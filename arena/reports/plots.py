"""Pictures of results, in colours that all can tell apart; the only import of matplotlib."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from arena.reports.analysis import best_first
from arena.reports.ranked_results import RankedResults
from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError
from leagues.ratings.effects import score_spreads, wonder_effects
from leagues.ratings.field_prior import fit_field
from leagues.ratings.head_to_head import head_to_head
from leagues.ratings.result_log import ResultLog
from leagues.ratings.thurstone import count_pairs, fit_skills

# Okabe and Ito's: told apart by those who do not see all colours.
BLUE: Final = "#0072B2"
ORANGE: Final = "#E69F00"
GREY: Final = "#999999"
NEVER_MET: Final = "#d0d0d0"
SETTINGS: Final[dict[Any, Any]] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.parse_math": False,  # names of bots are names
    "svg.hashsalt": "arena",  # the same results give the same file
}
FORMATS: Final = (".png", ".svg")
Draw = Callable[[Axes, RankedResults, ResultLog], None]


def draw(results: RankedResults, kind: str, out: Path) -> None:
    """Write a picture of this kind, with a panel for each game."""
    if kind not in KINDS:
        raise ArenaError(f"expected a kind out of {', '.join(KINDS)}, got {kind}")
    if out.suffix.lower() not in FORMATS:
        raise ArenaError(f"expected a file {' or '.join(FORMATS)}, got {out}")
    logs = [log for log in results.each() if len(log)]
    rows = max(max(len(log.entrants), len(log.wonders)) for log in logs)
    with mpl.rc_context(SETTINGS):
        width, height = 7.0, 1.8 + 0.32 * min(rows, 60)
        if kind == "matrix":  # its cells are squares: a wider panel would be empty
            width = 3.0 + 0.42 * min(rows, 40)
            height = width - 0.6
        figure = Figure(figsize=(width * len(logs), height), layout="constrained")
        for at, log in enumerate(logs):
            axes = figure.add_subplot(1, len(logs), at + 1)
            KINDS[kind](axes, results, log)
        tournaments = sorted({each.tournament for each in results.origins})
        seeds = ", ".join(results.tournaments[id].seed for id in tournaments[:5])
        matches = sum(len(log) for log in logs)
        seed = "seed" if len(tournaments) == 1 else "seeds"
        text = f"{matches:,} matches, {seed} {seeds}" + (" ..." if len(tournaments) > 5 else "")
        if any(not each.rated for each in results.origins):
            text += "; NOT RATED: bots were not contained"
        elif not all(each.is_contained for each in results.origins):
            text += "; NOT CONTAINED: bots could have cheated"
        figure.supxlabel(text, fontsize=7, color=GREY)
        _save(figure, out)


def _save(figure: Figure, out: Path) -> None:
    kept = {"Date": None} if out.suffix.lower() == ".svg" else None
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph")  # a bot may be called as it likes
            figure.savefig(out, dpi=150, metadata=kept)
    except OSError as problem:
        raise ArenaError(f"expected to write {out}, got {problem.strerror}") from None


def _names(results: RankedResults, log: ResultLog) -> dict[str, int]:
    """Where each bot goes: the best on top."""
    return {name: -at for at, name in enumerate(best_first(results, log))}


def _list_down(axes: Axes, names: dict[str, int]) -> None:
    axes.set_yticks(list(names.values()), [for_terminal(name) for name in names])
    axes.set_ylim(0.6 - len(names), 0.6)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


def _ratings(axes: Axes, results: RankedResults, log: ResultLog) -> None:
    names = _names(results, log)
    fitted = fit_field(count_pairs(log))
    places = [names[results.names[entrant]] for entrant in fitted.entrants]
    reach = 1.96 * fitted.deviation()
    axes.errorbar(
        fitted.mean, places, xerr=reach, fmt="o", color=BLUE, ecolor=GREY, capsize=2, markersize=4
    )
    _list_down(axes, names)
    axes.set_title(f"{log.game}: skill with 95 % confidence interval")
    axes.set_xlabel("skill by all matches at once")


def _meetings(axes: Axes, results: RankedResults, log: ResultLog) -> None:
    names = _names(results, log)
    size = len(names)
    shares = np.full((size, size), np.nan)
    pairs = count_pairs(log)
    for (one, other), meeting in head_to_head(pairs, fit_skills(pairs)).items():
        row, column = -names[results.names[one]], -names[results.names[other]]
        shares[row, column] = 100 * meeting.share.value
    axes.set_facecolor(NEVER_MET)
    picture = axes.imshow(shares, cmap="PuOr", vmin=0, vmax=100)
    if size <= 12:
        for row, column in zip(*np.nonzero(~np.isnan(shares)), strict=True):
            share = shares[row, column]
            colour = "white" if abs(share - 50) > 25 else "black"
            axes.text(column, row, f"{share:.0f}", ha="center", va="center", color=colour)
    texts = [for_terminal(name) for name in names]
    axes.set_yticks(range(size), texts)
    axes.set_xticks(range(size), texts, rotation=60, ha="right")
    axes.set_title(f"{log.game}: % of games\nthe row finished above the column", loc="left")
    axes.set_xlabel("grey: never met", fontsize=7, color=GREY, loc="left")
    axes.figure.colorbar(picture, ax=axes, shrink=0.7)


def _scores(axes: Axes, results: RankedResults, log: ResultLog) -> None:
    names = _names(results, log)
    boxes = []
    places = []
    for spread in score_spreads(log):
        low, lower, middle, upper, high = spread.quantiles
        boxes.append(
            {"whislo": low, "q1": lower, "med": middle, "q3": upper, "whishi": high, "fliers": []}
        )
        places.append(names[results.names[spread.entrant]])
    axes.bxp(
        boxes,
        positions=places,
        widths=0.6,
        orientation="horizontal",
        showfliers=False,
        patch_artist=True,
        boxprops={"facecolor": BLUE, "alpha": 0.45},
        medianprops={"color": ORANGE, "linewidth": 2},
    )
    _list_down(axes, names)
    axes.set_title(f"{log.game}: scores (median, quartiles, 5 to 95 %)")
    axes.set_xlabel("score")


def _wonders(axes: Axes, _: RankedResults, log: ResultLog) -> None:
    effects = [(effect, effect.lift) for effect in wonder_effects(log)]
    shown = [(effect.name, lift) for effect, lift in effects if lift is not None]
    shown.sort(key=lambda pair: -pair[1].value)
    names = {name: -at for at, (name, _) in enumerate(shown)}
    means = np.array([lift.value for _, lift in shown])
    low = means - [lift.low for _, lift in shown]
    high = np.array([lift.high for _, lift in shown]) - means
    axes.errorbar(
        means, list(names.values()), xerr=[low, high], fmt="o", color=BLUE, ecolor=GREY, capsize=2
    )
    axes.axvline(1.0, color=ORANGE, linewidth=1.5)
    _list_down(axes, names)
    axes.set_title(f"{log.game}: wins with a wonder, 1 is fair")
    axes.set_xlabel("wins / fair share, with 95 % confidence interval")


KINDS: Final[dict[str, Draw]] = {
    "rating": _ratings,
    "matrix": _meetings,
    "scores": _scores,
    "wonders": _wonders,
}

"""The scores of a series of games, for people and for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from rich.table import Table

from arena.display.names import game_name, sandbox_name
from arena.i18n import N_, colon, gettext, ngettext
from arena.reports import terminal
from bots.chairs.limits import Limits, write_limits
from bots.chairs.pool import Isolation
from bots.protocol.sanitize import for_terminal
from engine.match import MatchResult

HEADINGS: Final = (N_("seat"), N_("bot"), N_("wins"), N_("mean rank"), N_("mean score"))
FAULTS: Final = N_("faults")


def series_facts(
    seed: int, results: list[MatchResult], limits: Limits, isolation: Isolation
) -> dict[str, Any]:
    """All results for programs."""
    return {
        "game": results[0].spec.game,
        "bots": list(results[0].spec.bots),
        "seed": seed,
        "time": write_limits(limits),
        "sandbox": isolation.name,
        "games": [_game_facts(result) for result in results],
    }


def _game_facts(result: MatchResult) -> dict[str, Any]:
    return {
        "seed": result.spec.seed,
        "wonders": list(result.spec.setup.wonders),
        "scores": result.scores,
        "ranks": [ahead + 1 for ahead in result.ranks],
        "faults": [
            {"seat": f.seat, "kind": f.kind, "detail": f.detail, "decision": f.decision}
            for f in result.faults
        ],
        "accounts": [asdict(account) for account in result.accounts],
        "seconds": result.seconds,
    }


def show_series(seed: int, results: list[MatchResult], isolation: Isolation, lang: str) -> None:
    """Print a row for each seat."""
    console = terminal.console()
    spec = results[0].spec
    games = ngettext("{n} game", "{n} games", len(results), lang)
    table = Table(title=f"{game_name(spec.game)}, {games}", title_justify="left")
    failed = [_failed_games(results, seat) for seat in range(len(spec.bots))]
    for heading in (*HEADINGS, *([FAULTS] if any(failed) else [])):
        table.add_column(gettext(heading, lang), justify="left" if heading == "bot" else "right")
    for seat, name in enumerate(spec.bots):
        cells = [str(seat), for_terminal(name), *_figures(results, seat, lang)]
        table.add_row(*cells, *([str(failed[seat])] if any(failed) else []))
    console.print(table)
    if any(failed):
        console.print(
            gettext("* the steward played on where the bot failed, which then ranks last", lang)
        )
    console.print(gettext("seed {seed}; a shared win counts by its share", lang, seed=seed))
    contained = isolation.line if lang == "en" else sandbox_name(isolation.name, lang)
    console.print(f"{gettext('sandbox', lang)}{colon(lang)} {for_terminal(contained)}")


def _failed_games(results: list[MatchResult], seat: int) -> int:
    """Games in which the bot of a seat failed."""
    return sum(any(fault.seat == seat for fault in result.faults) for result in results)


def _figures(results: list[MatchResult], seat: int, lang: str) -> list[str]:
    """Wins, mean rank and mean score of a seat."""
    wins = sum(1 / r.ranks.count(0) for r in results if r.ranks[seat] == 0)
    mean_rank = sum(result.ranks[seat] + 1 for result in results) / len(results)
    mean_score = sum(result.scores[seat] for result in results) / len(results)
    star = "*" if _failed_games(results, seat) else ""
    figures = (f"{wins:g}", f"{mean_rank:.2f}", f"{mean_score:.1f}{star}")
    return [figure.replace(".", "," if lang == "fr" else ".") for figure in figures]

"""The scores of a series of games, for people and for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from rich.table import Table

from arena.display.scene import counted, say
from arena.reports import terminal
from arena.reports.wording import plain
from bots.chairs.limits import Limits, write_limits
from bots.chairs.pool import Isolation
from engine.match import MatchResult

GAMES: Final = (("game", "games"), ("partie", "parties"))
HEADINGS: Final = (
    ("seat", "place"),
    ("bot", "robot"),
    ("wins", "victoires"),
    ("mean rank", "rang moyen"),
    ("mean score", "score moyen"),
)
CAPTION: Final = (
    "seed {}; a shared win counts by its share",
    "graine {} ; une victoire partagée compte pour sa part",
)
FAULTS: Final = ("faults", "fautes")
RELIEVED: Final = (
    "* the steward played on where the bot failed, which then ranks last",
    "* l'intendant a joué à la place du bot en faute, qui est alors dernier",
)
SANDBOX: Final = ("sandbox", "bac à sable")


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
    table = Table(title=f"{spec.game}, {counted(len(results), GAMES, lang)}", title_justify="left")
    failed = [_failed_games(results, seat) for seat in range(len(spec.bots))]
    for heading in (*HEADINGS, *([FAULTS] if any(failed) else [])):
        table.add_column(say(heading, lang), justify="left" if heading[0] == "bot" else "right")
    for seat, name in enumerate(spec.bots):
        cells = [str(seat), name, *_figures(results, seat, lang)]
        table.add_row(*cells, *([str(failed[seat])] if any(failed) else []))
    console.print(table)
    if any(failed):
        console.print(say(RELIEVED, lang))
    console.print(say(CAPTION, lang).format(seed))
    console.print(f"{say(SANDBOX, lang)}: {plain(isolation.line)}")


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

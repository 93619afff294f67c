"""Is one bot better than another? A comparison played in this process, as an object."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.api.games import LocalPlayer
from arena.api.hooks import HookLike
from arena.api.local_bots import BotLike, LocalBots
from arena.api.local_runner import open_local_runner
from arena.compare import report
from arena.compare.comparison import Comparison, play_until_decided
from arena.compare.pairs import PairDesign, PairSchedule
from arena.compare.sprt import Sprt
from arena.playing.game_settings import parse_counts
from arena.playing.progress import format_duration
from arena.reports.table import Report
from arena.schedule.fixtures import TrackRules
from bots.chairs.limits import parse_limits
from engine.catalog import find
from engine.errors import ArenaError
from engine.match import Variant
from engine.rng import draw_seed

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class BotComparison:
    """A verdict with the gain, its interval, and where the gain comes from."""

    comparison: Comparison
    seconds: float

    @property
    def verdict(self) -> str:
        """One of better, not better, undecided and fault; no worse or worse for non-regression."""
        return report.verdict(self.comparison)

    @property
    def elo(self) -> float:
        """The gain of NEW over OLD, in Elo."""
        return report.gains(self.comparison)["elo"]

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the gain, in Elo; it holds at any time."""
        gains = report.gains(self.comparison)
        return gains["elo_low"], gains["elo_high"]

    @property
    def games(self) -> int:
        """Games that count."""
        return self.comparison.games

    @property
    def parts(self) -> list[Report]:
        """Where the gain comes from: by number of players, if there are several, and by wonder."""
        return report.parts(self.comparison)

    def facts(self) -> dict[str, Any]:
        """All of it as plain data, as `arena compare --json` prints it."""
        return report.facts(self.comparison, self.seconds)

    def to_pandas(self) -> DataFrame:
        """A row for each wonder of NEW; needs pandas."""
        return self.parts[-1].to_pandas()

    def _report(self) -> Report:
        lines = report.lines(self.comparison, format_duration(self.seconds))
        return Report(report.headline(self.comparison), (), [], lines)

    def _repr_html_(self) -> str:
        return self._report().to_html() + "".join(part.to_html() for part in self.parts)

    def __str__(self) -> str:
        head = report.headline(self.comparison)
        return "\n".join([head, *self._report().caption])

    def __repr__(self) -> str:
        low, high = self.interval
        return (
            f"<BotComparison {self.verdict}: {self.elo:+.0f} Elo "
            f"({low:+.0f} to {high:+.0f}), {self.games} games>"
        )


def compare(
    new: BotLike,
    old: BotLike,
    game: str = "architects",
    *,
    players: str | int = 4,
    field: Sequence[BotLike] = (),
    design: str | None = None,
    min_gain: float = 20.0,
    non_regression: bool = False,
    alpha: float = 0.05,
    beta: float = 0.05,
    max_games: int = 20_000,
    budget: float = math.inf,
    seed: int | None = None,
    wonders: Sequence[str] = (),
    edition: str | None = None,
    expansions: Sequence[str] = (),
    expert: bool = False,
    time: str = "10s",
    hooks: Sequence[HookLike] = (),
    strict: bool = False,
    trust: bool = False,
) -> BotComparison:
    """Play NEW and OLD on identical deals until a sequential test (SPRT) has a verdict.

    `new`, `old`: bots, given as for `play`.
    `players`: numbers of players, such as 4 or "2-4".
    `field`, `design`: the others at the table, and how the two are seated among them: "self",
    "mirror" or "field".
    `min_gain`: the gain in Elo that is looked for; with `non_regression`, the loss.
    `alpha`, `beta`: how often a bot that gains nothing may be called better, and how often one that
    gains `min_gain` may not.
    `max_games`, `budget`: ends undecided after so many games, or seconds.
    `seed` and all others are those of `play`. Ctrl-C ends it with what there is.
    """
    _check_number(min_gain=min_gain, alpha=alpha, beta=beta, budget=budget, max_games=max_games)
    variant = Variant(find(game).id, edition, tuple(expansions), expert)
    low, high = (-min_gain, 0.0) if non_regression else (0.0, min_gain)
    wanted = design or ("mirror" if field else "self")
    began = clock.monotonic()
    with LocalBots([new, old, *field], parse_limits(time), trust) as bots:
        bots.check_game(game)
        tables = PairSchedule(
            TrackRules(variant, tuple(wonders)),
            bots.labels[0],
            bots.labels[1],
            bots.labels[2:],
            PairDesign(wanted),
            parse_counts(str(players)),
            draw_seed() if seed is None else seed,
        )
        comparison = Comparison(tables, Sprt(low, high, alpha, beta), max_games // 2)
        _decide(comparison, LocalPlayer(bots, hooks, strict), began + budget)
    return BotComparison(comparison, clock.monotonic() - began)


def _check_number(**given: object) -> None:
    """ArenaError that names the first argument which is no number."""
    for name, value in given.items():
        if not isinstance(value, int | float):
            raise ArenaError(f"expected {name} as a number, got {value!r}")


def _decide(comparison: Comparison, player: LocalPlayer, end: float) -> None:
    """Play until there is a verdict, the time is over, or somebody interrupts."""
    with open_local_runner(player) as runner:
        try:
            play_until_decided(comparison, runner, lambda: None, lambda: clock.monotonic() > end)
        except KeyboardInterrupt:
            comparison.close("interrupted")

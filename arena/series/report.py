"""The scores of a series of games, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table

from arena.display.names import game_name, sandbox_name, score_names, wonder_name
from arena.i18n import N_, colon, gettext, ngettext
from arena.reports import terminal
from arena.reports.output import OutputFormat
from arena.reports.table import Column, Report
from arena.reports.wording import db_option
from bots.chairs.limits import Limits, write_limits
from bots.chairs.pool import Isolation
from bots.protocol.sanitize import for_terminal
from engine.catalog import find
from engine.match import MatchResult, MatchSpec
from engine.replay import final_state

if TYPE_CHECKING:
    from leagues.ratings.statistics import Estimate

HEADINGS: Final = (N_("bot"), N_("wins"), N_("95% interval"), N_("mean rank"), N_("mean score"))
FAULTS: Final = N_("faults")
# Two-sided 95 % quantiles of Student's t, by degrees of freedom from 1 on; beyond, the last.
T95: Final = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14)
T95_MANY: Final = ((20, 2.13), (30, 2.09), (60, 2.04), (120, 2.0))


@dataclass(frozen=True)
class SeriesGame:
    """A game of a series, and which of its bots sits in each seat."""

    spec: MatchSpec
    order: tuple[int, ...]  # by seat, the place in the list of bots


@dataclass
class PlayedSeries:
    """What was played of a series."""

    seed: int
    bots: tuple[str, ...]
    limits: Limits
    isolation: Isolation
    games: list[SeriesGame] = field(default_factory=list)
    results: list[MatchResult] = field(default_factory=list)
    matches: dict[int, int] = field(default_factory=dict)  # of each game, where it is stored
    name: str = ""  # under which they are stored

    def seats(self, bot: int) -> list[int]:
        """Where a bot of the list sat, in each game."""
        return [game.order.index(bot) for game in self.games]

    @property
    def exchanges_seats(self) -> bool:
        """Whether the bots did not sit in the order of the list all along."""
        return any(list(game.order) != sorted(game.order) for game in self.games)

    def deals(self) -> list[list[int]]:
        """The numbers of the games, those of one deal together."""
        found: dict[int, list[int]] = {}
        for number, game in enumerate(self.games):
            found.setdefault(game.spec.seed, []).append(number)
        return list(found.values())


@dataclass(frozen=True)
class BotFigures:
    """How a bot of a series did."""

    wins: float  # a shared one by its share
    win_share: Estimate
    mean_rank: Estimate
    mean_score: Estimate
    faults: int


def bot_figures(played: PlayedSeries, bot: int) -> BotFigures:
    """Wins with Wilson's interval; means with Student's, over deals, whose games are alike."""
    from leagues.ratings.statistics import wilson  # which loads numpy

    results = played.results
    seats = played.seats(bot)
    pairs = list(zip(results, seats, strict=True))
    won = [1 / r.ranks.count(0) if r.ranks[seat] == 0 else 0.0 for r, seat in pairs]
    failed = [any(fault.seat == seat for fault in r.faults) for r, seat in pairs]
    return BotFigures(
        sum(won),
        wilson(sum(won) / len(won), len(won)),
        _over_deals(played, [r.ranks[seat] + 1 for r, seat in pairs]),
        _over_deals(played, [r.scores[seat] for r, seat in pairs]),
        sum(failed),
    )


def _over_deals(played: PlayedSeries, values: Sequence[float]) -> Estimate:
    """The mean of all, and its 95 % interval by the means of the deals; none for one deal."""
    from leagues.ratings.statistics import Estimate

    means = [mean(values[number] for number in deal) for deal in played.deals()]
    middle = mean(values)
    if len(means) < 2:
        return Estimate(middle, float("-inf"), float("inf"))
    reach = _t95(len(means) - 1) * stdev(means) / len(means) ** 0.5
    return Estimate(middle, middle - reach, middle + reach)


def _t95(freedom: int) -> float:
    if freedom <= len(T95):
        return T95[freedom - 1]
    return next((value for most, value in T95_MANY if freedom < most), 1.98)


def series_facts(played: PlayedSeries) -> dict[str, Any]:
    """All results for programs."""
    return {
        "game": played.results[0].spec.game,
        "bots": list(played.bots),
        "seed": played.seed,
        "time": write_limits(played.limits),
        "sandbox": played.isolation.name,
        "saved_as": played.name or None,
        "summary": [_summary(played, bot) for bot in range(len(played.bots))],
        "games": [_game_facts(played, number) for number in range(len(played.games))],
    }


def _summary(played: PlayedSeries, bot: int) -> dict[str, Any]:
    figures = bot_figures(played, bot)
    facts: dict[str, Any] = {"bot": played.bots[bot], "wins": figures.wins}
    for name in ("win_share", "mean_rank", "mean_score"):
        estimate: Estimate = getattr(figures, name)
        known = estimate.low > float("-inf")
        facts[name] = estimate.value
        facts[f"{name}_low"] = estimate.low if known else None
        facts[f"{name}_high"] = estimate.high if known else None
    return facts | {"faults": figures.faults}


def _game_facts(played: PlayedSeries, number: int) -> dict[str, Any]:
    result = played.results[number]
    return {
        "match": played.matches.get(number),
        "seed": result.spec.seed,
        "bots": list(result.spec.bots),
        "wonders": list(result.spec.setup.wonders),
        "scores": result.scores,
        "score_sheets": find(result.spec.game).score_sheet(final_state(result)),
        "ranks": [ahead + 1 for ahead in result.ranks],
        "faults": [
            {"seat": f.seat, "kind": f.kind, "detail": f.detail, "decision": f.decision}
            for f in result.faults
        ],
        "accounts": [asdict(account) for account in result.accounts],
        "seconds": result.seconds,
    }


def show_series(played: PlayedSeries, lang: str, db: str | None) -> None:
    """Print a row for each bot: of one game its score sheet, of more how they did."""
    console = terminal.console()
    spec = played.results[0].spec
    games = ngettext("{n} game", "{n} games", len(played.results), lang)
    title = f"{game_name(spec.game)}, {games}"
    if len(played.results) == 1:
        score_sheet(title, played.results[0], lang).write(OutputFormat.TABLE)
    else:
        figures = [bot_figures(played, bot) for bot in range(len(played.bots))]
        table = Table(title=title, title_justify="left")
        _fill_figures(table, played, figures, lang)
        console.print(table)
    if any(result.faults for result in played.results):
        console.print(
            gettext("* the steward played on where the bot failed, which then ranks last", lang)
        )
    for line in _caption(played, lang):
        console.print(line, soft_wrap=True)
    contained = played.isolation.line
    contained = contained if lang == "en" else sandbox_name(played.isolation.name, lang)
    console.print(f"{gettext('sandbox', lang)}{colon(lang)} {for_terminal(contained)}")
    if played.matches:
        console.print(_where_saved(played, lang, db or ""), soft_wrap=True)


def score_sheet(title: str, result: MatchResult, lang: str) -> Report:
    """One game: who had which wonder, and where the points come from."""
    sheets = find(result.spec.game).score_sheet(final_state(result))
    faulty = {fault.seat for fault in result.faults}
    names = score_names(result.spec.game, lang)
    columns = (
        *(Column(key, gettext(key, lang)) for key in (N_("seat"), N_("bot"), N_("city"))),
        *(Column(key, names[key]) for key in sheets[0]),
        Column("rank", gettext("rank", lang)),
    )
    rows = [
        {
            "seat": seat,
            "bot": name,
            "city": wonder_name(result.spec.game, result.spec.setup.wonders[seat], lang),
            **sheets[seat],
            "total": f"{result.scores[seat]}*" if seat in faulty else result.scores[seat],
            "rank": result.ranks[seat] + 1,
        }
        for seat, name in enumerate(result.spec.bots)
    ]
    return Report(title, columns, rows)


def _fill_figures(
    table: Table, played: PlayedSeries, figures: Sequence[BotFigures], lang: str
) -> None:
    faulty = any(each.faults for each in figures)
    seats = [] if played.exchanges_seats else [N_("seat")]
    for heading in (*seats, *HEADINGS, *([FAULTS] if faulty else [])):
        table.add_column(gettext(heading, lang), justify="left" if heading == "bot" else "right")
    for bot, each in enumerate(figures):
        share = each.win_share
        star = "*" if each.faults else ""
        cells = (
            f"{each.wins:g}",
            f"{share.low:.0%}-{share.high:.0%}",
            _with_reach(each.mean_rank, 2),
            f"{_with_reach(each.mean_score, 1)}{star}",
        )
        numbers = [cell.replace(".", ",") if lang == "fr" else cell for cell in cells]
        place = [str(bot)] if seats else []
        failed = [str(each.faults)] if faulty else []
        table.add_row(*place, for_terminal(played.bots[bot]), *numbers, *failed)


def _with_reach(estimate: Estimate, digits: int) -> str:
    text = f"{estimate.value:.{digits}f}"
    if estimate.low == float("-inf"):
        return text
    return f"{text} ±{estimate.high - estimate.value:.{digits}f}"


def _caption(played: PlayedSeries, lang: str) -> list[str]:
    seed = gettext("seed {seed}; a shared win counts by its share", lang, seed=played.seed)
    if len(played.results) == 1:
        return [gettext("seed {seed}", lang, seed=played.seed)]
    if not played.exchanges_seats:
        return [seed, gettext("seats were fixed, and some are better than others", lang)]
    deals = ngettext("{n} deal", "{n} deals", len(played.deals()), lang)
    fair = gettext(
        "{deals}, the bots in every seat of each; ± is a 95% interval", lang, deals=deals
    )
    lines = [seed, fair]
    if len(played.deals()[-1]) < len(played.bots):
        lines.append(gettext("the last deal was not played in every seat", lang))
    return lines


def _where_saved(played: PlayedSeries, lang: str, db: str) -> str:
    first, last = min(played.matches.values()), max(played.matches.values())
    option = db_option(db)
    if first == last:
        return gettext(
            "saved as match {id}: arena match show {id}{option}, arena match explain {id}{option}",
            lang,
            id=first,
            option=option,
        )
    return gettext(
        "saved as matches {first} to {last}: arena match list --tournament {name}{option}",
        lang,
        first=first,
        last=last,
        name=played.name,
        option=option,
    )

"""What a comparison has found so far, in words for people and as data for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from arena.compare.comparison import ComparedBot, Comparison, Verdict
from arena.compare.sprt import RunningMoments
from arena.reports.table import Column, Report
from arena.reports.wording import db_option
from bots.protocol.tracebacks import summary_line

MAX_DECIDING: Final = 5  # blocks that are named
RISK: Final = 0.05  # that the interval does not hold the gain
WIDE: Final = 1.96  # standard errors, in the tables of parts

PART_COLUMNS: Final = (
    Column("part", ""),
    Column("count", "times"),
    Column("gain", "rank points gained", "+.3f"),
    Column("error", "±", ".3f"),
)


def verdict(comparison: Comparison) -> str:
    """The verdict, in the words of the question."""
    found = comparison.verdict
    if comparison.test.elo1 <= 0 and found in (Verdict.BETTER, Verdict.NOT_BETTER):
        return "no worse" if found is Verdict.BETTER else "worse"
    return str(found or "open")


def headline(comparison: Comparison) -> str:
    """The verdict in a sentence."""
    new, old = comparison.tables.new, comparison.tables.old
    test = comparison.test
    gap = f"{test.elo1 - test.elo0:g} Elo"
    sentence = {
        "better": f"{new} is better than {old}",
        "not better": f"{new} is not better than {old} by {gap}",
        "no worse": f"{new} is not worse than {old} by {gap}",
        "worse": f"{new} is worse than {old}",
    }
    word = verdict(comparison)
    return f"{word}: {sentence.get(word, comparison.reason)}"


def gains(comparison: Comparison) -> dict[str, float]:
    """The gain and its interval, in Elo and in rank points a game."""
    sample = comparison.sample
    low, high = sample.interval(RISK)
    return {
        "elo": sample.elo(sample.mean),
        "elo_low": sample.elo(low),
        "elo_high": sample.elo(high),
        "points": sample.mean,
        "points_low": low,
        "points_high": high,
    }


def line(comparison: Comparison) -> str:
    """How it stands, in a line."""
    gain = gains(comparison)
    low, high = comparison.test.bounds
    return (
        f"{comparison.games:,} games: gain {gain['elo']:+.0f} Elo "
        f"({gain['elo_low']:+.0f} to {gain['elo_high']:+.0f}), "
        f"LLR {comparison.test.llr(comparison.sample):+.2f} ({low:.2f} to {high:.2f})"
    )


def lines(comparison: Comparison, took: str) -> list[str]:
    """All but the parts, in lines."""
    gain = gains(comparison)
    test = comparison.test
    low, high = test.bounds
    no, yes = ("worse", "no worse") if test.elo1 <= 0 else ("not better", "better")
    when = "at stop" if comparison.verdict in (Verdict.BETTER, Verdict.NOT_BETTER) else "so far"
    fixed = _fixed(comparison)
    size = f"a test of fixed size takes {fixed:,}" if fixed else "all blocks alike so far"
    tables = comparison.tables
    sides = ((tables.new, comparison.new), (tables.old, comparison.old))
    interval = f"{gain['elo_low']:+.0f} to {gain['elo_high']:+.0f}"
    points = f"{gain['points_low']:+.3f} to {gain['points_high']:+.3f}"
    ratio = f"{test.llr(comparison.sample):+.2f}"
    told = [
        f"gain    {gain['elo']:+.0f} Elo {when}; {1 - RISK:.0%} interval, at any time: {interval}",
        f"        {gain['points']:+.3f} rank points a game; {points}",
        f"test    LLR {ratio}; {low:.2f} is {no}, {high:.2f} is {yes}",
        f"games   {comparison.games:,} in {took}; {size}",
        "wins    " + ", ".join(f"{label} {side.share:.1%}" for label, side in sides),
        "faults  " + ", ".join(f"{label} {side.forfeits} of {side.seats}" for label, side in sides),
    ]
    told += [failed for label, side in sides if (failed := fault(label, side))]
    if comparison.verdict is Verdict.BETTER and test.elo1 > 0 and gain["elo_low"] < 0:
        told.insert(
            1,
            f"        better all the same: the test errs in {test.alpha:.0%} of cases at most, "
            "and the interval is wider, as it may be read at any time",
        )
    if comparison.unplayed_blocks:
        told.append(
            f"        {comparison.unplayed_blocks} blocks could not be played by this machine"
        )
    return told


@dataclass(frozen=True)
class DecidingGames:
    """Where the games of a comparison are stored, and which of them decided it."""

    matches: dict[int, int]  # by the number of the game: two a block
    name: str  # of the series
    db: str

    def of_block(self, block: int) -> list[int]:
        """The matches of a block, those that are stored."""
        numbers = (2 * block, 2 * block + 1)
        return [self.matches[number] for number in numbers if number in self.matches]

    def lines(self, comparison: Comparison) -> list[str]:
        """How many blocks each bot won, and the clearest of them; nothing if none is stored."""
        if not self.matches:
            return []
        tables = comparison.tables
        option = db_option(self.db)
        told = []
        for label, worth in ((tables.new, 1), (tables.old, -1)):
            won = [at for at, score in _scored(comparison) if score * worth > 0]
            won.sort(key=lambda at: -worth * (comparison.scores[at] or 0.0))
            pairs = (" and ".join(map(str, self.of_block(at))) for at in won[:MAX_DECIDING])
            clearest = f", clearest in matches {', '.join(pairs)}" if won else ""
            told.append(
                f"{label} did better in {len(won)} of {len(comparison.scores)} blocks{clearest}"
            )
        some = next(iter(self.matches.values()))
        told.append(
            f"saved, not rated: arena match list --tournament {self.name}{option}; "
            f"arena match explain {some}{option}"
        )
        return told

    def facts(self, comparison: Comparison) -> dict[str, Any]:
        """The same as plain data."""
        blocks = [
            {"block": at, "score": score, "matches": self.of_block(at)}
            for at, score in enumerate(comparison.scores)
        ]
        return {"saved_as": self.name or None, "deals": blocks if self.matches else []}


def _scored(comparison: Comparison) -> list[tuple[int, float]]:
    """The blocks that were played, and what NEW gained in each."""
    return [(at, score) for at, score in enumerate(comparison.scores) if score is not None]


def _fixed(comparison: Comparison) -> int | None:
    """Games a test of fixed size takes; None while nothing is known of how far blocks differ."""
    return 2 * comparison.test.fixed_blocks(comparison.sample) or None


def fault(label: str, side: ComparedBot) -> str:
    """How a bot failed first, in a line; nothing if it did not."""
    if side.first is None:
        return ""
    return f"        {label}: {side.first.kind}: {summary_line(side.first.kind, side.first.detail)}"


def parts(comparison: Comparison) -> list[Report]:
    """Where the gain comes from: by number of players, if there are several, and by wonder."""
    strata = {f"{players} players": moments for players, moments in _strata(comparison)}
    reports = [_report("by number of players", strata)] if len(strata) > 1 else []
    if comparison.wonders:
        reports.append(_report("by wonder", dict(sorted(comparison.wonders.items()))))
    return reports


def _strata(comparison: Comparison) -> list[tuple[int, RunningMoments]]:
    return sorted(comparison.sample.strata.items())


def _report(title: str, moments: dict[str, RunningMoments]) -> Report:
    return Report(title, PART_COLUMNS, [_row(part, each) for part, each in moments.items()])


def _row(part: str | int, moments: RunningMoments) -> dict[str, Any]:
    return {
        "part": part,
        "count": moments.count,
        "gain": moments.mean,
        "error": WIDE * moments.error,
    }


def facts(comparison: Comparison, seconds: float) -> dict[str, Any]:
    """All of it as plain data."""
    tables, test = comparison.tables, comparison.test
    return {
        "verdict": verdict(comparison),
        "reason": comparison.reason,
        "game": tables.game.id,
        "players": list(tables.counts),
        "design": str(tables.design),
        "field": list(tables.field),
        "question": {
            "low": test.elo0,
            "high": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
        },
        "gain": {key: round(value, 6) for key, value in gains(comparison).items()},
        "llr": round(test.llr(comparison.sample), 6),
        "bounds": [round(bound, 6) for bound in test.bounds],
        "blocks": comparison.sample.blocks,
        "games": comparison.games,
        "fixed_games": _fixed(comparison),
        "seconds": round(seconds, 3),
        "new": _side(tables.new, comparison.new),
        "old": _side(tables.old, comparison.old),
        "spoiled": comparison.unplayed_blocks,
        "by_players": [_row(*each) for each in _strata(comparison)],
        "by_wonder": [_row(*each) for each in sorted(comparison.wonders.items())],
        "scores": comparison.scores,
        "seed": tables.seed,
    }


def _side(label: str, side: ComparedBot) -> dict[str, Any]:
    fault = side.first
    return {
        "bot": label,
        "games": side.games,
        "seats": side.seats,
        "win_share": round(side.share, 6),
        "forfeits": side.forfeits,
        "first_fault": None if fault is None else {"kind": fault.kind, "detail": fault.detail},
    }

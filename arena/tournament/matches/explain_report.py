"""Why a bot lost a match, printed: points by category, turning points, and other choices."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final

from arena.playing.explain import (
    RIVALRIES,
    JudgedDecision,
    MatchExplanation,
    describe_choices,
    explain,
)
from arena.reports.output import OutputFormat
from arena.reports.table import Column, Report, write_all
from arena.reports.wording import db_option
from arena.tournament.verify import contradiction
from bots.house.judge import JUDGE, UNIT
from engine.errors import ArenaError, TraceError
from engine.match import MatchResult
from leagues.storage.handle import read_storage

MAX_TURNS: Final = 3  # turning points that are shown
MAX_COSTLY: Final = 5  # decisions that are shown
MAX_OTHERS: Final = 4  # moves of others behind a turning point
BARS: Final = "▁▂▃▄▅▆▇█"

DECISIONS: Final = (
    Column("number", "decision"),
    Column("prompt", "prompt"),
    Column("chosen", "chosen"),
    Column("better", "better"),
    Column("cost", f"{UNIT} lost", ".1f"),
    Column("options", "options", spare=1),
)


def explain_match(id: int, seat: int | None, format: OutputFormat, db: str) -> None:
    """Print where the points of a seat came from, and when its outlook fell.

    If no seat is given, that of the last place.
    """
    with read_storage(db) as reader:
        stored = reader.results.match(id)
    if (problem := contradiction(stored.result)) is not None:
        raise TraceError(f"match {id}: {problem}")
    ranks = stored.result.ranks
    if seat is None:
        seat = ranks.index(max(ranks))
    if seat >= len(ranks):
        raise ArenaError(f"expected a seat from 0 to {len(ranks) - 1}, got {seat}")
    found = explain(stored.result, seat)
    if format is OutputFormat.JSON:
        print(json.dumps(explanation_facts(id, stored.result, found)))  # noqa: T201
        return
    write_all(explanation_reports(stored.result, found, id, db), format)


def explanation_reports(
    result: MatchResult, found: MatchExplanation, id: int | None = None, db: str = ""
) -> list[Report]:
    """Tables of points by category, of rivalries over the match, and of decisions."""
    report = _ExplainedMatch(result, found, id, db)
    return [report.categories(), report.rivalries(), report.decisions()]


def explanation_facts(
    id: int | None, result: MatchResult, found: MatchExplanation
) -> dict[str, Any]:
    """All of it as plain data; a match that is not stored has no number."""
    told = describe_choices(result, found, "en")
    return {
        "match": id,
        "game": result.spec.game,
        "seat": found.seat,
        "bot": result.spec.bots[found.seat],
        "rank": result.ranks[found.seat] + 1,
        "bots": list(result.spec.bots),
        "judge": JUDGE,
        "unit": UNIT,
        "points": found.sheets,
        "final_lead": found.final_lead,
        "final_outlook": found.final_outlook,
        "stages": [asdict(stage) for stage in found.stages],
        "decisions": [
            asdict(each) | dict(zip(("chosen_text", "better_text"), told[each.number], strict=True))
            for each in found.decisions
        ],
        "turning_points": [each.number for each in found.turning_points(MAX_TURNS)],
        "costliest": [each.number for each in found.costliest(MAX_COSTLY)],
    }


class _ExplainedMatch:
    """The tables of an explanation."""

    def __init__(
        self, result: MatchResult, found: MatchExplanation, id: int | None, db: str
    ) -> None:
        self.result = result
        self.found = found
        self.id = id
        self.db = db
        self.bots = result.spec.bots
        self.told = describe_choices(result, found, "en")

    def categories(self) -> Report:
        """Points by category against the table."""
        found, result = self.found, self.result
        seat = found.seat
        rival = min(
            (each for each in range(len(self.bots)) if each != seat),
            key=lambda each: (result.ranks[each], each),
        )
        others = [sheet for each, sheet in enumerate(found.sheets) if each != seat]
        rows: list[dict[str, Any]] = []
        for key, points in found.sheets[seat].items():
            mean = sum(sheet[key] for sheet in others) / len(others)
            against = found.sheets[rival][key]
            rows.append(
                {"category": key, "own": points, "rival": against, "gap": points - against}
                | {"mean": mean}
            )
        columns = (
            Column("category", "points for"),
            Column("own", f"{self.bots[seat]} ({seat})"),
            Column("rival", f"{self.bots[rival]} ({rival})"),
            Column("gap", "difference", "+d"),
            Column("mean", "mean of the others", ".1f"),
        )
        place = f"rank {result.ranks[seat] + 1} of {len(self.bots)}"
        worst = sorted(rows[:-1], key=lambda row: row["gap"])[:2]
        lost = [f"{row['category']} ({row['gap']:+d})" for row in worst if row["gap"] < 0]
        caption = [f"most was lost by {' and '.join(lost)}"] if lost else []
        match = "" if self.id is None else f"match {self.id}: "
        return Report(f"{match}{self.bots[seat]}, seat {seat}, {place}", columns, rows, caption)

    def rivalries(self) -> Report:
        """Military and science of every seat, over the match."""
        keys = [key for key in RIVALRIES if key in self.found.sheets[0]]
        columns = [Column("bot", "bot")]
        rows: list[dict[str, Any]] = [{"bot": f"{bot} ({at})"} for at, bot in enumerate(self.bots)]
        for key in keys:
            for part, stage in enumerate(self.found.stages, 1):
                done = part / len(self.found.stages)
                name = f"{key}_{part}"
                columns.append(Column(name, f"{key} {done:.0%}"))
                for seat, row in enumerate(rows):
                    row[name] = stage.sheets[seat][key]
        return Report(f"{' and '.join(keys)} as the match went on", tuple(columns), rows)

    def decisions(self) -> Report:
        """What the judge would have done otherwise; the outlook over time and its falls below."""
        found = self.found
        costly = found.costliest(MAX_COSTLY)
        agreed = sum(each.is_same for each in found.decisions)
        caption = [
            f"{JUDGE} agrees with {agreed} of {len(found.decisions)} decisions",
            f"{UNIT} by {JUDGE}, from 0 to 100: {_sparkline(found)}",
            f"{UNIT}: 100 is won; mostly the chance to win, by what the seat could see",
        ]
        for turn in found.turning_points(MAX_TURNS):
            caption += self._turning_point(turn)
        option = db_option(self.db)
        if costly and self.id is not None:
            caption.append(
                f"to ask the bot again: arena match debug {self.id} --seat {found.seat} "
                f"--decision {costly[0].number}{option}"
            )
        rows = [
            {column.key: getattr(each, column.key) for column in DECISIONS}
            | dict(zip(("chosen", "better"), self.told[each.number], strict=True))
            for each in costly
        ]
        return Report(
            f"decisions that {JUDGE} would have taken otherwise", DECISIONS, rows, caption
        )

    def _turning_point(self, turn: JudgedDecision) -> list[str]:
        chosen, better = self.told[turn.number]
        choice = "" if turn.is_same else f"; better: {better} (+{turn.cost:.1f})"
        after = turn.outlook + turn.swing
        when = f"turning point at decision {turn.number}: from {turn.outlook:.1f} to {after:.1f}"
        lines = [f"{when}; it chose: {chosen}{choice}"]
        if turn.others:
            more = f" and {len(turn.others) - MAX_OTHERS} more" if turn.others[MAX_OTHERS:] else ""
            lines.append(f"    then {'; '.join(turn.others[:MAX_OTHERS])}{more}")
        return lines


def _sparkline(found: MatchExplanation) -> str:
    """The outlook before every decision of the seat, and at the end, as a row of bars."""
    outlooks = [each.outlook for each in found.decisions] + [found.final_outlook]
    low, high = min(outlooks), max(outlooks)
    span = high - low or 1.0
    bars = "".join(BARS[round((each - low) / span * (len(BARS) - 1))] for each in outlooks)
    return f"{outlooks[0]:.1f} {bars} {outlooks[-1]:.1f}"

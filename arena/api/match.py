"""Played matches as objects: scores, decisions, positions, tables for a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, overload

from arena.reports.output import create_file
from arena.reports.table import Column, Report
from bots.protocol.tracebacks import summary_line
from engine.catalog import find
from engine.contract import Action, State
from engine.errors import ArenaError
from engine.match import Fault, MatchResult, MatchSpec
from engine.replay import final_state, rounds, trace, write_trace

if TYPE_CHECKING:
    from pandas import DataFrame

    from arena.playing.explain import MatchExplanation

SEAT_COLUMNS: Final = (
    Column("seat", "seat"),
    Column("bot", "bot"),
    Column("wonder", "wonder"),
    Column("rank", "rank"),
    Column("score", "score"),
)
GAME_COLUMNS: Final = (Column("seed", "seed"), *SEAT_COLUMNS, Column("fault", "fault"))
BOT_COLUMNS: Final = (
    Column("bot", "bot"),
    Column("games", "games", ","),
    Column("wins", "wins", "g"),
    Column("win_share", "win share", ".1%"),
    Column("mean_rank", "mean rank", ".2f"),
    Column("mean_score", "mean score", ".1f"),
    Column("faults", "faults"),
)


@dataclass(frozen=True)
class PlayedMove:
    """What one seat answered."""

    seat: int
    bot: str
    action: Action
    text: str


@dataclass(frozen=True)
class MatchReasons:
    """Why a seat of a match came out as it did; shown as tables in a notebook."""

    result: MatchResult
    explanation: MatchExplanation  # its decisions, each with what it cost, and the outlook

    @property
    def reports(self) -> list[Report]:
        """Points by category, military and science over the match, and costly decisions."""
        from arena.tournament.matches.explain_report import explanation_reports

        return explanation_reports(self.result, self.explanation)

    def facts(self) -> dict[str, Any]:
        """All of it as plain data, as `arena match explain --json` prints it."""
        from arena.tournament.matches.explain_report import explanation_facts

        return explanation_facts(None, self.result, self.explanation)

    def _repr_html_(self) -> str:
        return "".join(report.to_html() for report in self.reports)

    def __str__(self) -> str:
        return "\n".join(report.to_text() for report in self.reports)


@dataclass(frozen=True)
class Match:
    """A match that was played; shown as a table in a notebook."""

    result: MatchResult

    @property
    def spec(self) -> MatchSpec:
        """What was to be played."""
        return self.result.spec

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.spec.game

    @property
    def seed(self) -> int:
        """Of the deal."""
        return self.spec.seed

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of the bots, by seat."""
        return self.spec.bots

    @property
    def wonders(self) -> tuple[str, ...]:
        """The wonders, by seat."""
        return self.spec.setup.wonders

    @property
    def scores(self) -> list[int]:
        """Points, by seat."""
        return self.result.scores

    @property
    def ranks(self) -> list[int]:
        """Ranks by seat, from 1; seats that tie share one. A bot that failed ranks last."""
        return [ahead + 1 for ahead in self.result.ranks]

    @property
    def winners(self) -> list[str]:
        """The names of the bots in first place."""
        return [bot for bot, rank in zip(self.bots, self.ranks, strict=True) if rank == 1]

    @property
    def faults(self) -> tuple[Fault, ...]:
        """How bots failed, with their own traceback in `detail`."""
        return self.result.faults

    @property
    def moves(self) -> list[PlayedMove]:
        """Every decision, in order."""
        game = find(self.game)
        return [
            PlayedMove(seat, self.bots[seat], action, game.text(action))
            for round in rounds(self.result)
            for seat, action in zip(round.seats, round.actions, strict=True)
        ]

    def states(self) -> Iterator[State]:
        """The whole position before every round of decisions, then the last one."""
        for round in rounds(self.result):
            yield round.before.clone()
        yield self.final_state

    @cached_property
    def final_state(self) -> State:
        """The position in which the game ended."""
        return final_state(self.result)

    @cached_property
    def score_sheet(self) -> list[dict[str, int]]:
        """Points by category, by seat."""
        return find(self.game).score_sheet(self.final_state)

    def explain(self, seat: int | None = None) -> MatchReasons:
        """Why a seat came out as it did, the last place if none is given; takes about a second."""
        from arena.playing.explain import explain

        ranks = self.result.ranks
        if seat is None:
            seat = ranks.index(max(ranks))
        if not 0 <= seat < len(ranks):
            raise ArenaError(f"expected a seat from 0 to {len(ranks) - 1}, got {seat}")
        return MatchReasons(self.result, explain(self.result, seat))

    def save(self, path: str | Path) -> None:
        """Write the match as a trace, which `arena replay` reads."""
        with create_file(Path(path)) as file:
            file.write(write_trace(trace(self.result)) + "\n")

    @property
    def report(self) -> Report:
        """A row for each seat, with its points by category."""
        keys = [key for key in self.score_sheet[0] if key != "total"]
        points = [Column(f"points_{key}", f"from {key.replace('_', ' ')}") for key in keys]
        columns = (*SEAT_COLUMNS, *points)
        rows = [
            {**row, **{f"points_{key}": sheet[key] for key in keys}}
            for row, sheet in zip(seat_rows(self), self.score_sheet, strict=True)
        ]
        caption = [f"seed {self.seed}"]
        for fault in self.faults:
            why = summary_line(fault.kind, fault.detail)
            who = f"{self.bots[fault.seat]} (seat {fault.seat})"
            caption.append(f"{who} failed at decision {fault.decision}: {fault.kind}: {why}")
        return Report(str(self.spec.setup.variant), columns, rows, caption)

    def to_pandas(self) -> DataFrame:
        """A row for each seat; needs pandas."""
        return self.report.to_pandas()

    def _repr_html_(self) -> str:
        return self.report.to_html()

    def __str__(self) -> str:
        return self.report.to_text()

    def __repr__(self) -> str:
        seats = zip(self.bots, self.scores, strict=True)
        scores = ", ".join(f"{bot} {score}" for bot, score in seats)
        return f"<Match {self.game}, seed {self.seed}: {scores}>"


def seat_rows(match: Match) -> list[dict[str, Any]]:
    """What became of every seat."""
    seats = zip(match.bots, match.wonders, match.ranks, match.scores, strict=True)
    return [
        {"seat": seat, "bot": bot, "wonder": wonder, "rank": rank, "score": score}
        for seat, (bot, wonder, rank, score) in enumerate(seats)
    ]


class Matches(Sequence[Match]):
    """Matches in the order they were played; a table by bot in a notebook."""

    def __init__(self, matches: Sequence[Match]) -> None:
        self._matches = list(matches)

    @overload
    def __getitem__(self, at: int) -> Match: ...

    @overload
    def __getitem__(self, at: slice) -> Matches: ...

    def __getitem__(self, at: int | slice) -> Match | Matches:
        found = self._matches[at]
        return found if isinstance(found, Match) else Matches(found)

    def __len__(self) -> int:
        return len(self._matches)

    @property
    def report(self) -> Report:
        """A row for each bot, the best mean rank first."""
        by_bot: dict[str, list[tuple[Match, int]]] = {}
        for match in self:
            for seat, bot in enumerate(match.bots):
                by_bot.setdefault(bot, []).append((match, seat))
        rows = [_bot_row(bot, seats) for bot, seats in by_bot.items()]
        rows.sort(key=lambda row: row["mean_rank"])
        return Report(f"{len(self):,} matches", BOT_COLUMNS, rows)

    def to_pandas(self) -> DataFrame:
        """A row for each seat of each match; needs pandas."""
        rows = []
        for match in self:
            kinds = {fault.seat: fault.kind for fault in match.faults}
            rows += [
                {"seed": match.seed, **row, "fault": kinds.get(row["seat"])}
                for row in seat_rows(match)
            ]
        return Report("", GAME_COLUMNS, rows).to_pandas()

    def _repr_html_(self) -> str:
        return self.report.to_html()

    def __str__(self) -> str:
        return self.report.to_text()

    def __repr__(self) -> str:
        return f"<{len(self)} matches>"


def _bot_row(bot: str, seats: list[tuple[Match, int]]) -> dict[str, Any]:
    """What became of a bot; a shared win counts by its share."""
    games = len(seats)
    wins = sum(1 / match.ranks.count(1) for match, seat in seats if match.ranks[seat] == 1)
    return {
        "bot": bot,
        "games": games,
        "wins": wins,
        "win_share": wins / games,
        "mean_rank": sum(match.ranks[seat] for match, seat in seats) / games,
        "mean_score": sum(match.scores[seat] for match, seat in seats) / games,
        "faults": sum(fault.seat == seat for match, seat in seats for fault in match.faults),
    }

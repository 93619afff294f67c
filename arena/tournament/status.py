"""Tournaments as they are stored, in tables for people and programs."""

from __future__ import annotations

import shlex
from collections import defaultdict
from typing import Any, Final

from arena.reports.lookup import describe_sandboxes
from arena.reports.table import Column, Report
from arena.reports.wording import db_option, display_names, first_line, format_count, format_time
from arena.schedule.table_games import Progress, follow_results
from arena.tournament.adaptive import Confidence, confidence_of
from arena.tournament.contest import StoredTournament, load_stored
from engine.errors import ArenaError
from leagues.records import Tournament
from leagues.storage.handle import StorageReader
from leagues.storage.match_filter import MatchFilter

TOURNAMENTS: Final = (
    Column("name", "tournament"),
    Column("games", "games"),
    Column("bots", "bots"),
    Column("played", "played", ","),
    Column("planned", "of", ","),
    Column("seed", "seed", spare=4),
    Column("design", "design", spare=3),
    Column("sandboxes", "sandbox", spare=2),
    Column("begun_at", "begun", spare=1, text=lambda at: format_time(at)),
    Column("command", "command", shown=False),
)
TRACKS: Final = (
    Column("game", "game"),
    Column("players", "players"),
    Column("stage", "stage", spare=1),
    Column("rounds", "rounds done", ","),
    Column("planned_rounds", "of", ","),
    Column("open_round", "round open", spare=3),
    Column("open_played", "played of it", spare=2),
    Column("open_planned", "of", spare=2),
    Column("played", "matches", ","),
    Column("planned", "of", ","),
)
FAULTS: Final = (
    Column("bot", "bot"),
    Column("fault", "fault"),
    Column("matches", "matches", ","),
    Column("last", "last in match"),
)
INCIDENTS: Final = (
    Column("at", "when", text=lambda at: format_time(at)),
    Column("number", "place"),
    Column("detail", "what the machine did"),
)


def tournaments(reader: StorageReader) -> Report:
    """All tournaments, oldest first, but for the stages of leagues."""
    every = reader.results.tournaments()
    series = [row for row in every if row.is_series]
    alone = [row for row in every if not row.is_series and reader.stages.stage_of(row.id) is None]
    rows = [_tournament_row(reader, row) for row in alone]
    lines = [] if rows else ["no tournaments yet"]
    if series:
        lines.append(
            f"{len(series)} runs of play, compare and tune: arena match list --tournament "
            f"{series[-1].name}"
        )
    if stages := len(every) - len(alone) - len(series):
        lines.append(f"{format_count(stages, 'stage')} of leagues: arena league list")
    return Report("tournaments", TOURNAMENTS, rows, lines)


def _tournament_row(reader: StorageReader, row: Tournament) -> dict[str, Any]:
    entrants = reader.results.entrants(row.id)
    stored = load_stored(row, entrants, reader.results.rounds_target(row.id))
    origins = reader.results.origins(MatchFilter(tournament=row.id))
    played = sum(each.matches for each in origins)
    return {
        "name": row.name,
        "games": [each.game for each in stored.plan.settings.variants],
        "bots": len(entrants),
        "played": played,
        "planned": planned(stored, played),
        "seed": int(row.seed),
        "design": stored.endless.design.stage,
        "sandboxes": sorted({each.sandbox for each in origins if each.sandbox}),
        "begun_at": row.created,
        "command": row.command,
    }


def planned(stored: StoredTournament, played: int) -> int | None:
    """How many matches a tournament is to have; none if that follows from results or time."""
    # Fewer rounds may have been asked for since.
    return None if stored.size is None else max(played, stored.size)


class Status:
    """How far a tournament is, all of it read at once."""

    def __init__(self, reader: StorageReader, row: Tournament, db: str) -> None:
        if found := reader.stages.stage_of(row.id):
            raise ArenaError(
                f"expected a tournament by itself, got {row.name}, a stage of a league: "
                f"arena league show {found[1].name}"
            )
        self.row = row
        self.db = db
        self.entrants = reader.results.entrants(row.id)
        self.origins = reader.results.origins(MatchFilter(tournament=row.id))
        self.rounds = reader.results.rounds(row.id)
        self.failings = reader.results.fault_counts(MatchFilter(tournament=row.id))
        self.machine_failures = reader.results.incidents(row.id)
        self.played = sum(each.matches for each in self.origins)
        self.target = reader.results.rounds_target(row.id)
        self.stored = load_stored(row, self.entrants, self.target)
        self.planned = planned(self.stored, self.played)
        self.progress: Progress | None = None  # where results decide who meets
        if self.stored.by_results:
            ranks = reader.results.ranks(row.id)
            self.progress = follow_results(self.stored.by_results, ranks)
        self.sure: Confidence | None = None  # of the goal, where there is one
        if adaptive := self.stored.adaptive:
            ids = [entrant.id for entrant in self.entrants]
            self.sure = confidence_of(reader, row.id, adaptive, ids)

    @property
    def complete(self) -> bool:
        """Whether all that was asked for last is played, or its goal is reached."""
        if self.progress is not None:
            return self.progress.order is not None
        if self.stored.adaptive:
            return self.sure is not None and self.sure.reached
        return self.planned is not None and self.played >= self.planned

    def resume(self) -> str:
        """The command that goes on with it."""
        command = self.target.command if self.target else self.row.command
        words = shlex.split(command)
        if "--seed" not in words:
            command += f" --seed {self.row.seed}"
        if "--name" not in words:
            command += f" --name {shlex.quote(self.row.name)}"
        return command + db_option(self.db)

    def tracks(self) -> Report:
        """What is played of every game and number of players."""
        adaptive = self.stored.adaptive
        schedule = adaptive.opening if adaptive else self.stored.schedule
        rows = []
        begun: dict[tuple[str, str, int], list[tuple[int, int]]] = defaultdict(list)
        for each in self.rounds:
            begun[each.stage, each.game, each.players].append((each.round, each.matches))
        stage = schedule.design.stage
        sizes = {
            (stage, track.rules.variant.game, track.players): (
                schedule.design.games(track),
                None if schedule.rounds is None else schedule.rounds * track.weight,
            )
            for track in schedule.tracks
            if self.progress is None  # else rounds have as many games as ties make them
        }
        for key in [*sizes, *(key for key in begun if key not in sizes)]:
            games, rounds = sizes.get(key, (None, None))
            rows.append(_track_row(key, begun[key], games, rounds))
        return Report(f"tournament {self.row.name}", TRACKS, rows, self._caption())

    def _caption(self) -> list[str]:
        return [
            self.line(),
            f"begun {format_time(self.row.created)}",
            f"seed {self.row.seed}; sandbox: {describe_sandboxes(self.origins)}",
            f"bots: {', '.join(entrant.label for entrant in self.entrants)}",
            "complete" if self.complete else f"to go on: {self.resume()}",
        ]

    def line(self) -> str:
        """What is done of what."""
        of = "" if self.planned is None else f" of {self.planned:,}"
        return "; ".join([f"{self.played:,}{of} matches played", *self._goal()])

    def _goal(self) -> list[str]:
        """How far an open end is."""
        adaptive = self.stored.adaptive
        if self.progress is not None:
            return self._rounds_by_results(self.progress)
        if adaptive is None:
            return ["as many rounds as there is time for"] if self.planned is None else []
        if self.sure is None:
            return [f"goal {adaptive.goal}: the opening is not played yet"]
        now, required = f"{self.sure.now:.1%} sure", f"{self.sure.required:.1%}"
        if adaptive.goal.top is None:
            return [
                f"goal {adaptive.goal}: the closest neighbours are {now}, each needs {required}"
            ]
        return [f"goal {adaptive.goal}: {now}, enough is {required}"]

    def _rounds_by_results(self, progress: Progress) -> list[str]:
        if progress.order is not None:
            return [f"won by {self.entrants[progress.order[0]].label}"]
        due = progress.due
        return [f"round {due[0].round + 1}: {format_count(len(due), 'match')} to play"]

    def standings(self) -> list[dict[str, Any]] | None:
        """The final order, where results decide it and all are there."""
        if self.progress is None or self.progress.order is None:
            return None
        names = display_names(self.entrants)
        return [
            {"place": place, "bot": names[self.entrants[bot].id], "seed": bot + 1}
            for place, bot in enumerate(self.progress.order, 1)
        ]

    def faults(self) -> Report:
        """Which bots failed, and how."""
        names = display_names(self.entrants)
        rows = [
            {
                "bot": names[each.entrant],
                "fault": each.kind,
                "matches": each.matches,
                "last": each.last,
            }
            for each in self.failings
        ]
        text = (
            ["no bot failed"] if not rows else ["arena match show tells what happened in a match"]
        )
        return Report("faults", FAULTS, rows, text)

    def incidents(self) -> Report:
        """Matches that the machine failed to play."""
        rows = [
            {"at": each.at, "number": each.number, "detail": first_line(each.detail)}
            for each in self.machine_failures
        ]
        return Report("incidents", INCIDENTS, rows, [] if rows else ["no incidents"])

    def facts(self) -> dict[str, Any]:
        """All of it for programs."""
        return {
            "tournament": self.row.name,
            "seed": int(self.row.seed),
            "played": self.played,
            "planned": self.planned,
            "complete": self.complete,
            "goal": str(self.stored.adaptive.goal) if self.stored.adaptive else None,
            "sure": self.sure.now if self.sure else None,
            "enough": self.sure.required if self.sure else None,
            "standings": self.standings(),
            "tracks": self.tracks().rows,
            "faults": self.faults().rows,
            "incidents": self.incidents().rows,
            "resume": self.resume(),
        }


def _track_row(
    key: tuple[str, str, int],
    begun: list[tuple[int, int]],
    games: int | None,
    rounds: int | None,
) -> dict[str, Any]:
    stage, game, players = key
    unfinished = [(round, matches) for round, matches in begun if games and matches < games]
    first = unfinished[0] if unfinished else (None, 0)
    played = sum(matches for _, matches in begun)
    planned_rounds = None if rounds is None else max(rounds, len(begun))
    return {
        "game": game,
        "players": players,
        "stage": stage,
        "rounds": len(begun) - len(unfinished),
        "planned_rounds": planned_rounds,
        "open_round": first[0],
        "open_played": first[1] if unfinished else None,
        "open_planned": games if unfinished else None,
        "played": played,
        "planned": None if planned_rounds is None or games is None else planned_rounds * games,
    }

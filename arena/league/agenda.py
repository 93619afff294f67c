"""What a league plays next: newcomers, then all against all, then where the order is open.

A stage is a tournament whose tables are written down when it is opened. It goes on while its bots
are those that play; when the field changes the next stage is opened, and what was left is not due.
Every worker comes to the same conclusions from the database alone, and the first writes them down.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from arena.league.rules import LeagueRules
from arena.league.seating import Seated, balanced, gauntlet, max_at_a_table, owner_groups
from arena.schedule import Fixture, Track, match_spec, open_track
from arena.schedule.adaptive import choose_tables, is_reached
from arena.schedule.wonders import shuffled
from engine.rng import Rng, derive
from leagues.ratings.priors import version_priors
from leagues.ratings.result_log import empty_log
from leagues.ratings.thurstone import count_pairs, fit_skills
from leagues.records import League, LeagueStage, StageKind, Submission, Tournament
from leagues.storage.handle import Storage, StorageReader
from leagues.storage.queries import MatchFilter

AT_LEAST: Final = 8  # tables of each number of players in a stage that looks where it is open


@dataclass(frozen=True)
class StageDraft:
    """A stage to be opened."""

    kind: StageKind
    entries: list[Submission]
    tables: list[Seated]
    newcomer: int | None = None  # its place


@dataclass(frozen=True)
class DueStage:
    """The stage that is being played."""

    stage: LeagueStage
    entrants: tuple[int, ...]
    fixtures: list[Fixture]


@dataclass(frozen=True)
class Agenda:
    """What a league has to play; or why nothing."""

    due: DueStage | None = None
    why_not: str = ""
    left_out: str = ""  # what cannot be played


def agenda(storage: Storage, league: League, rules: LeagueRules, may_open: bool = True) -> Agenda:
    """The stage under way, or the next one, opened by whoever comes first, if it may be."""
    while True:
        entries = storage.reader.leagues.submissions(league.id)
        playing = [entry for entry in entries if entry.plays]
        left_out = _left_out(rules, playing)
        stages = storage.reader.stages.of_league(league.id)
        counts = storage.reader.stages.matches_by_stage(league.id)
        if stages and not is_played(stages[-1][1], counts):
            due = _due(storage.reader, rules, playing, *stages[-1])
            if due is not None:
                return Agenda(due, left_out=left_out)
        found = _next(storage.reader, league, rules, playing, stages, counts)
        if isinstance(found, str):
            return Agenda(None, found, left_out)
        if not may_open:
            return Agenda(None, "somebody is being checked", left_out)
        config: dict[str, object] = {
            "league": league.name,
            "newcomer": found.newcomer,
            "tables": found.tables,
        }
        entrants = [entry.entrant for entry in found.entries]
        number = len(stages) + 1
        seed = stage_seed(int(league.seed), number)
        storage.stages.open_stage(league, number, found.kind, seed, config, entrants)


def _left_out(rules: LeagueRules, playing: list[Submission]) -> str:
    """Why some numbers of players are not played."""
    most = max_at_a_table(_owners(rules, playing))
    counts = [str(count) for count in rules.counts if count > most]
    if not counts:
        return ""
    owned = "" if most == len(playing) else f", of whom {most} may share a table"
    there = "there is 1 bot" if len(playing) == 1 else f"there are {len(playing)} bots"
    return f"no games of {', '.join(counts)} players: {there}{owned}"


def is_played(tournament: Tournament, counts: dict[int, int]) -> bool:
    """Whether a stage has nothing left."""
    return counts.get(tournament.id, 0) >= len(json.loads(tournament.config)["tables"])


def _due(
    reader: StorageReader,
    rules: LeagueRules,
    playing: list[Submission],
    stage: LeagueStage,
    tournament: Tournament,
) -> DueStage | None:
    """The stage's fixtures; None if the field is another by now."""
    entrants = tuple(entrant.id for entrant in reader.results.entrants(stage.tournament))
    if not _suits(stage, entrants, playing):
        return None
    by_entrant = {entry.entrant: entry for entry in playing}
    labels = tuple(by_entrant[entrant].label for entrant in entrants)
    return DueStage(stage, entrants, stage_fixtures(rules, stage, tournament, labels))


def is_current(reader: StorageReader, league: int, due: DueStage) -> bool:
    """Whether a stage is still the last one, and for those that play."""
    if reader.stages.last_number(league) != due.stage.number:
        return False
    return _suits(due.stage, due.entrants, reader.leagues.playing(league))


def _suits(stage: LeagueStage, entrants: Sequence[int], playing: list[Submission]) -> bool:
    """Whether the bots of a stage all play, and nobody is left out of one that is for all."""
    if not {entry.entrant for entry in playing} >= set(entrants):
        return False
    return stage.kind == StageKind.PLACEMENT or len(entrants) >= len(playing)


def stage_fixtures(
    rules: LeagueRules, stage: LeagueStage, tournament: Tournament, labels: Sequence[str]
) -> list[Fixture]:
    """The matches of a stage, from what was written down when it was opened."""
    tracks = {track.players: track for track in _tracks(rules, range(len(labels)))[0]}
    seed = int(tournament.seed)
    found = []
    for number, (players, deal, places) in enumerate(json.loads(tournament.config)["tables"]):
        spec = match_spec(tracks[players], seed, deal, tuple(labels[place] for place in places))
        id = f"{tournament.name}-{number}"
        found.append(Fixture(number, id, stage.kind, stage.number, tuple(places), spec))
    return found


def stage_seed(seed: int, number: int) -> int:
    """What the deals of a stage come from; it may be shown, and tells nothing of later ones."""
    return derive(seed, f"stage/{number}")


def _tracks(rules: LeagueRules, places: Sequence[int]) -> tuple[list[Track], list[int]]:
    """The numbers of players that the bots are enough for, and those they are not."""
    enough = [count for count in rules.counts if count <= len(places)]
    (track_rules,) = rules.settings.track_rules
    tracks = [open_track(track_rules, count, places) for count in enough]
    return tracks, [count for count in rules.counts if count not in enough]


def _next(
    reader: StorageReader,
    league: League,
    rules: LeagueRules,
    playing: list[Submission],
    stages: list[tuple[LeagueStage, Tournament]],
    counts: dict[int, int],
) -> StageDraft | str:
    """The stage to be opened, or why there is none."""
    fewest = rules.counts[0]
    if max_at_a_table(_owners(rules, playing)) < fewest:
        apart = "" if rules.same_owner or len(playing) < fewest else " of different owners"
        return f"expected at least {fewest} bots{apart} to play, got {len(playing)}"
    seed = stage_seed(int(league.seed), len(stages) + 1)
    placed, covered = _history(reader, stages, counts)
    for newcomer in playing:
        if newcomer.entrant in placed:
            continue
        others = [
            entry
            for entry in playing
            if entry.entrant in placed
            and (rules.same_owner or entry.owner is None or entry.owner != newcomer.owner)
        ]
        field = [newcomer, *others]
        tracks = _possible(rules, field)
        if tracks:
            tables = gauntlet(tracks, _owners(rules, field), 0, rules.placement, seed)
            return StageDraft(StageKind.PLACEMENT, field, tables, 0)
    everyone = {entry.entrant for entry in playing}
    if not any(field >= everyone for field in covered):
        tracks = _possible(rules, playing)
        tables = balanced(tracks, _owners(rules, playing), rules.rounds, seed)
        return StageDraft(StageKind.BALANCED, playing, tables)
    return _adaptive(reader, league, rules, playing, seed)


def _owners(rules: LeagueRules, entries: list[Submission]) -> list[str | None]:
    """Who must sit apart; nobody where the league lets an owner's bots meet."""
    return [None if rules.same_owner else entry.owner for entry in entries]


def _possible(rules: LeagueRules, entries: list[Submission]) -> list[Track]:
    """The numbers of players that can sit together out of these."""
    most = max_at_a_table(_owners(rules, entries))
    tracks, _ = _tracks(rules, range(len(entries)))
    return [track for track in tracks if track.players <= most]


def _history(
    reader: StorageReader, stages: list[tuple[LeagueStage, Tournament]], counts: dict[int, int]
) -> tuple[set[int], list[set[int]]]:
    """Who was placed, and which fields have met in whole balanced stages."""
    placed: set[int] = set()
    covered: list[set[int]] = []
    for stage, tournament in stages:
        if stage.kind == StageKind.ADAPTIVE or not is_played(tournament, counts):
            continue
        entrants = [entrant.id for entrant in reader.results.entrants(stage.tournament)]
        if stage.kind == StageKind.BALANCED:
            covered.append(set(entrants))
            placed.update(entrants)
        else:
            placed.add(entrants[json.loads(tournament.config)["newcomer"]])
    return placed, covered


def _adaptive(
    reader: StorageReader, league: League, rules: LeagueRules, playing: list[Submission], seed: int
) -> StageDraft | str:
    """Tables where the order is open, as long as it is and bots have games left."""
    game = rules.settings.game
    everyone = [entry.entrant for entry in playing]
    logs = reader.results.logs(MatchFilter(league=league.id), roster=everyone)
    log = logs.get(game) or empty_log(game, everyone)
    places = [log.entrants.index(entrant) for entrant in everyone]
    games = float(np.mean(log.games()[places]))
    if games >= rules.games:
        return f"enough was played: {games:.0f} games of a bot, in the mean"
    goal = rules.until
    told = fit_skills(
        count_pairs(log), version_priors(log, parents_of(reader.leagues.submissions(league.id)))
    )
    mean = told.mean[places]
    covariance = told.covariance[np.ix_(places, places)]
    if (goal.top or 0) >= len(playing) or is_reached(mean, covariance, goal):
        return f"the goal is reached: {goal}"
    whose = owner_groups(_owners(rules, playing))
    barred = np.array([[one == other for other in whose] for one in whose])
    np.fill_diagonal(barred, False)
    tables: list[Seated] = []
    for track in _possible(rules, playing):
        count = max(AT_LEAST, len(playing) // track.players)
        chosen = choose_tables(mean, covariance, goal, track.players, count, barred=barred)
        for deal, table in enumerate(chosen):
            dice = Rng(derive(seed, f"seats/{track.name}/{deal}"))
            tables.append((track.players, deal, tuple(shuffled(table, dice))))
    return StageDraft(StageKind.ADAPTIVE, playing, tables)


def parents_of(entries: list[Submission]) -> dict[int, int]:
    """Of every new version its parent, both as entrants."""
    by_id: dict[int | None, Any] = {entry.id: entry.entrant for entry in entries}
    return {entry.entrant: by_id[entry.parent] for entry in entries if entry.parent is not None}

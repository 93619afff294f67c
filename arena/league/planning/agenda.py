"""What a league plays next, as the database tells it: the stage under way, or one that is opened.

A stage is a tournament whose tables are written down when it is opened. It goes on while its bots
are those that play; when the field changes the next stage is opened, and what was left is not due.
Every worker comes to the same conclusions from the database alone, and the first writes them down.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arena.league.planning.seating import Seated, max_at_a_table
from arena.league.planning.stage_plan import LeagueField, plan_stage
from arena.league.rules import LeagueRules
from arena.schedule import Fixture, match_spec, open_track
from engine.rng import derive
from leagues.ratings.field_prior import fit_field
from leagues.ratings.result_log import empty_log
from leagues.ratings.thurstone import Fit, count_pairs
from leagues.records import (
    League,
    LeagueFinal,
    LeagueStage,
    LeagueState,
    StageKind,
    Submission,
    SubmissionState,
    Tournament,
)
from leagues.storage.handle import Storage, StorageReader
from leagues.storage.match_filter import MatchFilter


@dataclass(frozen=True)
class StageDraft:
    """A stage to be opened."""

    kind: StageKind
    entries: list[Submission]
    tables: list[Seated]


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
    final = final_of(storage.reader, league)
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
        found = _next(storage.reader, league, rules, playing, stages, counts, final)
        if isinstance(found, str):
            return Agenda(None, found, left_out)
        if not may_open:
            return Agenda(None, "somebody is being checked", left_out)
        config: dict[str, object] = {
            "league": league.name,
            "tables": found.tables,
        }
        entrants = [entry.entrant for entry in found.entries]
        number = len(stages) + 1
        seed = stage_seed(int(final.seed if final else league.seed), number)
        storage.stages.open_stage(league, number, found.kind, seed, config, entrants)


def final_of(reader: StorageReader, league: League) -> LeagueFinal | None:
    """The final that is being played, if the league is in it."""
    if reader.leagues.state(league.id) != LeagueState.FINAL:
        return None
    return reader.leagues.final(league.id)


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
    (track_rules,) = rules.settings.track_rules
    counts = [count for count in rules.counts if count <= len(labels)]
    tracks = {count: open_track(track_rules, count, range(len(labels))) for count in counts}
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


def _next(
    reader: StorageReader,
    league: League,
    rules: LeagueRules,
    playing: list[Submission],
    stages: list[tuple[LeagueStage, Tournament]],
    counts: dict[int, int],
    final: LeagueFinal | None = None,
) -> StageDraft | str:
    """The stage to be opened, or why there is none; in a final all begin anew with new deals."""
    fewest = rules.counts[0]
    if max_at_a_table(_owners(rules, playing)) < fewest:
        apart = "" if rules.same_owner or len(playing) < fewest else " of different owners"
        return f"expected at least {fewest} bots{apart} to play, got {len(playing)}"
    seed = league.seed
    counted = stages
    if final is not None:
        rules = replace(rules, games=final.games)
        counted = [each for each in stages if each[0].number > final.stage]
        seed = final.seed
    extra_left = _extra_left(reader, league, rules, counted, counts)
    since = None if final is None else {tournament.id for _, tournament in counted}
    field = _field(reader, league, rules, playing, extra_left, since)
    plan = plan_stage(rules, field, stage_seed(int(seed), len(stages) + 1))
    if isinstance(plan, str):
        return plan
    seated = sorted({place for _, _, places in plan.tables for place in places})
    if plan.kind != StageKind.PLACEMENT:
        seated = list(range(len(playing)))
    at = {place: number for number, place in enumerate(seated)}
    tables = [
        (players, deal, tuple(at[place] for place in places))
        for players, deal, places in plan.tables
    ]
    return StageDraft(plan.kind, [playing[place] for place in seated], tables)


def _field(
    reader: StorageReader,
    league: League,
    rules: LeagueRules,
    playing: list[Submission],
    extra_left: int,
    since: set[int] | None = None,
) -> LeagueField:
    """What the results so far tell of those that play; games are counted in these tournaments."""
    game = rules.settings.game
    everyone = [entry.entrant for entry in playing]
    logs = reader.results.logs(MatchFilter(league=league.id), roster=everyone)
    log = logs.get(game) or empty_log(game, everyone)
    games = log.games()
    if since is not None:
        of = reader.stages.tournaments_of(league.id)
        mask = np.array([of[match] in since for match in log.match.tolist()], dtype=np.bool_)
        games = log.only(mask).games()

    def fit() -> Fit:
        parents = parents_of(reader.leagues.submissions(league.id))
        priors = reader.leagues.carried_priors(league.id)
        return fit_field(count_pairs(log), priors, parents).of(everyone)

    return LeagueField(
        _owners(rules, playing),
        [int(games[log.entrants.index(entrant)]) for entrant in everyone],
        fit,
        extra_left,
    )


def _extra_left(
    reader: StorageReader,
    league: League,
    rules: LeagueRules,
    stages: list[tuple[LeagueStage, Tournament]],
    counts: dict[int, int],
) -> int:
    """How many matches may still be played where the order is open."""
    accepted = sum(
        any(event.state == SubmissionState.ACCEPTED for event in entry.events)
        for entry in reader.leagues.submissions(league.id)
    )
    played = sum(
        counts.get(tournament.id, 0)
        for stage, tournament in stages
        if stage.kind == StageKind.ADAPTIVE
    )
    return rules.extra * accepted - played


def _owners(rules: LeagueRules, entries: list[Submission]) -> list[str | None]:
    """Who must sit apart; nobody where the league lets an owner's bots meet."""
    return [None if rules.same_owner else entry.owner for entry in entries]


def parents_of(entries: list[Submission]) -> dict[int, int]:
    """Of every new version its parent, both as entrants."""
    by_id: dict[int | None, Any] = {entry.id: entry.entrant for entry in entries}
    return {entry.entrant: by_id[entry.parent] for entry in entries if entry.parent is not None}

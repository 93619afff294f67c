"""The fixtures that a plan asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from arena.playing.entrants import OBJECT, Contender, check_games
from arena.playing.game_settings import default_counts
from arena.schedule import (
    Balanced,
    Cycle,
    Design,
    Full,
    Gauntlet,
    RandomTables,
    Schedule,
    Track,
    open_tracks,
)
from arena.schedule.goal import check_goal
from arena.schedule.knockout import Knockout
from arena.schedule.swiss import Swiss
from arena.schedule.table_games import ByResults, FirstBatch
from arena.tournament.plan import Plan
from engine.errors import ArenaError

if TYPE_CHECKING:  # it computes with numpy, which most tournaments begin without
    from arena.schedule.adaptive import Adaptive

BATCH: Final = 8  # matches between two looks at whether a goal is reached


def check_plan(plan: Plan, field: Sequence[Contender]) -> None:
    """Refuse what cannot be played, before anything is written."""
    specs = [contender.spec for contender in field if contender.source != OBJECT]
    check_games(specs, [variant.game for variant in plan.settings.variants])
    build_schedule(replace(plan, seed=plan.seed or 0), field_labels(field), [])
    if plan.until is not None:
        check_goal(plan.until, len(field))


def field_labels(field: Sequence[Contender]) -> tuple[str, ...]:
    """The names of a field, in its order."""
    return tuple(contender.label for contender in field)


def build_schedule(
    plan: Plan, labels: tuple[str, ...], cycles: list[Cycle], endless: bool = False
) -> tuple[Schedule, list[str]]:
    """The fixtures of a plan with a seed, and what of it cannot be played."""
    assert plan.seed is not None
    if (by_results := build_by_results(plan, labels)) is not None:
        first = FirstBatch(by_results)
        return Schedule(labels, [by_results.track], first, plan.seed, 1), []
    tracks, left_out = _tracks(plan, len(labels))
    design = _design(plan, labels, cycles)
    rounds = None if endless else _rounds(plan, design, tracks)
    return Schedule(labels, tracks, design, plan.seed, rounds), left_out


def build_by_results(plan: Plan, labels: tuple[str, ...]) -> ByResults | None:
    """The design whose tables follow from results, where the plan asks for one."""
    if not plan.by_results:
        return None
    assert plan.seed is not None
    [kind] = plan.settings.track_rules
    players = plan.settings.players or kind.game.players[:1]
    [track], _ = open_tracks([kind], players, range(len(labels)))
    if plan.design == "swiss":
        return Swiss(labels, track, plan.seed, plan.rounds)
    lives = 2 if plan.design == "double" else 1
    return Knockout(labels, track, plan.seed, plan.rounds, lives)


def build_adaptive(plan: Plan, schedule: Schedule, cycles: list[Cycle]) -> Adaptive | None:
    """The batches that follow the opening, where a goal is to be reached."""
    if plan.until is None:
        return None
    from arena.schedule.adaptive import Adaptive

    return Adaptive(schedule.labels, schedule.tracks, plan.until, schedule.seed, BATCH, cycles)


def _tracks(plan: Plan, bots: int) -> tuple[list[Track], list[str]]:
    """What can be played, and why numbers of players that were asked for cannot be."""
    settings = plan.settings
    kinds = settings.track_rules
    if settings.players:
        return open_tracks(kinds, settings.players, range(bots))
    tracks = []
    for kind in kinds:
        if counts := default_counts(kind.game, bots):
            tracks += open_tracks([kind], counts, range(bots))[0]
    if not tracks:
        fewest = min(kind.game.players.start for kind in kinds)
        raise ArenaError(f"expected at least {fewest} bots for {settings.game}, got {bots}")
    return tracks, []


def _design(plan: Plan, labels: tuple[str, ...], cycles: list[Cycle]) -> Design:
    assert plan.seed is not None
    if plan.newcomer:
        return Gauntlet(plan.seed, _newcomer_place(plan, labels), cycles)
    if plan.design == "full":
        return Full()
    return RandomTables(plan.seed) if plan.design == "random" else Balanced(plan.seed, cycles)


def _newcomer_place(plan: Plan, labels: tuple[str, ...]) -> int:
    """The newcomer's place in the field, by the text it was given by or by its label."""
    for names in (plan.bots, labels):
        if plan.newcomer in names:
            return names.index(plan.newcomer)
    raise ArenaError(f"expected a newcomer out of {', '.join(labels)}, got {plan.newcomer}")


def _rounds(plan: Plan, design: Design, tracks: list[Track]) -> int | None:
    """Those asked for; else a cycle after which all is even, or no end where time sets it."""
    if plan.rounds is not None:
        return plan.rounds
    if plan.budget is not None:
        return None
    return max(design.rounds(track) for track in tracks)

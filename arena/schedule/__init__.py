"""Schedules: who meets whom, where they sit, with which wonders and which deal."""

from arena.schedule.cyclic import Cycle, build_cycle, from_json, to_json
from arena.schedule.describe import describe
from arena.schedule.fixtures import (
    Balanced,
    Design,
    Fixture,
    Full,
    RandomTables,
    Schedule,
    Track,
    TrackRules,
    match_spec,
    open_track,
    open_tracks,
)
from arena.schedule.gauntlet import Gauntlet
from arena.schedule.wonders import ALL, Pool, open_pool

__all__ = [
    "ALL",
    "Balanced",
    "Cycle",
    "Design",
    "Fixture",
    "Full",
    "Gauntlet",
    "Pool",
    "RandomTables",
    "Schedule",
    "Track",
    "TrackRules",
    "build_cycle",
    "describe",
    "from_json",
    "match_spec",
    "open_pool",
    "open_track",
    "open_tracks",
    "to_json",
]

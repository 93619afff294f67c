"""Tournaments that play until a goal is reached: skills before every batch, and how sure it is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.schedule.adaptive import Adaptive, confidence, required_confidence
from leagues.ratings.thurstone import Fit, PairCounts, fit_skills
from leagues.storage.handle import StorageReader
from leagues.storage.match_filter import MatchFilter


def skills_by_batch(
    reader: StorageReader, tournament: int, adaptive: Adaptive, entrants: Sequence[int]
) -> Iterator[tuple[int, Fit]]:
    """The skills before every batch, by the results before it; read when asked for."""
    pairs = PairCounts(entrants)
    since = 0
    for batch in itertools.count():
        before = adaptive.first(batch)
        which = MatchFilter(tournament, since=since, before=before)
        for log in reader.results.logs(which, unrated=True).values():
            pairs.add_log(log)
        since = before
        yield batch, fit_skills(pairs)


@dataclass(frozen=True)
class Confidence:
    """How sure a goal is, and how sure it is to be."""

    now: float
    required: float

    @property
    def reached(self) -> bool:
        return self.now >= self.required


def confidence_of(
    reader: StorageReader, tournament: int, adaptive: Adaptive, entrants: Sequence[int]
) -> Confidence | None:
    """By the batches that are played, the first that was enough; none before there is one."""
    done = reader.results.played(tournament)
    found = None
    since = 0
    for batch, skills in skills_by_batch(reader, tournament, adaptive, entrants):
        before = adaptive.first(batch)
        if any(number not in done for number in range(since, before)):
            break
        since = before
        sure = confidence(skills.mean, skills.covariance, adaptive.goal)
        found = Confidence(sure, required_confidence(adaptive.goal, len(entrants)))
        if found.reached:
            break
    return found

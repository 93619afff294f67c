"""What is believed of a new version before it has played: what was known of the one before."""

from collections.abc import Mapping

import numpy as np

from leagues.ratings.field_prior import fit_field
from leagues.ratings.result_log import ResultLog
from leagues.ratings.thurstone import count_pairs
from leagues.ratings.trueskill_fold import Rating, child_rating


def version_priors(log: ResultLog, parents: Mapping[int, int]) -> dict[int, Rating]:
    """Where entrants with a parent start: by what was played before the child's first match.

    A parent that has not played tells nothing.
    """
    found: dict[int, Rating] = {}
    firsts = {entrant: _first(log, entrant) for entrant in parents if entrant in log.entrants}
    for entrant in sorted(firsts):  # a parent is entered before its child
        parent = parents[entrant]
        while parent not in log.entrants and parent in parents:  # one that was never let play
            parent = parents[parent]
        before = log.first(firsts[entrant])
        if parent not in log.entrants or not before.games()[log.entrants.index(parent)]:
            if parent in found:  # a version nobody saw play hands on what it was given
                found[entrant] = child_rating(found[parent])
            continue
        found[entrant] = child_rating(fit_field(count_pairs(before), found).belief(parent))
    return found


def _first(log: ResultLog, entrant: int) -> int:
    """The place of its first match; behind the last if it has none."""
    seats = np.flatnonzero(log.entrant == log.entrants.index(entrant))
    if not len(seats):
        return len(log)
    return int(np.searchsorted(log.start, seats[0], side="right")) - 1

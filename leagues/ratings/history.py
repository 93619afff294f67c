"""How ratings came about: the curve over the schedule, and what moved one entrant."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from leagues.ratings.field_prior import estimate_prior, fit_by_prior
from leagues.ratings.head_to_head import Meeting, head_to_head
from leagues.ratings.result_log import ResultLog
from leagues.ratings.thurstone import Fit, PairCounts, count_pairs, fit_skills
from leagues.ratings.trueskill_fold import Fold, FoldRules, Rating, RatingError


@dataclass(frozen=True)
class SkillSnapshot:
    """What the first matches tell, in any order of them."""

    matches: int
    fit: Fit


def skill_history(
    log: ResultLog, snapshots: int = 20, parents: Mapping[int, int] | None = None
) -> list[SkillSnapshot]:
    """Skills after equal parts of the schedule; the last is after all of it."""
    prior = estimate_prior(count_pairs(log), parents=parents)
    pairs = PairCounts(log.entrants)
    found: list[SkillSnapshot] = []
    places = np.arange(len(log))
    seen = 0
    for number in range(1, snapshots + 1):
        stop = len(log) * number // snapshots
        if stop == seen:
            continue
        for tables in log.only((places >= seen) & (places < stop)).each_tables():
            pairs.add_tables(tables)
        seen = stop
        found.append(SkillSnapshot(stop, fit_by_prior(pairs, prior, parents)))
    return found


@dataclass(frozen=True, slots=True)
class Influence:
    """What the games with one opponent did to an entrant's skill."""

    meeting: Meeting
    moved: float  # how far above it is of where it would be without these games


@dataclass(frozen=True, slots=True)
class Move:
    """One match and what the fold made of it."""

    match: int
    rank: int  # 0 is the winner
    before: Rating
    after: Rating


@dataclass(frozen=True)
class Explanation:
    """Why an entrant is where it is."""

    entrant: int
    skill: Rating  # by all results at once
    opponents: tuple[Influence, ...]  # those who moved it most first
    moves: tuple[Move, ...]  # the largest, in the order they were played


def explain_skill(
    log: ResultLog, entrant: int, priors: Mapping[int, Rating] | None = None, moves: int = 10
) -> Explanation:
    if entrant not in log.entrants:
        raise RatingError(f"expected an entrant of {log.game}, got {entrant}")
    pairs = count_pairs(log)
    prior = estimate_prior(pairs, priors)
    fitted = fit_by_prior(pairs, prior)
    place = log.entrants.index(entrant)
    influences = [
        Influence(
            meeting,
            float(
                fitted.mean[place]
                - fit_skills(pairs.without(entrant, opponent), prior.ratings).mean[place]
            ),
        )
        for (one, opponent), meeting in head_to_head(pairs, fitted).items()
        if one == entrant
    ]
    influences.sort(key=lambda influence: (-abs(influence.moved), influence.meeting.opponent))
    return Explanation(
        entrant=entrant,
        skill=fitted.belief(entrant),
        opponents=tuple(influences),
        moves=_largest_moves(log, place, priors or {}, moves),
    )


def _largest_moves(
    log: ResultLog, place: int, priors: Mapping[int, Rating], most: int
) -> tuple[Move, ...]:
    running = Fold(log, FoldRules(priors))
    found: list[Move] = []
    seats = np.flatnonzero(log.entrant == place)
    matches = np.searchsorted(log.start, seats, side="right") - 1
    for seat, match in zip(seats.tolist(), matches.tolist(), strict=True):
        running.advance(match)
        before = running.belief(place)
        running.advance(match + 1)
        found.append(
            Move(int(log.match[match]), int(log.rank[seat]), before, running.belief(place))
        )
    steps = [-abs(move.after.mu - move.before.mu) for move in found]
    largest = np.argsort(steps, kind="stable")[:most]
    return tuple(found[at] for at in sorted(largest.tolist()))

"""Matches of a league that are played just now, as the site shows them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final

from arena.league.rules import parse_rules
from arena.site.cache import Cache
from arena.site.contests import Contests, SiteContest
from arena.site.formatting import brief
from arena.site.public_scene import PublicPosition, public_position
from engine.errors import TraceError
from leagues.running_matches import RunningMatch

STEPS: Final = 12  # that are told again
MIN_AGE: Final = 0.5  # seconds for which the database is not asked again


@dataclass(frozen=True)
class ShownMatch:
    """A match under way, who plays it, and how it stands for everybody."""

    match: RunningMatch
    names: tuple[str, ...]
    position: PublicPosition

    @property
    def points(self) -> list[int]:
        """Of every seat, as if it ended now."""
        panels = self.position.scene.panels
        return [panel.points for panel in panels if panel.seat is not None]


class MatchesUnderWay:
    """What may be shown of them, read and drawn once for all who look."""

    def __init__(self, contests: Contests, clock: Callable[[], float] = time.monotonic) -> None:
        self._contests = contests
        self._rows = Cache(clock=clock)
        self._positions = Cache(clock=clock)
        self._fingerprints = Cache(clock=clock)

    def rows(self, contest: SiteContest) -> list[RunningMatch]:
        """Those of a league, as far as its rules let them be shown; none of other contests."""
        league = contest.which.league
        if league is None or live_delay(contest) is None:
            return []
        read = self._contests.reader.running.of_league
        return self._rows.get_or_create(league, lambda: read(league), _is_new)

    def shown(self, contest: SiteContest, lang: str) -> list[ShownMatch]:
        """How each of them stands; those of another version of the rules are left out."""
        found = [self._show(contest, match, lang) for match in self.rows(contest)]
        return [each for each in found if each is not None]

    def find(
        self, contest: SiteContest, tournament: int, number: int, lang: str
    ) -> ShownMatch | None:
        """The one at this place of the schedule; None if it is not under way."""
        for match in self.rows(contest):
            if (match.tournament, match.number) == (tournament, number):
                return self._show(contest, match, lang)
        return None

    def fingerprint(self, path: tuple[str, ...]) -> str:
        """A word that differs whenever the live pages of a league would.

        It is sent with them, so it is made of what they show, and of no decision.
        """

        def read() -> str:
            known = self._contests.fingerprint(path)
            matches = self.shown(self._contests.contest(path), "en")
            places = [(each.match.tournament, each.match.number) for each in matches]
            scenes = [each.position.scene for each in matches]
            return sha256(repr((known, places, scenes)).encode()).hexdigest()[:16]

        return self._fingerprints.get_or_create(path, read, _is_new)

    def _show(self, contest: SiteContest, match: RunningMatch, lang: str) -> ShownMatch | None:
        names = tuple(brief(contest.names[entrant]) for entrant in match.entrants)
        try:
            position = self._positions.get_or_create(
                (match, names, lang),
                lambda: public_position(match.spec, match.decisions, names, lang, STEPS),
            )
        except TraceError:
            return None
        return ShownMatch(match, names, position)


def live_delay(contest: SiteContest) -> float | None:
    """After how many seconds a league shows matches under way; None if it does not."""
    return None if contest.league is None else _live_delay(contest.league.rules)


@lru_cache(maxsize=64)  # asked for by every page of few leagues
def _live_delay(rules: str) -> float | None:
    return parse_rules(rules).live_delay


def _is_new(_: object, age: float) -> bool:
    return age < MIN_AGE

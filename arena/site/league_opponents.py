"""Bots of the latest leagues as opponents of a visitor: the best of each, and the visitor's own."""

import threading
from collections.abc import Collection, Sequence
from typing import Final

from arena.league.unpacked_bots import UnpackedBots
from arena.site.contests import Contests, SiteContest
from leagues.records import Submission

BEST: Final = 5  # of each league
MAX_LEAGUES: Final = 8  # whose bots are offered


class LeagueOpponents:
    """Whom a visitor may ask to the table besides house bots; they play in the sandbox."""

    def __init__(self, contests: Contests) -> None:
        self._contests = contests
        self._unpacked: UnpackedBots | None = None
        self._lock = threading.Lock()

    def names(self, owners: Collection[str] = ()) -> dict[str, list[str]]:
        """The bots of the latest leagues that have some, of each league the champion first.

        Of older leagues, the visitor's own bots alone.
        """
        found: dict[str, list[str]] = {}
        for league in self._contests.leagues():
            latest = len(found) < MAX_LEAGUES
            if not latest and not owners:
                break
            entries = self._entries(league, owners) if latest else _own(league, owners)
            if entries:
                found[league.name] = [*entries]
        return found

    def places(self, names: Sequence[str], owners: Collection[str] = ()) -> dict[str, str]:
        """Where those of the names are that are bots of leagues."""
        wanted = {name for name in names if "/" in name}  # OWNER/NAME
        entries: dict[str, Submission] = {}
        for league in self._contests.leagues() if wanted else ():
            entries |= self._entries(league, owners)
            if wanted <= entries.keys():
                break
        with self._lock:
            if self._unpacked is None:
                self._unpacked = UnpackedBots(self._contests.reader)
            return {name: self._unpacked.path(entries[name]) for name in names if name in entries}

    def _entries(self, league: SiteContest, owners: Collection[str]) -> dict[str, Submission]:
        playing = {entry.entrant: entry for entry in _playing(league)}
        (game,) = league.games
        order = [row.entrant for row in league.whole_board(game).rows if row.entrant in playing]
        best = [playing[entrant] for entrant in order[:BEST]]
        return {entry.label: entry for entry in best} | _own(league, owners)

    def close(self) -> None:
        """Remove what was unpacked."""
        with self._lock:
            if self._unpacked is not None:
                self._unpacked.close()
                self._unpacked = None


def _playing(league: SiteContest) -> list[Submission]:
    assert league.league is not None
    return [entry for entry in league.league.entries if entry.plays]


def _own(league: SiteContest, owners: Collection[str]) -> dict[str, Submission]:
    return {entry.label: entry for entry in _playing(league) if entry.owner in owners}

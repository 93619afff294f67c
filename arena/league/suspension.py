"""Who fails too often is taken out of the field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from arena.i18n import N_
from leagues.errors import RefusedError
from leagues.records import SubmissionState
from leagues.storage.handle import Storage
from leagues.storage.reliability import FaultCounter

MIN_GAMES: Final = 20  # before a bot is suspended
MAX_FAULTS: Final = 0.2  # of its games
TOO_MANY_FAULTS: Final = N_("it failed in {failed} of {games} games: {faults}")


def suspend(
    storage: Storage, league: int, faults: FaultCounter, by: str
) -> Iterator[tuple[str, str]]:
    """Suspend those bots; the label of each, and why.

    Games count from when a bot was last let play; what was before is forgiven.
    """
    field = storage.reader.leagues.playing(league)
    counted = faults.count({entry.entrant: entry.since for entry in field})
    for entry in field:
        games, kinds = counted[entry.entrant]
        failed = sum(kinds.values())
        if not is_faulty(games, failed):
            continue
        told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        reason = TOO_MANY_FAULTS.format(failed=failed, games=games, faults=told)
        try:
            storage.leagues.set_submission_state(entry.id, SubmissionState.SUSPENDED, reason, by=by)
        except RefusedError:  # by another worker, just now
            continue
        yield entry.label, reason


def is_faulty(games: int, failed: int) -> bool:
    """Whether a bot fails too often to play on."""
    return games >= MIN_GAMES and failed > MAX_FAULTS * games

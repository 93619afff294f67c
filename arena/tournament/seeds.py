"""Seeds of a tournament whose tables follow from results: by skill, when it begins."""

from __future__ import annotations

from collections.abc import Sequence

from arena.playing.entrants import Contender
from arena.tournament.plan import Plan
from leagues.records import Tournament
from leagues.storage.handle import StorageReader


def seeded(
    reader: StorageReader, plan: Plan, field: Sequence[Contender], row: Tournament | None
) -> list[Contender]:
    """The field in the order of its seeds: as stored, or by the skills of this database.

    Who has no rated match of the game is behind those who have, in the order given.
    """
    if row is not None:
        stored = [entrant.digest for entrant in reader.results.entrants(row.id)]
        return sorted(field, key=lambda each: stored.index(each.digest))
    skills = _skills(reader, plan)
    return sorted(field, key=lambda each: -skills.get(each.digest, float("-inf")))


def _skills(reader: StorageReader, plan: Plan) -> dict[str, float]:
    """The skill of every rated bot in all matches of the game, by its digest."""
    from leagues.storage.derived.boards import BoardKey

    [kind] = plan.settings.track_rules
    variant = kind.game.setup(kind.game.players[0], 0, (), kind.variant).variant
    found = reader.ratings.read(BoardKey(variant))
    if not found.totals.matches:
        return {}
    digests = {entrant.id: entrant.digest for entrant in reader.results.entrants()}
    rows = found.leaderboard(plan.settings.game).rows
    return {digests[row.entrant]: row.skill.value for row in rows if row.entrant in digests}

"""What is measured: one row for each kind of table."""

from typing import NamedTuple


class Row(NamedTuple):
    game: str
    players: int
    edition: str | None = None
    expansions: tuple[str, ...] = ()
    expert: bool = False

    @property
    def name(self) -> str:
        words = [self.game, self.edition, *self.expansions, "expert" if self.expert else None]
        return " ".join(word for word in words if word)


# The only game with figures for C; rows of any other game in the catalog may stand in ROWS too.
YARDSTICK_GAME = "architects"

# Random games a second of TAG's wonders7, the fastest complete public engine of that game, by
# players: measured on a machine of two shared cores like the one of docs/benchmarks.md.
PEER = {3: 857, 7: 342}

# States to clone, and the aim in microseconds.
CLONES = ((Row("architects", 7), 1.0), (Row("seven", 7, edition="2nd"), 2.0))

ROWS = (
    *(Row("architects", players) for players in range(2, 8)),
    *(Row("architects", players, expansions=("medals",)) for players in (2, 4, 7)),
    *(Row("seven", players, edition="2nd") for players in range(3, 8)),
    *(Row("seven", players, edition="1st") for players in (3, 7)),
)

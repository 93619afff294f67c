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

ROWS = (
    *(Row("architects", players) for players in range(2, 8)),
    *(Row("architects", players, expansions=("medals",)) for players in (2, 4, 7)),
)

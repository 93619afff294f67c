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

# TAG's wonders7, the fastest complete public engine of 7 Wonders, by players: its random games
# (Java 17, warmed up, without its copies of the state) for each one the yardstick plays with seven
# players, both measured by CPU time on one machine: 2,072 and 983 against 77,080 a second.
PEER_TO_YARDSTICK = {3: 2072 / 77080, 7: 983 / 77080}
YARDSTICK = Row("architects", 7)

# States to clone, and the aim in microseconds.
CLONES = ((Row("architects", 7), 1.0), (Row("seven", 7, edition="2nd"), 2.0))

ROWS = (
    *(Row("architects", players) for players in range(2, 8)),
    *(Row("architects", players, expansions=("medals",)) for players in (2, 4, 7)),
    *(Row("seven", players, edition="2nd") for players in range(3, 8)),
    *(Row("seven", players, edition="1st") for players in (3, 7)),
)

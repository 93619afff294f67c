"""The types of `Decision.facts()`, one for each game; docs/protocol.md says what they mean."""

from typing import TypedDict


class SevenSeat(TypedDict):
    """A seat of 7 Wonders."""

    wonder: str
    stages: int
    cards: list[str]
    coins: int
    shields: int
    victories: int  # points
    defeats: int  # tokens
    points: int
    hand: list[str | None]  # None for a card you do not know
    hand_may_hold: list[str]


class SevenFacts(TypedDict):
    """All that a seat of 7 Wonders knows."""

    age: int
    turn: int
    seats: list[SevenSeat]
    discards: list[str | None]


class ArchitectsDeck(TypedDict):
    """A deck of Architects."""

    size: int
    top: list[str]  # the cards you know, the topmost first
    stock: dict[str, int]


class ArchitectsSeat(TypedDict):
    """A seat of Architects."""

    wonder: str
    stages: list[int]
    cards: dict[str, int]
    tokens: list[str]
    shields: int
    military: int  # tokens
    medals: int
    points: int
    deck: ArchitectsDeck
    medal: str | None
    face_down: list[str | None]


class ProgressTokens(TypedDict):
    """The Progress tokens on the table."""

    face_up: list[str]
    stack: int


class ConflictTokens(TypedDict):
    """The conflict tokens on the table."""

    flipped: int
    of: int


class ArchitectsFacts(TypedDict):
    """All that a seat of Architects knows."""

    to_move: int
    seats: list[ArchitectsSeat]
    centre: ArchitectsDeck
    progress: ProgressTokens
    conflict: ConflictTokens
    cat: int | None
    centre_medals: list[str | None]
    armed: list[str]
    used: list[str]

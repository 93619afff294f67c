"""The facts of a view as numbers. Compiled: a learner asks for them at every step."""

from typing import Any, Final

from librt.strings import BytesWriter, write_f32_le
from librt.vecs import vec
from mypy_extensions import i64

from arena.adapters.layout import BOUND, FeatureBlock, Id, Layout

# Facts of the table that name a seat: they are told with that seat.
MARKS: Final = ("to_move", "cat")


class BlockWriter:
    """Fills in the numbers of one block."""

    def __init__(self, block: FeatureBlock, at: int) -> None:
        self.key, _, self.inner = block.name.partition(".")
        self.at: i64 = at
        self.one = 1.0 / block.most
        self.places: dict[Id, int] = {id: at + place for place, id in enumerate(block.ids)}
        self.counts_unknown = None in self.places

    def write(self, facts: dict[str, Any], row: vec[float], start: i64) -> None:
        """Add what the facts tell; the row holds noughts where they tell nothing."""
        value = facts[self.key][self.inner] if self.inner else facts[self.key]
        if not self.places:
            row[start + self.at] = max(-BOUND, min(BOUND, float(value) * self.one))
        elif isinstance(value, dict):
            for id, count in value.items():
                row[start + self._place(id)] = float(count) * self.one
        elif not isinstance(value, list):
            if value is not None:
                row[start + self._place(value)] = self.one
        elif self.counts_unknown:
            row[start + self.at] = float(value.count(None)) * self.one
        else:
            for id in value:
                if id is not None:
                    row[start + self._place(id)] += self.one

    def _place(self, id: Id) -> i64:
        return self.places[id]


class ViewWriter:
    """Writes a view as a row: the table, then every seat from the viewer on, clockwise."""

    def __init__(self, layout: Layout, players: int) -> None:
        self.players: i64 = players
        self.table = _writers(layout.table)
        self.seat = _writers(layout.seat)
        self.table_size: i64 = sum(block.size for block in layout.table)
        self.seat_size: i64 = sum(block.size for block in layout.seat)
        self.size: i64 = self.table_size + self.players * self.seat_size
        self._blank = vec[float]([0.0 for _ in range(self.size)])

    def write(self, facts: dict[str, Any], viewer: i64) -> vec[float]:
        """The numbers of these facts, which are changed."""
        row = self._blank[:]
        for block in self.table:
            block.write(facts, row, 0)
        seats: list[dict[str, Any]] = facts["seats"]
        at = self.table_size
        for place in range(self.players):
            number = (viewer + place) % self.players
            seat = seats[number]
            for mark in MARKS:
                if mark in facts:
                    seat[mark] = int(facts[mark] == number)
            for block in self.seat:
                block.write(seat, row, at)
            at += self.seat_size
        return row


def _writers(blocks: tuple[FeatureBlock, ...]) -> list[BlockWriter]:
    found: list[BlockWriter] = []
    at = 0
    for block in blocks:
        found.append(BlockWriter(block, at))
        at += block.size
    return found


def float32(row: vec[float]) -> bytes:
    """The numbers as they lie in an array of 32 bits each, the lowest byte first."""
    out = BytesWriter()
    for number in row:
        write_f32_le(out, number)
    return out.getvalue()

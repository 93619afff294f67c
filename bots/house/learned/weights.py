"""Weights of the learned values as files: a line on where they come from, then numbers."""

import base64
import hashlib
import sys
import zlib
from array import array
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from bots.house.learned.net import PARTS, Net
from bots.house.learned.policy import Value
from engine.catalog import find

FOLDER: Final = Path(__file__).parent
_WIDTH: Final = 100


@dataclass(frozen=True)
class NetWeights:
    """The numbers of a game's networks, one after the other, and how they came about."""

    game: str
    hidden: int
    seed: int
    games: int  # that were learned from
    command: str
    numbers: list[int]

    def nets(self) -> list[Net]:
        """The networks; ValueError if they are not those of the game."""
        features = find(self.game).feature_count
        size = (features + 1) * (self.hidden + 1) + self.hidden
        parts = PARTS[self.game]
        if len(self.numbers) != parts * size:
            raise ValueError(f"expected {parts} x {size} weights, got {len(self.numbers)}")
        return [
            Net(features, self.hidden, self.numbers[part * size : (part + 1) * size])
            for part in range(parts)
        ]


def write_weights(weights: NetWeights, path: Path) -> None:
    """Write a file that `read_weights` reads."""
    packed = array("h", weights.numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    text = base64.b85encode(zlib.compress(packed.tobytes(), 9)).decode()
    lines = [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]
    head = (
        f"game={weights.game} hidden={weights.hidden} seed={weights.seed} games={weights.games}"
        f" sha256={_digest(text)} command={weights.command}"
    )
    path.write_text("\n".join([head, *lines]) + "\n", encoding="ascii")


def read_weights(path: Path) -> NetWeights:
    """Read weights; ValueError if the numbers are not those that were written."""
    head, _, body = path.read_text(encoding="ascii").partition("\n")
    told, _, command = head.partition(" command=")
    fields = dict(field.split("=", 1) for field in told.split(" "))
    text = body.replace("\n", "")
    if fields["sha256"] != _digest(text):
        raise ValueError(f"expected weights with the digest {fields['sha256']}, got others: {path}")
    packed = array("h", zlib.decompress(base64.b85decode(text)))
    if sys.byteorder == "big":
        packed.byteswap()
    return NetWeights(
        game=fields["game"],
        hidden=int(fields["hidden"]),
        seed=int(fields["seed"]),
        games=int(fields["games"]),
        command=command,
        numbers=packed.tolist(),
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def shipped(game: str) -> list[Net]:
    """The networks of a game that come with the house; read once."""
    return read_weights(FOLDER / f"{game}.txt").nets()


def shipped_value(game: str) -> Value:
    """A value by the shipped networks, with room of its own to work in."""
    return Value(shipped(game))

"""The file of a data set: gzip over lines of JSON, first what all games share, then one a game.

docs/dataset.md describes every field. A choice is the place of what was chosen among the legal
actions, so that a game is about a hundred bytes; all else follows from playing it again.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from engine.catalog import find
from engine.contract import Action, Seat, State
from engine.errors import ArenaError
from engine.match import MatchResult, Variant
from engine.replay import rounds

FORMAT: Final = "wonders-arena games"
VERSION: Final = 1
_LEVEL: Final = 9  # of compression


@dataclass(frozen=True)
class DatasetHeader:
    """What all games of a file share."""

    game: str
    edition: str | None
    expansions: tuple[str, ...]
    expert: bool
    rules: int  # their version; another one may play the choices otherwise
    players: int
    bots: tuple[str, ...]
    seed: int  # of the first deal
    games: int

    @property
    def variant(self) -> Variant:
        """The variant of the game that was played."""
        return Variant(self.game, self.edition, self.expansions, self.expert)


@dataclass(frozen=True)
class DatasetGame:
    """One game; lists by seat, but for the choices, which are in the order they were asked for."""

    seed: int
    wonders: tuple[str, ...]
    seats: tuple[int, ...]  # which of the header's bots sits there
    choices: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]  # 0 for the winner
    faults: tuple[int, ...]  # seats whose bot failed, and was replaced by random answers


@dataclass(frozen=True)
class PastDecision:
    """A decision of a game: the whole position before it, and what was chosen."""

    state: State  # shared by those who are asked at once; `view` gives what a seat saw
    seat: Seat
    actions: list[Action]
    choice: int

    @property
    def action(self) -> Action:
        """What was chosen."""
        return self.actions[self.choice]


class GameFile:
    """A file that was written; iterating reads its games one after the other."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        with self._lines() as lines:
            first = _parsed(next(lines, ""), self.path, 1)
        if first.pop("format", None) != FORMAT:
            raise ArenaError(f"expected a file of arena dataset, got {self.path}")
        version = first.pop("version", None)
        if version != VERSION:
            raise ArenaError(f"expected version {VERSION} of the format, got {version}")
        self.header = _made(DatasetHeader, first, self.path, 1)

    def __iter__(self) -> Iterator[DatasetGame]:
        with self._lines() as lines:
            next(lines)
            for number, line in enumerate(lines, 2):
                yield _made(DatasetGame, _parsed(line, self.path, number), self.path, number)

    def decisions(self, game: DatasetGame) -> Iterator[PastDecision]:
        """A game played again; ArenaError if it comes to something else."""
        rules = find(self.header.game)
        current = rules.version(self.header.variant)
        if self.header.rules != current:
            raise ArenaError(f"expected rules of version {current}, got {self.header.rules}")
        setup = rules.setup(self.header.players, game.seed, game.wonders, self.header.variant)
        state = rules.deal(setup, game.seed)
        left = iter(game.choices)
        while seats := state.pending():
            asked = [_chosen(state, seat, next(left, -1)) for seat in seats]
            yield from asked
            state = state.clone()
            for each in asked:
                state.apply(each.seat, each.action)
        if state.scores() != list(game.scores):
            raise ArenaError(f"expected scores {list(game.scores)}, got {state.scores()}")

    @contextmanager
    def _lines(self) -> Iterator[Iterator[str]]:
        try:
            with gzip.open(self.path, "rt", encoding="utf-8") as file:
                yield iter(file)
        except (OSError, EOFError, UnicodeDecodeError, zlib.error) as problem:
            reason = getattr(problem, "strerror", None) or problem
            raise ArenaError(f"cannot read {self.path}: {reason}") from None


def _chosen(state: State, seat: Seat, choice: int) -> PastDecision:
    actions = state.legal(seat)
    if not 0 <= choice < len(actions):
        raise ArenaError(f"expected a choice among {len(actions)} actions, got {choice}")
    return PastDecision(state, seat, actions, choice)


def _parsed(line: str, path: Path, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ArenaError(f"expected an object of JSON in line {number} of {path}, got none")
    return found


def _made(kind: Any, fields: dict[str, Any], path: Path, number: int) -> Any:
    """A record of these fields, with tuples for lists."""
    fixed = {key: tuple(each) if isinstance(each, list) else each for key, each in fields.items()}
    try:
        return kind(**fixed)
    except TypeError:
        names = ", ".join(kind.__dataclass_fields__)
        raise ArenaError(f"expected {names} in line {number} of {path}, got others") from None


class GameFileWriter:
    """Writes a file game by game; the same games give the same bytes."""

    def __init__(self, file: BinaryIO, header: DatasetHeader) -> None:
        self._packed = gzip.GzipFile("", "wb", _LEVEL, file, mtime=0)
        self._line({"format": FORMAT, "version": VERSION, **asdict(header)})

    def add(self, game: DatasetGame) -> None:
        """Write one more game."""
        self._line(asdict(game))

    def close(self) -> None:
        """End the file."""
        self._packed.close()

    def _line(self, facts: dict[str, Any]) -> None:
        self._packed.write(json.dumps(facts, separators=(",", ":")).encode() + b"\n")


def recorded(result: MatchResult, bots: Iterable[str]) -> DatasetGame:
    """A match as a line of a data set; `bots` are those of its header."""
    known = list(bots)
    choices = [
        options.index(action)
        for round in rounds(result)
        for options, action in zip(round.options, round.actions, strict=True)
    ]
    return DatasetGame(
        result.spec.seed,
        result.spec.setup.wonders,
        tuple(known.index(label) for label in result.spec.bots),
        tuple(choices),
        tuple(result.scores),
        tuple(result.ranks),
        tuple(sorted({fault.seat for fault in result.faults})),
    )

"""Tables of the site where a visitor plays against bots of the house.

A table lives in a thread of the server: its referee asks the visitor's chair like any other, and
that chair waits for the browser. What a page is shown is the view of its seat, nothing more.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.playing.human import ME, RESIGNED, LeftError
from arena.playing.referee import play as referee
from bots.api import Decision
from bots.chairs.base import Chair, ChairFault
from bots.chairs.limits import Limits
from bots.chairs.pool import ChairPool, choose_isolation
from bots.house import LADDER
from engine.catalog import find
from engine.contract import Action, Seat, State
from engine.errors import ArenaError
from engine.match import MatchResult, MatchSpec
from engine.rng import draw_seed

MAX_TABLES: Final = 8  # with a game under way
MAX_OF_ADDRESS: Final = 4  # of those, from one place
MAX_OVER: Final = 32  # games that have ended and can still be looked at
IDLE: Final = 30 * 60.0  # seconds after which a table nobody looks at is closed
PATIENCE: Final = 8.0  # seconds a page waits for the bots, before it says that they think
LIMITS: Final = Limits(move=2.0, bank=20.0)
OPPONENTS: Final = tuple(LADDER)
TOLD: Final = 20  # moves that are told again


class FullError(ArenaError):
    """There is no table left."""


@dataclass(frozen=True)
class TableSnapshot:
    """What the visitor sees now: a question, the end, a problem, or bots that think."""

    turn: int
    decision: Decision | None
    moves: tuple[tuple[Seat, Action, State], ...]  # since the last question, each with its position
    result: MatchResult | None
    problem: ArenaError | None


class BrowserChair(Chair):
    """The chair of a visitor: an answer comes when the browser brings one."""

    def __init__(self, changed: threading.Condition) -> None:
        super().__init__()
        self.changed = changed
        self.asked: Decision | None = None
        self.turn = 0
        self.choice: Action | None = None
        self.resigns = False
        self.closed = False

    def ask(self, decision: Decision) -> None:
        with self.changed:
            self.turn += 1
            self.choice = None
            self.asked = decision
            self.changed.notify_all()

    def answer(self) -> Action:
        with self.changed:
            self.changed.wait_for(self._settled)
            self.asked = None
            if self.closed:
                raise LeftError
            if self.resigns:
                raise ChairFault(RESIGNED, "")
            assert self.choice is not None
            return self.choice

    def _settled(self) -> bool:
        return self.closed or self.resigns or self.choice is not None


class LiveTable:
    """One game of one visitor."""

    def __init__(
        self,
        visitor: str,
        spec: MatchSpec,
        address: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.id = secrets.token_urlsafe(12)
        self.visitor = visitor
        self.address = address
        self.spec = spec
        self.seat: Seat = spec.bots.index(ME)
        self._clock = clock
        self.used = clock()
        self._changed = threading.Condition()
        self._chair = BrowserChair(self._changed)
        self._moves: list[tuple[Seat, Action, State]] = []
        self._before: State | None = None
        self._result: MatchResult | None = None
        self._problem: ArenaError | None = None
        self._thread = threading.Thread(target=self._play, name=f"table {self.id}", daemon=True)
        self._thread.start()

    def _play(self) -> None:
        bots = [bot for bot in self.spec.bots if bot != ME]
        pool = ChairPool(LIMITS)
        try:
            isolation = choose_isolation(bots)
            chairs: list[Chair] = pool.chairs(bots)
            chairs.insert(self.seat, self._chair)
            result = referee(self.spec, chairs, LIMITS, self._watch, isolation.name)
            with self._changed:
                self._result = result
        except LeftError:
            pass
        except ArenaError as problem:
            self._problem = problem
        finally:
            pool.close()
            with self._changed:
                self._chair.asked = None
                self._changed.notify_all()

    def _watch(self, state: State, moves: list[tuple[Seat, Action]]) -> None:
        before, self._before = self._before, state.clone()
        with self._changed:
            told = [(seat, action, before) for seat, action in moves if before is not None]
            self._moves = [*self._moves, *told][-TOLD:]

    def snapshot(self, wait: float = PATIENCE) -> TableSnapshot:
        """What there is to see, as soon as it is for the visitor to decide, or after a while."""
        chair = self._chair
        with self._changed:
            self._changed.wait_for(lambda: chair.asked is not None or self._over, wait)
            self.used = self._clock()
            moves = tuple(self._moves)
            return TableSnapshot(chair.turn, chair.asked, moves, self._result, self._problem)

    @property
    def is_playing(self) -> bool:
        """Whether its bots still take room."""
        return self._thread.is_alive()

    @property
    def _over(self) -> bool:
        return self._result is not None or self._problem is not None or not self._thread.is_alive()

    def choose(self, turn: int, option: int) -> None:
        """Take an option of the question of that turn; one answered already stays answered."""
        chair = self._chair
        with self._changed:
            if chair.asked is None or chair.turn != turn or chair.choice is not None:
                return
            if not 0 <= option < len(chair.asked.options):
                last = len(chair.asked.options) - 1
                raise ArenaError(
                    "expected an option from 0 to {last}, got {option}", last=last, option=option
                )
            self._moves = []
            chair.choice = chair.asked.options[option].action
            chair.asked = None  # a page does not show the same question again
            self._changed.notify_all()

    def resign(self) -> None:
        """Leave the seat to the steward, and see how it ends."""
        with self._changed:
            self._chair.resigns = True
            self._chair.asked = None
            self._changed.notify_all()

    def leave(self) -> None:
        """Let the game break off, as soon as no bot is thinking."""
        with self._changed:
            self._chair.closed = True
            self._changed.notify_all()

    def close(self) -> None:
        """Break the game off, and wait a while for it; its bots may take longer."""
        self.leave()
        self._thread.join(5.0)


class LiveGames:
    """All tables; a visitor has one, and a new one takes the place of the old."""

    def __init__(self, most: int = MAX_TABLES, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self._clock = clock
        self._tables: dict[str, LiveTable] = {}
        self._leaving: list[LiveTable] = []  # nobody's any more, though their bots may take room
        self._lock = threading.Lock()

    def open(
        self,
        visitor: str,
        game: str,
        opponents: Sequence[str],
        seed: int | None = None,
        address: str = "",
    ) -> LiveTable:
        """A new table; the visitor has seat 0."""
        unknown = [name for name in opponents if name not in OPPONENTS]
        if unknown:
            raise ArenaError(
                "expected opponents out of {opponents}, got {unknown}",
                opponents=", ".join(OPPONENTS),
                unknown=unknown[0],
            )
        rules = find(game)
        seed = draw_seed() if seed is None else seed
        setup = rules.setup(len(opponents) + 1, seed)
        spec = rules.spec(setup, seed, (ME, *opponents))
        self.sweep(visitor)
        with self._lock:
            tables = [*self._tables.values(), *self._leaving]
            taken = [table.address for table in tables if table.is_playing]
            if len(taken) >= self.most or taken.count(address) >= MAX_OF_ADDRESS:
                raise FullError(
                    "all tables are taken ({count} games), try again later", count=len(taken)
                )
            table = LiveTable(visitor, spec, address, self._clock)
            self._tables[table.id] = table
        return table

    def sweep(self, visitor: str | None = None) -> None:
        """Close the tables nobody looks at any more, and those of a visitor who wants another."""
        late = self._clock() - IDLE
        with self._lock:
            every = list(self._tables.values())
            over = [table for table in every if not table.is_playing]
            over = over[: max(0, len(over) - MAX_OVER)]
            left = [table for table in every if table.visitor == visitor or table.used < late]
        self._see_off(left, over)

    def _see_off(self, left: list[LiveTable], over: Sequence[LiveTable] = ()) -> None:
        with self._lock:
            for table in (*left, *over):
                self._tables.pop(table.id, None)
            self._leaving += left
        for table in left:
            table.leave()
        for table in left:
            table.close()  # which takes as long as a bot thinks, while others find their tables
        with self._lock:
            self._leaving = [table for table in self._leaving if table.is_playing]

    def table(self, id: str, visitor: str | None) -> LiveTable | None:
        """The table with this id, if it is that visitor's."""
        with self._lock:
            table = self._tables.get(id)
        return table if table is not None and table.visitor == visitor else None

    def close(self) -> None:
        """End all games."""
        with self._lock:
            left = list(self._tables.values())
        self._see_off(left)

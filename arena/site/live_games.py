"""Tables of the site where a visitor plays against built-in bots.

A table lives in a thread of the server: its referee asks the visitor's chair like any other, and
that chair waits for the browser. What a page is shown is the view of its seat, nothing more.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.playing.human import ME, RESIGNED, LeftError
from arena.playing.referee import play as referee
from arena.site.security.rate_limit import SiteLimits
from arena.site.stored_games import BegunGame, Places, StoredChoice, StoredGames
from bots.api import Decision
from bots.chairs.base import Chair, ChairFault
from bots.chairs.limits import Limits
from bots.chairs.pool import ChairPool, choose_isolation
from bots.house import LADDER
from engine.catalog import find
from engine.contract import Action, Seat, State
from engine.errors import ArenaError
from engine.match import MatchResult, Variant
from engine.rng import draw_seed

MAX_OVER: Final = 32  # games that have ended and can still be looked at
IDLE: Final = 30 * 60.0  # seconds after which a table nobody looks at is closed
PATIENCE: Final = 8.0  # seconds a page waits for the bots, before it says that they think
LIMITS: Final = Limits(move=2.0, bank=20.0)
OPPONENTS: Final = tuple(LADDER)
TOLD: Final = 20  # rounds of moves that are told again
KEPT_FROM: Final = 5  # decisions of each seat, before a game that its visitor leaves is kept


class FullError(ArenaError):
    """There is no table left."""


@dataclass(frozen=True)
class PlayedRound:
    """Decisions that were due at the same moment, and the positions around them."""

    before: State
    moves: tuple[tuple[Seat, Action], ...]
    after: State


@dataclass(frozen=True)
class TableSnapshot:
    """What the visitor sees now: a question, the end, a problem, or bots that think."""

    turn: int
    decision: Decision | None
    rounds: tuple[PlayedRound, ...]  # since the last question
    result: MatchResult | None
    problem: ArenaError | None
    chosen: Action | None = None  # may still be taken back: the question is shown with it
    link: str = ""  # the word of its link, once it has ended and is kept


class BrowserChair(Chair):
    """The chair of a visitor: an answer comes when the browser brings one."""

    def __init__(
        self,
        changed: threading.Condition,
        confirms: bool = False,
        stored: StoredChoice | None = None,
    ) -> None:
        super().__init__()
        self.stored = stored  # made when another process asked
        self.changed = changed
        self.confirms = confirms  # a choice is not final before the visitor says so
        self.asked: Decision | None = None
        self.has_asked = False
        self.turn = 0
        self.choice: Action | None = None
        self.is_final = False
        self.resigns = False
        self.closed = False

    def ask(self, decision: Decision) -> None:
        with self.changed:
            self.turn += 1
            self.choice = None
            self.is_final = False
            self.asked = decision
            self.has_asked = True
            known = self.stored
            allowed = [option.action for option in decision.options]
            if known is not None and known.turn == self.turn and known.action in allowed:
                self.choice = known.action
                self.is_final = known.is_final
            if self.resigns or self.is_final:
                self.asked = None  # there is nothing to ask
            self.changed.notify_all()

    def answer(self) -> Action:
        with self.changed:
            self.changed.wait_for(lambda: self.closed or self.resigns or self.is_final)
            self.asked = None
            if self.closed:
                raise LeftError
            if self.resigns:
                raise ChairFault(RESIGNED, "")
            assert self.choice is not None
            return self.choice

    def choose(self, action: Action) -> None:
        """Take an option: for good, unless the visitor wants to be asked first."""
        self.choice = action
        if not self.confirms:
            self.confirm()

    def confirm(self) -> None:
        """Play what was chosen: the referee hears of it now, and it cannot be taken back."""
        self.is_final = True
        self.asked = None  # a page does not show the same question again
        self.changed.notify_all()


def is_left_late(result: MatchResult) -> bool:
    """Whether a game that was left is worth a link: at once, it would be a row for two requests."""
    enough = KEPT_FROM * result.spec.setup.players
    return any(each.decision >= enough for each in result.faults if each.kind == RESIGNED)


class LiveTable:
    """One game of one visitor."""

    def __init__(
        self,
        visitor: str,
        game: BegunGame,
        clock: Callable[[], float] = time.monotonic,
        places: Mapping[str, str] | None = None,
        stored: StoredGames | None = None,
        id: str = "",
    ) -> None:
        self.id = id or secrets.token_urlsafe(12)
        self.visitor = visitor
        self.address = game.address
        self.spec = game.spec
        self.seat: Seat = self.spec.bots.index(ME)
        self._begun = game
        self._stored = stored
        self._decisions: list[Action] = []
        self._clock = clock
        self.used = clock()
        self._changed = threading.Condition()
        self._chair = BrowserChair(self._changed, game.confirms, game.choice)
        self._chair.resigns = game.resigned
        self._places = places or {}  # where bots are that are no house bots
        self._rounds: list[PlayedRound] = []
        self._before: State | None = None
        self._result: MatchResult | None = None
        self._link = ""
        self._problem: ArenaError | None = None
        self._thread = threading.Thread(target=self._play, name=f"table {self.id}", daemon=True)
        self._thread.start()

    def _play(self) -> None:
        bots = [self._places.get(bot, bot) for bot in self.spec.bots if bot != ME]
        pool = ChairPool(LIMITS)
        try:
            isolation = choose_isolation(bots)
            chairs: list[Chair] = pool.chairs(bots)
            chairs.insert(self.seat, self._chair)
            begun = self._begun.decisions
            result = referee(self.spec, chairs, LIMITS, self._watch, isolation.name, begun)
            if self._stored is not None:
                keeps = not self._chair.resigns or is_left_late(result)
                stored = self._stored
                self._link = stored.keep(self.id, result) if keeps else stored.link(self.id)
            with self._changed:
                self._result = result
            if self._stored is not None:
                self._stored.finish(self.id)
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
        self._decisions += [action for _, action in moves]
        if len(self._decisions) <= len(self._begun.decisions):
            self._chair.turn += sum(seat == self.seat for seat, _ in moves)
        elif self._stored is not None and not self._stored.save_decisions(self.id, self._decisions):
            raise LeftError  # another process plays it now
        if before is not None:
            with self._changed:
                told = PlayedRound(before, tuple(moves), self._before)
                self._rounds = [*self._rounds, told][-TOLD:]

    def snapshot(self, wait: float = PATIENCE) -> TableSnapshot:
        """What there is to see, as soon as it is for the visitor to decide, or after a while."""
        chair = self._chair
        with self._changed:
            self._changed.wait_for(lambda: chair.asked is not None or self._over, wait)
            self.used = self._clock()
            end = (self._result, self._problem)
            rounds = tuple(self._rounds)
            return TableSnapshot(chair.turn, chair.asked, rounds, *end, chair.choice, self._link)

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
            # A game that is being taken over asks in a moment.
            self._changed.wait_for(lambda: chair.has_asked or self._over, PATIENCE)
            if chair.asked is None or chair.turn != turn or chair.choice is not None:
                return
            if not 0 <= option < len(chair.asked.options):
                last = len(chair.asked.options) - 1
                raise ArenaError(
                    "expected an option from 0 to {last}, got {option}", last=last, option=option
                )
            action = chair.asked.options[option].action
            chair.choose(action)
            if chair.is_final:
                self._rounds = []  # until then they are what the choice is made by
            made = StoredChoice(turn, action, chair.is_final)
        if self._stored is not None:
            self._stored.save_choice(self.id, made)

    def undo(self, turn: int) -> None:
        """Take the choice of that turn back, if it was not played yet."""
        chair = self._chair
        with self._changed:
            self._changed.wait_for(lambda: chair.has_asked or self._over, PATIENCE)
            if chair.asked is None or chair.turn != turn:
                return
            chair.choice = None
        if self._stored is not None:
            self._stored.save_choice(self.id, None)

    def confirm(self, turn: int, always: bool = False) -> None:
        """Play the choice of that turn; always: and from now on all choices at once."""
        chair = self._chair
        with self._changed:
            self._changed.wait_for(lambda: chair.has_asked or self._over, PATIENCE)
            if chair.asked is None or chair.turn != turn or chair.choice is None:
                return
            made = StoredChoice(turn, chair.choice, True)
            chair.confirm()
            self._rounds = []
        if self._stored is not None:
            self._stored.save_choice(self.id, made)
        if always:
            self.ask_first(False)

    @property
    def asks_first(self) -> bool:
        """Whether a choice is not final before the visitor says so."""
        return self._chair.confirms

    def ask_first(self, wanted: bool) -> None:
        """From now on, ask before a choice is final, or play it at once."""
        with self._changed:
            self._chair.confirms = wanted
        if self._stored is not None:
            self._stored.save_game(self.id, replace(self._begun, confirms=wanted))

    def resign(self) -> None:
        """Leave the seat to the steward, and see how it ends."""
        with self._changed:
            self._chair.resigns = True
            self._chair.asked = None
            self._changed.notify_all()
        if self._stored is not None:
            self._stored.save_resignation(self.id)

    def leave(self) -> None:
        """Let the game break off, as soon as no bot is thinking."""
        with self._changed:
            self._chair.closed = True
            self._changed.notify_all()

    def close(self) -> None:
        """Break the game off, and wait a while for it; its bots may take longer."""
        self.leave()
        self._thread.join(5.0)


@dataclass(frozen=True)
class GameWishes:
    """How a visitor wants to play: the form of the game, a wonder, whether to confirm moves."""

    edition: str | None = None
    expansions: tuple[str, ...] = ()
    expert: bool = False
    wonder: str = ""
    confirms: bool = False


def seat_wonder(drawn: tuple[str, ...], wonder: str) -> tuple[str, ...]:
    """The drawn wonders with this one in seat 0; who had it, or its other side, gets another."""
    name = wonder.partition(":")[0]
    rest = [drawn[0] if other.partition(":")[0] == name else other for other in drawn[1:]]
    return (wonder, *rest)


def no_places(_: Sequence[str]) -> dict[str, str]:
    """For games against house bots alone."""
    return {}


class LiveGames:
    """All tables; a visitor has one, and a new one takes the place of the old."""

    def __init__(
        self,
        most: int = SiteLimits.all_tables,
        most_of_address: int = SiteLimits.tables,
        clock: Callable[[], float] = time.monotonic,
        stored: StoredGames | None = None,
    ) -> None:
        self.most = most
        self.most_of_address = most_of_address
        self._clock = clock
        self._stored = stored  # if not, games end with this process
        self._swept = clock()
        self._resuming = threading.Lock()
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
        wishes: GameWishes | None = None,
        places: Mapping[str, str] | None = None,
    ) -> LiveTable:
        """A new table; the visitor has seat 0. Bots that are no house bots have a place."""
        wishes = wishes or GameWishes()
        places = places or {}
        unknown = [name for name in opponents if name not in OPPONENTS and name not in places]
        if unknown:
            raise ArenaError(
                "expected opponents out of {opponents}, got {unknown}",
                opponents=", ".join(OPPONENTS),
                unknown=unknown[0],
            )
        rules = find(game)
        seed = draw_seed() if seed is None else seed
        variant = Variant(game, wishes.edition, wishes.expansions, wishes.expert)
        setup = rules.setup(len(opponents) + 1, seed, variant=variant)
        if wishes.wonder:
            wonders = seat_wonder(setup.wonders, wishes.wonder)
            setup = rules.setup(setup.players, seed, wonders, variant)
        spec = rules.spec(setup, seed, (ME, *opponents))
        self.sweep(visitor)
        if self._stored is not None:
            self._stored.forget(visitor)
        begun = BegunGame(spec, address, wishes.confirms)
        with self._lock:
            taken = self._taken()
            if len(taken) >= self.most or taken.count(address) >= self.most_of_address:
                raise FullError(
                    "all tables are taken ({count} games), try again later", count=len(taken)
                )
            id = secrets.token_urlsafe(12)
            if self._stored is not None:
                self._stored.add(id, visitor, begun)
            table = LiveTable(visitor, begun, self._clock, places, self._stored, id)
            self._tables[id] = table
        return table

    def _taken(self) -> list[str]:
        """The addresses of those who play, or whose bots have not left yet."""
        here = self._leaving if self._stored else [*self._tables.values(), *self._leaving]
        elsewhere = self._stored.playing() if self._stored else []
        return [table.address for table in here if table.is_playing] + elsewhere

    def sweep(self, visitor: str | None = None) -> None:
        """Close the tables nobody looks at any more, and those of a visitor who wants another."""
        late = self._clock() - IDLE
        with self._lock:
            every = list(self._tables.values())
            over = [table for table in every if not table.is_playing]
            over = over[: max(0, len(over) - MAX_OVER)]
            left = [table for table in every if table.visitor == visitor or table.used < late]
            used = [table.id for table in every if table.used >= self._swept]
            self._swept = self._clock()
        if self._stored is not None and visitor is None:
            self._stored.sweep(used, IDLE)
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

    def running(self, visitor: str) -> str | None:
        """The id of the table at which a visitor plays, if there is one."""
        if self._stored is not None:
            return self._stored.running(visitor)
        with self._lock:
            mine = [table for table in self._tables.values() if table.visitor == visitor]
        return next((table.id for table in mine if table.is_playing), None)

    def table(self, id: str, visitor: str | None, places: Places = no_places) -> LiveTable | None:
        """The table with this id, if it is that visitor's; played on here wherever it began."""
        with self._lock:
            table = self._tables.get(id)
        if visitor is None or (table is not None and table.visitor != visitor):
            return None
        if self._stored is None or (table is not None and self._stored.is_held(id)):
            return table
        return self._resume(self._stored, id, visitor, places)

    def _resume(
        self, stored: StoredGames, id: str, visitor: str, places: Places
    ) -> LiveTable | None:
        """Play a game on that another process played, or this one before it was started anew."""
        with self._resuming:
            with self._lock:
                known = self._tables.get(id)
            if known is not None:
                if stored.is_held(id):  # another thread was faster
                    return known
                self._see_off([known])
            game = stored.take_over(id, visitor)
            if game is None:
                return None
            bots = [bot for bot in game.spec.bots if bot != ME]
            table = LiveTable(visitor, game, self._clock, places(bots), stored, id)
            with self._lock:
                self._tables[id] = table
            return table

    def close(self) -> None:
        """End all games here; those that are stored can be played on."""
        with self._lock:
            left = list(self._tables.values())
        self._see_off(left)

"""Many tables played in lockstep, for learners: compiled, everything in one call a step."""

from __future__ import annotations

from librt.strings import BytesWriter, read_i32_le, write_f32_le, write_i16_le, write_i32_le
from librt.vecs import vec
from mypy_extensions import i16, i32, i64, u8

from engine.contract import Game, State
from engine.errors import ArenaError
from engine.match import Variant


class LockstepTables:
    """So many tables; a place is a seat of a table, counted through all of them.

    After `deal` and every `step` the writers hold what has changed: the places that are asked, a
    row of features and the legal indices of each, and what the games that ended brought.
    """

    def __init__(
        self, game: Game, variant: Variant, players: int, tables: int, actions: list[int]
    ) -> None:
        self.game = game
        self.variant = variant
        self.players: i64 = players
        self.tables: i64 = tables
        self.actions = actions
        self.indices: dict[int, int] = {action: at for at, action in enumerate(actions)}
        self.states: list[State] = []
        self.seed = 0
        self.steps = 0  # answers taken
        self._noughts: vec[i64] = vec[i64]([0 for _ in range(game.feature_count)])
        self._places: list[int] = []  # asked, in order
        self._clear()

    def _clear(self) -> None:
        self.asked = BytesWriter()  # 32 bits: places
        self.rows = BytesWriter()  # 16 bits: the features of each
        self.legal = BytesWriter()  # 32 bits: place * number of actions + index
        self.rewards = BytesWriter()  # 32 bits, floating: of every place
        self.ended = BytesWriter()  # a byte for every table

    def deal(self, seed: int) -> None:
        """Deal at every table: the first what the seed deals, the next what the next does."""
        self.seed = seed
        self.states = [self._next() for _ in range(self.tables)]
        self._clear()
        self._ask()

    def _next(self) -> State:
        setup = self.game.setup(int(self.players), self.seed, (), self.variant)
        state = self.game.deal(setup, self.seed)
        self.seed += 1
        return state

    def step(self, choices: bytes) -> None:
        """Take an index for every place that is asked, 32 bits each; deal anew where a game ends.

        ArenaError if one is not legal; then nothing has happened.
        """
        chosen: list[int] = []
        for at, place in enumerate(self._places):
            index = int(read_i32_le(choices, 4 * at))
            state = self.states[place // int(self.players)]
            legal = state.legal(place % self.players)
            if not 0 <= index < len(self.actions) or self.actions[index] not in legal:
                raise ArenaError(f"expected one of {len(legal)} legal indices, got {index}")
            chosen.append(self.actions[index])
        for at, place in enumerate(self._places):
            self.states[place // int(self.players)].apply(place % self.players, chosen[at])
        self.steps += len(chosen)
        self._clear()
        self._settle()
        self._ask()

    def _settle(self) -> None:
        """What every place earned by this step; new games for those that are over."""
        for table in range(self.tables):
            state = self.states[table]
            is_over = not state.pending()
            self.ended.append(u8(1 if is_over else 0))
            if is_over:
                for reward in rank_rewards(state.ranks()):
                    write_f32_le(self.rewards, reward)
                self.states[table] = self._next()
            else:
                for _ in range(self.players):
                    write_f32_le(self.rewards, 0.0)

    def _ask(self) -> None:
        self._places = []
        count = len(self.actions)
        for table in range(self.tables):
            state = self.states[table]
            for seat in state.pending():
                place = table * self.players + seat
                self._places.append(place)
                write_i32_le(self.asked, i32(place))
                row = self._noughts[:]
                state.fill_features(seat, row)
                for number in row:
                    write_i16_le(self.rows, i16(number))
                start = place * count
                for action in state.legal(seat):
                    write_i32_le(self.legal, i32(start + self.indices[action]))


def rank_rewards(ranks: list[int]) -> list[float]:
    """1 for the first, -1 for the last, evenly between; seats that tie share. They sum to 0."""
    last = len(ranks) - 1
    return [1.0 - float(2 * rank + ranks.count(rank) - 1) / float(last) for rank in ranks]

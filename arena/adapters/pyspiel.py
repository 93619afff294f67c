"""Both games registered with OpenSpiel: `load_game("python_wonders_seven(players=4)")`.

The first node of a game is a chance node: it deals one of so many seeds, all equally likely. The
seed also settles every later shuffle, so that no other node is one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import numpy as np
import pyspiel

from arena.adapters.encoding import Encoding, Vector, zero_sum_rewards
from engine.catalog import find
from engine.contract import Game, Seat, State
from engine.errors import ArenaError
from engine.match import Variant
from engine.rng import Rng

MAX_DEALS: Final = 1_000_000
DECISIONS_PER_PLAYER: Final = 200  # more than any game takes


class Memory(NamedTuple):
    """All a player was shown: what it sees now, and a digest of what came before, in order."""

    digest: bytes
    shown: str

    def after(self, shown: str) -> Memory:
        """The memory once something else is shown."""
        return Memory(blake2b(self.digest + self.shown.encode(), digest_size=16).digest(), shown)


NOTHING: Final = Memory(b"", "")


class _Rules:
    """What a loaded game has settled: the table, and how it is told in numbers."""

    def __init__(self, game: Game, params: dict[str, Any]) -> None:
        self.game = game
        self.params = params
        self.players = int(params["players"])
        self.wonders = _split(params["wonders"])
        self.variant = Variant(
            game.id, params["edition"] or None, _split(params["expansions"]), params["expert"]
        )
        self.deals = int(params["deals"])
        if not 1 <= self.deals <= MAX_DEALS:
            raise ArenaError(f"expected 1 to {MAX_DEALS} deals, got {self.deals}")
        self.deal(0)  # refused now rather than at a deal
        self.encoding = Encoding(game, self.players, self.variant)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rules_again, (self.game.id, tuple(self.params.items()))

    def deal(self, seed: int) -> State:
        """The position of the first decision, as the arena deals it with that seed."""
        setup = self.game.setup(self.players, seed, self.wonders, self.variant)
        return self.game.deal(setup, seed)


@cache
def _rules_again(game: str, params: tuple[tuple[str, Any], ...]) -> _Rules:
    return _Rules(find(game), dict(params))


class _Table:
    """A position, how it came about, and what each player may know of it."""

    def __init__(self, rules: _Rules) -> None:
        self.rules = rules
        self.state: State | None = None  # before the deal there is none
        self.moves: list[tuple[Seat, int]] = []  # since the start
        # From where the moves lead here, and what players knew already.
        self.start: State | None = None
        self.known = (NOTHING,) * rules.players

    def __deepcopy__(self, memo: dict[int, object]) -> _Table:
        """A clone: OpenSpiel copies the attributes of a state this way."""
        other = _Table(self.rules)
        other.state = None if self.state is None else self.state.clone()
        other.moves = list(self.moves)
        other.start = self.start
        other.known = self.known
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Positions as text: OpenSpiel pickles the attributes of a state to serialize it."""
        texts = {key: value and value.dump() for key, value in self._positions().items()}
        return {**vars(self), **texts}

    def __setstate__(self, fields: dict[str, Any]) -> None:
        vars(self).update(fields)
        for key, text in self._positions().items():
            setattr(self, key, text and self.rules.game.load(text))

    def _positions(self) -> dict[str, Any]:
        return {"state": self.state, "start": self.start}

    @property
    def dealt(self) -> State:
        """The position; ArenaError before the deal."""
        if self.state is None:
            raise ArenaError("expected a deal first, got the chance node")
        return self.state

    def deal(self, seed: int) -> None:
        """Shuffle and deal by a seed."""
        self._begin(self.rules.deal(seed))

    def _begin(self, state: State) -> None:
        self.state = state
        self.start = state.clone()
        self.moves = []

    def apply(self, index: int) -> None:
        """Take the choice of the seat that is asked first."""
        seat = self.dealt.pending()[0]
        self.dealt.apply(seat, self.rules.encoding.choice(self.dealt, seat, index))
        self.moves.append((seat, index))

    def memory(self, player: Seat) -> Memory:
        """What the player was shown so far; the game is played again for it."""
        memory = self.known[player]
        if self.start is None:
            return memory
        state = self.start.clone()
        for seat, index in [*self.moves, (0, -1)]:
            # What others have chosen but not yet shown changes no view, and so no memory.
            if (shown := state.view(player).dump()) != memory.shown:
                memory = memory.after(shown)
            if index >= 0:
                state.apply(seat, self.rules.encoding.actions[index])
        return memory

    def resample(self, player: Seat, dice: Rng) -> None:
        """Put another position in place of this one that looks the same to the player.

        What came before it is the memory of that player alone: the others begin to remember here.
        """
        memory = self.memory(player)
        waiting = self.dealt.pending()
        other = self.dealt.view(player)
        other.imagine(dice)
        for seat in other.pending():
            # Who has chosen already, unseen by the player, has chosen something.
            if seat not in waiting and len(other.pending()) > 1:
                options = other.legal(seat)
                other.apply(seat, options[dice.below(len(options))])
        known = [NOTHING] * self.rules.players
        known[player] = memory
        self._begin(other)
        self.known = tuple(known)


class WondersState(pyspiel.State):  # type: ignore[misc]
    """A position as OpenSpiel has it: players who decide at the same time do so in turn."""

    def __init__(self, game: WondersGame) -> None:
        super().__init__(game)
        self.table = _Table(game.rules)  # what a clone copies

    def current_player(self) -> int:
        """The player to decide; of several at the same time the first that has not."""
        if self.table.state is None:
            return int(pyspiel.PlayerId.CHANCE)
        seats = self.table.state.pending()
        return seats[0] if seats else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return self.table.state is not None and not self.table.state.pending()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The seeds that may be dealt."""
        deals = self.table.rules.deals
        return [(seed, 1.0 / deals) for seed in range(deals)]

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.rules.encoding.legal(self.table.dealt, player)

    def _apply_action(self, action: int) -> None:
        if self.table.state is None:
            self.table.deal(action)
        else:
            self.table.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        rules = self.table.rules
        return rules.game.text(rules.encoding.actions[action])

    def returns(self) -> list[float]:
        """Rewards by rank at the end, nothing before."""
        if not self.is_terminal():
            return [0.0] * self.table.rules.players
        return zero_sum_rewards(self.table.dealt.ranks())

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> WondersState:
        """Another position that looks the same to the player, to play on from."""
        other: WondersState = self.clone()
        other.table.resample(player, Rng(int(sampler() * 2**53)))
        return other

    def __str__(self) -> str:
        """The whole position, hidden cards and all."""
        return "" if self.table.state is None else self.table.state.dump()


class WondersObserver:
    """What one player knows: numbers without the order of events, a text with it if asked for."""

    def __init__(self, rules: _Rules, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        self.tensor: Vector = np.zeros(rules.encoding.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: WondersState, player: int) -> None:
        """Fill in the numbers of the player's view."""
        table = state.table
        if table.state is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = table.rules.encoding.observe(table.state.view(player))

    def string_from(self, state: WondersState, player: int) -> str:
        """The player's view; with perfect recall, after a digest of all it was shown before.

        Equal texts with recall mean that the player cannot tell the two games apart. The game is
        played again for it.
        """
        table = state.table
        if table.state is None:
            return ""
        if not self.perfect_recall:
            return table.state.view(player).dump()
        memory = table.memory(player)
        return f"{memory.digest.hex()} {memory.shown}"


class WondersGame(pyspiel.Game):  # type: ignore[misc]
    """One table; the deal 7 is what the arena deals with seed 7."""

    game: Game  # which of the games it is

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        game = self.game
        self.rules = _Rules(game, {**parameters(game), **given})
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.rules.encoding.actions),
            max_chance_outcomes=self.rules.deals,
            num_players=self.rules.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=DECISIONS_PER_PLAYER * self.rules.players,
        )
        super().__init__(game_type(game), info, given)

    def new_initial_state(self) -> WondersState:
        return WondersState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> WondersObserver:
        """An observer of what a single player knows."""
        if params:
            raise ArenaError(f"expected an observer without parameters, got {params}")
        return WondersObserver(self.rules, bool(iig_obs_type and iig_obs_type.perfect_recall))


def game_type(game: Game) -> Any:
    """What OpenSpiel is told of a game, whatever its parameters."""
    kind = pyspiel.GameType
    return kind(
        short_name=f"python_wonders_{game.id}",
        long_name={"architects": "7 Wonders Architects", "seven": "7 Wonders"}[game.id],
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.players[-1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,  # the numbers do not tell the order of events
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=parameters(game),
    )


def parameters(game: Game) -> dict[str, Any]:
    """The parameters of a game and their defaults; lists have a + between their items."""
    return {
        "players": game.players[0],
        "wonders": "",
        "edition": "",
        "expansions": "",
        "expert": False,
        "deals": 1000,
    }


def _split(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split("+") if part)


# OpenSpiel keeps what is registered beyond the end of Python, which classes alone survive.
class ArchitectsSpielGame(WondersGame):
    """7 Wonders Architects."""

    game = find("architects")


class SevenSpielGame(WondersGame):
    """7 Wonders."""

    game = find("seven")


pyspiel.register_game(game_type(ArchitectsSpielGame.game), ArchitectsSpielGame)
pyspiel.register_game(game_type(SevenSpielGame.game), SevenSpielGame)

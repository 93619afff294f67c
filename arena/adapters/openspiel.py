"""Both games in the shape OpenSpiel gives a game, without needing it.

Chance is inside the state: a seed says how the cards lie and how they are shuffled later. So no
node is a chance node, and a player who must not know the deal asks for what it may know, or for
another world that looks the same to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from arena.adapters.encoding import Encoding, Vector, rank_points
from engine.catalog import find
from engine.contract import Action, Seat, State
from engine.errors import ArenaError
from engine.match import Variant
from engine.rng import Rng, derive

TERMINAL: Final = -4  # the player OpenSpiel has when nobody is to move


class Memory(NamedTuple):
    """All a player was shown: what it sees now, and a digest of what came before, in order."""

    digest: bytes
    shown: str

    def after(self, shown: str) -> Memory:
        """The memory once something else is shown."""
        return Memory(blake2b(self.digest + self.shown.encode(), digest_size=16).digest(), shown)


NOTHING: Final = Memory(b"", "")


class SpielGame:
    """One table; `new_initial_state(7)` is what the arena deals with seed 7."""

    def __init__(
        self,
        game: str = "architects",
        players: int | None = None,
        wonders: tuple[str, ...] = (),
        edition: str | None = None,
        expansions: tuple[str, ...] = (),
        expert: bool = False,
        seed: int = 0,
    ) -> None:
        self.rules = find(game)
        self.players = self.rules.players.start if players is None else players
        self.seed = seed
        self.variant = Variant(game, edition, expansions, expert)
        self._wonders = wonders
        # Refused now rather than at a deal.
        self.rules.setup(self.players, seed, self._wonders, self.variant)
        self.encoding = Encoding(self.rules, self.players, self.variant)

    def deal(self, seed: int) -> State:
        """The position of the first decision."""
        return self.rules.deal(
            self.rules.setup(self.players, seed, self._wonders, self.variant), seed
        )

    def new_initial_state(self, seed: int | None = None) -> SpielState:
        """The deal of a seed, of the game's own where none is given."""
        return SpielState(self, self.seed if seed is None else seed)

    def deserialize_state(self, text: str) -> SpielState:
        """The inverse of `SpielState.serialize`; ArenaError if the rules do not allow it."""
        try:
            seed, *choices = map(int, text.split())
        except ValueError:
            raise ArenaError(f"expected a seed and choices as numbers, got {text!r}") from None
        state = self.new_initial_state(seed)
        for index in choices:
            state.apply_action(index)
        return state

    def num_players(self) -> int:
        return self.players

    def num_distinct_actions(self) -> int:
        return len(self.encoding.actions)

    def max_chance_outcomes(self) -> int:
        """None: there are no chance nodes."""
        return 0

    def max_game_length(self) -> int:
        """More decisions than any game takes."""
        return 200 * self.players

    def min_utility(self) -> float:
        return -1.0

    def max_utility(self) -> float:
        return 1.0

    def utility_sum(self) -> float:
        return 0.0

    def observation_tensor_shape(self) -> list[int]:
        return [self.encoding.size]

    def observation_tensor_size(self) -> int:
        return self.encoding.size

    def information_state_tensor_shape(self) -> list[int]:
        return [self.encoding.size]

    def information_state_tensor_size(self) -> int:
        return self.encoding.size


class SpielState:
    """A position, how it came about, and what each player may know of it."""

    def __init__(self, game: SpielGame, seed: int) -> None:
        self._game = game
        self.seed = seed
        self.table = game.deal(seed)
        self._history: list[tuple[Seat, int]] = []
        # From where the history leads here, how long it was then, and what players knew already.
        self._start = self.table.clone()
        self._began = 0
        self._known = [NOTHING] * game.players

    def get_game(self) -> SpielGame:
        return self._game

    def num_players(self) -> int:
        return self._game.players

    def current_player(self) -> int:
        """The player to decide; of several at the same time the first that has not."""
        seats = self.table.pending()
        return seats[0] if seats else TERMINAL

    def is_terminal(self) -> bool:
        return not self.table.pending()

    def is_chance_node(self) -> bool:
        """Never: chance is inside the state."""
        return False

    def is_simultaneous_node(self) -> bool:
        """Never: players who decide at the same time do so in turn, and cannot tell."""
        return False

    def chance_outcomes(self) -> list[tuple[int, float]]:
        raise ArenaError("expected a chance node, got a state whose chance is its seed")

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The indices a player may choose from, rising; none if it is not its turn."""
        now = self.current_player()
        if now == TERMINAL or player not in (None, now):
            return []
        return self._game.encoding.legal(self.table, now)

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        legal = set(self.legal_actions(player))
        return [int(index in legal) for index in range(self._game.num_distinct_actions())]

    def apply_action(self, index: int) -> None:
        """Take the current player's choice; ArenaError if it is not legal."""
        player = self.current_player()
        self.table.apply(player, self._game.encoding.choice(self.table, player, index))
        self._history.append((player, index))

    def apply_actions(self, indices: Sequence[int]) -> None:
        raise ArenaError("expected apply_action, one player after the other, got apply_actions")

    def action_to_string(self, player: int, index: int | None = None) -> str:
        """An action as it is written; the player makes no difference."""
        action: Action = self._game.encoding.actions[player if index is None else index]
        return self._game.rules.text(action)

    def string_to_action(self, text: str) -> int:
        return self._game.encoding.index(self._game.rules.parse(text))

    def returns(self) -> list[float]:
        """Rank points at the end, nothing before."""
        if not self.is_terminal():
            return [0.0] * self._game.players
        return rank_points(self.table.ranks())

    def rewards(self) -> list[float]:
        """What the last decision brought: all comes at the end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def history(self) -> list[int]:
        """The choices so far; with the seed they are the whole game."""
        return [index for _, index in self._history]

    def full_history(self) -> list[tuple[Seat, int]]:
        """The choices so far, each with the player who made it."""
        return list(self._history)

    def history_str(self) -> str:
        return ", ".join(map(str, self.history()))

    def observation_string(self, player: int) -> str:
        """What the player knows now."""
        return self.table.view(player).dump()

    def observation_tensor(self, player: int) -> Vector:
        """What the player knows now, in numbers."""
        return self._game.encoding.observe(self.table.view(player))

    def information_state_string(self, player: int) -> str:
        """What the player knows now, after a digest of all it was shown before, in order.

        Equal strings mean that the player cannot tell the two games apart, however long it thinks.
        The game is played again for it: for use at every node there is `observation_string`.
        """
        memory = self._memory(player)
        return f"{memory.digest.hex()} {memory.shown}"

    def _memory(self, player: Seat) -> Memory:
        memory = self._known[player]
        table = self._start.clone()
        for seat, index in [*self._history[self._began :], (0, -1)]:
            # What others have chosen but not yet shown changes no view, and so no memory.
            if (shown := table.view(player).dump()) != memory.shown:
                memory = memory.after(shown)
            if index >= 0:
                table.apply(seat, self._game.encoding.actions[index])
        return memory

    def information_state_tensor(self, player: int) -> Vector:
        """The observation: a view remembers what its seat has seen, but not in which order."""
        return self.observation_tensor(player)

    def resample_from_infostate(self, player: int, rng: Rng | int) -> SpielState:
        """Another position that looks the same to the player, to play on from.

        What came before it is the memory of that player alone: the others begin to remember here.
        """
        dice = Rng(derive(rng, "resample")) if isinstance(rng, int) else rng
        other = self.clone()
        other.table = self.table.view(player)
        other.table.imagine(dice)
        waiting = self.table.pending()
        for seat in other.table.pending():
            # Who has chosen already, unseen by the player, has chosen something.
            if seat not in waiting and len(other.table.pending()) > 1:
                options = other.table.legal(seat)
                other.table.apply(seat, options[dice.below(len(options))])
        other._start = other.table.clone()
        other._began = len(other._history)
        other._known = [NOTHING] * self._game.players
        other._known[player] = self._memory(player)
        return other

    def clone(self) -> SpielState:
        """An independent copy; played on alike, it goes on alike."""
        other = SpielState.__new__(SpielState)
        other._game = self._game
        other.seed = self.seed
        other.table = self.table.clone()
        other._history = list(self._history)
        other._start = self._start
        other._began = self._began
        other._known = self._known
        return other

    def __deepcopy__(self, memo: dict[int, object]) -> SpielState:
        """Copied as a whole it is a clone: the game is shared."""
        return self.clone()

    def child(self, index: int) -> SpielState:
        """The position a choice leads to."""
        other = self.clone()
        other.apply_action(index)
        return other

    def serialize(self) -> str:
        """The seed and the choices; `SpielGame.deserialize_state` is the inverse."""
        if self._began:
            raise ArenaError("expected a game as it was dealt, got a position that was resampled")
        return "\n".join(map(str, [self.seed, *self.history()]))

    def __str__(self) -> str:
        """The whole position, hidden cards and all."""
        return self.table.dump()

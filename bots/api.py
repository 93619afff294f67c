"""What a bot is: something that answers decisions."""

from typing import Protocol

from engine.contract import Action, Game, Seat, State


class Decision:
    """One question put to one seat."""

    def __init__(self, game: Game, state: State, seat: Seat) -> None:
        self.game = game
        self.seat = seat
        self.prompt = game.prompts[state.prompt(seat)]
        self.actions: list[Action] = state.legal(seat)
        self._state = state

    def view(self) -> State:
        """What the seat knows: a state to read, or to imagine, clone and search."""
        return self._state.view(self.seat)

    def options(self) -> list[str]:
        """The actions in the game's notation."""
        return [self.game.text(action) for action in self.actions]


class Bot(Protocol):
    """A program that plays."""

    def decide(self, decision: Decision) -> Action:
        """Choose one of the decision's actions."""
        ...

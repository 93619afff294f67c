"""What the display of every game can show."""

from collections.abc import Sequence
from typing import Protocol

from arena.display.scene import MoveFace, Piece, Prospects, Scene, Sheet
from engine.contract import State
from engine.match import Setup


class GameDisplay(Protocol):
    """How one game is shown to people, in English ("en") or French ("fr")."""

    def components(self, edition: str | None, lang: str) -> list[Sheet]:
        """Everything in the box as tables."""

    def cards(self, edition: str | None, lang: str) -> list[tuple[str, list[Piece]]]:
        """Every card of the box once, in groups with a title."""

    def scene(self, state: State, lang: str) -> Scene:
        """The table as far as the state knows it."""

    def describe_action(
        self,
        action: int,
        lang: str,
        open: bool = True,
        state: State | None = None,
        seat: int | None = None,
        brief: bool = False,
        yours: bool = False,
    ) -> str:
        """An action that may be taken, in words; where it is not open, as all seats see it.

        With the position it is taken in, it names the cards and places that position knows; with
        the seat that takes it, whom it pays. A brief text has the same in fewer words. The reader
        may be who takes it, and then reads "your own deck".
        """

    def tell_action(self, action: int, lang: str, open: bool, state: State, seat: int) -> str:
        """An action that was taken, in words after the name of any seat; the state is before it.

        Where it is not open, as all seats see it.
        """

    def move_face(self, action: int, lang: str, state: State, seat: int) -> MoveFace:
        """An action of a seat as a page draws it, in the position it is taken in."""

    def drawn_besides(self, before: State, action: int, after: State, lang: str) -> str:
        """What an action brought, face up, that its own words do not name; whole positions."""

    def prospects(self, state: State, seat: int, lang: str) -> Prospects:
        """What the turn of a seat brings yet by what it has done in it."""

    def obstacles(self, state: State, seat: int, lang: str) -> dict[str, str]:
        """Why what a seat might want to build cannot be, by the key of its card.

        The next stage of its wonder has an empty key.
        """

    def legend(self, lang: str) -> list[str]:
        """What the signs of a scene mean."""

    def score_pad(self, state: State, lang: str) -> Sheet:
        """The score sheet as a table, one row a seat."""

    def ending(self, state: State, names: Sequence[str], lang: str) -> str:
        """Why the game is over, or will be when this turn is; empty while it goes on."""

    def setup_notices(self, setup: Setup, lang: str) -> list[str]:
        """What whoever picked this setup should know before playing."""

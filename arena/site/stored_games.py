"""Games of visitors as they are stored, so that a restart or another process finds them."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from engine.catalog import find
from engine.contract import Action
from engine.match import MatchSpec, Variant
from leagues.accounts.secrets_hash import hash_secret
from leagues.accounts.site_state import LiveGame, SiteState
from leagues.errors import StorageError

RESIGNED: Final = "resigned"
Places = Callable[[Sequence[str]], dict[str, str]]


@dataclass(frozen=True)
class BegunGame:
    """A game that was played up to somewhere."""

    spec: MatchSpec
    address: str
    undo: float
    decisions: tuple[Action, ...] = ()  # of whole rounds
    choice: tuple[int, Action] | None = None  # what the visitor chose in which turn, if not in them
    resigned: bool = False


class StoredGames:
    """The games of a site, played by this process or another."""

    def __init__(self, site: SiteState) -> None:
        self._site = site
        self._holder = secrets.token_hex(8)

    def add(self, id: str, visitor: str, game: BegunGame) -> None:
        """Store a game that begins."""
        row = LiveGame(
            *(id, hash_secret(visitor), game.address, self._holder, _encode(game)),
            *("[]", "", False, 0),
        )
        self._site.add_game(row)

    def is_held(self, id: str) -> bool:
        """Whether it is this process that plays it."""
        found = self._site.game(id)
        return found is not None and found.holder == self._holder

    def take_over(self, id: str, visitor: str) -> BegunGame | None:
        """A game of this visitor, to be played on by this process; None if there is none."""
        found = self._site.game(id)
        if found is None or found.visitor != hash_secret(visitor):
            return None
        found = self._site.take_over(id, self._holder)
        return None if found is None else _decode(found)

    def save_decisions(self, id: str, decisions: Sequence[Action]) -> bool:
        """Store a game after a round; False if another process has taken it over."""
        return self._save(id, decisions=json.dumps(list(decisions)))

    def save_choice(self, id: str, turn: int, action: Action | None) -> None:
        """Store what the visitor chose; nothing if it was taken back."""
        self._save(id, choice="" if action is None else json.dumps([turn, action]))

    def save_resignation(self, id: str) -> None:
        """Store that the visitor has left the seat."""
        self._save(id, choice=json.dumps(RESIGNED))

    def finish(self, id: str) -> None:
        """Store that a game has ended; it can be looked at for a while."""
        self._save(id, over=True)

    def _save(self, id: str, **values: str | bool) -> bool:
        try:
            return self._site.save(id, self._holder, **values)
        except StorageError:
            return True  # the database does not answer now: the game goes on where it is

    def forget(self, visitor: str) -> None:
        """Forget the games of a visitor."""
        self._site.forget_games(hash_secret(visitor))

    def playing(self) -> list[str]:
        """The addresses of those who play, in whichever process, one a game."""
        return self._site.playing()

    def sweep(self, used: Collection[str], idle: float) -> None:
        """Keep games that were looked at, and forget those that nobody did for so many seconds."""
        self._site.sweep_games(used, idle)


def _encode(game: BegunGame) -> str:
    spec = game.spec
    variant = spec.setup.variant
    facts = [
        *(variant.game, variant.edition, list(variant.expansions), variant.expert),
        *(list(spec.setup.wonders), spec.seed, list(spec.bots), game.undo),
    ]
    return json.dumps(facts)


def _decode(row: LiveGame) -> BegunGame:
    game, edition, expansions, expert, wonders, seed, bots, undo = json.loads(row.game)
    rules = find(game)
    variant = Variant(game, edition, tuple(expansions), expert)
    setup = rules.setup(len(bots), seed, tuple(wonders), variant)
    choice = json.loads(row.choice) if row.choice else None
    return BegunGame(
        rules.spec(setup, seed, tuple(bots)),
        row.address,
        undo,
        tuple(json.loads(row.decisions)),
        (choice[0], choice[1]) if isinstance(choice, list) else None,
        choice == RESIGNED,
    )

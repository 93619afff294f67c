"""Games of visitors as they are stored, so that a restart or another process finds them."""

from __future__ import annotations

import json
import secrets
import string
from collections.abc import Callable, Collection, Sequence
from dataclasses import astuple, dataclass, replace
from hashlib import sha256
from typing import Any, Final

from engine.catalog import find
from engine.contract import Action
from engine.match import Fault, FaultKind, MatchResult, MatchSpec, Variant
from leagues.accounts.secrets_hash import hash_secret
from leagues.accounts.site_state import LiveGame, SiteState
from leagues.errors import StorageError

RESIGNED: Final = "resigned"
LETTERS: Final = string.digits + string.ascii_letters
Places = Callable[[Sequence[str]], dict[str, str]]


@dataclass(frozen=True)
class StoredChoice:
    """What the visitor chose in which turn; it can be taken back until it is final."""

    turn: int
    action: Action
    is_final: bool = True


@dataclass(frozen=True)
class BegunGame:
    """A game that was played up to somewhere."""

    spec: MatchSpec
    address: str
    confirms: bool  # the visitor says of every choice when it is final
    decisions: tuple[Action, ...] = ()  # of whole rounds
    choice: StoredChoice | None = None  # if it is not in them
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

    def running(self, visitor: str) -> str | None:
        """The id of the game that a visitor plays, in whichever process."""
        return self._site.running_game(hash_secret(visitor))

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

    def save_choice(self, id: str, made: StoredChoice | None) -> None:
        """Store what the visitor chose; nothing if it was taken back."""
        self._save(id, choice="" if made is None else json.dumps(astuple(made)))

    def save_game(self, id: str, game: BegunGame) -> None:
        """Store how the visitor wants to play."""
        self._save(id, game=_encode(game))

    def save_resignation(self, id: str) -> None:
        """Store that the visitor has left the seat."""
        self._save(id, choice=json.dumps(RESIGNED))

    def finish(self, id: str) -> None:
        """Store that a game has ended; it can be looked at for a while."""
        self._save(id, over=True)

    def keep(self, id: str, result: MatchResult) -> str:
        """Keep a finished game for good: the word of its link, or none if it could not be kept."""
        word = link_word(id)
        try:
            self._site.add_finished_game(word, encode_finished(result))
        except StorageError:
            return ""
        return word

    def link(self, id: str) -> str:
        """The word of a game's link if it was kept before, by whichever process."""
        word = link_word(id)
        try:
            return word if self._site.finished_game(word) is not None else ""
        except StorageError:
            return ""

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


def link_word(id: str) -> str:
    """The word of a finished game's link: the same in every process, and no way to its table."""
    number = int.from_bytes(sha256(f"finished game {id}".encode()).digest())
    return "".join(LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(10))


def encode_finished(result: MatchResult) -> str:
    """A finished game as it is stored; what bots printed or failed with is left out."""
    facts = {
        "spec": _spec_facts(result.spec),
        "version": result.spec.version,
        "decisions": list(result.decisions),
        "scores": list(result.scores),
        "ranks": list(result.ranks),
        "faults": [[fault.seat, fault.kind, fault.decision] for fault in result.faults],
    }
    return json.dumps(facts)


def decode_finished(text: str) -> MatchResult:
    """A finished game out of what was stored."""
    facts = json.loads(text)
    spec = replace(_spec(facts["spec"]), version=facts["version"])
    faults = tuple(Fault(seat, FaultKind(kind), "", at) for seat, kind, at in facts["faults"])
    return MatchResult(spec, facts["decisions"], facts["scores"], facts["ranks"], faults)


def _spec_facts(spec: MatchSpec) -> list[object]:
    variant = spec.setup.variant
    return [
        *(variant.game, variant.edition, list(variant.expansions), variant.expert),
        *(list(spec.setup.wonders), spec.seed, list(spec.bots)),
    ]


def _spec(facts: list[Any]) -> MatchSpec:
    game, edition, expansions, expert, wonders, seed, bots = facts
    rules = find(game)
    variant = Variant(game, edition, tuple(expansions), expert)
    setup = rules.setup(len(bots), seed, tuple(wonders), variant)
    return rules.spec(setup, seed, tuple(bots))


def _encode(game: BegunGame) -> str:
    return json.dumps([*_spec_facts(game.spec), game.confirms])


def _decode(row: LiveGame) -> BegunGame:
    *spec, confirms = json.loads(row.game)
    choice = json.loads(row.choice) if row.choice else None
    return BegunGame(
        _spec(spec),
        row.address,
        bool(confirms),
        tuple(json.loads(row.decisions)),
        StoredChoice(*choice) if isinstance(choice, list) else None,
        choice == RESIGNED,
    )

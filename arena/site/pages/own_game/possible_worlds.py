"""Positions that are possible for a seat, such that all that may come next is among them."""

from typing import Final

from mypy_extensions import u8

from bots.api import Rng, imagine_world
from engine.architects.components.lookup import DECK_SIZE, HIDDEN, KIND_COUNT, TOKEN_COUNT
from engine.architects.knowledge.redact import tokens_unseen
from engine.architects.state import ArchitectsPosition, given_kind
from engine.contract import State

WORLDS: Final = 16  # at least, for the cards below those that come next
SEED: Final = 1  # a page that is loaded again says the same


def possible_worlds(view: State) -> list[State]:
    """Positions that a view allows, among them one for every card or token that may come next."""
    if not isinstance(view, ArchitectsPosition):
        return [imagine_world(view, Rng(SEED))]  # a move of one's own meets nothing hidden
    cards, tokens = _next_cards(view), _next_tokens(view)
    worlds = []
    for at in range(max(WORLDS, len(cards), len(tokens))):
        world = view.clone()
        assert isinstance(world, ArchitectsPosition)
        if cards:
            top = world.players * DECK_SIZE + world.size[world.players] - 1
            world.deck[top] = u8(cards[at % len(cards)])
        if tokens:
            world.stack[world.stacked - 1] = u8(tokens[at % len(tokens)])
        world.imagine(Rng(SEED + at))
        worlds.append(world)
    return list(worlds)


def _next_cards(view: ArchitectsPosition) -> list[int]:
    """The kinds that may lie on top of the central deck; none if that is known."""
    centre = int(view.players)
    if not view.size[centre] or view.top(centre) != HIDDEN:
        return []
    given = [given_kind(each) for each in view.given]
    unseen = [int(view.stock[centre * KIND_COUNT + kind]) for kind in range(KIND_COUNT)]
    return [kind for kind, count in enumerate(unseen) if count > given.count(kind)]


def _next_tokens(view: ArchitectsPosition) -> list[int]:
    """The Progress tokens that may lie on top of the stack."""
    if not view.stacked:
        return []
    return [token for token in range(TOKEN_COUNT) if tokens_unseen(view, token)]

"""Setting up the table: from a seed, or as a recorded game says the cards lay."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.architects.columns import (
    CENTRE_DECK,
    CENTRE_MEDALS,
    COPIES,
    COPIES_WITH_MEDALS,
    DECK_SIZE,
    FACE_UP,
    KIND_COUNT,
    MEDAL_COUNT,
    STARTING,
)
from engine.architects.ids import KIND_IDS, MEDAL_IDS, TOKEN_IDS, WONDER_IDS
from engine.architects.state import Position
from engine.contract import Setup
from engine.errors import TraceError
from engine.rng import Rng, derive

EVERY_MEDAL: Final = vec[u8](range(12))
EVERY_TOKEN: Final = vec[u8]([token for token, count in enumerate(COPIES) for _ in range(count)])
EVERY_TOKEN_WITH_MEDALS: Final = vec[u8](
    [token for token, count in enumerate(COPIES_WITH_MEDALS) for _ in range(count)]
)


def lay_out(p: Position, setup: Setup) -> None:
    """Put the wonders, decks and tokens of the setup on the table, nothing shuffled yet."""
    p.medals_used = 1 if "medals" in setup.expansions else 0
    p.expert = 1 if setup.expert else 0
    for seat in range(p.players):
        p.wonder[seat] = WONDER_IDS.index(setup.wonders[seat])
    for deck in range(p.players + 1):
        row = starting_row(p, deck)
        size: i64 = 0
        for kind in range(KIND_COUNT):
            count = i64(STARTING[row + kind])
            p.stock[deck * KIND_COUNT + kind] = count
            for _copy in range(count):
                p.deck[deck * DECK_SIZE + size] = u8(kind)
                size += 1
        p.size[deck] = size


def starting_row(p: Position, deck: i64) -> i64:
    """Where the cards a deck starts with stand in the table of all decks."""
    return (CENTRE_DECK if deck == p.players else p.wonder[deck]) * KIND_COUNT


def shuffle_all(p: Position, seed: int) -> None:
    """Shuffle the decks, the tokens and the medals, each where it lies."""
    rng = Rng(derive(seed, "deal"))
    for deck in range(p.players + 1):
        start = deck * DECK_SIZE
        rng.shuffle(p.deck, start, start + p.size[deck])
    tokens = all_tokens(p)
    rng.shuffle(tokens, 0, len(tokens))
    lay_tokens(p, tokens)
    if p.medals_used:
        medals = EVERY_MEDAL[:]
        rng.shuffle(medals, 0, MEDAL_COUNT)
        for place in range(p.players + (CENTRE_MEDALS if p.expert else 0)):
            p.medal[place] = i64(medals[place])
    p.chance = rng.fork()


def all_tokens(p: Position) -> vec[u8]:
    """The Progress tokens in play, in the order of their ids."""
    return EVERY_TOKEN_WITH_MEDALS[:] if p.medals_used else EVERY_TOKEN[:]


def lay_tokens(p: Position, tokens: vec[u8]) -> None:
    """The first three lie face up, the rest is the stack, top first."""
    for place in range(FACE_UP):
        p.face_up[place] = i64(tokens[place])
    p.stacked = len(tokens) - FACE_UP
    for at in range(p.stacked):
        p.stack[at] = tokens[len(tokens) - 1 - at]


def deal_facts(p: Position) -> dict[str, object]:
    """How the cards, tokens and medals lie, tops first."""
    decks = [_cards(p, deck) for deck in range(p.players)]
    progress = [TOKEN_IDS[token] for token in p.face_up]
    progress += [TOKEN_IDS[p.stack[at]] for at in range(p.stacked - 1, -1, -1)]
    medals: list[str] = []
    centre: list[str] = []
    if p.medals_used:
        medals = [MEDAL_IDS[p.medal[place]] for place in range(p.players)]
    if p.expert:
        centre = [MEDAL_IDS[p.medal[p.players + place]] for place in range(CENTRE_MEDALS)]
    return {
        "decks": decks,
        "centre": _cards(p, p.players),
        "progress": progress,
        "medals": medals,
        "centre_medals": centre,
    }


def _cards(p: Position, deck: i64) -> list[str]:
    start = deck * DECK_SIZE
    return [KIND_IDS[p.deck[start + at]] for at in range(p.size[deck] - 1, -1, -1)]


def lay_as_recorded(p: Position, facts: dict[str, object]) -> None:
    """Lay everything as `deal_facts` told; TraceError if no shuffle of this box can lie so."""
    decks = facts.get("decks")
    if not isinstance(decks, list) or len(decks) != p.players:
        raise TraceError(f"expected {p.players} decks, got {decks}")
    for deck in range(p.players + 1):
        order = decks[deck] if deck < p.players else facts.get("centre")
        size = p.size[deck]
        kinds = _ids_of(order, KIND_IDS, "cards")
        found = [kinds.count(kind) for kind in range(len(KIND_IDS))]
        if found != [STARTING[starting_row(p, deck) + kind] for kind in range(KIND_COUNT)]:
            name = f"deck {deck}" if deck < p.players else "the centre"
            raise TraceError(f"expected a shuffle of the {size} cards of {name}, got other cards")
        for at in range(size):
            p.deck[deck * DECK_SIZE + at] = u8(kinds[size - 1 - at])
    tokens = _ids_of(facts.get("progress"), TOKEN_IDS, "Progress tokens")
    if sorted(tokens) != list(all_tokens(p)):
        raise TraceError("expected a shuffle of the Progress tokens in play, got other tokens")
    lay_tokens(p, vec[u8]([u8(token) for token in tokens]))
    beside = _ids_of(facts.get("medals"), MEDAL_IDS, "medals")
    centre = _ids_of(facts.get("centre_medals"), MEDAL_IDS, "medals")
    wanted = (p.players if p.medals_used else 0, CENTRE_MEDALS if p.expert else 0)
    if (len(beside), len(centre)) != wanted or len({*beside, *centre}) != sum(wanted):
        raise TraceError(
            f"expected {wanted[0]} medals and {wanted[1]} in the centre, all different, "
            f"got {facts.get('medals')} and {facts.get('centre_medals')}"
        )
    for place, medal in enumerate(beside):
        p.medal[place] = medal
    for place, medal in enumerate(centre):
        p.medal[p.players + place] = medal
    # A record tells the shuffles that were; whoever plays on from it needs some of their own.
    p.chance = derive(0, "beyond the record")


def _ids_of(names: object, ids: tuple[str, ...], what: str) -> list[int]:
    if not isinstance(names, list):
        raise TraceError(f"expected a list of {what}, got {names}")
    for name in names:
        if name not in ids:
            raise TraceError(f"expected {what} only, got {name}")
    return [ids.index(name) for name in names]


def chance_facts(event: list[int]) -> dict[str, object]:
    """A shuffle: the deck, and its cards top first."""
    order = [KIND_IDS[kind] for kind in event[1:]]
    return {"chance": "shuffle", "deck": event[0], "order": order}


def chance_again(facts: dict[str, object]) -> list[int]:
    """The inverse of `chance_facts`."""
    deck = facts.get("deck")
    if facts.get("chance") != "shuffle" or type(deck) is not int:
        raise TraceError(f"expected the shuffle of a deck, got {facts}")
    return [deck, *_ids_of(facts.get("order"), KIND_IDS, "cards")]

"""The deal and later shuffles by the ids of their cards, as traces have them."""

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.architects.components.ids import KIND_IDS, MEDAL_IDS, TOKEN_IDS
from engine.architects.components.lookup import CENTRE_MEDALS, DECK_SIZE, KIND_COUNT, STARTING
from engine.architects.deal import all_tokens, lay_tokens, starting_row
from engine.architects.state import ArchitectsPosition
from engine.errors import TraceError
from engine.rng import derive


def deal_facts(p: ArchitectsPosition) -> dict[str, object]:
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


def _cards(p: ArchitectsPosition, deck: i64) -> list[str]:
    start = deck * DECK_SIZE
    return [KIND_IDS[p.deck[start + at]] for at in range(p.size[deck] - 1, -1, -1)]


def lay_as_recorded(p: ArchitectsPosition, facts: dict[str, object]) -> None:
    """Lay everything as `deal_facts` told; TraceError if no shuffle of this box can lie so."""
    decks = facts.get("decks")
    if not isinstance(decks, list) or len(decks) != p.players:
        raise TraceError(f"expected {p.players} decks, got {decks}")
    for deck in range(p.players + 1):
        _lay_deck(p, deck, decks[deck] if deck < p.players else facts.get("centre"))
    tokens = _ids_of(facts.get("progress"), TOKEN_IDS, "Progress tokens")
    if sorted(tokens) != list(all_tokens(p)):
        raise TraceError("expected a shuffle of the Progress tokens in play, got other tokens")
    lay_tokens(p, vec[u8]([u8(token) for token in tokens]))
    _lay_medals(p, facts)
    # A record tells the shuffles that were; whoever plays on from it needs some of their own.
    p.chance = derive(0, "beyond the record")


def _lay_deck(p: ArchitectsPosition, deck: i64, order: object) -> None:
    size = p.size[deck]
    kinds = _ids_of(order, KIND_IDS, "cards")
    found = [kinds.count(kind) for kind in range(len(KIND_IDS))]
    if found != [STARTING[starting_row(p, deck) + kind] for kind in range(KIND_COUNT)]:
        name = f"deck {deck}" if deck < p.players else "the centre"
        raise TraceError(f"expected a shuffle of the {size} cards of {name}, got other cards")
    for at in range(size):
        p.deck[deck * DECK_SIZE + at] = u8(kinds[size - 1 - at])


def _lay_medals(p: ArchitectsPosition, facts: dict[str, object]) -> None:
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

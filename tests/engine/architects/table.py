"""Positions made to measure, and the few words tests need to talk about them.

Cards are texts such as "wood wood coin"; decks and the stack read top first.
A made-up table owes nothing to the box: cards may be there too often, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from librt.vecs import vec
from mypy_extensions import i64

from engine.architects.actions import PROMPTS
from engine.architects.components.ids import KIND_IDS, MEDAL_IDS, TOKEN_IDS, WONDER_IDS
from engine.architects.components.lookup import (
    CENTRE_MEDALS,
    CULTURE_ID,
    DECK_SIZE,
    FACE_UP,
    HIDDEN,
    KIND_COUNT,
    NO_MEDAL,
    NO_TOKEN,
)
from engine.architects.game import ARCHITECTS, ArchitectsState
from engine.architects.state import give, given_kind, given_seat
from engine.architects.turn import advance, offer, start_turn

# Cards without a colour's worth of consequences: blue, no icon, nothing to build or study with.
IDLE = "civ3 civ3 civ3 civ3 civ3 civ3"
START = "start"


def table(
    wonders: tuple[str, ...] = ("giza", "rhodes"),
    turn: int = 0,
    ask: str = "act",
    front: Mapping[int, str] | None = None,
    tokens: Mapping[int, str] | None = None,
    built: Mapping[int, Iterable[int]] | None = None,
    decks: Mapping[int, str] | None = None,
    centre: str = IDLE,
    face_up: str = "decor politics strategy",
    stack: str = "education",
    medals: Mapping[int, str] | None = None,
    centre_medals: str = "",
    won: Mapping[int, int] | None = None,
    military: Mapping[int, int] | None = None,
    cat: int = -1,
    flipped: int = 0,
    armed: str = "",
    used: str = "",
    given: Iterable[tuple[int, str]] = (),
    peeked: Iterable[int] = (),
) -> ArchitectsState:
    """The position as described, its question asked; `ask="start"` plays from a turn's start."""
    p = ArchitectsState(len(wonders), None)
    expansion = medals is not None or centre_medals != "" or {"rome", "ur"} & set(wonders)
    p.medals_used = p.tokens_used = 1 if expansion else 0
    p.expert = 1 if centre_medals else 0
    p.wonder = vec[i64]([WONDER_IDS.index(id) for id in wonders])
    for deck in range(len(wonders)):
        _lay_deck(p, deck, (decks or {}).get(deck, IDLE))
    _lay_deck(p, len(wonders), centre)
    for seat, names in (front or {}).items():
        for name in names.split():
            p.cards[seat * KIND_COUNT + KIND_IDS.index(name)] += 1
    for seat, names in (tokens or {}).items():
        p.owned[seat] = token_set(names)
    for seat, stages in (built or {}).items():
        p.built[seat] = sum(1 << (stage - 1) for stage in stages)
    _lay_tokens(p, face_up.split(), stack.split())
    for place, name in (medals or {}).items():
        p.medal[place] = MEDAL_IDS.index(name)
    for at, name in enumerate(centre_medals.split()):
        p.medal[len(wonders) + at] = MEDAL_IDS.index(name)
    for seat, count in (won or {}).items():
        p.won[seat] = count
    for seat, count in (military or {}).items():
        p.military[seat] = count
    cards_given = [(seat, KIND_IDS.index(name)) for seat, name in given]
    p.given = vec[i64]([give(seat, kind, 0) for seat, kind in cards_given])
    for _, kind in cards_given:
        p.stock[len(wonders) * KIND_COUNT + kind] += 1
    p.peeked = sum(1 << seat for seat in peeked)
    p.cat = cat
    p.flipped = flipped
    p.turn = turn
    p.armed = token_set(armed)
    p.used = token_set(used)
    p.chance = 1 << 32 | 1
    if ask == START:
        start_turn(p)
        advance(p)
    else:
        p.ask = PROMPTS.index(ask)
        offer(p)
    return p


def _lay_deck(p: ArchitectsState, deck: int, cards: str) -> None:
    kinds = [KIND_IDS.index(name) for name in reversed(cards.split())]
    p.size[deck] = len(kinds)
    for at, kind in enumerate(kinds):
        p.deck[deck * DECK_SIZE + at] = kind
        p.stock[deck * KIND_COUNT + kind] += 1


def _lay_tokens(p: ArchitectsState, face_up: list[str], stack: list[str]) -> None:
    places = [TOKEN_IDS.index(name) for name in face_up]
    p.face_up = vec[i64](places + [int(NO_TOKEN)] * (int(FACE_UP) - len(places)))
    p.stacked = len(stack)
    for at, name in enumerate(reversed(stack)):
        p.stack[at] = TOKEN_IDS.index(name)


def token_set(names: str) -> int:
    """Tokens as the engine keeps them: a bit each, further copies of Culture after the last."""
    set_ = 0
    for name in names.split():
        bit = TOKEN_IDS.index(name)
        if name == "culture":
            while set_ >> bit & 1:
                bit = len(TOKEN_IDS) if bit == CULTURE_ID else bit + 1
        assert not set_ >> bit & 1, f"{name} twice"
        set_ |= 1 << bit
    return set_


def options(state: ArchitectsState) -> list[str]:
    """The texts of what may be answered now."""
    return [ARCHITECTS.text(action) for action in state.legal(state.turn)]


def choose(state: ArchitectsState, *answers: str) -> ArchitectsState:
    """Give these answers, one decision after the other; each must be on offer."""
    for answer in answers:
        assert answer in options(state), f"{answer!r} is not among {options(state)}"
        state.apply(state.turn, ARCHITECTS.parse(answer))
    return state


def asked(state: ArchitectsState) -> tuple[int, str] | None:
    """The seat and the prompt of the decision; None when the game is over."""
    seats = state.pending()
    return (seats[0], PROMPTS[state.prompt(seats[0])]) if seats else None


def front(state: ArchitectsState, seat: int) -> str:
    """The cards in front of a seat."""
    row = seat * int(KIND_COUNT)
    return " ".join(
        name for kind, name in enumerate(KIND_IDS) for _ in range(state.cards[row + kind])
    )


def sort(cards: str) -> str:
    """The same cards in the order `front` has them."""
    return " ".join(sorted(cards.split(), key=KIND_IDS.index))


def deck(state: ArchitectsState, at: int) -> str:
    """A deck, top first; ? for what a view does not know."""
    names = (*KIND_IDS, "?")
    assert names[HIDDEN] == "?"
    start = at * int(DECK_SIZE)
    kinds = [state.deck[start + card] for card in range(state.size[at])]
    return " ".join(names[kind] for kind in reversed(kinds))


def centre(state: ArchitectsState) -> str:
    """The centre deck, top first."""
    return deck(state, state.players)


def built(state: ArchitectsState, seat: int) -> tuple[int, ...]:
    """The numbers of the stages a seat has built."""
    return tuple(stage for stage in range(1, 6) if state.built[seat] >> (stage - 1) & 1)


def tokens(state: ArchitectsState, seat: int) -> list[str]:
    """The Progress tokens of a seat, in the order of their ids."""
    names = (*TOKEN_IDS, "culture", "culture")
    owned = [name for bit, name in enumerate(names) if state.owned[seat] >> bit & 1]
    return sorted(owned, key=TOKEN_IDS.index)


def face_up(state: ArchitectsState) -> list[str | None]:
    """The three places of face-up Progress tokens; None where there is no token left."""
    return [None if token == NO_TOKEN else TOKEN_IDS[token] for token in state.face_up]


def stack(state: ArchitectsState) -> list[str]:
    """The stack of Progress tokens, top first; ? for what a view does not know."""
    names = (*TOKEN_IDS, "", "?")
    return [names[state.stack[at]] for at in reversed(range(state.stacked))]


def medals(state: ArchitectsState) -> list[str | None]:
    """The medals beside the seats, then the two of the centre; None where one is gone."""
    assert len(state.medal) == state.players + CENTRE_MEDALS
    return [None if medal == NO_MEDAL else MEDAL_IDS[medal] for medal in state.medal]


def given(state: ArchitectsState) -> list[tuple[int, str]]:
    """Face-down cards: the seat that will reveal it, and what it is; ? where unknown."""
    names = (*KIND_IDS, "?")
    return [(given_seat(card), names[given_kind(card)]) for card in state.given]


def knows(state: ArchitectsState, seat: int) -> str:
    """The centre's top as the seat's own view has it; ? where it does not know."""
    return centre(view(state, seat)).split()[0]


def view(state: ArchitectsState, seat: int) -> ArchitectsState:
    """What the seat knows, as a state of the game's own type."""
    found = state.view(seat)
    assert isinstance(found, ArchitectsState)
    return found

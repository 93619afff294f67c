"""Actions as text, the same in every position."""

from dataclasses import dataclass
from typing import Final

from engine.architects.actions import (
    BUILD,
    BY_ECONOMY,
    BY_ENGINEERING,
    COINS_AT,
    END,
    EXTRA,
    KEEP,
    LOOK,
    STAGE_AT,
    STEAL_FROM,
    STUDY,
    TAKE,
    TAKE_DECK,
    TOKEN,
    TOKEN_STACK,
)
from engine.architects.components.ids import KIND_IDS, TOKEN_IDS
from engine.architects.components.lookup import (
    COIN,
    EXTRA_TOKENS,
    FIRST_SCIENCE,
    GREY_COUNT,
    SCIENCES,
    STAGE_COUNT,
)
from engine.architects.setup import PLAYERS
from engine.errors import NotationError

WHICH: Final = ("left", "right", "centre")
SEATS: Final = tuple(str(seat) for seat in range(PLAYERS.stop - 1))
SCIENCE_IDS: Final = KIND_IDS[FIRST_SCIENCE : FIRST_SCIENCE + SCIENCES]
MAX_ALIKE: Final = 7  # in a payment: three bits a kind
STUDIES: Final = (*(f"{id}+{id}" for id in SCIENCE_IDS), "+".join(SCIENCE_IDS))


@dataclass(frozen=True)
class Verb:
    """Actions of one form, `head + step * one + two`, and the words for both numbers."""

    id: str
    head: int
    form: str
    ones: tuple[str, ...] = ("",)
    twos: tuple[str, ...] = ("",)
    step: int = 1


# All but builds.
VERBS: Final = (
    Verb("take", TAKE, "take {}", WHICH),
    Verb("end", END, "end"),
    Verb("look", LOOK, "look {}", WHICH[:2]),
    Verb("take_deck", TAKE_DECK, "take deck {}", SEATS),
    Verb("token", TOKEN, "token {}", TOKEN_IDS),
    Verb("token_stack", TOKEN_STACK, "token stack"),
    Verb("keep", KEEP, "keep {}", KIND_IDS),
    Verb("study", STUDY, "study {}", STUDIES),
    Verb("extra", EXTRA, "extra {} take {}", TOKEN_IDS[:EXTRA_TOKENS], WHICH, 4),
    Verb("steal", STEAL_FROM, "steal {} {}", SEATS, KIND_IDS, 16),
)


def _fixed() -> dict[int, tuple[Verb, int, int]]:
    return {
        verb.head + verb.step * one + two: (verb, one, two)
        for verb in VERBS
        for one in range(len(verb.ones))
        for two in range(len(verb.twos))
    }


_FIXED: Final = _fixed()


def split(action: int) -> tuple[str, int, int]:
    """The id of the verb and its two numbers, for a build the stage; NotationError if none."""
    fixed = _FIXED.get(action)
    return ("build", _stage(action), 0) if fixed is None else (fixed[0].id, fixed[1], fixed[2])


def text(action: int) -> str:
    """The text of an action; NotationError if it is none."""
    fixed = _FIXED.get(action)
    if fixed is None:
        return _build_text(action)
    verb, one, two = fixed
    return verb.form.format(verb.ones[one], verb.twos[two])


def _stage(action: int) -> int:
    stage = (action & ~int(BY_ECONOMY | BY_ENGINEERING)) - int(BUILD) >> int(STAGE_AT)
    if not 0 <= stage < int(STAGE_COUNT) or not payment(action):
        raise NotationError(f"expected an action of architects, got {action}")
    return stage


def payment(action: int) -> list[int]:
    """The kinds of card a build pays with, in the order of their ids."""
    cards = [kind for kind in range(GREY_COUNT) for _ in range(action >> 3 * kind & 7)]
    return cards + [int(COIN)] * (action >> COINS_AT & 7)


def payment_tokens(action: int) -> list[str]:
    """The Progress tokens a build uses."""
    uses = (("economy", BY_ECONOMY), ("engineering", BY_ENGINEERING))
    return [id for id, bit in uses if action & bit]


def _build_text(action: int) -> str:
    stage = _stage(action)
    cards = "+".join(KIND_IDS[kind] for kind in payment(action))
    tokens = "+".join(payment_tokens(action))
    return f"build {stage + 1} with {cards}" + (f" by {tokens}" if tokens else "")


def parse(words: str) -> int:
    """The action of a text, which must be written exactly as `text` writes it."""
    action = _ACTIONS.get(words)
    if action is None and words.startswith("build "):
        action = _parse_build(words)
    if action is None:
        raise NotationError(f"expected an action of architects, got {words!r}")
    return action


def _parse_build(words: str) -> int | None:
    _, stage, _, cards, *rest = [*words.split(" "), "", "", "", ""]
    if stage not in ("1", "2", "3", "4", "5"):
        return None
    action = BUILD | (int(stage) - 1) << STAGE_AT
    listed = cards.split("+")
    for id in listed:
        if id not in KIND_IDS[: COIN + 1] or listed.count(id) > MAX_ALIKE:
            return None
        kind = KIND_IDS.index(id)
        action += 1 << (COINS_AT if kind == COIN else 3 * kind)
    for id, bit in (("economy", BY_ECONOMY), ("engineering", BY_ENGINEERING)):
        if rest[0] == "by" and id in rest[1].split("+"):
            action |= bit
    # Anything out of order or left over does not come back as it was.
    return int(action) if _build_text(action) == words else None


_ACTIONS: Final = {text(action): action for action in _FIXED}

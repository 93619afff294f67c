"""Actions as text, the same in every position."""

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
from engine.architects.columns import COIN, EXTRA_TOKENS, GREY_COUNT, SCIENCES
from engine.architects.ids import KIND_IDS, TOKEN_IDS
from engine.errors import NotationError

WHICH: Final = ("left", "right", "centre")
STUDIES: Final = (*(f"{id}+{id}" for id in KIND_IDS[8:11]), "+".join(KIND_IDS[8:11]))
MOST_SEATS: Final = 7


def text(action: int) -> str:
    """The text of an action."""
    if action >= BUILD:
        return _build_text(action)
    if action >= STEAL_FROM:
        seat, kind = divmod(action - STEAL_FROM, 16)
        return f"steal {seat} {KIND_IDS[kind]}"
    if action >= EXTRA:
        token, which = divmod(action - EXTRA, 4)
        return f"extra {TOKEN_IDS[token]} take {WHICH[which]}"
    if action >= STUDY:
        return f"study {STUDIES[action - STUDY]}"
    if action >= KEEP:
        return f"keep {KIND_IDS[action - KEEP]}"
    if action == TOKEN_STACK:
        return "token stack"
    if action >= TOKEN:
        return f"token {TOKEN_IDS[action - TOKEN]}"
    if action >= TAKE_DECK:
        return f"take deck {action - TAKE_DECK}"
    if action >= LOOK:
        return f"look {WHICH[action - LOOK]}"
    if action == END:
        return "end"
    return f"take {WHICH[action - TAKE]}"


def payment(action: int) -> list[int]:
    """The kinds of card a build pays with, in the order of their ids."""
    cards = [kind for kind in range(GREY_COUNT) for _ in range(action >> 3 * kind & 7)]
    return cards + [int(COIN)] * (action >> COINS_AT & 7)


def payment_tokens(action: int) -> list[str]:
    """The Progress tokens a build uses."""
    uses = (("economy", BY_ECONOMY), ("engineering", BY_ENGINEERING))
    return [id for id, bit in uses if action & bit]


def _build_text(action: int) -> str:
    cards = "+".join(KIND_IDS[kind] for kind in payment(action))
    tokens = "+".join(payment_tokens(action))
    return f"build {(action >> STAGE_AT & 7) + 1} with {cards}" + (
        f" by {tokens}" if tokens else ""
    )


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
    for id in cards.split("+"):
        if id not in KIND_IDS[: COIN + 1]:
            return None
        kind = KIND_IDS.index(id)
        action += 1 << (COINS_AT if kind == COIN else 3 * kind)
    for id, bit in (("economy", BY_ECONOMY), ("engineering", BY_ENGINEERING)):
        if rest[0] == "by" and id in rest[1].split("+"):
            action |= bit
    # Anything out of order, overflowing or left over does not come back as it was.
    return int(action) if _build_text(action) == words else None


def _fixed_actions() -> dict[str, int]:
    ranges = (
        range(TAKE, TAKE + 4),
        range(LOOK, LOOK + 2),
        range(TAKE_DECK, TAKE_DECK + MOST_SEATS),
        range(TOKEN, TOKEN + len(TOKEN_IDS)),
        range(TOKEN_STACK, TOKEN_STACK + 1),
        range(KEEP, KEEP + len(KIND_IDS)),
        range(STUDY, STUDY + SCIENCES + 1),
        *(range(EXTRA + 4 * token, EXTRA + 4 * token + 3) for token in range(EXTRA_TOKENS)),
        *(
            range(STEAL_FROM + 16 * seat, STEAL_FROM + 16 * seat + len(KIND_IDS))
            for seat in range(MOST_SEATS)
        ),
    )
    return {text(action): action for actions in ranges for action in actions}


_ACTIONS: Final = _fixed_actions()

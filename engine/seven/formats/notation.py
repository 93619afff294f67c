"""Actions as text: `build baths pay 2+0`, `stage loom`, `sell altar`, `free palace`, `pass`."""

from typing import Final

from engine.errors import NotationError
from engine.seven.actions import (
    BUILD,
    FREE,
    KIND_BITS,
    LEFT_SHIFT,
    NAME_BITS,
    PASS,
    PAY_BITS,
    RIGHT_SHIFT,
    SELL,
    STAGE,
    TAKE,
)
from engine.seven.components.lookup import NAMES

VERBS: Final = {BUILD: "build", STAGE: "stage", SELL: "sell", FREE: "free", TAKE: "revive"}
KINDS: Final = {verb: kind for kind, verb in VERBS.items()}
_NUMBERS: Final = {name: number for number, name in enumerate(NAMES)}


def split(action: int) -> tuple[int, int, int, int]:
    """The kind, the name, and the coins to the left and to the right; NotationError if none."""
    kind = action & KIND_BITS
    name = action & NAME_BITS
    left = action >> LEFT_SHIFT & PAY_BITS
    right = action >> RIGHT_SHIFT & PAY_BITS
    pays = kind in (BUILD, STAGE)
    known = name < len(NAMES) if kind in VERBS else action == PASS
    if not known or action >> RIGHT_SHIFT > PAY_BITS or (left + right > 0 and not pays):
        raise NotationError(f"expected an action of seven, got {action}")
    return kind, name, left, right


def text(action: int) -> str:
    """The text of an action."""
    kind, name, left, right = split(action)
    if kind == PASS:
        return "pass"
    words = f"{VERBS[kind]} {NAMES[name]}"
    return f"{words} pay {left}+{right}" if left + right else words


def parse(words: str) -> int:
    """The action of a text, which must be written exactly as `text` writes it."""
    if words == "pass":
        return PASS
    verb, _, rest = words.partition(" ")
    name, paid, price = rest.partition(" pay ")
    if verb not in KINDS or name not in _NUMBERS:
        raise NotationError(f"expected VERB CARD, or pass, got {words}")
    action = KINDS[verb] | _NUMBERS[name]
    if paid:
        left, _, right = price.partition("+")
        if not (_is_number(left) and _is_number(right)):
            raise NotationError(f"expected pay L+R, coins up to {PAY_BITS}, got {words}")
        action |= int(left) << LEFT_SHIFT | int(right) << RIGHT_SHIFT
    if (paid and verb not in ("build", "stage")) or text(action) != words:
        raise NotationError(f"expected an action as it is written, got {words}")
    return action


def _is_number(digits: str) -> bool:
    return digits.isascii() and digits.isdigit() and len(digits) < 3 and int(digits) <= PAY_BITS

"""Signs: what icons show, as words with blanks between them that are the same in every language.

`wood`, `shield` and the like name an icon, `v3` is three points, `$5` five coins, `c-red` a red
card, `/` stands between things of which there is one, `x` before what is counted, and `+` between
what is counted and the rest.
"""

from typing import Final

from engine.seven.components.rows import (
    CHOICE,
    COIN,
    COINS,
    COINS_EACH,
    COLOURS,
    COMPLETE,
    COPY_GUILD,
    DEFEATS,
    DISCOUNT,
    LAST_CARD,
    LEFT,
    MAKES,
    OWN,
    POINTS,
    POWER,
    RESOURCES,
    REVIVE,
    RIGHT,
    SCIENCE,
    SHIELDS,
    STAGES,
    Effect,
    Gives,
)

LETTERS: Final = {
    "W": "wood",
    "S": "stone",
    "O": "ore",
    "C": "clay",
    "G": "glass",
    "P": "papyrus",
    "L": "cloth",
    "$": "coin",
}
SYMBOLS: Final = ("compass", "gear", "tablet", "any")
POWERS: Final = {LAST_CARD: "last", COPY_GUILD: "copy", REVIVE: "revive"}  # the others: free
COUNTED: Final = {STAGES: "stage", DEFEATS: "defeat", COMPLETE: "crown"}
# The icons of wonders are named as 7 Wonders spells them.
WONDERS: Final = {
    "ephesus": "ephesos",
    "giza": "gizah",
    "halicarnassus": "halikarnassos",
    "rhodes": "rhodos",
}


def cost_signs(cost: str) -> str:
    """A cost of 7 Wonders, letter by letter."""
    return " ".join(
        LETTERS[letter] for letter in COIN + RESOURCES for _ in range(cost.count(letter))
    )


def effect_signs(gives: Gives) -> str:
    """What a card or a stage of 7 Wonders gives."""
    found = [_effect(effect) for effect in gives]
    return (" + " if any(" x " in each for each in found) else " ").join(found)


def _effect(e: Effect) -> str:
    icons = [LETTERS[letter] for letter in e.letters]
    if e.kind == MAKES:
        return " ".join(icons)
    if e.kind == CHOICE:
        return " / ".join(icons)
    if e.kind == SCIENCE:
        return SYMBOLS[e.what[0]]
    if e.kind == POWER:
        return POWERS.get(e.amount, "free")
    if e.kind == SHIELDS:
        return " ".join(["shield"] * e.amount)
    if e.kind in (POINTS, COINS):
        return f"v{e.amount}" if e.kind == POINTS else f"${e.amount}"
    sides = ((LEFT, "left"), (OWN, "down"), (RIGHT, "right"))
    where = [side for bit, side in sides if e.where & bit and e.where != OWN]
    if e.kind == DISCOUNT:
        return " ".join([*where, *icons, "$1"])
    what = " ".join(COUNTED.get(what) or f"c-{COLOURS[what]}" for what in e.what)
    return f"{'$' if e.kind == COINS_EACH else 'v'}{e.amount} x {what}" + "".join(
        f" {side}" for side in where
    )

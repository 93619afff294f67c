"""What the cards and stages of 7 Wonders are called, cost, give and make free, in words."""

from arena.display import seven_texts as texts
from arena.display.seven_texts import count
from arena.i18n import gettext, ngettext, semicolon
from engine.seven.components.lookup import (
    CARDS,
    CHAIN,
    EDITION_CARDS,
    NAME,
    NO_NAME,
    OTHER_CHAIN,
)
from engine.seven.components.rows import (
    CHOICE,
    COIN,
    COINS_EACH,
    COMPLETE,
    DISCOUNT,
    MAKES,
    POWER,
    RESOURCES,
    SCIENCE,
    Card,
    Effect,
    Gives,
)


def card_name(card: Card, lang: str) -> str:
    """The name of a card in that language."""
    return gettext(card.name, lang)


def name_of(name: int, lang: str) -> str:
    """The name a number stands for, in that language."""
    return card_name(CARDS[NAME.index(name)], lang)


def cost_text(cost: str, lang: str) -> str:
    """A cost in words."""
    return " + ".join(
        ngettext(*texts.AMOUNTS[letter], cost.count(letter), lang)
        for letter in COIN + RESOURCES
        if letter in cost
    )


def effect_text(gives: Gives, lang: str) -> str:
    """What a card or a stage gives, in words."""
    return f"{semicolon(lang)} ".join(_effect(effect, lang) for effect in gives)


def _effect(e: Effect, lang: str) -> str:
    letters = [gettext(texts.RESOURCES[letter], lang) for letter in e.letters]
    if e.kind == MAKES:
        return cost_text(e.letters, lang)
    if e.kind == CHOICE:
        return " / ".join(letters)
    if e.kind == SCIENCE:
        return gettext(texts.SYMBOLS[e.what[0]], lang)
    if e.kind == POWER:
        return gettext(texts.POWERS[e.amount], lang)
    if e.kind in texts.COUNTS:
        return count(e.amount, e.kind, lang)
    where = gettext(texts.PLACES[e.where], lang)
    if e.kind == DISCOUNT:
        resources = ", ".join(letters)
        return gettext(texts.DISCOUNT, lang, resources=resources, where=where)
    if COMPLETE in e.what:
        return ngettext(*texts.POINTS_COMPLETE, e.amount, lang)
    what = ", ".join(gettext(texts.COUNTED[what], lang) for what in e.what)
    forms = texts.COINS_EACH if e.kind == COINS_EACH else texts.POINTS_EACH
    return ngettext(*forms, e.amount, lang, what=what, where=where)


def chains_text(row: int, lang: str) -> str:
    """What makes a card free, and what it makes free, in its edition."""
    edition = next(rows for rows in EDITION_CARDS if row in rows)
    givers = [name_of(each, lang) for each in (CHAIN[row], OTHER_CHAIN[row]) if each != NO_NAME]
    freed = [each for each in edition if NAME[row] in (CHAIN[each], OTHER_CHAIN[each])]
    later = dict.fromkeys(card_name(CARDS[each], lang) for each in freed)
    told = []
    if givers:
        told.append(gettext(texts.FREE_WITH, lang, cards=gettext(texts.OR, lang).join(givers)))
    if later:
        told.append(gettext(texts.FREE_LATER, lang, cards=", ".join(later)))
    return f"{semicolon(lang)} ".join(told)

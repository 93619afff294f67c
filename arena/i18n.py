"""Translations: English texts are the message ids, gettext catalogues have the other languages.

A text may have {fields}. What takes time to know is marked with N_ and translated where it is
shown; an error carries its message id and fields.
"""

import re
from enum import StrEnum
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Final

from engine.errors import ArenaError

LANGUAGES: Final = {"en": "English", "fr": "Français"}
DE: Final = re.compile(r"\bde \{(\w+)")
VOWELS: Final = "aàâeéèêiîoôuûyh"
MINUS: Final = "\u2212"  # a hyphen is shorter, and a line may end after it
LOCALE: Final = Path(__file__).parent / "locale"


@cache
def catalogue(lang: str) -> NullTranslations:
    """The translations of a language; English needs none."""
    if lang == "en":
        return NullTranslations()
    with (LOCALE / lang / "LC_MESSAGES" / "arena.mo").open("rb") as file:
        return GNUTranslations(file)


def N_(message: str) -> str:  # noqa: N802 (gettext's own name)
    """The message itself, marked for the catalogues and translated later."""
    return message


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802
    """The two forms of a message that depends on a number, marked and translated later."""
    return one, many


def gettext(message: str, lang: str, **fields: object) -> str:
    """The message in that language, its fields filled in."""
    text = catalogue(lang).gettext(message) if message else ""
    return _fill(text, lang, fields) if fields else text


def pgettext(context: str, message: str, lang: str) -> str:
    """A message whose translation depends on where it stands."""
    return catalogue(lang).pgettext(context, message)


def ngettext(one: str, many: str, n: int, lang: str, **fields: object) -> str:
    """The form of a message for that number, which fills its field {n}."""
    return _fill(catalogue(lang).ngettext(one, many, n), lang, {**fields, "n": whole(n, lang)})


def _fill(text: str, lang: str, fields: dict[str, object]) -> str:
    """Fill in the fields; French elides "de" before a vowel or a mute h."""

    def elide(found: re.Match[str]) -> str:
        first = str(fields[found[1]])[:1].lower()
        return f"d'{{{found[1]}" if first and first in VOWELS else found[0]

    return (DE.sub(elide, text) if lang == "fr" else text).format(**fields)


def translate_error(error: ArenaError, lang: str) -> str:
    """What an error says, in that language where its message is in the catalogue.

    Of its fields, states and kinds are translated too.
    """
    if lang == "en" or not error.message:
        return str(error)
    fields = {
        name: gettext(value, lang) if isinstance(value, StrEnum) else value
        for name, value in error.fields.items()
    }
    return gettext(error.message, lang, **fields)[:400]


def decimal(value: float, digits: int, lang: str) -> str:
    """A number with so many decimals."""
    text = f"{value:z.{digits}f}".replace("-", MINUS)
    return text.replace(".", ",") if lang == "fr" else text


def whole(value: int, lang: str) -> str:
    """A whole number, its thousands apart."""
    text = f"{value:,}".replace("-", MINUS)
    return text.replace(",", "\u202f") if lang == "fr" else text


def semicolon(lang: str) -> str:
    """A semicolon with the space that the language has before it."""
    return " ;" if lang == "fr" else ";"


def colon(lang: str) -> str:
    """A colon with the space that the language has before it."""
    return " :" if lang == "fr" else ":"

"""Numbers and names as pages write them, in the reader's language."""

import re
from typing import Final

from arena.display.scene import is_single
from arena.site.words import COUNTS

# A version that is none but the digest; one of digits alone may be a date.
DIGEST: Final = re.compile(r"(^|@)(?=[0-9]*[a-f])([0-9a-f]{8})[0-9a-f]{1,56}$")
DIGITS: Final = 8  # of a digest, as in versions of bots without one


def decimal(value: float, digits: int, lang: str) -> str:
    """A number with so many decimals."""
    text = f"{value:.{digits}f}"
    return text.replace(".", ",") if lang == "fr" else text


def whole(value: int, lang: str) -> str:
    """A whole number, its thousands apart."""
    return f"{value:,}".replace(",", "\u202f" if lang == "fr" else ",")


def count(value: int, what: str, lang: str) -> str:
    """So many of something."""
    return f"{whole(value, lang)} {noun(value, what, lang)}"


def noun(value: int, what: str, lang: str) -> str:
    """What there are so many of."""
    one, many = COUNTS[what][lang == "fr"]
    return one if is_single(value, lang) else many


def brief(name: str) -> str:
    """A bot's name or version with no more of a digest than tells it apart."""
    return DIGEST.sub(r"\1\2", name)

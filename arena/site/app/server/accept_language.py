"""The language that a browser asks for."""

import re
from typing import Final

from arena.i18n import LANGUAGES

DEFAULT: Final = "en"  # for who names none of ours; robots name none at all
MAX_HEADER: Final = 500  # characters that are read
LANGUAGE_RANGE: Final = re.compile(
    r"\s*([a-z]+)(?:-[\w-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?", re.IGNORECASE
)


def preferred_language(header: str) -> str:
    """The language of ours that an Accept-Language header wants most."""
    most, found = 0.0, DEFAULT
    for part in header[:MAX_HEADER].split(","):
        asked = LANGUAGE_RANGE.fullmatch(part)
        if asked is None:
            continue
        code, quality = asked[1].lower(), float(asked[2] or 1)
        if code in LANGUAGES and quality > most:
            most, found = quality, code
    return found

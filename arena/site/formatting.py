"""Names as pages write them."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from arena.i18n import decimal

# A version that is none but the digest; one of digits alone may be a date.
DIGEST: Final = re.compile(r"(^|@)(?=[0-9]*[a-f])([0-9a-f]{8})[0-9a-f]{1,56}$")
MIN_GAP: Final = 0.5  # points that are worth telling
MAX_GAPS: Final = 3  # categories that are told
DIGITS: Final = 8  # of a digest, as in versions of bots without one


def brief(name: str) -> str:
    """A bot's name or version with no more of a digest than tells it apart."""
    return DIGEST.sub(r"\1\2", name)


def short_names(labels: dict[int, str]) -> dict[int, str]:
    """The names of bots without their versions, except where versions tell bots apart."""
    bare = {id: label.partition("@")[0] or label for id, label in labels.items()}
    often = Counter(bare.values())
    return {id: bare[id] if often[bare[id]] == 1 else label for id, label in labels.items()}


def largest_gaps(
    gaps: Mapping[str, float],
    names: Mapping[str, str],
    places: int,
    lang: str,
    most: int = MAX_GAPS,
) -> str:
    """Where points clearly differ, by category, the most first, with so many decimal places."""
    largest = sorted(gaps, key=lambda key: -abs(gaps[key]))[:most]
    return ", ".join(
        f"{names[key]} {'+' if gaps[key] > 0 else '−'}{decimal(abs(gaps[key]), places, lang)}"
        for key in largest
        if abs(gaps[key]) >= MIN_GAP
    )

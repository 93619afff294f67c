"""Names as pages write them."""

import re
from collections import Counter
from typing import Final

# A version that is none but the digest; one of digits alone may be a date.
DIGEST: Final = re.compile(r"(^|@)(?=[0-9]*[a-f])([0-9a-f]{8})[0-9a-f]{1,56}$")
DIGITS: Final = 8  # of a digest, as in versions of bots without one


def brief(name: str) -> str:
    """A bot's name or version with no more of a digest than tells it apart."""
    return DIGEST.sub(r"\1\2", name)


def short_names(labels: dict[int, str]) -> dict[int, str]:
    """The names of bots without their versions, except where versions tell bots apart."""
    bare = {id: label.partition("@")[0] or label for id, label in labels.items()}
    often = Counter(bare.values())
    return {id: bare[id] if often[bare[id]] == 1 else label for id, label in labels.items()}

"""Names as pages write them."""

import re
from typing import Final

# A version that is none but the digest; one of digits alone may be a date.
DIGEST: Final = re.compile(r"(^|@)(?=[0-9]*[a-f])([0-9a-f]{8})[0-9a-f]{1,56}$")
DIGITS: Final = 8  # of a digest, as in versions of bots without one


def brief(name: str) -> str:
    """A bot's name or version with no more of a digest than tells it apart."""
    return DIGEST.sub(r"\1\2", name)

"""Answers with something that is neither an option nor a text: what=..."""

from bots.api import Bot

ANSWERS = {
    "none": None,
    "number": 10**9,
    "first": 0,  # numbers are for the wire
    "true": True,
    "list": ["end"],
    "nan": float("nan"),
    "bytes": b"end",
}


class WrongType(Bot):
    def __init__(self, what: str) -> None:
        self.what = what

    def decide(self, decision):
        return ANSWERS[self.what]

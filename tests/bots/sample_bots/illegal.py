"""Answers with a text that is no option: text=..., or one of these."""

from bots.api import Bot

TEXTS = {"huge": "end" * 1_000_000, "surrogate": "\ud800", "ansi": "\x1b[2J", "empty": ""}


class Illegal(Bot):
    def __init__(self, text: str) -> None:
        self.text = TEXTS.get(text, text)

    def decide(self, decision):
        return self.text

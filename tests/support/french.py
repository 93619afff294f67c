"""English that is left in French output: messages that were not translated, and English words."""

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser

from bots.house import LADDER
from engine.architects.components.cards import KINDS
from engine.architects.components.tokens import TOKENS
from tests.support import catalogue

FIELD = re.compile(r"\{[^}]*\}")
WORD = re.compile(r"[A-Za-z]{2,}")
# Words of nearly every English sentence that are no French words.
ENGLISH = re.compile(r"\b(?:the|of|and|with|is|are|was|that|this|from|not|got|for|to|by)\b")
# Names in the notation of the game and of bots, the same in every language.
NOTATION = {*LADDER, *(kind.id for kind in KINDS), *(token.id for token in TOKENS)}
VOID = {"base", "meta", "link", "input", "br", "hr", "img", "wbr"}
CODE = {"script", "style", "pre", "code"}
SHOWN = {"title", "aria-label", "alt", "placeholder"}


class FrenchTexts(HTMLParser):
    """What a visitor reads of a French page; code and what is marked as English are left out."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, bool]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    @property
    def is_french(self) -> bool:
        """Whether the text here should be."""
        return all(french for _, french in self.open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        french = tag not in CODE and dict(attrs).get("lang", "fr") == "fr"
        if self.is_french and french:
            self.texts += [value for name, value in attrs if name in SHOWN and value]
        if tag not in VOID:
            self.open.append((tag, french))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if data.strip() and self.is_french:
            self.texts.append(data.strip())


@cache
def english_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Of every message whose French differs: its longest part, and what finds it as whole words.

    Not those that French has too: an English "note" cannot be told from a French one.
    """
    known = catalogue.read(catalogue.PO.read_text(encoding="utf-8"))
    french = "\n".join(form for forms in known.translations.values() for form in forms)
    found = []
    for message, forms in known.translations.items():
        for text in {message.id, message.plural} - {"", *forms, *NOTATION}:
            parts = FIELD.split(text)
            pattern = re.compile(
                r"(?<!\w)" + r"[^\n]{1,40}?".join(map(re.escape, parts)) + r"(?!\w)"
            )
            letters = "".join(WORD.findall(" ".join(parts)))
            if len(letters) >= (6 if len(parts) > 1 else 2) and not pattern.search(french):
                found.append((max(parts, key=len), pattern))
    return tuple(found)


def english_in(text: str) -> list[str]:
    """The lines of a French text that have an English message or English words."""
    return [line for line in text.splitlines() if any(_english(line))]


def _english(line: str) -> Iterator[bool]:
    yield bool(ENGLISH.search(line))
    for part, pattern in english_patterns():
        if part in line:
            yield bool(pattern.search(line))

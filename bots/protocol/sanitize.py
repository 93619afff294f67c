"""Strangers' text made fit for a terminal, a database and a page: here, and nowhere else.

The database itself refuses control characters (leagues.storage.codec); who writes to it sanitizes.
"""

import re
from typing import Final

MARK: Final = "[...] "
UNFIT: Final = "\ufffd"
# What a terminal obeys: control sequences, commands up to their terminator, single escapes.
ESCAPES: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)
# C0 and C1 but tab and newline, surrogates, marks that turn the direction of text, line separators.
CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
)


# A path from the root; what may be before it is in no part of it, so that time stays linear.
PATH: Final = re.compile(
    r"""(?:(?<=File ")(?:/[^"/\n]+)*|(?<![^\s"'=(,])(?:/[^\s"'=(,:/<>]+)*)"""
    r"""/([^\s"'=(,:/<>]+/[^\s"'=(,:/<>]+)"""
)


def for_storage(words: str | bytes, most: int) -> str:
    """Lines of text without anything a terminal acts upon; of too many the end, behind a mark."""
    if isinstance(words, bytes):
        words = words.decode("utf-8", "replace")
    text = CONTROLS.sub(UNFIT, ESCAPES.sub("", words.replace("\r\n", "\n")))
    return text if len(text) <= most else MARK + text[len(MARK) - most :]


def for_terminal(text: str) -> str:
    """One line: every character that cannot be printed, a newline too, is replaced."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else UNFIT for c in text)


def one_line(text: str) -> str:
    """The words in one line, with single spaces in place of all that cannot be printed."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def shorten_paths(text: str) -> str:
    """Every path from the root down to a file and its folder: strangers see no more of ours."""
    return PATH.sub(r"\1", text)

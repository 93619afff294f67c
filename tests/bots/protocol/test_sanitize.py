"""Strangers' words reach terminal, database and page as words."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.chairs.base import ChairFault
from bots.protocol.sanitize import ESCAPES, MARK, for_storage
from engine.match import FaultKind


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("plain\ttext\nof two lines", "plain\ttext\nof two lines"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x9b31mred", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bcreset", "reset"),
        ("tail\x1b", "tail"),
        ("a\r\nb\rc", "a\nb\ufffdc"),
        ("bell\x07 null\0 delete\x7f next\x85", "bell\ufffd null\ufffd delete\ufffd next\ufffd"),
        ("\ud800lone", "\ufffdlone"),
        ("\u202eesrever\u2066", "\ufffdesrever\ufffd"),
        (b"\xff\xfe bytes \xc3\xa9", "\ufffd\ufffd bytes é"),
        ("[red]markup[/red] {format} %s <b>", "[red]markup[/red] {format} %s <b>"),
    ],
)
def test_words_stay_and_orders_go(said: str | bytes, kept: str) -> None:
    assert for_storage(said, 100) == kept


def test_of_too_much_the_end_is_kept() -> None:
    assert for_storage("x" * 50, 50) == "x" * 50
    short = for_storage("x" * 60 + "end", 50)
    assert len(short) == 50
    assert short.startswith(MARK)
    assert short.endswith("xend")


@given(st.text(st.characters(codec=None), max_size=200), st.integers(10, 100))
def test_whatever_is_said_can_be_shown(said: str, most: int) -> None:
    shown = for_storage(said, most)
    shown.encode("utf-8")
    assert len(shown) <= most
    assert not ESCAPES.search(shown)
    for letter in shown:
        assert letter in "\n\t" or unicodedata.category(letter) not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(letter) not in ("LRO", "RLO", "LRE", "RLE", "LRI", "RLI")


def test_a_fault_is_clean_and_of_bounded_length() -> None:
    fault = ChairFault(FaultKind.EXCEPTION, "\x1b[2J\ud800" + "x" * 1_000_000)
    assert len(fault.detail) <= 8_000
    assert "\x1b" not in fault.detail

"""The French catalogue has every message of the source, and programs read what it says."""

import ast
import re
from gettext import GNUTranslations
from io import BytesIO
from string import Formatter

from arena.i18n import colon, decimal, gettext, ngettext, pgettext, translate_error, whole
from engine.errors import ArenaError
from tests.support import catalogue
from tests.support.catalogue import PO, ROOT, Catalogue, Message

FRENCH = catalogue.read(PO.read_text(encoding="utf-8"))


def test_every_message_is_translated_and_none_is_obsolete() -> None:
    found = set(catalogue.messages())
    assert found - FRENCH.translations.keys() == set(), "missing: make catalogue"
    assert FRENCH.translations.keys() - found == set(), "obsolete: make catalogue"
    assert [message for message, forms in FRENCH.translations.items() if not all(forms)] == []


def test_a_translation_has_the_fields_of_its_message() -> None:
    def fields(text: str) -> set[str | None]:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}

    for message, forms in FRENCH.translations.items():
        for form in forms:
            one = {"n"} if message.plural and form == forms[0] else set()  # may go unsaid
            assert fields(form) | one == fields(message.plural or message.id) | one, form


def test_french_has_a_space_before_its_double_signs() -> None:
    for forms in FRENCH.translations.values():
        for form in forms:
            words = re.sub("`.*?`", "", form)  # what is not code
            assert not re.search(r"[^ (#\u00a0][:;?!](\s|$)", words), form


def test_a_bot_is_called_the_same_throughout() -> None:
    texts = [form for forms in FRENCH.translations.values() for form in forms]
    assert [text for text in texts if "robot" in text.lower()] == []


def test_no_message_is_both_counted_and_not() -> None:
    keys = [message.key for message in FRENCH.translations]
    assert sorted(keys) == sorted(set(keys))


def test_errors_that_reach_a_page_are_messages() -> None:
    for package in catalogue.PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            if catalogue.reaches_page(path):
                for name, call in catalogue.calls(path.read_text(encoding="utf-8")):
                    assert not (
                        name.endswith("Error")
                        and any(isinstance(a, ast.JoinedStr) for a in call.args)
                    ), f"{path}:{call.lineno}: expected a message with fields, got an f-string"


def test_the_compiled_catalogue_is_that_of_the_text() -> None:
    assert PO.with_suffix(".mo").read_bytes() == FRENCH.compiled(), "make catalogue"
    assert catalogue.read(FRENCH.written()) == FRENCH


def test_a_compiled_catalogue_is_read_by_the_standard_library() -> None:
    made = Catalogue(
        {
            Message("plain"): ("simple",),
            Message("one {n}", plural="many {n}"): ("un {n}", "des {n}"),
            Message("plain", context="there"): ("là",),
            Message("missing"): ("",),
        }
    )
    found = GNUTranslations(BytesIO(made.compiled()))
    assert found.gettext("plain") == "simple"
    assert found.gettext("missing") == "missing"
    assert found.pgettext("there", "plain") == "là"
    forms = [found.ngettext("one {n}", "many {n}", n) for n in (-2, -1, 0, 1, 2)]
    assert forms == ["des {n}", "un {n}", "un {n}", "un {n}", "des {n}"]


def test_messages_are_translated_with_their_fields() -> None:
    assert gettext("{game} rules", "fr", game="7 Wonders") == "Règles de 7 Wonders"
    assert gettext("{game} rules", "en", game="7 Wonders") == "7 Wonders rules"
    assert gettext("no such message", "fr") == "no such message"
    assert gettext("", "fr") == ""
    assert pgettext("game", "Play", "fr") == "Jouer"
    counts = [ngettext("{n} bot", "{n} bots", n, "en") for n in (0, 1, 2)]
    assert counts == ["0 bots", "1 bot", "2 bots"]
    counts = [ngettext("{n} bot", "{n} bots", n, "fr") for n in (0, 1, 2, 12345)]
    assert counts == ["0 bot", "1 bot", "2 bots", "12\u202f345 bots"]


def test_an_error_is_translated_by_its_message_and_fields() -> None:
    error = ArenaError("expected a bot of {name}, got {id}", name="cup{}", id=7)
    assert str(error) == "expected a bot of cup{}, got 7"
    assert translate_error(error, "en") == str(error)
    assert translate_error(error, "fr") == "cup{} n'a pas de bot 7"
    assert translate_error(ArenaError("expected {braces}"), "fr") == "expected {braces}"


def test_numbers_are_written_as_the_language_does() -> None:
    assert (decimal(1234.56, 1, "en"), decimal(1234.56, 1, "fr")) == ("1234.6", "1234,6")
    assert (whole(12345, "en"), whole(12345, "fr")) == ("12,345", "12\u202f345")
    assert (decimal(-0.25, 2, "fr"), whole(-1234, "en")) == ("−0,25", "−1,234")
    assert decimal(-0.04, 1, "en") == "0.0"
    assert (colon("en"), colon("fr")) == (":", " :")

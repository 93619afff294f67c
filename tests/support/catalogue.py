"""The message catalogues: what the source has, what is translated, and the file programs read.

`make catalogue` brings arena.po up to date with the source and compiles arena.mo.
"""

import ast
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fastapi.openapi.utils import get_openapi
from jinja2 import Environment
from jinja2.ext import extract_from_ast

import arena.site
from arena.i18n import LOCALE
from arena.site.app.api import router
from bots.house import LADDER
from engine.architects.components.cards import KINDS
from engine.architects.components.tokens import TOKENS
from engine.architects.components.wonders import WONDERS
from engine.seven.components.lookup import CARDS
from leagues.records import LeagueState, SubmissionState

ROOT = Path(__file__).parents[2]
PO = Path(LOCALE) / "fr" / "LC_MESSAGES" / "arena.po"
PACKAGES = ("engine", "bots", "leagues", "arena")
# Modules whose errors reach a page: every one of them is a message, with or without fields.
PAGE_ERRORS = (
    "engine/catalog.py",
    "engine/seven/setup.py",
    "engine/architects/setup.py",
    "bots/discovery/manifest_reader.py",
    "bots/discovery/program.py",
    "leagues/storage/leagues.py",
    "leagues/storage/queries.py",
    "leagues/storage/submissions.py",
    "leagues/submissions",
    "arena/league/submit.py",
    "arena/site/contests.py",
    "arena/site/frames.py",
    "arena/site/live_games.py",
    "arena/site/pages",
    "arena/site/app",
)
FUNCTIONS = ("_", "gettext", "ngettext", "pgettext", "N_", "NN_")
HEADER = (
    "Content-Type: text/plain; charset=UTF-8\n"
    # None and minus one are told like one.
    "Plural-Forms: nplurals=2; plural=(n > 1 || n < 0-1);\n"
)


@dataclass(frozen=True)
class Message:
    """A text of the source: its id, its form for many, the context it stands in."""

    id: str
    plural: str = ""
    context: str = ""

    @property
    def key(self) -> str:
        """What a compiled catalogue finds it by."""
        return f"{self.context}\x04{self.id}" if self.context else self.id


@dataclass
class Catalogue:
    """Messages and their translations, one for each form."""

    translations: dict[Message, tuple[str, ...]] = field(default_factory=dict)

    def compiled(self) -> bytes:
        """As a .mo file."""
        entries = {"": HEADER}
        for message, forms in self.translations.items():
            if all(forms):
                id = f"{message.key}\0{message.plural}" if message.plural else message.key
                entries[id] = "\0".join(forms)
        return compile_entries(entries)

    def written(self) -> str:
        """As a .po file."""
        lines = ['msgid ""', 'msgstr ""', *(quoted(line) for line in HEADER.splitlines(True)), ""]
        for message, forms in self.translations.items():
            if message.context:
                lines.append(f"msgctxt {quoted(message.context)}")
            lines.append(f"msgid {quoted(message.id)}")
            if message.plural:
                lines.append(f"msgid_plural {quoted(message.plural)}")
                lines += [f"msgstr[{at}] {quoted(form)}" for at, form in enumerate(forms)]
            else:
                lines.append(f"msgstr {quoted(forms[0])}")
            lines.append("")
        return "\n".join(lines)


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def compile_entries(entries: dict[str, str]) -> bytes:
    """The layout of a .mo file: sorted ids, then where each id and each translation lies."""
    pairs = sorted((id.encode(), text.encode()) for id, text in entries.items())
    start = 7 * 4 + 16 * len(pairs)
    ids = b"".join(id + b"\0" for id, _ in pairs)
    texts = b"".join(text + b"\0" for _, text in pairs)
    tables: list[int] = []
    for column, at in ((0, start), (1, start + len(ids))):
        for pair in pairs:
            tables += [len(pair[column]), at]
            at += len(pair[column]) + 1
    head = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, start)
    return head + struct.pack(f"<{len(tables)}I", *tables) + ids + texts


def read(text: str) -> Catalogue:
    """A .po file, its header left out."""
    found = Catalogue()
    for block in text.split("\n\n"):
        fields: dict[str, str] = {}
        key = ""
        for line in block.splitlines():
            if line.startswith("#"):
                continue
            name, _, rest = line.partition('"')
            key = name.strip() or key
            fields[key] = fields.get(key, "") + ast.literal_eval(f'"{rest}')
        if fields.get("msgid"):
            plural = fields.get("msgid_plural", "")
            message = Message(fields["msgid"], plural, fields.get("msgctxt", ""))
            forms = ("msgstr[0]", "msgstr[1]") if plural else ("msgstr",)
            assert message not in found.translations, message
            found.translations[message] = tuple(fields[form] for form in forms)
    return found


def messages() -> list[Message]:
    """Every message of the source, sorted."""
    found = {*in_templates(), *in_components()}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            found |= set(in_source(path.read_text(encoding="utf-8"), reaches_page(path)))
    return sorted(found, key=lambda message: (message.id.lower(), message.id, message.context))


def reaches_page(path: Path) -> bool:
    """Whether visitors may read the errors of a module."""
    return any(path.is_relative_to(ROOT / each) for each in PAGE_ERRORS)


def calls(source: str) -> Iterator[tuple[str, ast.Call]]:
    """Every call in a module, with the name of what is called."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            yield name, node


def in_source(source: str, with_errors: bool = False) -> Iterator[Message]:
    """The messages of a module: arguments of the functions, and texts of errors."""
    for name, node in calls(source):
        if name in FUNCTIONS or (name.endswith("Error") and (with_errors or has_fields(node))):
            texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            yield from marked(name, [text for text in texts if isinstance(text, str)])


def has_fields(call: ast.Call) -> bool:
    """Whether an error's text has named fields."""
    return any(keyword.arg for keyword in call.keywords)


def in_templates() -> Iterator[Message]:
    """The messages of the site's templates."""
    environment = Environment(extensions=["jinja2.ext.i18n"])
    for path in sorted((Path(arena.site.__file__).parent / "templates").iterdir()):
        tree = environment.parse(path.read_text(encoding="utf-8"))
        for _line, name, texts in extract_from_ast(tree, FUNCTIONS):
            given = (texts,) if isinstance(texts, str) else texts or ()
            yield from marked(name, [text for text in given if text is not None])


def in_components() -> Iterator[Message]:
    """What is English elsewhere: cards, wonders, tokens, house bots, states, and the API."""
    yield from (Message(text) for text in api_descriptions())
    yield from (Message(text) for text in LADDER.values())
    yield from (Message(state.value) for state in (*LeagueState, *SubmissionState))
    yield from (Message(kind.name) for kind in KINDS)
    yield from (Message(token.name) for token in TOKENS)
    yield from (Message(card.name) for card in CARDS)
    for wonder in WONDERS:
        yield from (Message(wonder.name), Message(wonder.monument))


def api_descriptions() -> Iterator[str]:
    """What the API says of its calls and answers."""
    document = get_openapi(title="API", version="1", routes=router.routes)
    for calls in document["paths"].values():
        yield from (call["description"] for call in calls.values())
    for shape in document["components"]["schemas"].values():
        if "description" in shape:
            yield shape["description"]


def marked(function: str, texts: list[str]) -> Iterator[Message]:
    if function in ("ngettext", "NN_") and len(texts) >= 2:
        yield Message(texts[0], plural=texts[1])
    elif function == "pgettext" and len(texts) >= 2:
        yield Message(texts[1], context=texts[0])
    elif function not in ("ngettext", "NN_", "pgettext") and texts and texts[0]:
        yield Message(texts[0])


def updated(known: Catalogue) -> Catalogue:
    """The catalogue of the source's messages, with the translations that are known."""
    return Catalogue(
        {
            message: known.translations.get(message, ("", "") if message.plural else ("",))
            for message in messages()
        }
    )


def main() -> None:
    known = read(PO.read_text(encoding="utf-8")) if PO.exists() else Catalogue()
    made = updated(known)
    PO.write_text(made.written(), encoding="utf-8")
    PO.with_suffix(".mo").write_bytes(made.compiled())
    missing = [message.id for message, forms in made.translations.items() if not all(forms)]
    if missing:
        sys.exit("expected a translation in arena.po of:\n" + "\n".join(missing))


if __name__ == "__main__":
    main()

"""Reading a page as strictly as its authors should write it."""

import re
from html.parser import HTMLParser

VOID = {"base", "meta", "link", "input", "br", "hr", "img", "wbr"}
# Elements of drawings close themselves.
DRAWN = {"circle", "rect", "line", "polygon", "polyline", "path"}


class Markup(HTMLParser):
    """Tags that must match, ids that must differ, and what links and texts there are."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.broken = False
        self.feed(page)
        self.close()
        assert self.open == []
        assert len(self.ids) == len(set(self.ids))
        plain = [re.sub(r"\d [<>]( |$)", "", text) for text in self.texts]  # numbers compared
        assert all(text.count("<") == text.count(">") for text in plain)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice in {self.get_starttag_text()}"
        self.tags.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.broken = tag == "wbr"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in DRAWN, f"{tag} closes itself"

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"{tag} was never opened"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.broken:  # one text, that may be broken here
            data = self.texts.pop() + data
        self.broken = False
        if data.strip() and "script" not in self.open:
            self.texts.append(data.strip())

    def with_attribute(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for _, attributes in self.tags if name in attributes]

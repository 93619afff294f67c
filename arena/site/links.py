"""Where pages are: at addresses of a server, or in files that link to each other."""

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlencode

from arena.i18n import LANGUAGES, gettext, pgettext
from arena.site.templating import Link, PageFrame

FIRST_RULES: Final = "seven"  # from there on to those of the other game
# What one comes to from "Take part".
TAKING_PART: Final = (("submit",), ("join",), ("login",), ("account",), ("organiser",))
UNFIT: Final = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True)
class PageAddress:
    """A page of the site, wherever it is kept."""

    path: tuple[str, ...]
    query: tuple[tuple[str, str], ...] = ()
    lang: str = "en"

    def file(self) -> str:
        """The file that holds the page, from the top of the site."""
        parts = [*([] if self.lang == "en" else [self.lang]), *self.path]
        name = "-".join(_fit(word) for pair in self.query for word in pair) or "index"
        return "/".join([*map(_fit, parts), f"{name}.html"])


def _fit(word: str) -> str:
    return UNFIT.sub("_", word)


class Links:
    """The links of one page."""

    live = True  # whether a server answers: forms, and steps of a replay one by one
    languages: Collection[str] = tuple(LANGUAGES)  # that there are pages in

    def __init__(
        self, here: PageAddress, base: str = "", origin: str = "", default: str = "en"
    ) -> None:
        self.here = here
        self.lang = here.lang
        self.base = base  # the folder of a larger site that this one is in, such as /arena
        self.origin = origin  # scheme and host, as the visitor asked
        self.default = default  # the language of an address that names none, to this visitor

    @property
    def root(self) -> str:
        """What leads to the top of the site."""
        return f"{self.base}/"

    def to(self, *path: object, **query: object) -> str:
        """The link to a page; a value of None is not asked for."""
        return self._link(address(path, self.lang, **query))

    def within(self, path: tuple[str, ...], *more: object, **query: object) -> str:
        """The link to a page below another."""
        return self.to(*path, *more, **query)

    def _link(self, address: PageAddress) -> str:
        lang = [] if address.lang == self.default else [("lang", address.lang)]
        pairs = [*address.query, *lang]
        place = self.root + "/".join(quote(part, safe="") for part in address.path)
        return place + (f"?{urlencode(pairs)}" if pairs else "")

    def same(self, lang: str) -> str:
        """The link to this page in another language."""
        return self._link(PageAddress(self.here.path, self.here.query, lang))

    def frame(self, title: str, game: str = FIRST_RULES) -> PageFrame:
        """What surrounds this page, of one game or of all."""
        lang = self.lang
        top = self.here.path[:1]
        contests = top in ((), ("leagues",), ("tournaments",))
        watching = top in (("watch",), ("matches",), ("g",))
        links = [
            Link(gettext("Leagues", lang), f"{self.to()}#leagues", contests),
            Link(gettext("Watch", lang), self.to("watch"), watching),
        ]
        if self.live:
            links.append(Link(pgettext("game", "Play", lang), self.to("play"), top == ("play",)))
            links.append(Link(gettext("Take part", lang), self.to("submit"), top in TAKING_PART))
        links.append(Link(gettext("Rules", lang), self.to("rules", game), top == ("rules",)))
        if self.live:
            links.append(Link(gettext("API", lang), self.to("api"), top == ("api",)))
        return PageFrame(
            title=title,
            lang=lang,
            root=self.root,
            home=self.to(),
            links=tuple(links),
            languages=tuple((code, self.same(code)) for code in self.languages)
            if len(self.languages) > 1
            else (),
            origin=self.origin,
            default_lang=self.default,
        )


class CrawlQueue:
    """The addresses that pages have linked to, in the order they were found."""

    def __init__(self) -> None:
        self._known: set[PageAddress] = set()
        self._order: list[PageAddress] = []

    def __len__(self) -> int:
        return len(self._order)

    def add(self, address: PageAddress) -> None:
        """Note an address, once."""
        if address not in self._known:
            self._known.add(address)
            self._order.append(address)

    def each(self) -> Iterator[PageAddress]:
        """All of them, with those that are found on the way."""
        at = 0
        while at < len(self._order):
            yield self._order[at]
            at += 1


class StaticLinks(Links):
    """The links of a page in a file: relative, and remembered, for each must lead somewhere."""

    live = False

    def __init__(
        self, here: PageAddress, found: CrawlQueue, languages: Collection[str] = tuple(LANGUAGES)
    ) -> None:
        super().__init__(here)
        self.found = found
        self.languages = languages

    @property
    def root(self) -> str:
        """What leads to the top of the site."""
        return "../" * self.here.file().count("/")

    def _link(self, address: PageAddress) -> str:
        self.found.add(address)
        folder = posixpath.dirname(self.here.file()) or "."
        return posixpath.relpath(address.file(), folder)


def address(path: Iterable[object], lang: str = "en", **query: object) -> PageAddress:
    """The address of a page; a value of None is no part of it."""
    pairs = tuple((key, str(value)) for key, value in query.items() if value is not None)
    return PageAddress(tuple(str(part) for part in path), pairs, lang)

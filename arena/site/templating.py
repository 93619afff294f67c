"""Pages out of templates: every word escaped, every name defined, nothing from elsewhere."""

import hashlib
import re
import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup, escape

from arena.display.names import (
    edition_name,
    fault_name,
    game_name,
    sandbox_name,
    schedule_name,
    state_name,
    wonder_name,
)
from arena.display.signs import WONDERS
from arena.i18n import LANGUAGES, colon, decimal, gettext, ngettext, pgettext, semicolon, whole
from arena.site.formatting import DIGITS, brief
from arena.site.pages.drawing.markdown import render_markdown
from arena.site.stored_reasons import translate_reason

ASSETS: Final = Path(__file__).parent / "static"
# What the content of an asset is known by: a browser keeps one forever, and asks for a changed one.
ASSET_VERSIONS: Final = {
    path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:DIGITS] for path in ASSETS.iterdir()
}

# What is copied or sent back stays as it is; elsewhere French has a space at these signs at which
# no line ends.
FRENCH_SPACES: Final = re.compile(
    r"<(/?)(?:pre|code|textarea)\b|<input\b[^<>]*>| (?=[:;?!»%])|(?<=«) "
)


def wonder_icon(wonder: str) -> str:
    """The name of a wonder's icon, by the id it has in either game."""
    name = wonder.partition(":")[0]
    return WONDERS.get(name, name)


def named(name: str) -> Markup:
    """A bot's name, to be broken where its parts meet and nowhere else."""
    text = str(escape(brief(name)))
    # No escaped sign has one of these.
    return Markup(text.replace("/", "/<wbr>").replace("@", "<wbr>@"))


TEMPLATES: Final = Environment(
    loader=PackageLoader("arena.site"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATES.filters["named"] = named
TEMPLATES.filters["markdown"] = render_markdown
TEMPLATES.filters["brief"] = brief
TEMPLATES.filters["digest"] = lambda digest: digest[:DIGITS]


@dataclass(frozen=True)
class Link:
    """Where one can go from a page."""

    text: str
    href: str
    current: bool = False


@dataclass(frozen=True)
class PageFrame:
    """What surrounds a page: title, language, and the links to other pages.

    The root is what leads to the top of the site from this page: `/`, or `../` in plain files.
    """

    title: str
    lang: str = "en"
    root: str = "/"
    home: str = ""  # the first page, where it is not at the root
    links: tuple[Link, ...] = ()
    languages: tuple[tuple[str, str], ...] = ()  # where the same page is, by language
    description: str = ""  # for those who show a link to the page
    origin: str = ""  # such as https://arena.example.org, where it is known
    default_lang: str = "en"  # of an address that names none

    def asset(self, name: str) -> str:
        """Where a style, a script or a picture is, in the version of this page."""
        return f"{self.root}{ASSETS.name}/{name}?v={ASSET_VERSIONS[name]}"


def draw(template: str, frame: PageFrame, **values: object) -> str:
    """A page; its template finds the values, the frame, and the words of its language."""
    surroundings = _surroundings(frame.lang)
    page = TEMPLATES.get_template(template).render(surroundings, frame=frame, **values)
    return page if frame.lang != "fr" else keep_together(page)


def keep_together(page: str) -> str:
    """A French page in which no line ends before a colon."""
    inside = 0  # elements whose text is copied

    def replace(found: re.Match[str]) -> str:
        nonlocal inside
        if found[0] == " ":
            return " " if inside else "\u00a0"
        if found[1] is not None:
            inside += -1 if found[1] else 1
        return found[0]

    return FRENCH_SPACES.sub(replace, page)


class Macros:
    """Pieces of pages: what the macros of a template make of their values."""

    def __init__(self, template: str, lang: str) -> None:
        self._module = TEMPLATES.get_template(template).make_module(_surroundings(lang))

    def draw(self, macro: str, *values: object) -> str:
        return str(getattr(self._module, macro)(*values)).strip()


def _surroundings(lang: str) -> dict[str, object]:
    return {
        "lang": lang,
        "language_names": LANGUAGES,
        "_": partial(gettext, lang=lang),
        "ngettext": partial(ngettext, lang=lang),
        "pgettext": partial(pgettext, lang=lang),
        "colon": colon(lang),
        "semicolon": semicolon(lang),
        "translate_reason": partial(translate_reason, lang=lang),
        "decimal": partial(decimal, lang=lang),
        "whole": partial(whole, lang=lang),
        "game_name": game_name,
        "wonder_icon": wonder_icon,
        "edition_name": partial(edition_name, lang=lang),
        "fault_name": partial(fault_name, lang=lang),
        "sandbox_name": partial(sandbox_name, lang=lang),
        "schedule_name": partial(schedule_name, lang=lang),
        "wonder_name": partial(wonder_name, lang=lang),
        "state_name": partial(state_name, lang=lang),
    }


def embed(value: object) -> str:
    """Data for a script, as JSON that is safe inside a page."""
    return htmlsafe_json_dumps(value, ensure_ascii=False, separators=(",", ":"))


def copy_assets(folder: Path) -> None:
    """Put the style and the script where plain files in the folder find them."""
    shutil.copytree(ASSETS, folder / ASSETS.name, dirs_exist_ok=True)

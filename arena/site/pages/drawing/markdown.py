"""What an organiser wrote in Markdown, as HTML without HTML, scripts or pictures of their own."""

from typing import Final

from markdown_it import MarkdownIt
from markupsafe import Markup

# No HTML of the author's, no pictures from elsewhere; links of http, https and mailto alone.
PARSER: Final = MarkdownIt("commonmark", {"html": False, "linkify": False}).disable(["image"])
PARSER.enable("table")
SCHEMES: Final = ("http://", "https://", "mailto:", "/", "#")


def _is_harmless(url: str) -> bool:
    return url.strip().lower().startswith(SCHEMES) and not url.startswith("//")


PARSER.validateLink = _is_harmless  # type: ignore[method-assign]


def render_markdown(text: str) -> Markup:
    """The text as HTML; headings begin below those of the page."""
    tokens = PARSER.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 1)}"
        for inner in token.children or ():
            if inner.type == "link_open":
                inner.attrSet("rel", "nofollow noopener")
    return Markup(PARSER.renderer.render(tokens, PARSER.options, {}))

"""What an organiser writes in Markdown can be no script, no picture and no page of another's."""

import pytest

from arena.site.pages.drawing.markdown import render_markdown


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "[x](JAVASCRIPT:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](//elsewhere.example/)",
        "![x](https://elsewhere.example/pixel.png)",
        '<img src="x" onerror="alert(1)">',
        '<a href="https://x.example" onclick="x()">x</a>',
        "[x]: javascript:alert(1)\n\n[x]",
        "<javascript:alert(1)>",
    ],
)
def test_nothing_harmful_is_made_of_it(text: str) -> None:
    page = str(render_markdown(text))
    assert "<script" not in page
    assert "<img" not in page
    assert "<a " not in page or 'href="https://' in page
    assert "onclick=" not in page.replace("&quot;", "").partition("<a ")[2].partition(">")[0]


def test_headings_lists_and_links_are_drawn() -> None:
    page = str(render_markdown("# Prizes\n\n- one\n\n[rules](https://x.example/)\n"))
    assert "<h2>Prizes</h2>" in page
    assert "<li>one</li>" in page
    assert '<a href="https://x.example/" rel="nofollow noopener">rules</a>' in page

"""French lines do not begin with a colon; what is copied or sent back stays as it is."""

import pytest

from arena.site.templating import keep_together
from tests.arena.site.markup import Markup


@pytest.mark.parametrize(
    ("page", "kept"),
    [
        ("<p>but : deux ; non ? si !</p>", "<p>but_: deux_; non_? si_!</p>"),
        ("<p>«\u0020oui »</p>", "<p>«_oui_»</p>"),
        ("<p title='x : y'>a:b ?c</p>", "<p title='x_: y'>a:b_?c</p>"),
        ("<code>a ? b : c</code> : d", "<code>a ? b : c</code>_: d"),
        ("<pre><code>a : b</code> : c</pre> : d", "<pre><code>a : b</code> : c</pre>_: d"),
        ('<input value="a : b"> : c', '<input value="a : b">_: c'),
        ("<codes> : a", "<codes>_: a"),
    ],
)
def test_spaces_before_signs_do_not_end_a_line(page: str, kept: str) -> None:
    assert keep_together(page) == kept.replace("_", "\u00a0")


def test_after_an_element_that_is_never_closed_all_stays_as_it_is() -> None:
    page = "<pre>&lt;pre : " * 50_000
    assert keep_together(page) == page


def test_a_comparison_cut_by_an_element_is_sound_markup_and_a_lone_sign_is_none() -> None:
    assert Markup("<p>you 0 &lt; <i></i>ada 1 &gt; 0</p>").texts == ["you 0 <", "ada 1 > 0"]
    with pytest.raises(AssertionError):
        Markup("<p>you &lt; <i></i>ada</p>")

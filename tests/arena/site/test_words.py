"""The pages speak both languages."""

import ast
import re
from pathlib import Path

import pytest

from arena.display import display_of
from arena.display.scene import Scene
from arena.playing import conformance
from arena.site import templating, words
from arena.site.formatting import brief, count, decimal, whole
from arena.site.templating import named
from arena.site.trouble import SENTENCES, STEPS, translated
from engine.catalog import GAMES
from leagues.submissions.lifecycle import FATE, LIFE
from tests.arena.site.sample_replays import ROWS
from tests.support.setups import Row, states

# Words that are the same in both languages.
SAME = {"Page", "Pages", "Pause", "points", "expert", "Wonders Arena", "exception"}
SAME |= {"version", "Versions"}
TEMPLATES = Path(templating.__file__).parent / "templates"


def test_every_word_has_its_french() -> None:
    for pair in [
        *words.WORDS.values(),
        *words.FAULTS.values(),
        *words.EDITIONS.values(),
        *words.STATES.values(),
    ]:
        english, french = pair
        assert english
        assert french
        assert english != french or english in SAME, english


def test_every_word_a_template_asks_for_is_there_and_none_is_idle() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in TEMPLATES.iterdir())
    asked = set(re.findall(r"\bword\(['\"](\w+)['\"]\)", source)) | {
        *("first", "previous", "next", "last")
    }
    for path in TEMPLATES.parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id == "word" and isinstance(node.args[0], ast.Constant):
                    asked.add(node.args[0].value)
    assert asked == set(words.WORDS)


def test_every_game_and_edition_has_a_name() -> None:
    for game in GAMES:
        assert words.game_name(game.id, "fr")
        for edition in game.editions:
            assert words.edition_name(edition, "fr")


def test_a_wonder_is_called_what_its_box_says() -> None:
    assert words.wonder_name("architects", "ephesus", "fr") == "Éphèse"
    assert words.wonder_name("seven", "alexandria:night", "fr") == "Alexandrie (Nuit)"
    assert words.wonder_name("seven", "alexandria:b", "en") != "alexandria:b"
    assert words.wonder_name("seven", "atlantis", "en") == "atlantis"


def test_every_state_has_a_name() -> None:
    for state in (*LIFE, *FATE, "RETIRED"):
        assert words.state_name(state, "en")


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_a_scene_is_built_alike_in_both_languages(row: Row) -> None:
    for state in states(row, 2):
        english = display_of(row.rules.id).scene(state, "en")
        french = display_of(row.rules.id).scene(state, "fr")
        assert skeleton(english) == skeleton(french)
        assert english.heading != french.heading


def skeleton(scene: Scene) -> list[object]:
    """A scene without its words."""
    return [
        (panel.seat, panel.active, panel.points, line.id, piece.kind, piece.colour, piece.count)
        for panel in scene.panels
        for line in panel.lines
        for piece in line.pieces
    ]


def test_errors_are_told_in_french_with_all_that_varies() -> None:
    for english, french in SENTENCES:
        fields = {int(number) for number in re.findall(r"{(\d)}", french)}
        assert fields <= set(range(re.compile(english).groups)), french
    told = translated("it failed in 3 of 9 games: 2 crash, 1 time", "fr")
    assert told == "fautes dans 3 parties sur 9 : 2 arrêt brutal, 1 hors délai"
    step = "step 3, survives whole games at every number of players: exception: no"
    assert translated(step, "fr") == (
        "étape 3, finit des parties à tout nombre de joueurs : exception: no"
    )
    step = "step 3, keeps time: crash in architects: no (crash.py, line 3)"
    assert translated(step, "fr").endswith(": arrêt brutal in architects: no (crash.py, line 3)")
    named_here = set(
        re.findall(r'\("([a-z ]+)", self\.', Path(conformance.__file__).read_text("utf-8"))
    )
    assert set(STEPS) == named_here
    assert translated("something else", "fr") == "something else"
    assert translated("expected a file, got none", "en") == "expected a file, got none"


def test_numbers_are_written_as_the_language_does() -> None:
    assert (decimal(1234.56, 1, "en"), decimal(1234.56, 1, "fr")) == ("1234.6", "1234,6")
    assert (whole(12345, "en"), whole(12345, "fr")) == ("12,345", "12\u202f345")
    assert [count(n, "bots", "en") for n in (0, 1, 2)] == ["0 bots", "1 bot", "2 bots"]
    assert [count(n, "bots", "fr") for n in (0, 1, 2)] == ["0 robot", "1 robot", "2 robots"]


def test_a_name_breaks_where_its_parts_meet() -> None:
    assert named("ann/b<i>@0123456789ab") == "ann/<wbr>b&lt;i&gt;<wbr>@01234567"
    assert brief("ann/bot@1.2") == "ann/bot@1.2"
    assert brief("0123456789ab") == brief("01234567a") == "01234567"
    assert brief("202611161530") == "202611161530"

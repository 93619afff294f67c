"""Games, wonders, states and reasons have names in both languages."""

import pytest

from arena.display import display_of, names
from arena.display.scene import Scene
from arena.site.formatting import brief, short_names
from arena.site.stored_reasons import translate_reason
from arena.site.templating import named
from engine.catalog import GAMES
from leagues.submissions.lifecycle import NEXT_LEAGUE_STATES, NEXT_SUBMISSION_STATES
from tests.arena.site.sample_replays import ROWS
from tests.support.setups import Row, states


def test_every_game_and_edition_has_a_name() -> None:
    for game in GAMES:
        assert names.game_name(game.id)
        for edition in game.editions:
            assert names.edition_name(edition, "fr")


def test_a_wonder_is_called_what_its_box_says() -> None:
    assert names.wonder_name("architects", "ephesus", "fr") == "Éphèse"
    assert names.wonder_name("seven", "alexandria:night", "fr") == "Alexandrie (Nuit)"
    assert names.wonder_name("seven", "alexandria:b", "en") != "alexandria:b"
    assert names.wonder_name("seven", "atlantis", "en") == "atlantis"


def test_every_state_has_a_name() -> None:
    for state in (*NEXT_LEAGUE_STATES, *NEXT_SUBMISSION_STATES, "RETIRED"):
        assert names.state_name(state, "en")


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


def test_stored_reasons_are_told_in_french() -> None:
    told = translate_reason("it failed in 3 of 9 games: 2 crash, 1 time", "fr")
    assert told == "fautes dans 3 parties sur 9 : 2 arrêt brutal, 1 hors délai"
    step = "step 3, survives whole games at every number of players: exception: no"
    assert translate_reason(step, "fr") == (
        "étape 3, finit des parties à tout nombre de joueurs : exception: no"
    )
    step = "step 3, keeps time: crash in architects: no (crash.py, line 3)"
    assert translate_reason(step, "fr").endswith(": crash in architects: no (crash.py, line 3)")
    crash = "crash in seven, 3 players, seed 3001, decision 7: no (crash.py, line 3)"
    assert translate_reason(f"step 3, keeps time: {crash}", "fr").endswith(
        " : arrêt brutal dans seven à 3 joueurs, graine 3001, décision 7 : no (crash.py, line 3)"
    )
    step = "step 7, stays small: expected at most 512 MB, got 600"
    assert translate_reason(step, "fr").endswith(" : au plus 512 Mo attendus, et non 600")
    other = "expected a bot that plays seven, got one for architects"
    assert translate_reason(other, "fr") == "bot qui joue à seven attendu, et non à architects"
    assert translate_reason("something else", "fr") == "something else"
    assert translate_reason(step, "en") == step


def test_a_name_breaks_where_its_parts_meet() -> None:
    assert named("ann/b<i>@0123456789ab") == "ann/<wbr>b&lt;i&gt;<wbr>@01234567"
    assert brief("ann/bot@1.2") == "ann/bot@1.2"
    assert brief("0123456789ab") == brief("01234567a") == "01234567"
    assert brief("202611161530") == "202611161530"


def test_versions_are_left_out_where_names_tell_bots_apart() -> None:
    labels = {1: "ann/bot@1", 2: "ann/bot@2", 3: "bob/bot@3", 4: "sage"}
    assert short_names(labels) == {1: "ann/bot@1", 2: "ann/bot@2", 3: "bob/bot", 4: "sage"}

"""Moves and tables in words: cards and decks by name where known, one of a thing as one."""

import re

import pytest

from arena.display import architects_texts, display_of, seven_texts
from arena.display.scene import Scene, ties
from arena.i18n import LANGUAGES, catalogue
from engine.architects.actions import OVER
from engine.architects.components.lookup import HIDDEN
from engine.architects.formats.notation import split
from engine.architects.state import ArchitectsPosition
from engine.catalog import find
from engine.contract import State
from engine.match import Variant
from engine.rng import Rng
from tests.engine.architects.table import table
from tests.support.setups import Row, random_match

ROWS = [Row("architects", 3), Row("seven", 3, {"edition": "1st"})]
SEVERAL = {
    lang: {
        catalogue(lang).ngettext(one, many, 2).removeprefix("{n} ")
        for texts in (architects_texts, seven_texts)
        for one, many in texts.COUNTS.values()
        if catalogue(lang).ngettext(one, many, 1) != catalogue(lang).ngettext(one, many, 2)
    }
    for lang in LANGUAGES
}


def test_a_card_is_named_where_it_lies_open_and_its_deck_with_it() -> None:
    rules, display = find("architects"), display_of("architects")
    setup = rules.setup(3, 4, wonders=("giza", "rhodes", "olympia"))
    state = rules.deal(setup, 4)
    assert isinstance(state, ArchitectsPosition)
    state.cat = -1
    seat = state.pending()[0]
    view = state.view(seat)
    assert isinstance(view, ArchitectsPosition)
    assert (seat, view.top(3)) == (0, HIDDEN)
    tops = [display.scene(view, "en").panels[1 + deck] for deck in (0, 2)]
    left, right = (
        next(line for line in panel.lines if line.id == "deck").pieces[0].text for panel in tops
    )
    told = [display.describe_action(option, "en", state=view) for option in state.legal(seat)]
    assert told == [
        f"take {left} from the deck of Giza",
        f"take {right} from the deck of Olympia",
        "take a card from the central deck",
    ]
    after = display.describe_action(state.legal(seat)[2], "fr", state=state)  # then it lies open
    assert re.fullmatch(r"prendre (?!une carte).+ dans la pioche centrale", after)
    own = [display.move_face(option, "fr", view, seat).label for option in state.legal(seat)]
    assert own[0].endswith(" dans votre pioche")
    assert own[1].endswith(" dans la pioche du voisin de droite (Olympie)")


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_after_a_name_french_has_a_noun(row: Row) -> None:
    display = display_of(row.rules.id)
    state = row.deal(2)
    told = set()
    for action in random_match(row, 2).decisions:
        seat = state.pending()[0]
        told |= {
            display.tell_action(action, "fr", is_open, state, seat) for is_open in (True, False)
        }
        state.apply(seat, action)
    assert len(told) > 20
    infinitives = [text for text in told if re.match(r"\w+(er|ir|re)\b", text)]
    assert infinitives == []
    assert not any("sa cité" in text for text in told)


def test_horns_and_military_tokens_have_one_name_in_french() -> None:
    known = [catalogue("fr").gettext(text) for text in architects_texts.TOKEN_EFFECTS.values()]
    known += [catalogue("fr").gettext(text) for text in architects_texts.CARD_EFFECTS.values()]
    known += [catalogue("fr").gettext(text) for text in architects_texts.OBJECTIVES.values()]
    assert any("cors" in text for text in known)
    assert not any("corne" in text or "Militaire" in text for text in known)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_one_of_a_thing_is_told_as_one(row: Row, lang: str) -> None:
    result = random_match(row, 2)
    state = row.deal(2)
    singles = 0
    wrong = re.compile(rf"(?<![\d.,+])1 ({'|'.join(SEVERAL[lang])})\b")
    decisions = iter(result.decisions)
    while seats := state.pending():
        for seat in seats:
            for text in texts(display_of(row.rules.id).scene(state.view(seat), lang)):
                assert not wrong.search(text), text
                singles += bool(re.search(r"(?<![\d.,+])1 \w", text))
        for seat in seats:
            state.apply(seat, next(decisions))
    assert singles > 10


def test_equal_points_say_what_decides() -> None:
    line = ("{points} each: coins decide; {cities}", "{points} each, shared; {cities}")
    cities = ["Giza", "Rhodes", "Olympia"]
    assert ties([40, 38, 40], [2, 9, 5], cities, line, "en") == [
        "40 points each: coins decide; Giza: 2, Olympia: 5"
    ]
    assert ties([40, 38], [2, 9], cities, line, "fr") == []
    assert ties([40, 38, 40], [5, 9, 5], cities, line, "en") == [
        "40 points each, shared; Giza: 5, Olympia: 5"
    ]
    rules = find("seven")
    state = rules.deal(rules.setup(3, 1), 1)  # all begin with 3 coins, which are a point
    pad = display_of("seven").score_pad(state, "fr")
    each = ", ".join(f"{row[1]} : 3" for row in pad.rows)
    assert pad.notes == [f"1 point chacun et autant de pièces : la place est partagée ; {each}"]


@pytest.mark.parametrize("expansions", [(), ("medals",)])
def test_medals_are_a_category_where_there_are_any(expansions: tuple[str, ...]) -> None:
    rules = find("architects")
    setup = rules.setup(3, 1, variant=Variant("architects", None, expansions))
    pad = display_of("architects").score_pad(rules.deal(setup, 1), "en")
    assert ("medals" in pad.keys) == bool(expansions)
    assert {len(row) for row in pad.rows} == {len(pad.headings)}


def texts(scene: Scene) -> list[str]:
    pieces = [it for panel in scene.panels for line in panel.lines for it in line.pieces]
    return [*(panel.title for panel in scene.panels), *(f"{it.text} {it.note}" for it in pieces)]


def test_why_a_game_of_architects_is_over() -> None:
    rules, display = find("architects"), display_of("architects")
    names = ("ann", "bob")
    state = rules.deal(rules.setup(2, 1, ("giza", "babylon")), 1)
    assert isinstance(state, ArchitectsPosition)
    assert display.ending(state, names, "en") == ""
    state.built[1] = 31
    assert display.ending(state, names, "en") == (
        "The wonder of Babylon (bob) is complete: the game ends with this turn."
    )
    state.ask = OVER
    assert display.ending(state, names, "en") == (
        "The game is over: the wonder of Babylon (bob) is complete."
    )
    state.built[1] = 15
    assert display.ending(state, names, "en") == "The game is over: all decks are empty."


def test_cards_that_a_stage_brings_are_named_and_those_face_down_are_not() -> None:
    rules, display = find("architects"), display_of("architects")
    variant = Variant("architects", expansions=("medals",))
    drawn = set()
    thefts = 0
    for seed in range(6):
        state = rules.deal(rules.setup(2, seed, ("ephesus", "rome"), variant), seed)
        dice = Rng(seed)
        while seats := state.pending():
            options = state.legal(seats[0])
            action = options[dice.below(len(options))]
            after = state.after(seats[0], action)
            told = display.drawn_besides(state, action, after, "en")
            sizes = [sum(int(size) for size in each.size) for each in _positions(state, after)]
            verb = split(action)[0]
            # A card by its name, or for a theft one face down.
            one = verb in ("take", "take_deck", "extra", "keep", "steal")
            assert sizes[0] - sizes[1] == one + (told.count("+") + 1 if told else 0)
            thefts += verb == "steal"
            drawn.add(bool(told))
            state = after
    assert drawn == {True, False}
    assert thefts


def test_a_card_that_a_theft_without_a_choice_gives_face_down_is_not_named() -> None:
    rules, display = find("architects"), display_of("architects")
    pairs = "wood wood clay clay"  # so that building is a choice, and the theft is none
    state = table(("rome", "giza", "rhodes"), front={0: pairs, 2: "glass"}, built={0: (1, 3)})
    action = rules.parse("build 2 with wood+wood")
    after = state.after(0, action)
    before, now = _positions(state, after)
    centre = int(before.players)
    assert len(now.given) == 1
    assert now.size[centre] == before.size[centre] - 1
    assert display.drawn_besides(state, action, after, "en") == ""


def _positions(*states: State) -> list[ArchitectsPosition]:
    return [state for state in states if isinstance(state, ArchitectsPosition)]


def test_a_token_of_the_stack_is_named_once_it_is_seen() -> None:
    rules, display = find("architects"), display_of("architects")
    state = rules.deal(rules.setup(2, 1), 1)
    assert isinstance(state, ArchitectsPosition)
    action = rules.parse("token stack")
    assert display.describe_action(action, "en", state=state.view(0)) == (
        "take a token from the stack"
    )
    told = display.describe_action(action, "en", state=state)
    assert re.fullmatch(r"take the token \w+ from the stack", told)

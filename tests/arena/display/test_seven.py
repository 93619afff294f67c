"""7 Wonders as people see it."""

import pytest

from arena.display.seven import SevenDisplay
from engine.contract import State
from engine.rng import Rng
from engine.seven.game import SEVEN
from tests.engine.seven.table import table
from tests.engine.seven.test_game import played

DISPLAY = SevenDisplay()


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("edition", ["1st", "2nd", None])
def test_the_box_is_told(edition: str | None, lang: str) -> None:
    sheets = {sheet.id: sheet for sheet in DISPLAY.components(edition, lang)}
    assert list(sheets) == ["cards", "boards", "stages"]
    assert len(sheets["cards"].rows) == (78 if edition == "1st" else 80)
    assert len(sheets["boards"].rows) == 14
    for sheet in sheets.values():
        assert len(sheet.keys) == len(sheet.headings)
        assert all(len(row) == len(sheet.keys) for row in sheet.rows)
        assert not any("{" in str(cell) for row in sheet.rows for cell in row)
    baths = next(row for row in sheets["cards"].rows if row[0] == "baths")
    assert (
        baths
        == {
            "en": ("baths", "Baths", 1, "blue", "1 stone", "3 points", "3 7", "", "Aqueduct"),
            "fr": ("baths", "Bains", 1, "bleue", "1 pierre", "3 points", "3 7", "", "Aqueduc"),
        }[lang]
    )


def test_moves_are_told() -> None:
    assert DISPLAY.describe_action(SEVEN.parse("build baths pay 2+0"), "en") == (
        "build Baths, paying 2 coins to the left"
    )
    assert DISPLAY.describe_action(SEVEN.parse("stage baths pay 1+2"), "fr") == (
        "construire une étape avec Bains, en payant 1 pièce à gauche et 2 pièces à droite"
    )
    state = SEVEN.deal(SEVEN.setup(3, 1, ("gizah:day", "rhodos:day", "olympia:day")), 1)
    for seat, city in enumerate(("Rhódos", "Olympía", "Gizah")):
        move = SEVEN.parse("build baths pay 2+0")
        told = DISPLAY.describe_action(move, "en", state=state, seat=seat)
        assert told == f"build Baths, paying 2 coins to {city}"
        brief = DISPLAY.describe_action(move, "en", state=state, seat=seat, brief=True)
        assert brief.replace("\u00a0", " ") == f"build Baths (2 → {city})"
    assert DISPLAY.describe_action(SEVEN.parse("sell loom"), "fr") == "vendre Métier à tisser"
    assert DISPLAY.describe_action(SEVEN.parse("pass"), "fr") == "passer"


def test_moves_that_were_made_are_told_after_a_name() -> None:
    cities = ("gizah:day", "rhodos:day", "olympia:day")
    state = table(cities, stages={0: 1})
    for move, is_open, lang, told in (
        ("build baths pay 2+0", True, "en", "built Baths (2 coins to Rhódos)"),
        ("stage baths pay 0+2", True, "en", "built stage 2 with Baths (2 coins to Olympía)"),
        ("stage baths", False, "en", "built stage 2"),
        ("stage baths", False, "fr", "construction de l'étape 2"),
        ("sell baths", False, "fr", "vente d'une carte"),
        ("pass", True, "en", "passed"),
    ):
        assert DISPLAY.tell_action(SEVEN.parse(move), lang, is_open, state, 0) == told


def test_effects_are_told_as_one_says_them() -> None:
    cards = {piece.key: piece for _, pieces in DISPLAY.cards("2nd", "en") for piece in pieces}
    assert cards["decorators_guild"].note == "7 points if your wonder is complete"
    assert cards["builders_guild"].note == (
        "1 point for each wonder stage in your city and the neighbouring cities"
    )


@pytest.mark.parametrize("edition", ["1st", "2nd"])
def test_what_is_counted_stands_apart_from_the_rest(edition: str) -> None:
    pieces = [piece for _, pieces in DISPLAY.cards(edition, "en") for piece in pieces]
    signs = [piece.gives for piece in pieces]
    assert any(" + " in each for each in signs)
    assert all(part.count(" x ") <= 1 for each in signs for part in each.split(" + "))


def test_the_table_shows_what_the_view_knows() -> None:
    for turns in range(0, 20, 3):
        state = played(turns, 5)
        for lang, word in (("en", "hidden"), ("fr", "cachées")):
            whole = DISPLAY.scene(state, lang)
            assert [panel.seat for panel in whole.panels] == [None, 0, 1, 2, 3, 4]
            assert [panel.seat for panel in whole.panels if panel.active] == state.pending()
            assert word in str(DISPLAY.scene(state.view(1), lang)) or turns > 17
    assert "hidden" not in str(DISPLAY.scene(played(2), "en"))


def test_there_is_nothing_to_warn_of() -> None:
    assert DISPLAY.setup_notices(SEVEN.setup(3, 1), "en") == []


def test_a_move_is_drawn_with_its_card_and_its_price() -> None:
    state = played(0, 3)
    for action in state.legal(0):
        face = DISPLAY.move_face(action, "en", state, 0)
        assert face.card is not None
        assert face.card.key.removesuffix("_1") in SEVEN.text(action)
        assert face.verb == SEVEN.text(action).partition(" ")[0]
        assert ("to " in face.price) == ("pay" in SEVEN.text(action))
        assert bool(face.price) == (face.verb != "sell")


def test_a_card_that_the_wonder_makes_free_says_so() -> None:
    cities = ("olympia:day", "gizah:day", "rhodos:day")
    state = table(cities, age=3, turn=3, stages={0: 2}, hands={0: ["palace"]})
    face = DISPLAY.move_face(SEVEN.parse("build palace"), "en", state, 0)
    assert face.price == "free thanks to Olympía"


def test_a_stage_says_what_it_gives() -> None:
    state = table(("rhodos:day", "gizah:day", "olympia:day"), stages={0: 1})
    for lang, label in (
        ("en", "Wonder, stage 2: 2 shields"),
        ("fr", "Merveille, étape 2 : 2 boucliers"),
    ):
        assert DISPLAY.move_face(SEVEN.parse("stage baths"), lang, state, 0).label == label


def test_it_is_told_why_something_cannot_be_built() -> None:
    cities = ("gizah:day", "rhodos:day", "olympia:day")
    seen: set[str] = set()
    for seed in range(30):
        state = SEVEN.deal(SEVEN.setup(3, seed, cities), seed)
        dice = Rng(seed)
        while seats := state.pending():
            seat = seats[0]
            if state.prompt(seat) == 0:
                check_obstacles(state, seat, seen)
            options = state.legal(seat)
            state.apply(seat, options[dice.below(len(options))])
    assert {text.partition(" ")[0] for text in seen} == {"All", "Your", "It", "Buying", "Even"}


def check_obstacles(state: State, seat: int, seen: set[str]) -> None:
    """What cannot be built has a reason, and nothing else has."""
    told = DISPLAY.obstacles(state.view(seat), seat, "en")
    options = [SEVEN.text(action).split(" ") for action in state.legal(seat)]
    built = {words[1] for words in options if words[0] == "build"}
    held = {words[1] for words in options}
    assert {key.removesuffix("_2") for key in told if key} == held - built
    assert ("" in told) == all(words[0] != "stage" for words in options)
    seen |= set(told.values())


@pytest.mark.parametrize("edition", ["1st", "2nd"])
def test_a_card_tells_of_its_chains(edition: str) -> None:
    cards = {piece.key: piece for _, pieces in DISPLAY.cards(edition, "en") for piece in pieces}
    box = next(sheet for sheet in DISPLAY.components(edition, "en") if sheet.id == "cards")
    chained = 0
    for row in box.rows:
        fields = dict(zip(box.keys, row, strict=True))
        told = cards[str(fields["id"])].chains
        for name in str(fields["free_from"]).split(", "):
            assert name in told.partition("makes free")[0]
        later = told.partition("makes free: ")[2]
        assert set(later.split(", ")) == set(str(fields["chains_to"]).split(", "))
        assert bool(told) == bool(fields["free_from"] or fields["chains_to"])
        chained += bool(told)
    assert chained > 20


def test_chains_are_those_of_the_edition() -> None:
    def told(edition: str, key: str, lang: str = "en") -> str:
        pieces = [piece for _, group in DISPLAY.cards(edition, lang) for piece in group]
        return next(piece.chains for piece in pieces if piece.key == key)

    assert told("2nd", "baths") == "makes free: Aqueduct"
    assert told("2nd", "aqueduct", "fr") == "gratuit avec Bains"
    assert told("2nd", "forum") == (
        "free with East Trading Post or West Trading Post; makes free: Haven"
    )
    assert told("2nd", "lumber_yard") == ""


def test_a_game_of_seven_ends_with_the_third_age() -> None:
    assert DISPLAY.ending(played(6), ("a", "b", "c"), "en") == ""
    state = played(40)
    assert DISPLAY.ending(state, ("a", "b", "c"), "en") == (
        "The game is over: the third Age has ended."
    )

"""The box against the rulebook: cards, wonders, tokens and medals as transcribed tables."""

from itertools import permutations

import pytest

from arena.i18n import LANGUAGES, gettext
from engine.architects.components import lookup
from engine.architects.components.cards import CENTRE_CARDS, COLOURS, KINDS
from engine.architects.components.ids import KIND_IDS, MEDAL_IDS, TOKEN_IDS, WONDER_IDS
from engine.architects.components.medals import MEDALS
from engine.architects.components.tokens import TOKENS
from engine.architects.components.wonders import WONDERS, Wonder
from engine.architects.game import ARCHITECTS
from engine.architects.state import STACK_SIZE

BASE = [wonder for wonder in WONDERS if not wonder.expansion]
BY_ID = {wonder.id: wonder for wonder in WONDERS}

# kind, colour, in the seven decks and the centre together, points, cat icons, shields, horns
CARDS = [
    ("wood", "grey", 17, 0, 0, 0, 0),
    ("stone", "grey", 17, 0, 0, 0, 0),
    ("clay", "grey", 17, 0, 0, 0, 0),
    ("papyrus", "grey", 17, 0, 0, 0, 0),
    ("glass", "grey", 17, 0, 0, 0, 0),
    ("coin", "yellow", 27, 0, 0, 0, 0),
    ("civ3", "blue", 16, 3, 0, 0, 0),
    ("civ2cat", "blue", 24, 2, 1, 0, 0),
    ("gear", "green", 14, 0, 0, 0, 0),
    ("compass", "green", 14, 0, 0, 0, 0),
    ("tablet", "green", 14, 0, 0, 0, 0),
    ("red0", "red", 18, 0, 0, 1, 0),
    ("red1", "red", 15, 0, 0, 1, 1),
    ("red2", "red", 8, 0, 0, 1, 2),
]

# kinds in the order of the table above
DECKS = {
    "alexandria": (2, 2, 2, 2, 1, 4, 2, 2, 2, 1, 1, 2, 1, 1),
    "babylon": (2, 1, 2, 2, 2, 3, 2, 2, 2, 2, 1, 2, 1, 1),
    "ephesus": (2, 2, 2, 2, 2, 3, 1, 2, 1, 2, 2, 2, 1, 1),
    "giza": (2, 2, 1, 2, 2, 3, 2, 3, 1, 2, 1, 2, 2, 0),
    "halicarnassus": (2, 2, 2, 1, 2, 3, 2, 2, 1, 1, 2, 2, 2, 1),
    "olympia": (1, 2, 2, 2, 2, 3, 1, 3, 1, 1, 2, 2, 2, 1),
    "rhodes": (2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 2, 2, 1),
    "rome": (2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 3, 2, 1),
    "ur": (2, 2, 2, 2, 2, 2, 1, 4, 1, 1, 2, 2, 1, 1),
}
CENTRE_DECK = (4, 4, 4, 4, 4, 6, 4, 8, 4, 4, 4, 4, 4, 2)

# wonder: points of the stages 1 to 5, * the effect, and what each rests on
STAGES = {
    "alexandria": ("4 3* 6 5* 7", ((), (1,), (2,), (3,), (4,))),
    "babylon": ("3 0* 5 5* 7", ((), (1,), (2,), (3,), (3,))),
    "ephesus": ("3 3* 4* 5* 7", ((), (1,), (1,), (1,), (2, 3, 4))),
    "giza": ("4 5 6 7 8", ((), (1,), (2,), (3,), (4,))),
    "halicarnassus": ("3 3* 6 5* 7", ((), (1,), (2,), (2,), (3, 4))),
    "olympia": ("3 2* 5 5* 7", ((), (1,), (1,), (2, 3), (4,))),
    "rhodes": ("4 4* 5 6* 7", ((), (), (1, 2), (3,), (4,))),
    "rome": ("4 3* 5 4* 7", ((), (), (), (1, 2, 3), (1, 2, 3))),
    "ur": ("3 3* 6 5* 7", ((), (1,), (2,), (3,), (4,))),
}

BUILD_ORDERS = {
    "alexandria": 1,
    "babylon": 2,
    "ephesus": 6,
    "giza": 1,
    "halicarnassus": 2,
    "olympia": 2,
    "rhodes": 2,
}

# id, English, French, copies, copies with Medals
PROGRESS = [
    ("urbanism", "Urbanism", "Urbanisme", 1, 1),
    ("crafts", "Crafts", "Artisanat", 1, 1),
    ("jewellery", "Jewellery", "Joaillerie", 1, 1),
    ("science", "Science", "Science", 1, 1),
    ("propaganda", "Propaganda", "Propagande", 1, 1),
    ("architecture", "Architecture", "Architecture", 1, 1),
    ("economy", "Economy", "Économie", 1, 1),
    ("engineering", "Engineering", "Ingénierie", 1, 1),
    ("tactics", "Tactics", "Tactique", 1, 1),
    ("decor", "Decor", "Décoration", 1, 1),
    ("politics", "Politics", "Politique", 1, 1),
    ("strategy", "Strategy", "Stratégie", 1, 1),
    ("education", "Education", "Éducation", 1, 1),
    ("culture", "Culture", "Culture", 2, 3),
    ("logistics", "Logistics", "Logistique", 0, 1),
    ("domestication", "Domestication", "Domestication", 0, 1),
    ("entrenchment", "Entrenchment", "Retranchement", 0, 1),
]

WONDER_NAMES = [
    ("alexandria", "Alexandria", "Alexandrie", "Lighthouse of Alexandria", "Phare d'Alexandrie"),
    (
        "babylon",
        "Babylon",
        "Babylone",
        "Hanging Gardens of Babylon",
        "Jardins suspendus de Babylone",
    ),
    ("ephesus", "Ephesus", "Éphèse", "Temple of Artemis in Ephesus", "Temple d'Artémis à Éphèse"),
    ("giza", "Giza", "Gizeh", "Great Pyramid of Giza", "Pyramide de Gizeh"),
    (
        "halicarnassus",
        "Halicarnassus",
        "Halicarnasse",
        "Mausoleum of Halicarnassus",
        "Mausolée d'Halicarnasse",
    ),
    ("olympia", "Olympia", "Olympie", "Statue of Zeus in Olympia", "Statue de Zeus à Olympie"),
    ("rhodes", "Rhodes", "Rhodes", "Colossus of Rhodes", "Colosse de Rhodes"),
    ("rome", "Rome", "Rome", "Colosseum of Rome", "Colisée de Rome"),
    ("ur", "Ur", "Ur", "Ziggurat of Ur", "Ziggurat d'Ur"),
]

KIND_NAMES = [
    ("wood", "Wood", "Bois"),
    ("stone", "Stone", "Pierre"),
    ("clay", "Clay", "Brique"),
    ("papyrus", "Papyrus", "Papyrus"),
    ("glass", "Glass", "Verre"),
    ("coin", "Coin", "Pièce"),
    ("gear", "Gear", "Engrenage"),
    ("compass", "Compass", "Compas"),
    ("tablet", "Tablet", "Tablette"),
]

OBJECTIVES = [
    "blue3",
    "green3",
    "grey3",
    "red3",
    "four_colors",
    "coin_cat_horn",
    "cards7",
    "stages3",
    "stages2_cat",
    "progress2",
    "progress_military_cat",
    "military2_one_battle",
]


def in_the_box(kind: int) -> int:
    return CENTRE_CARDS[kind] + sum(wonder.deck[kind] for wonder in BASE)


@pytest.mark.parametrize("row", CARDS, ids=[row[0] for row in CARDS])
def test_a_kind_of_card_is_as_printed(row: tuple[str, str, int, int, int, int, int]) -> None:
    kind = next(kind for kind in KINDS if kind.id == row[0])
    printed = (kind.points, kind.cat, kind.shields, kind.horns)
    assert (kind.id, kind.colour, in_the_box(KINDS.index(kind)), *printed) == row


def test_the_kinds_are_these_in_the_order_payments_are_written() -> None:
    assert [row[0] for row in CARDS] == list(KIND_IDS)


@pytest.mark.parametrize(
    ("colour", "cards"), [("grey", 85), ("yellow", 27), ("blue", 40), ("green", 42), ("red", 41)]
)
def test_the_base_box_by_colour(colour: str, cards: int) -> None:
    kinds = [at for at, kind in enumerate(KINDS) if kind.colour == colour]
    assert sum(in_the_box(kind) for kind in kinds) == cards


def test_the_base_box_has_235_cards() -> None:
    assert sum(in_the_box(kind) for kind in range(len(KINDS))) == 235


@pytest.mark.parametrize("id", DECKS)
def test_a_deck_has_its_25_cards(id: str) -> None:
    assert BY_ID[id].deck == DECKS[id]
    assert sum(BY_ID[id].deck) == 25


def test_the_centre_has_its_60_cards() -> None:
    assert CENTRE_CARDS == CENTRE_DECK
    assert sum(CENTRE_CARDS) == 60


@pytest.mark.parametrize("id", STAGES)
def test_the_stages_of_a_wonder(id: str) -> None:
    points, rests_on = STAGES[id]
    stages = BY_ID[id].stages
    assert " ".join(f"{s.points}{'*' if s.effect else ''}" for s in stages) == points
    assert tuple(stage.on for stage in stages) == rests_on
    # The costs are the same everywhere.
    assert [f"{s.count}{s.rule}" for s in stages] == ["2≠", "2=", "3≠", "3=", "4≠"]


def orders(wonder: Wonder) -> int:
    """How many ways there are to build all five stages, each on what it rests on."""
    return sum(
        all(set(wonder.stages[stage - 1].on) <= set(order[:at]) for at, stage in enumerate(order))
        for order in permutations(range(1, 6))
    )


@pytest.mark.parametrize(("id", "count"), BUILD_ORDERS.items(), ids=BUILD_ORDERS)
def test_a_wonder_can_be_built_in_so_many_orders(id: str, count: int) -> None:
    assert orders(BY_ID[id]) == count


def test_there_are_seven_wonders_and_two_of_the_expansion() -> None:
    assert [wonder.id for wonder in BASE] == list(BUILD_ORDERS)
    assert [wonder.id for wonder in WONDERS if wonder.expansion == "medals"] == ["rome", "ur"]
    assert len(WONDERS) == 9


def test_only_rome_and_ur_are_provisional() -> None:
    assert [wonder.id for wonder in WONDERS if wonder.provisional] == ["rome", "ur"]


@pytest.mark.parametrize("row", WONDER_NAMES, ids=[row[0] for row in WONDER_NAMES])
def test_the_names_of_a_wonder(row: tuple[str, ...]) -> None:
    wonder = BY_ID[row[0]]
    names = [gettext(text, lang) for text in (wonder.name, wonder.monument) for lang in LANGUAGES]
    assert (wonder.id, *names) == row


@pytest.mark.parametrize("row", KIND_NAMES, ids=[row[0] for row in KIND_NAMES])
def test_the_names_of_a_card(row: tuple[str, str, str]) -> None:
    kind = KINDS[KIND_IDS.index(row[0])]
    assert (kind.id, kind.name, gettext(kind.name, "fr")) == row


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_two_things_of_a_sort_share_a_name(lang: str) -> None:
    for rows in (KINDS, WONDERS, TOKENS):
        names = [gettext(row.name, lang) for row in rows]
        assert all(names)
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("row", PROGRESS, ids=[row[0] for row in PROGRESS])
def test_a_progress_token(row: tuple[str, str, str, int, int]) -> None:
    token = TOKENS[TOKEN_IDS.index(row[0])]
    names = (token.name, gettext(token.name, "fr"))
    assert (token.id, *names, token.copies, token.copies_expanded) == row


def test_there_are_15_progress_tokens_and_19_with_medals() -> None:
    assert [row[0] for row in PROGRESS] == list(TOKEN_IDS)
    assert sum(token.copies for token in TOKENS) == 15
    assert sum(token.copies_expanded for token in TOKENS) == 19


def test_the_twelve_medals() -> None:
    assert list(MEDAL_IDS) == OBJECTIVES
    assert len(OBJECTIVES) == 12


@pytest.mark.parametrize(("players", "conflicts"), [(2, 3), (3, 3), (4, 4), (5, 5), (6, 6), (7, 6)])
def test_conflict_tokens_by_number_of_players(players: int, conflicts: int) -> None:
    assert lookup.CONFLICTS[players] == conflicts


@pytest.mark.parametrize(
    ("size", "rows"),
    [
        ("KIND_COUNT", len(KINDS)),
        ("GREY_COUNT", sum(kind.colour == "grey" for kind in KINDS)),
        ("SCIENCES", sum(kind.colour == "green" for kind in KINDS)),
        ("FIRST_SCIENCE", KIND_IDS.index("gear")),
        ("COIN", KIND_IDS.index("coin")),
        ("HIDDEN", len(KINDS)),
        ("STAGE_COUNT", 5),
        ("TOKEN_COUNT", len(TOKENS)),
        ("NO_TOKEN", len(TOKENS)),
        ("HIDDEN_TOKEN", len(TOKENS) + 1),
        ("EXTRA_TOKENS", TOKEN_IDS.index("economy")),
        ("CULTURE_ID", TOKEN_IDS.index("culture")),
        ("MEDAL_COUNT", len(MEDALS)),
        ("NO_MEDAL", len(MEDALS)),
        ("CENTRE_DECK", len(WONDERS)),
        ("DECK_SIZE", 25),
        ("CENTRE_SIZE", sum(CENTRE_CARDS)),
        ("FACE_UP", 3),
        ("CENTRE_MEDALS", 2),
        ("MAX_NEEDS", max(len(medal.needs) for medal in MEDALS)),
    ],
)
def test_a_size_of_the_columns_is_that_of_the_rows(size: str, rows: int) -> None:
    assert getattr(lookup, size) == rows


@pytest.mark.parametrize(
    ("bit", "id"),
    [
        ("ARCHITECTURE", "architecture"),
        ("ECONOMY", "economy"),
        ("ENGINEERING", "engineering"),
        ("TACTICS", "tactics"),
        ("DECOR", "decor"),
        ("POLITICS", "politics"),
        ("STRATEGY", "strategy"),
        ("EDUCATION", "education"),
        ("CULTURE", "culture"),
        ("LOGISTICS", "logistics"),
        ("DOMESTICATION", "domestication"),
        ("ENTRENCHMENT", "entrenchment"),
    ],
)
def test_a_token_has_the_bit_of_its_row(bit: str, id: str) -> None:
    assert getattr(lookup, bit) == 1 << TOKEN_IDS.index(id)


@pytest.mark.parametrize(
    ("column", "length"),
    [
        ("COLOUR", len(KINDS)),
        ("POINTS", len(KINDS)),
        ("CAT_ICON", len(KINDS)),
        ("SHIELDS", len(KINDS)),
        ("HORNS", len(KINDS)),
        ("ARMS", len(KINDS)),
        ("COST", 5 * len(WONDERS)),
        ("SAME", 5 * len(WONDERS)),
        ("STAGE_POINTS", 5 * len(WONDERS)),
        ("HAS_EFFECT", 5 * len(WONDERS)),
        ("RESTS_ON", 5 * len(WONDERS)),
        ("AVAILABLE", 32 * len(WONDERS)),
        ("EFFECT", len(WONDERS)),
        ("STARTING", len(KINDS) * (len(WONDERS) + 1)),
        ("COPIES", len(TOKENS)),
        ("COPIES_EXPANDED", len(TOKENS)),
        ("COUNTED", 4 * len(MEDALS)),
        ("NEEDED", 4 * len(MEDALS)),
        ("AT_BATTLE", len(MEDALS)),
        ("CONFLICTS", max(ARCHITECTS.players) + 1),
    ],
)
def test_a_column_is_as_long_as_its_rows(column: str, length: int) -> None:
    assert len(getattr(lookup, column)) == length


def test_the_stack_has_room_for_every_token_that_is_not_face_up() -> None:
    assert sum(token.copies_expanded for token in TOKENS) - 3 == STACK_SIZE


def test_the_colours_are_the_five_of_the_cards() -> None:
    assert {kind.colour for kind in KINDS} == set(COLOURS)
    assert len(WONDER_IDS) == len(set(WONDER_IDS))

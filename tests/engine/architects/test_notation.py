"""Actions as text: every text there is comes back as it was, and nothing else is taken."""

from itertools import combinations, combinations_with_replacement

import pytest

from arena.display import display_of
from engine.architects.components.ids import KIND_IDS, TOKEN_IDS
from engine.architects.game import ARCHITECTS
from engine.errors import NotationError
from engine.match import Variant
from engine.rng import Rng, derive

GREY = ("wood", "stone", "clay", "papyrus", "glass")
EXTRA_TOKENS = ("urbanism", "crafts", "jewellery", "science", "propaganda", "architecture")

FIXED = [
    *(f"take {which}" for which in ("left", "right", "centre")),
    *(f"take deck {seat}" for seat in range(7)),
    "study gear+gear",
    "study compass+compass",
    "study tablet+tablet",
    "study gear+compass+tablet",
    *(f"extra {id} take {which}" for id in EXTRA_TOKENS for which in ("left", "right", "centre")),
    "end",
    "look left",
    "look right",
    *(f"keep {kind}" for kind in KIND_IDS),
    *(f"steal {seat} {kind}" for seat in range(7) for kind in KIND_IDS),
    *(f"token {id}" for id in TOKEN_IDS),
    "token stack",
]


def payments() -> list[str]:
    """Every way the page has to write the payment of a stage."""
    texts = []
    for stage, cost in enumerate(["2≠", "2=", "3≠", "3=", "4≠"], 1):
        k, rule = cost[0], cost[1]
        for a in range(int(k) + 1):
            coins = int(k) - a
            for cards in combinations_with_replacement(GREY, a):
                fits = len(set(cards)) == (min(a, 1) if rule == "=" else a)
                for economy in [False, True] if coins >= 2 else [False]:
                    listed = "+".join([*cards, *["coin"] * (coins - economy)])
                    uses = ["economy"] * economy + ["engineering"] * (not fits)
                    tail = " by " + "+".join(uses) if uses else ""
                    texts.append(f"build {stage} with {listed}{tail}")
    return texts


PAYMENTS = payments()


def test_the_list_of_payments_has_the_known_ones() -> None:
    for text in (
        "build 1 with wood+stone",
        "build 2 with glass+glass",
        "build 2 with coin by economy",
        "build 3 with wood+clay+coin",
        "build 4 with clay+clay+clay",
        "build 1 with wood+wood by engineering",
        "build 5 with wood+wood+coin by economy+engineering",
        "build 5 with coin+coin+coin+coin",
    ):
        assert text in PAYMENTS
    assert len(PAYMENTS) == len(set(PAYMENTS))
    assert len([text for text in PAYMENTS if "by" not in text and text.startswith("build 5")]) == (
        sum(len(list(combinations(GREY, a))) for a in range(5))
    )


@pytest.mark.parametrize("text", FIXED)
def test_a_text_comes_back_as_it_was(text: str) -> None:
    assert ARCHITECTS.text(ARCHITECTS.parse(text)) == text


def test_payments_come_back_as_they_were() -> None:
    for text in PAYMENTS:
        assert ARCHITECTS.text(ARCHITECTS.parse(text)) == text


def test_different_texts_are_different_actions() -> None:
    texts = [*FIXED, *PAYMENTS]
    assert len({ARCHITECTS.parse(text) for text in texts}) == len(texts)


BAD = [
    "",
    " ",
    "end ",
    " end",
    "END",
    "End",
    "end turn",
    "pass",
    "take",
    "take ",
    "take up",
    "take center",
    "take  left",
    "take left\n",
    "take deck",
    "take deck 7",
    "take deck -1",
    "take deck 01",
    "take deck one",
    "take deck ٣",
    "take deck centre",
    "look",
    "look centre",
    "keep",
    "keep gold",
    "keep 3",
    "keep wood wood",
    "steal",
    "steal 0",
    "steal wood",
    "steal wood 0",
    "steal 7 wood",
    "steal 0 gold",
    "steal 1  wood",
    "token",
    "token 3",
    "token wood",
    "token Culture",
    "token stack 1",
    "study",
    "study gear",
    "study gear+compass",
    "study gear+tablet+compass",
    "study compass+gear+tablet",
    "study gear+gear+gear",
    "study wood+wood",
    "extra",
    "extra urbanism",
    "extra urbanism left",
    "extra urbanism take",
    "extra urbanism take deck 1",
    "extra economy take left",
    "extra engineering take left",
    "extra culture take left",
    "extra stack take left",
    "build",
    "build ",
    "build 1",
    "build 1 with",
    "build 1 with ",
    "build 0 with wood+stone",
    "build 6 with wood+stone",
    "build -1 with wood+stone",
    "build 1.0 with wood+stone",
    "build １ with wood+stone",
    "build one with wood+stone",
    "build 1 by wood+stone",
    "build 1 with stone+wood",
    "build 1 with coin+wood",
    "build 1 with wood+",
    "build 1 with +wood",
    "build 1 with wood++stone",
    "build 1 with wood stone",
    "build 1 with wood + stone",
    "build 1 with wood,stone",
    "build 1 with gear+gear",
    "build 1 with gold",
    "build 1 with wood+stone by",
    "build 1 with wood+stone by ",
    "build 1 with wood+stone by tactics",
    "build 1 with wood+stone by economy engineering",
    "build 1 with wood+stone by engineering+economy",
    "build 1 with wood+stone by economy+economy",
    "build 1 with wood+stone by economy+tactics",
    "build 1 with wood+stone with coin",
    "build 1 with wood+stone by economy now",
    " build 1 with wood+stone",
    "build 1 with wood+stone ",
    "build  1 with wood+stone",
    "Build 1 with wood+stone",
    "build 1 with Wood+stone",
    "build 1 with " + "+".join(["wood"] * 8),
    "build 1 with " + "+".join(["wood"] * 9),
    "build 1 with " + "+".join(["coin"] * 8),
    "build 5 with " + "+".join(["coin"] * 40),
    "build 1 with " + "+".join(["glass"] * 64),
    "build 1 with wood\n",
    "build\n1 with wood",
    "take left; take right",
    "\x00",
    "🐱",
    "x" * 10_000,
]


@pytest.mark.parametrize("text", BAD, ids=[repr(text[:40]) for text in BAD])
def test_a_bad_text_names_no_action(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        ARCHITECTS.parse(text)
    assert str(caught.value).startswith("expected ")
    assert "\n" not in str(caught.value)


def test_a_number_is_an_action_or_has_no_text() -> None:
    known = {ARCHITECTS.parse(text) for text in FIXED}
    for number in range(-300, 1000):
        if number in known:
            assert ARCHITECTS.parse(ARCHITECTS.text(number)) == number
        else:
            refuse(number)


def refuse(number: int) -> None:
    for lang in ("en", "fr"):
        with pytest.raises(NotationError, match=f"^expected .* got {number}$"):
            display_of("architects").describe_action(number, lang)
    with pytest.raises(NotationError, match=f"^expected .* got {number}$"):
        ARCHITECTS.text(number)


def test_a_build_without_cards_or_beyond_its_bits_has_no_text() -> None:
    build = ARCHITECTS.parse("build 1 with wood")
    stage = ARCHITECTS.parse("build 2 with wood") - build
    for number in (
        build - 1,
        build + 5 * stage,
        build + 8 * stage,
        build << 1,
        -build,
        build << 50,
    ):
        refuse(number)


@pytest.mark.parametrize("players", range(2, 8))
def test_every_option_of_a_game_comes_back_as_it_was(players: int) -> None:
    setup = ARCHITECTS.setup(players, players, (), Variant("architects", None, ("medals",), True))
    state = ARCHITECTS.deal(setup, players)
    dice = Rng(derive(players, "dice"))
    while seats := state.pending():
        actions = state.legal(seats[0])
        for action in actions:
            assert ARCHITECTS.parse(ARCHITECTS.text(action)) == action
        state.apply(seats[0], actions[dice.below(len(actions))])


def test_the_prompts_are_those_of_the_page() -> None:
    assert ARCHITECTS.prompts == ("draw", "act", "any", "progress", "side", "pick", "steal")

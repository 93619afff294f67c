"""Paying for stages: every payment that is offered, and nothing else."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.architects.components.ids import KIND_IDS

from .table import asked, built, choose, front, options, sort, table

GREY = ("wood", "stone", "clay", "papyrus", "glass")

# Giza is built from bottom to top, so the stages built pick the one cost that is asked.
STAGE_OF = {"2≠": 1, "2=": 2, "3≠": 3, "3=": 4, "4≠": 5}


def offered(cost: str, cards: str, tokens: str = "", used: str = "") -> list[str]:
    below = range(1, STAGE_OF[cost])
    return options(table(built={0: below}, front={0: cards}, tokens={0: tokens}, used=used))


def texts(cost: str, payments: str) -> list[str]:
    """The short forms of the tables below: payments by comma, `end` as it is."""
    stage = STAGE_OF[cost]
    listed = [payment.strip() for payment in payments.split(",")]
    return sorted(text if text == "end" else f"build {stage} with {text}" for text in listed)


# cost, cards in front of the seat, everything on offer
STANDARD = [
    ("2≠", "", "end"),
    ("2≠", "wood", "end"),
    ("2≠", "wood wood", "end"),
    ("2≠", "coin", "end"),
    ("2≠", "gear civ3 civ2cat red0 red1", "end"),
    ("2≠", "wood stone", "wood+stone"),
    ("2≠", "glass clay", "clay+glass"),
    ("2≠", "wood wood stone", "wood+stone"),
    ("2≠", "wood stone clay", "wood+stone, wood+clay, stone+clay"),
    ("2≠", "wood coin", "wood+coin"),
    ("2≠", "wood wood coin", "wood+coin"),
    ("2≠", "coin coin", "coin+coin"),
    ("2≠", "coin coin coin", "coin+coin"),
    ("2≠", "wood coin coin", "wood+coin"),
    ("2≠", "wood stone coin", "wood+stone"),
    ("2=", "", "end"),
    ("2=", "wood", "end"),
    ("2=", "wood stone clay papyrus glass", "end"),
    ("2=", "wood wood", "wood+wood"),
    ("2=", "wood wood wood", "wood+wood"),
    ("2=", "wood wood glass glass", "wood+wood, glass+glass"),
    ("2=", "wood coin", "wood+coin"),
    ("2=", "wood stone coin", "wood+coin, stone+coin"),
    ("2=", "wood wood stone coin", "wood+wood"),
    ("2=", "coin coin", "coin+coin"),
    ("2=", "papyrus coin coin", "papyrus+coin"),
    ("3≠", "wood stone", "end"),
    ("3≠", "wood coin", "end"),
    ("3≠", "coin coin", "end"),
    ("3≠", "wood wood stone stone", "end"),
    ("3≠", "wood stone clay", "wood+stone+clay"),
    ("3≠", "wood stone coin", "wood+stone+coin"),
    ("3≠", "wood wood stone coin", "wood+stone+coin"),
    ("3≠", "wood coin coin", "wood+coin+coin"),
    ("3≠", "wood wood wood coin coin", "wood+coin+coin"),
    ("3≠", "coin coin coin", "coin+coin+coin"),
    ("3≠", "wood stone clay coin coin coin", "wood+stone+clay"),
    (
        "3≠",
        "wood stone clay papyrus",
        "wood+stone+clay, wood+stone+papyrus, wood+clay+papyrus, stone+clay+papyrus",
    ),
    (
        "3≠",
        "wood stone clay papyrus glass",
        (
            "wood+stone+clay, wood+stone+papyrus, wood+stone+glass, wood+clay+papyrus, "
            "wood+clay+glass, wood+papyrus+glass, stone+clay+papyrus, stone+clay+glass, "
            "stone+papyrus+glass, clay+papyrus+glass"
        ),
    ),
    ("3=", "wood wood", "end"),
    ("3=", "wood stone coin", "end"),
    ("3=", "wood wood wood", "wood+wood+wood"),
    ("3=", "wood wood wood wood", "wood+wood+wood"),
    ("3=", "wood wood coin", "wood+wood+coin"),
    ("3=", "wood wood stone coin", "wood+wood+coin"),
    ("3=", "wood wood stone stone coin", "wood+wood+coin, stone+stone+coin"),
    ("3=", "wood stone coin coin", "wood+coin+coin, stone+coin+coin"),
    ("3=", "wood wood wood stone stone coin", "wood+wood+wood"),
    ("3=", "clay clay clay glass glass glass", "clay+clay+clay, glass+glass+glass"),
    ("3=", "coin coin coin", "coin+coin+coin"),
    ("4≠", "wood stone clay", "end"),
    ("4≠", "wood stone coin", "end"),
    ("4≠", "coin coin coin", "end"),
    ("4≠", "wood stone clay papyrus", "wood+stone+clay+papyrus"),
    ("4≠", "wood stone clay coin", "wood+stone+clay+coin"),
    ("4≠", "wood wood stone clay coin coin", "wood+stone+clay+coin"),
    ("4≠", "wood stone coin coin", "wood+stone+coin+coin"),
    ("4≠", "wood coin coin coin", "wood+coin+coin+coin"),
    ("4≠", "coin coin coin coin", "coin+coin+coin+coin"),
    (
        "4≠",
        "wood stone clay papyrus glass",
        (
            "wood+stone+clay+papyrus, wood+stone+clay+glass, wood+stone+papyrus+glass, "
            "wood+clay+papyrus+glass, stone+clay+papyrus+glass"
        ),
    ),
]


def ids(rows: Sequence[tuple[str, ...]]) -> list[str]:
    return [" ".join([row[0], row[1].replace(" ", "+") or "nothing", *row[2:-1]]) for row in rows]


@pytest.mark.parametrize(("cost", "cards", "payments"), STANDARD, ids=ids(STANDARD))
def test_a_standard_payment_uses_all_the_resources_it_can(
    cost: str, cards: str, payments: str
) -> None:
    assert sorted(offered(cost, cards)) == texts(cost, payments)


# cost, cards, everything on offer to the owner of Economy
ECONOMY = [
    ("2≠", "coin", "coin by economy"),
    ("2≠", "coin coin", "coin by economy"),
    ("2≠", "wood", "end"),
    ("2≠", "wood coin", "wood+coin"),
    ("2≠", "wood coin coin", "wood+coin"),
    ("2≠", "wood stone coin", "wood+stone"),
    ("2=", "coin", "coin by economy"),
    ("2=", "wood stone coin", "wood+coin, stone+coin"),
    ("3≠", "coin", "end"),
    ("3≠", "coin coin", "coin+coin by economy"),
    ("3≠", "coin coin coin", "coin+coin by economy"),
    ("3≠", "wood coin", "wood+coin by economy"),
    ("3≠", "wood coin coin", "wood+coin by economy"),
    ("3≠", "wood stone coin", "wood+stone+coin"),
    ("3=", "wood coin", "wood+coin by economy"),
    ("3=", "wood stone coin", "wood+coin by economy, stone+coin by economy"),
    ("3=", "wood wood coin", "wood+wood+coin"),
    ("3=", "coin coin", "coin+coin by economy"),
    ("4≠", "wood coin", "end"),
    ("4≠", "wood coin coin", "wood+coin+coin by economy"),
    ("4≠", "wood stone coin", "wood+stone+coin by economy"),
    ("4≠", "wood stone clay coin", "wood+stone+clay+coin"),
    ("4≠", "coin coin", "end"),
    ("4≠", "coin coin coin", "coin+coin+coin by economy"),
    ("4≠", "coin coin coin coin", "coin+coin+coin by economy"),
]


@pytest.mark.parametrize(("cost", "cards", "payments"), ECONOMY, ids=ids(ECONOMY))
def test_economy_saves_a_coin_where_two_or_more_resources_are_missing(
    cost: str, cards: str, payments: str
) -> None:
    assert sorted(offered(cost, cards, "economy")) == texts(cost, payments)


# cost, cards, everything on offer to the owner of Engineering
ENGINEERING = [
    ("2≠", "", "end"),
    ("2≠", "wood", "end"),
    ("2≠", "wood wood", "wood+wood by engineering, end"),
    ("2≠", "wood stone", "wood+stone"),
    ("2≠", "wood wood stone", "wood+stone, wood+wood by engineering"),
    ("2≠", "wood coin", "wood+coin"),
    ("2≠", "coin coin", "coin+coin"),
    ("2≠", "wood wood coin", "wood+coin, wood+wood by engineering"),
    ("2=", "wood stone", "wood+stone by engineering, end"),
    ("2=", "wood wood", "wood+wood"),
    ("2=", "wood wood stone", "wood+wood, wood+stone by engineering"),
    ("2=", "wood stone coin", "wood+coin, stone+coin, wood+stone by engineering"),
    ("3≠", "wood wood", "end"),
    ("3≠", "wood wood coin", "wood+wood+coin by engineering, end"),
    ("3≠", "wood wood coin coin", "wood+coin+coin, wood+wood+coin by engineering"),
    ("3≠", "wood wood wood", "wood+wood+wood by engineering, end"),
    (
        "3≠",
        "wood wood stone stone",
        "wood+wood+stone by engineering, wood+stone+stone by engineering, end",
    ),
    ("3≠", "wood wood stone coin", "wood+stone+coin, wood+wood+stone by engineering"),
    ("3=", "wood stone clay", "wood+stone+clay by engineering, end"),
    ("3=", "wood stone coin", "wood+stone+coin by engineering, end"),
    ("3=", "wood coin coin", "wood+coin+coin"),
    (
        "3=",
        "wood stone coin coin",
        "wood+coin+coin, stone+coin+coin, wood+stone+coin by engineering",
    ),
    ("4≠", "wood wood stone clay", "wood+wood+stone+clay by engineering, end"),
    (
        "4≠",
        "wood wood stone clay coin",
        "wood+stone+clay+coin, wood+wood+stone+clay by engineering",
    ),
    ("4≠", "wood wood wood wood", "wood+wood+wood+wood by engineering, end"),
]


@pytest.mark.parametrize(("cost", "cards", "payments"), ENGINEERING, ids=ids(ENGINEERING))
def test_engineering_adds_payments_and_never_obliges(cost: str, cards: str, payments: str) -> None:
    assert sorted(offered(cost, cards, "engineering")) == texts(cost, payments)


# cost, cards, everything on offer to the owner of both
BOTH = [
    ("2≠", "coin", "coin by economy"),
    ("2≠", "wood wood", "wood+wood by engineering, end"),
    ("2=", "wood stone coin", "wood+coin, stone+coin, wood+stone by engineering"),
    ("3≠", "wood wood coin", "wood+coin by economy, wood+wood+coin by engineering"),
    (
        "3=",
        "wood stone coin",
        "wood+coin by economy, stone+coin by economy, wood+stone+coin by engineering",
    ),
    ("4≠", "wood wood", "end"),
    ("4≠", "wood wood coin", "wood+wood+coin by economy+engineering, end"),
    (
        "4≠",
        "wood wood coin coin",
        "wood+coin+coin by economy, wood+wood+coin by economy+engineering",
    ),
    ("4≠", "wood stone coin", "wood+stone+coin by economy"),
    (
        "4≠",
        "wood wood stone coin",
        "wood+stone+coin by economy, wood+wood+stone+coin by engineering",
    ),
]


@pytest.mark.parametrize(("cost", "cards", "payments"), BOTH, ids=ids(BOTH))
def test_economy_and_engineering_together(cost: str, cards: str, payments: str) -> None:
    assert sorted(offered(cost, cards, "economy engineering")) == texts(cost, payments)


# cost, cards, what of the two is used already this turn, everything on offer
USED = [
    ("2≠", "coin", "economy", "end"),
    ("2≠", "coin coin", "economy", "coin+coin"),
    ("2≠", "wood wood", "engineering", "end"),
    (
        "4≠",
        "wood wood coin coin coin",
        "economy",
        "wood+coin+coin+coin, wood+wood+coin+coin by engineering",
    ),
    ("4≠", "wood wood coin coin coin", "engineering", "wood+coin+coin by economy"),
    ("4≠", "wood wood coin coin coin", "economy engineering", "wood+coin+coin+coin"),
]


@pytest.mark.parametrize(("cost", "cards", "used", "payments"), USED, ids=ids(USED))
def test_a_token_pays_once_a_turn(cost: str, cards: str, used: str, payments: str) -> None:
    assert sorted(offered(cost, cards, "economy engineering", used)) == texts(cost, payments)


def standard(cost: str, grey: Counter[str], coins: int, economy: bool) -> set[str]:
    """The page's definition of a standard payment, word by word."""
    k, same = int(cost[0]), cost[1] == "="
    if same:
        a = min(k, max(grey.values(), default=0))
        paid = [(kind,) * a for kind in GREY if grey[kind] >= a] if a else [()]
    else:
        held = [kind for kind in GREY if grey[kind]]
        a = min(k, len(held))
        paid = list(combinations(held, a))
    return written(cost, paid, k - a, coins, economy, False)


def by_engineering(cost: str, grey: Counter[str], coins: int, economy: bool) -> set[str]:
    """Any grey cards, as many as there are up to the cost."""
    a = min(int(cost[0]), grey.total())
    paid = [
        cards
        for cards in combinations_with_replacement(GREY, a)
        if all(cards.count(kind) <= grey[kind] for kind in GREY)
    ]
    return written(cost, paid, int(cost[0]) - a, coins, economy, True)


def written(
    cost: str,
    paid: Sequence[tuple[str, ...]],
    missing: int,
    coins: int,
    economy: bool,
    engineering: bool,
) -> set[str]:
    saves = economy and missing >= 2
    pay = missing - saves
    if pay > coins:
        return set()
    uses = ["economy"] * saves + ["engineering"] * engineering
    tail = " by " + "+".join(uses) if uses else ""
    head = f"build {STAGE_OF[cost]} with "
    return {head + "+".join([*cards, *["coin"] * pay]) + tail for cards in paid}


def cards_of(text: str) -> str:
    return text.partition(" by ")[0]


@settings(max_examples=400, deadline=None)
@given(
    cost=st.sampled_from(list(STAGE_OF)),
    counts=st.lists(st.integers(0, 5), min_size=5, max_size=5),
    coins=st.integers(0, 5),
    economy=st.booleans(),
    engineering=st.booleans(),
)
def test_the_options_are_those_of_the_definition(
    cost: str, counts: list[int], coins: int, economy: bool, engineering: bool
) -> None:
    grey = Counter(dict(zip(GREY, counts, strict=True)))
    expected = standard(cost, grey, coins, economy)
    if engineering:
        plain = {cards_of(text) for text in expected}
        more = by_engineering(cost, grey, coins, economy)
        more = {text for text in more if cards_of(text) not in plain}
    else:
        more = set()
    if not expected:
        more.add("end")
    tokens = " ".join(["economy"] * economy + ["engineering"] * engineering)
    cards = " ".join([*grey.elements(), *["coin"] * coins])
    found = offered(cost, cards, tokens)
    assert len(found) == len(set(found))
    assert set(found) == expected | more


# cards and tokens, the answers, what is left in front, the stages built
PAID = [
    ("wood stone clay", "", "build 1 with wood+clay", "stone", (1,)),
    ("wood stone clay coin", "", "build 1 with wood+stone", "", (1, 2)),
    ("wood stone clay gear red0", "", "build 1 with stone+clay", "wood gear red0", (1,)),
    ("wood wood", "engineering", "build 1 with wood+wood by engineering", "", (1,)),
]


@pytest.mark.parametrize(
    ("cards", "tokens", "answer", "left", "stages"), PAID, ids=[r[2] for r in PAID]
)
def test_what_is_paid_is_discarded_and_the_stage_is_built(
    cards: str, tokens: str, answer: str, left: str, stages: tuple[int, ...]
) -> None:
    state = choose(table(front={0: cards}, tokens={0: tokens}), answer)
    assert front(state, 0) == sort(left)
    assert built(state, 0) == stages


# cards and tokens before, what plays itself to the end of the turn: left in front, built
ALONE = [
    ("wood coin coin", "", "coin", (1,)),
    ("wood coin coin coin", "", "", (1, 2)),
    # One missing keeps Economy for the next stage.
    ("wood coin coin", "economy", "", (1, 2)),
    # Two missing use it; the next stage is paid in full, or not at all.
    ("coin coin", "economy", "coin", (1,)),
    ("coin coin coin", "economy", "", (1, 2)),
]


@pytest.mark.parametrize(
    ("cards", "tokens", "left", "stages"), ALONE, ids=[f"{r[0]} {r[1]}" for r in ALONE]
)
def test_stages_that_must_be_built_are_built_one_after_the_other(
    cards: str, tokens: str, left: str, stages: tuple[int, ...]
) -> None:
    # The draw hands over an idle card; from there on there is one answer to every question.
    state = table(ask="draw", front={0: cards}, tokens={0: tokens})
    choose(state, "take left")
    assert asked(state) == (1, "draw")
    assert front(state, 0) == sort(left + " civ3")
    assert built(state, 0) == stages


def test_economy_is_ready_again_on_the_next_turn() -> None:
    state = table(ask="draw", front={0: "coin coin"}, tokens={0: "economy"})
    choose(state, "take left", "take left", "take left")
    assert built(state, 0) == (1, 2)
    assert front(state, 0) == "civ3 civ3"


def test_engineering_may_wait_for_a_later_stage_of_the_turn() -> None:
    state = table(front={0: "wood stone clay papyrus"}, tokens={0: "engineering"})
    choose(state, "build 1 with wood+stone")
    assert sorted(options(state)) == ["build 2 with clay+papyrus by engineering", "end"]


def test_engineering_is_used_up_by_the_stage_it_pays() -> None:
    state = table(front={0: "wood wood stone clay"}, tokens={0: "engineering"})
    choose(state, "build 1 with wood+wood by engineering")
    assert asked(state) == (1, "draw")
    assert front(state, 0) == "stone clay"


def test_the_order_of_the_cards_of_a_payment_is_fixed() -> None:
    state = table(front={0: "glass coin wood"}, built={0: (1, 2)})
    assert options(state) == ["build 3 with wood+glass+coin"]


# A hand that pays for everything shows which stages may be built.
EVERYTHING = " ".join(f"{kind} {kind} {kind} {kind}" for kind in KIND_IDS[:5])

# wonder, stages built, stages that may be built now
AVAILABLE = [
    ("giza", "", "1"),
    ("giza", "1", "2"),
    ("giza", "12", "3"),
    ("giza", "123", "4"),
    ("giza", "1234", "5"),
    ("giza", "12345", ""),
    ("alexandria", "", "1"),
    ("alexandria", "123", "4"),
    ("babylon", "12", "3"),
    ("babylon", "123", "45"),
    ("babylon", "1234", "5"),
    ("babylon", "1235", "4"),
    ("ephesus", "", "1"),
    ("ephesus", "1", "234"),
    ("ephesus", "13", "24"),
    ("ephesus", "124", "3"),
    ("ephesus", "134", "2"),
    ("ephesus", "1234", "5"),
    ("halicarnassus", "1", "2"),
    ("halicarnassus", "12", "34"),
    ("halicarnassus", "123", "4"),
    ("halicarnassus", "124", "3"),
    ("halicarnassus", "1234", "5"),
    ("olympia", "1", "23"),
    ("olympia", "12", "3"),
    ("olympia", "13", "2"),
    ("olympia", "123", "4"),
    ("olympia", "1234", "5"),
    ("rhodes", "", "12"),
    ("rhodes", "1", "2"),
    ("rhodes", "2", "1"),
    ("rhodes", "12", "3"),
    ("rhodes", "123", "4"),
    ("rome", "", "123"),
    ("rome", "13", "2"),
    ("rome", "123", "45"),
    ("rome", "1235", "4"),
    ("ur", "1", "2"),
]


@pytest.mark.parametrize(
    ("wonder", "done", "available"), AVAILABLE, ids=[f"{r[0]} {r[1]}" for r in AVAILABLE]
)
def test_a_stage_is_available_on_the_stages_it_rests_on(
    wonder: str, done: str, available: str
) -> None:
    state = table(
        wonders=(wonder, "giza" if wonder != "giza" else "rhodes"),
        front={0: EVERYTHING},
        built={0: [int(stage) for stage in done]},
    )
    stages = {text.split()[1] for text in options(state) if text.startswith("build ")}
    assert "".join(sorted(stages)) == available
    assert ("end" in options(state)) == (available == "")


# cards and tokens of the seat, whether its turn may end
MAY_END = [
    ("nothing to do", "wood gear", "", True),
    ("a stage can be paid", "wood stone", "", False),
    ("a stage can be paid by coins alone", "coin coin", "", False),
    ("a stage can be paid by Economy alone", "coin", "economy", False),
    ("a stage can be paid by Engineering alone", "wood wood", "engineering", True),
    ("two green cards alike", "gear gear", "", False),
    ("three green cards that differ", "gear compass tablet", "", False),
    ("two green cards that differ", "gear compass", "", True),
]


@pytest.mark.parametrize(
    ("cards", "tokens", "may_end"), [row[1:] for row in MAY_END], ids=[row[0] for row in MAY_END]
)
def test_a_turn_ends_only_when_nothing_must_be_done(cards: str, tokens: str, may_end: bool) -> None:
    state = table(front={0: cards}, tokens={0: tokens})
    assert ("end" in options(state)) == may_end

"""The tables of both editions against arithmetic."""

from collections import Counter

import pytest

from arena.display.seven_texts import MONUMENTS, WONDERS
from arena.i18n import gettext
from engine.seven.components.lookup import (
    BOARD_IDS,
    BOARDS,
    CARD_COUNT,
    CARD_IDS,
    CARDS,
    COSTS,
    EDITION_BOARDS,
    EDITION_CARDS,
    GUILDS,
    NAME_PLACES,
    NAMES,
    NO_NAME,
    STAGE_PLACES,
    deck,
)
from engine.seven.components.rows import (
    BROWN,
    COLOURS,
    GREEN,
    GREY,
    GUILD,
    MADE,
    POINTS,
    POWER,
    PURPLE,
    RESOURCES,
    Card,
)

editions = pytest.mark.parametrize("edition", [0, 1], ids=["1st", "2nd"])


def cards_of(edition: int) -> list[Card]:
    return [CARDS[row] for row in EDITION_CARDS[edition]]


def test_constants_count_the_tables() -> None:
    assert len(CARDS) == CARD_COUNT
    assert len(NAMES) == NO_NAME == NAME_PLACES - 1
    assert len(COSTS) == CARD_COUNT + STAGE_PLACES * len(BOARDS)


@editions
def test_every_number_of_players_gets_seven_cards_an_age(edition: int) -> None:
    for players in range(3, 8):
        assert len(deck(edition, 0, players)) == 7 * players
        assert len(deck(edition, 1, players)) == 7 * players
        assert len(deck(edition, 2, players)) == 7 * players - (players + 2)
    assert [len(deck(edition, age, 7)) for age in range(3)] == [49, 49, 40]
    assert len(GUILDS[edition]) == 10


@editions
def test_every_card_is_sound(edition: int) -> None:
    ids = [CARD_IDS[row] for row in EDITION_CARDS[edition]]
    assert len(set(ids)) == len(ids)
    for card in cards_of(edition):
        assert (card.colour == PURPLE) == (card.copies == GUILD)
        assert card.age < 3 or card.colour not in (BROWN, GREY)
        assert card.age == 3 or card.colour != PURPLE
        assert set(card.cost) <= set(RESOURCES) | {"$"}
        assert card.cost.count("$") <= (card.colour == BROWN)
        assert list(card.copies) == sorted(card.copies)
        assert card.copies == GUILD or 1 <= len(card.copies) <= 3
        assert set(card.copies) <= set("34567")
        assert card.gives
        if card.colour == GREEN:
            assert any(letter in MADE for letter in card.cost)


@editions
def test_chains_lead_from_an_earlier_age_to_a_card_with_a_cost(edition: int) -> None:
    cards = cards_of(edition)
    for card in cards:
        assert len(card.chains) <= 2
        for name in card.chains:
            targets = [target for target in cards if target.name == name]
            assert len(targets) == 1
            assert targets[0].age > card.age
            assert targets[0].cost
    givers = Counter(name for card in cards for name in card.chains)
    assert max(givers.values()) == 2
    assert [name for name, count in givers.items() if count == 2] == ["Forum"]


def test_the_second_edition_has_24_chains() -> None:
    assert len({name for card in cards_of(1) for name in card.chains}) == 24


@editions
def test_colours_at_seven_players(edition: int) -> None:
    wanted = {
        0: {"brown": 14, "grey": 6, "blue": 8, "yellow": 9, "red": 6, "green": 6},
        1: {"brown": 8, "grey": 6, "blue": 8, "yellow": 10, "red": 9, "green": 8},
    }
    for age in (0, 1):
        found = Counter(COLOURS[CARDS[row].colour] for row in deck(edition, age, 7))
        assert found == wanted[age]


@editions
def test_the_seven_boards_start_with_the_seven_resources(edition: int) -> None:
    boards = [BOARDS[number] for number in EDITION_BOARDS[edition]]
    assert sorted(board.start for board in boards[::2]) == sorted(RESOURCES)
    for one, other in zip(boards[::2], boards[1::2], strict=True):
        assert (one.id, one.start) == (other.id, other.start)
        assert (one.side, other.side) == (("a", "b"), ("day", "night"))[edition]
    for board in boards:
        assert 2 <= len(board.stages) <= 4
        for stage in board.stages:
            assert 2 <= len(stage.cost) <= 5
            assert set(stage.cost) <= set(RESOURCES)
            assert stage.gives


@editions
def test_the_first_side_gives_three_and_seven_points(edition: int) -> None:
    for number in EDITION_BOARDS[edition][::2]:
        effects = [e for stage in BOARDS[number].stages for e in stage.gives]
        total = sum(e.amount for e in effects if e.kind == POINTS)
        assert total == (15 if BOARDS[number].id == "gizah" else 10)


def test_names_are_told_in_both_languages() -> None:
    french = {gettext(card.name, "fr") for card in CARDS}
    assert len(french) == len({card.name for card in CARDS})
    assert {board.id for board in BOARDS} == set(WONDERS) == set(MONUMENTS)


def test_what_the_second_edition_changed() -> None:
    first = {card.name: card for card in cards_of(0)}
    second = {card.name: card for card in cards_of(1)}
    assert set(first) - set(second) == {"Pawnshop", "Strategists Guild"}
    assert set(second) - set(first) == {"Well", "Ludus", "Castrum", "Decorators Guild"}
    changed = {name for name in set(first) & set(second) if first[name] != second[name]}
    assert changed == {
        "Altar",
        "Theater",
        "Temple",
        "Statue",
        "Town Hall",
        "Arena",
        "Arsenal",
        "Circus",
        "Fortifications",
        "Spies Guild",
        "Builders Guild",
    }


def test_every_power_is_on_some_board() -> None:
    where: dict[int, list[str]] = {}
    for number, board in enumerate(BOARDS):
        for stage in board.stages:
            for e in stage.gives:
                if e.kind == POWER:
                    where.setdefault(e.amount, []).append(BOARD_IDS[number])
    assert where == {
        1: ["babylon:b", "babylon:night"],
        2: ["olympia:a"],
        4: ["olympia:b"],
        8: ["olympia:day"],
        16: ["olympia:night"],
        32: ["olympia:night"],
        64: ["halikarnassos:a"]
        + ["halikarnassos:b"] * 3
        + ["halikarnassos:day"]
        + ["halikarnassos:night"] * 3,
    }

"""The wonders' powers, one by one."""

import pytest

from engine.seven.components.lookup import CARD_IDS, NAME, NAME_PLACES
from engine.seven.game import SEVEN, SevenState
from engine.seven.powers import in_pile
from engine.seven.state import AT_POWERS, AT_STAGES, CARD, ENTRY, KIND, SOLD, entries
from tests.engine.seven.table import coins_of, number, options, play, row_of, table

BABYLON = ("babylon:night", "gizah:day", "rhodos:day")
HALIKARNASSOS = ("halikarnassos:night", "gizah:day", "rhodos:day")
DAY = ("olympia:day", "gizah:day", "rhodos:day")
NIGHT = ("olympia:night", "gizah:day", "rhodos:day")
FIRST_A = ("olympia:a", "gizah:a", "rhodos:a")


def stands(state: SevenState, seat: int, id: str, edition: str = "2nd") -> bool:
    return state.built[seat * NAME_PLACES + NAME[row_of(id, edition)]] > 0


def discard(state: SevenState, entry: int, id: str) -> None:
    """Put a card into the pile as if it had been sold."""
    state.log[entry * ENTRY + CARD] = row_of(id)
    state.log[entry * ENTRY + KIND] = SOLD


# Babylon


def test_babylon_plays_its_last_card() -> None:
    state = table(BABYLON, stages={0: 1}, turn=6, hands={0: ["altar", "tavern"]})
    play(state, "build tavern")
    assert state.pending() == [0]
    assert SEVEN.prompts[state.prompt(0)] == "last"
    assert options(state, 0) == ["build altar", "sell altar", "pass"]
    assert coins_of(state)[0] == 8
    play(state, "build altar")
    assert stands(state, 0, "altar")
    assert state.age == 1


def test_babylon_has_its_sixth_card_for_its_last_one() -> None:
    # Stone from the sixth card pays the baths; the coins of the tavern are there too.
    state = table(BABYLON, stages={0: 1}, turn=6, hands={0: ["stone_pit", "baths"]}, coins={0: 0})
    play(state, "build stone_pit")
    assert "build baths" in options(state, 0)
    assert "stage baths" not in options(state, 0)
    play(state, "build baths")
    assert stands(state, 0, "baths")


def test_babylon_may_sell_bury_or_pass() -> None:
    hands = {0: ["altar", "baths"]}
    city = {0: ["brickyard", "clay_pool", "glassworks_1"]}
    for move, coins, stages in (("sell altar", 6, 1), ("stage altar", 3, 2), ("pass", 3, 1)):
        state = table(BABYLON, stages={0: 1}, turn=6, hands=hands, cities=city, coins={0: 0})
        play(state, "sell baths")
        play(state, move)
        assert coins_of(state)[0] == coins
        assert number(state, 0, AT_STAGES) == stages


def test_babylon_built_with_the_sixth_card_works_at_once() -> None:
    state = table(BABYLON, turn=6, hands={0: ["altar", "baths"]}, cities={0: ["quarry"]})
    play(state, "stage baths")
    assert SEVEN.prompts[state.prompt(0)] == "last"
    state = table(BABYLON, turn=6, hands={0: ["altar", "baths"]}, cities={0: ["quarry"]})
    play(state, "sell baths")
    assert state.age == 1


# Halikarnassos


def test_halikarnassos_takes_a_card_out_of_the_pile() -> None:
    state = table(
        HALIKARNASSOS,
        turn=2,
        hands={0: ["altar"], 1: ["tavern"], 2: ["loom"]},
        cities={0: ["brickyard", "loom_1"]},
    )
    discard(state, 0, "ore_vein")
    play(state, "stage altar", "sell tavern", "sell loom")
    assert state.pending() == [0]
    assert SEVEN.prompts[state.prompt(0)] == "revive"
    assert options(state, 0) == ["revive ore_vein", "revive tavern", "pass"]
    play(state, "revive tavern")
    assert stands(state, 0, "tavern")
    assert coins_of(state) == [8, 6, 6]
    assert state.turn == 2
    assert pile(state) == ["ore_vein", "loom_1"]


def pile(state: SevenState) -> list[str]:
    found = [entry for entry in range(entries(state)) if in_pile(state, entry)]
    return [CARD_IDS[state.log[entry * ENTRY + CARD]] for entry in found]


def test_halikarnassos_may_pass_and_keeps_nothing_for_later() -> None:
    city = {0: ["brickyard"]}
    state = table(HALIKARNASSOS, hands={0: ["altar"], 1: ["tavern"]}, cities=city)
    play(state, "stage altar", "sell tavern", "")
    play(state, "pass")
    assert state.turn == 1
    assert state.reviver == -1
    assert SEVEN.prompts[state.prompt(0)] == "play"


def test_an_empty_pile_is_not_asked_about() -> None:
    state = table(
        HALIKARNASSOS,
        hands={0: ["altar"], 1: ["clay_pool"], 2: ["ore_vein"]},
        cities={0: ["brickyard"]},
    )
    play(state, "stage altar", "build clay_pool", "build ore_vein")
    assert (state.turn, state.reviver) == (1, -1)


def test_halikarnassos_comes_after_the_leftover_cards() -> None:
    state = table(
        HALIKARNASSOS,
        turn=6,
        hands={0: ["altar", "baths"], 1: ["tavern", "theater"]},
        cities={0: ["brickyard"]},
    )
    play(state, "stage altar", "sell tavern", "")
    assert {"revive baths", "revive theater", "revive tavern"} < set(options(state, 0))
    play(state, "revive theater")
    assert stands(state, 0, "theater")
    assert state.age == 1


def test_babylon_comes_before_halikarnassos() -> None:
    state = table(
        ("halikarnassos:night", "babylon:night", "rhodos:day"),
        turn=6,
        stages={1: 1},
        hands={0: ["altar", "baths"], 1: ["tavern", "theater"]},
        cities={0: ["brickyard"]},
    )
    play(state, "stage altar", "sell tavern", "")
    assert state.pending() == [1]
    play(state, "build theater")
    assert state.pending() == [0]
    assert "revive theater" not in options(state, 0)
    assert "revive baths" in options(state, 0)


def test_a_revived_card_fights_in_the_conflict_that_follows() -> None:
    state = table(
        HALIKARNASSOS,
        turn=6,
        hands={0: ["altar", "baths"], 1: ["stockade", "theater"]},
        cities={0: ["brickyard"]},
    )
    play(state, "stage altar", "sell stockade", "")
    play(state, "revive stockade")
    assert SEVEN.score_sheet(state)[0]["military"] == 2


def test_the_last_turn_of_the_game_revives_too() -> None:
    state = table(
        HALIKARNASSOS,
        age=3,
        turn=6,
        hands={0: ["palace"], 1: ["gardens"]},
        cities={0: ["brickyard"]},
    )
    play(state, "stage palace", "sell gardens", "")
    play(state, "revive gardens")
    assert state.pending() == []
    assert SEVEN.score_sheet(state)[0]["civil"] == 5


# Olympía


def test_olympia_day_builds_the_first_card_of_a_colour_for_nothing() -> None:
    hands = {0: ["palace", "arsenal", "lodge"]}
    state = table(DAY, age=3, turn=3, stages={0: 2}, cities={0: ["barracks"]}, hands=hands)
    assert "build palace" in options(state, 0)
    assert "build lodge" in options(state, 0)
    assert "build arsenal" not in options(state, 0)
    state = table(DAY, age=3, turn=3, stages={0: 1}, hands=hands)
    assert "build palace" not in options(state, 0)


def test_olympia_day_saves_the_coin_of_a_brown_card() -> None:
    state = table(DAY, turn=3, stages={0: 2}, hands={0: ["clay_pit"]}, coins={0: 0})
    play(state, "build clay_pit")
    assert coins_of(state)[0] == 0
    state = table(DAY, turn=3, stages={0: 2}, cities={0: ["mine"]}, hands={0: ["clay_pit"]})
    play(state, "build clay_pit")
    assert coins_of(state)[0] == 2


@pytest.mark.parametrize(
    ("stages", "turn", "free"),
    [
        (1, 1, True),
        (0, 1, False),
        (1, 2, False),
        (1, 6, False),
        (2, 6, True),
        (2, 5, False),
        (2, 1, True),
    ],
)
def test_olympia_night_builds_first_and_sixth_cards_for_nothing(
    stages: int, turn: int, free: bool
) -> None:
    state = table(NIGHT, age=3, turn=turn, stages={0: stages}, hands={0: ["palace"]})
    assert ("build palace" in options(state, 0)) is free


def test_olympia_of_the_first_edition_builds_one_card_an_age_for_nothing() -> None:
    state = table(FIRST_A, "1st", age=3, turn=2, stages={0: 2}, hands={0: ["palace", "arsenal"]})
    assert options(state, 0, "palace") == ["sell palace", "free palace"]
    play(state, "free palace")
    assert coins_of(state)[0] == 3
    assert stands(state, 0, "palace", "1st")
    assert not [text for text in options(state, 0) if text.startswith("free")]


def test_the_free_building_comes_back_with_the_next_age() -> None:
    state = table(FIRST_A, "1st", turn=6, stages={0: 2}, hands={0: ["apothecary", "altar"]})
    play(state, "free apothecary")
    assert state.age == 1
    assert [text for text in options(state, 0) if text.startswith("free")]


def test_free_is_offered_where_building_costs_anything() -> None:
    city = {0: ["loom_1", "altar", "clay_pool"], 1: ["ore_vein"]}
    hands = {0: ["clay_pit", "barracks", "guard_tower", "loom", "altar", "tavern"]}
    state = table(FIRST_A, "1st", stages={0: 2}, hands=hands, cities=city, coins={0: 9})
    assert {"build clay_pit", "free clay_pit"} < set(options(state, 0, "clay_pit"))
    assert "free barracks" in options(state, 0)  # bought for two coins otherwise
    assert "free guard_tower" not in options(state, 0)  # own clay
    assert "free loom" not in options(state, 0)  # stands already
    assert "free altar" not in options(state, 0)
    assert "free tavern" not in options(state, 0)


def test_the_free_building_waits_for_a_turn_after_its_stage() -> None:
    state = table(
        FIRST_A,
        "1st",
        stages={0: 1},
        hands={0: ["altar", "apothecary"]},
        cities={0: ["quarry"]},
        coins={0: 0},
    )
    assert not [text for text in options(state, 0) if text.startswith("free")]
    play(state, "stage altar")
    assert number(state, 0, AT_POWERS)
    assert [text for text in options(state, 0) if text.startswith("free")]

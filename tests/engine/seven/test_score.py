"""Points: worked examples, every way to earn them, and a slow count of whole games."""

import pytest

import engine
from engine.match import Variant
from engine.rng import Rng, derive
from engine.seven.components.lookup import CARD_IDS, CARDS, EDITION_CARDS
from engine.seven.components.rows import PURPLE
from engine.seven.game import SEVEN, SevenState
from engine.seven.score import science
from engine.seven.state import AT_COINS, AT_DEFEATS, AT_VICTORIES, CITY
from tests.engine.seven import slow_score
from tests.engine.seven.table import build_now, table


@pytest.mark.parametrize(
    ("counts", "any", "points"),
    [
        ((3, 2, 1), 0, 21),
        ((6, 0, 0), 0, 36),
        ((1, 1, 1), 0, 10),
        ((2, 1, 0), 0, 5),
        ((3, 3, 3), 0, 48),
        ((4, 0, 0), 0, 16),
        ((2, 2, 1), 1, 26),
        ((4, 0, 0), 1, 25),
        ((0, 0, 0), 2, 4),
        ((0, 0, 0), 3, 10),
        ((2, 2, 0), 1, 16),
    ],
)
def test_science(counts: tuple[int, int, int], any: int, points: int) -> None:
    assert science(*counts, any) == points


def test_the_score_sheet_of_the_rulebook_comes_to_55() -> None:
    state = table(
        ("ephesos:day", "gizah:day", "rhodos:day"),
        cities={
            0: [
                *["aqueduct", "temple", "haven", "scriptorium", "school", "library"],
                *["workshop", "laboratory", "apothecary", "workers_guild", "clay_pool"],
                "ore_vein",
            ],
            1: ["clay_pool", "ore_vein", "stone_pit"],
            2: ["lumber_yard"],
        },
        stages={0: 3},
        coins={0: 9},
    )
    state.city[AT_VICTORIES] = 7
    state.city[AT_DEFEATS] = 1
    assert list(SEVEN.score_sheet(state)[0].values()) == [10, 3, 6, 9, 2, 21, 4, 55]


# A city around which every counted thing has a number of its own.
OWN = ["clay_pool", "glassworks_1", "loom_1", "altar", "baths", "theater", "tavern", "barracks"]
LEFT = ["ore_vein", "stone_pit", "press_1", "aqueduct", "marketplace", "vineyard", "walls"]
RIGHT = ["lumber_yard", "loom_1", "temple", "statue", "tavern", "stockade", "school", "library"]


@pytest.mark.parametrize(
    ("card", "points"),
    [
        ("haven", 1),
        ("chamber_of_commerce", 4),
        ("lighthouse", 2),
        ("ludus", 1),
        ("arena", 2),
        ("workers_guild", 3),
        ("craftsmens_guild", 4),
        ("magistrates_guild", 3),
        ("traders_guild", 3),
        ("spies_guild", 2),
        ("philosophers_guild", 2),
        ("shipowners_guild", 4),
        ("builders_guild", 6),
        ("decorators_guild", 0),
        ("scientists_guild", 1),
    ],
)
def test_yellow_and_purple_cards(card: str, points: int) -> None:
    state = table(cities={0: OWN, 1: LEFT, 2: RIGHT}, stages={0: 2, 1: 1, 2: 3})
    before = SEVEN.score_sheet(state)[0]
    coins = state.city[AT_COINS]
    build_now(state, 0, card)
    state.city[AT_COINS] = coins
    after = SEVEN.score_sheet(state)[0]
    changed = {key: after[key] - before[key] for key in before if after[key] != before[key]}
    colour = CARDS[CARD_IDS.index(card)].colour
    key = "science" if card == "scientists_guild" else "commerce"
    key = "guilds" if colour == PURPLE and key != "science" else key
    assert changed == ({key: points, "total": points} if points else {})


def test_decorators_want_every_stage_of_the_side_in_play() -> None:
    for side, stages in (("gizah:night", 4), ("babylon:night", 2), ("rhodos:day", 3)):
        for built in range(stages + 1):
            state = table(
                (side, "ephesos:day", "alexandria:day"),
                cities={0: ["decorators_guild"]},
                stages={0: built},
            )
            assert SEVEN.score_sheet(state)[0]["guilds"] == (7 if built == stages else 0)


def test_strategists_count_the_defeats_of_both_neighbours() -> None:
    state = table(edition="1st", cities={0: ["strategists_guild"]})
    for seat, defeats in enumerate((4, 2, 1)):
        state.city[seat * CITY + AT_DEFEATS] = defeats
    assert SEVEN.score_sheet(state)[0]["guilds"] == 3


OLYMPIA_B = ("olympia:b", "gizah:a", "rhodos:a")


def test_a_copied_guild_counts_from_the_own_seat() -> None:
    city = {0: ["clay_pool", "loom_1"], 1: ["workers_guild", "ore_vein"], 2: ["spies_guild"]}
    state = table(OLYMPIA_B, "1st", cities=city, stages={0: 3})
    assert SEVEN.score_sheet(state)[0]["guilds"] == 1  # the ore vein on the left
    assert SEVEN.score_sheet(table(OLYMPIA_B, "1st", cities=city, stages={0: 2}))[0]["guilds"] == 0


def test_a_copied_shipowners_guild_does_not_count_itself() -> None:
    city = {0: ["clay_pool", "loom_1", "traders_guild"], 1: ["shipowners_guild"]}
    state = table(OLYMPIA_B, "1st", cities=city, stages={0: 3})
    assert SEVEN.score_sheet(state)[0]["guilds"] == 3


def test_a_copied_scientists_guild_scores_as_science_only_if_it_is_worth_more() -> None:
    city = {0: ["workshop"], 1: ["scientists_guild"], 2: ["workers_guild"]}
    state = table(OLYMPIA_B, "1st", cities=city, stages={0: 3})
    assert SEVEN.score_sheet(state)[0]["science"] == 4
    assert SEVEN.score_sheet(state)[0]["guilds"] == 0
    city[1] += ["clay_pool", "ore_vein", "stone_pit"]
    state = table(OLYMPIA_B, "1st", cities=city, stages={0: 3})
    assert SEVEN.score_sheet(state)[0]["science"] == 1  # equal gains: the other guild
    assert SEVEN.score_sheet(state)[0]["guilds"] == 3


def test_ties_go_to_the_coins_and_are_then_shared() -> None:
    state = table(coins={0: 3, 1: 5, 2: 4})
    assert state.scores() == [1, 1, 1]
    assert state.ranks() == [2, 0, 1]
    state = table(coins={0: 3, 1: 5, 2: 5})
    assert state.ranks() == [2, 0, 0]


def slow_sheets(state: SevenState) -> list[dict[str, int]]:
    towns = slow_score.towns_of(state)
    return [slow_score.sheet(towns, seat) for seat in range(len(towns))]


@pytest.mark.parametrize("edition", ["1st", "2nd"])
@pytest.mark.parametrize("players", [3, 5, 7])
def test_whole_games_count_as_the_slow_scorer_has_it(edition: str, players: int) -> None:
    for seed in range(200 if engine.COMPILED else 15):
        state = SEVEN.deal(SEVEN.setup(players, seed, (), Variant("seven", edition)), seed)
        state.playout(Rng(derive(seed, "dice")))
        assert SEVEN.score_sheet(state) == slow_sheets(state)
        assert state.scores() == [sheet["total"] for sheet in slow_sheets(state)]


@pytest.mark.parametrize("edition", [0, 1], ids=["1st", "2nd"])
def test_every_card_alone_scores_as_the_slow_scorer_has_it(edition: int) -> None:
    name = ("1st", "2nd")[edition]
    for row in EDITION_CARDS[edition]:
        state = table(edition=name, stages={0: 1, 1: 1})
        build_now(state, 1, CARD_IDS[row], name)
        sheets = SEVEN.score_sheet(state)
        assert sheets == slow_sheets(state), CARD_IDS[row]

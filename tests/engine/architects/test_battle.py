"""Battles: who wins how many military tokens, and what is spent."""

import pytest

from .table import asked, choose, front, table

WONDERS = ("giza", "olympia", "ephesus", "babylon", "alexandria", "halicarnassus", "rhodes")
CONFLICTS = {2: 3, 3: 3, 4: 4, 5: 5, 6: 6, 7: 6}


def army(shields: int) -> str:
    return " ".join(["red0"] * shields)


def fight(shields: tuple[int, ...], turn: int = 0) -> list[int]:
    """The military tokens after a battle of seats with so many red cards."""
    players = len(shields)
    cards = {seat: army(count) for seat, count in enumerate(shields)}
    state = table(WONDERS[:players], turn, front=cards, flipped=CONFLICTS[players])
    choose(state, "end")
    return list(state.military)


# shields of the two, tokens of the two
TWO = [
    ((0, 0), [0, 0]),
    ((1, 0), [2, 0]),
    ((0, 1), [0, 2]),
    ((5, 0), [2, 0]),
    ((1, 1), [0, 0]),
    ((2, 1), [2, 0]),
    ((1, 2), [0, 2]),
    ((3, 1), [2, 0]),
    ((3, 2), [1, 0]),
    ((2, 3), [0, 1]),
    ((4, 2), [2, 0]),
    ((4, 3), [1, 0]),
    ((5, 3), [1, 0]),
    ((6, 3), [2, 0]),
    ((3, 3), [0, 0]),
]


@pytest.mark.parametrize(("shields", "won"), TWO, ids=[f"{r[0][0]} against {r[0][1]}" for r in TWO])
def test_two_players(shields: tuple[int, ...], won: list[int]) -> None:
    assert fight(shields) == won


# shields by seat, tokens by seat
MORE = [
    ((0, 0, 0), [0, 0, 0]),
    ((1, 0, 0), [2, 0, 0]),
    ((4, 1, 0), [2, 1, 0]),
    ((2, 2, 0), [1, 1, 0]),
    ((0, 1, 1), [0, 1, 1]),
    ((3, 3, 3), [0, 0, 0]),
    ((1, 2, 3), [0, 1, 2]),
    ((1, 0, 1, 0), [2, 0, 2, 0]),
    ((1, 2, 3, 4), [0, 1, 1, 2]),
    ((4, 4, 0, 0), [1, 1, 0, 0]),
    ((9, 1, 0, 1), [2, 1, 0, 1]),
    ((0, 5, 0, 0, 0), [0, 2, 0, 0, 0]),
    ((5, 4, 3, 2, 1), [2, 1, 1, 1, 0]),
    ((1, 0, 1, 0, 1, 0), [2, 0, 2, 0, 2, 0]),
    ((0, 0, 0, 0, 0, 0, 1), [0, 0, 0, 0, 0, 0, 2]),
    ((3, 1, 2, 2, 2, 1, 3), [1, 0, 1, 0, 1, 0, 1]),
]


@pytest.mark.parametrize(("shields", "won"), MORE, ids=["-".join(map(str, r[0])) for r in MORE])
def test_three_players_and_more_fight_their_neighbours_only(
    shields: tuple[int, ...], won: list[int]
) -> None:
    assert fight(shields) == won


@pytest.mark.parametrize("turn", range(4))
def test_whoever_triggers_it_a_battle_is_for_all(turn: int) -> None:
    assert fight((1, 0, 1, 0), turn) == [2, 0, 2, 0]


@pytest.mark.parametrize("players", CONFLICTS)
@pytest.mark.parametrize("left", [0, 1])
def test_a_battle_needs_the_last_conflict_token(players: int, left: int) -> None:
    flipped = CONFLICTS[players] - left
    state = table(WONDERS[:players], front={0: "red0"}, flipped=flipped)
    choose(state, "end")
    assert (state.military[0], state.flipped) == ((0, flipped) if left else (2, 0))


@pytest.mark.parametrize("kind", ["red0", "red1", "red2"])
def test_a_red_card_is_one_shield_whatever_its_horns(kind: str) -> None:
    state = table(front={0: kind, 1: "red0"}, flipped=3)
    choose(state, "end")
    assert list(state.military) == [0, 0]


def test_all_players_discard_their_horned_cards_and_nothing_else() -> None:
    state = table(
        ("giza", "rhodes", "olympia"),
        front={
            0: "wood red0 red1 red1 red2 civ2cat gear",
            1: "red2 coin",
            2: "red0 red0 red1",
        },
        flipped=3,
    )
    choose(state, "end")
    assert [front(state, seat) for seat in range(3)] == [
        "wood civ2cat gear red0",
        "coin",
        "red0 red0",
    ]


def test_horned_cards_count_before_they_are_discarded() -> None:
    state = table(front={0: "red1 red2", 1: "red0"}, flipped=3)
    choose(state, "end")
    assert list(state.military) == [2, 0]


def test_a_card_with_more_horns_than_tokens_left_counts_and_is_discarded() -> None:
    state = table(ask="draw", decks={0: "red2 civ3"}, flipped=2)
    choose(state, "take left")
    assert list(state.military) == [2, 0]
    assert front(state, 0) == ""


def test_military_tokens_add_up() -> None:
    state = table(front={0: "red0"}, military={0: 3, 1: 5}, flipped=3)
    choose(state, "end")
    assert list(state.military) == [5, 5]


def test_the_shields_of_rhodes_and_tactics_are_for_good() -> None:
    state = table(
        ("giza", "rhodes"),
        built={1: (2,)},
        tokens={1: "tactics"},
        decks={1: "red1 civ3"},
        flipped=3,
    )
    choose(state, "end")
    assert list(state.military) == [0, 2]
    state.flipped = 2
    choose(state, "take left")
    assert list(state.military) == [0, 4]
    assert front(state, 1) == ""


# wonder and stages of seat 0, its tokens and red cards, shields of seat 1, tokens of seat 0
ADDED = [
    ("rhodes", (1,), "", "", 0, 0),
    ("rhodes", (2,), "", "", 0, 2),
    ("rhodes", (1, 2, 3, 4), "", "", 1, 2),
    ("rhodes", (1, 2, 3, 4), "tactics", "", 2, 2),
    ("rhodes", (1, 2, 3, 4), "tactics", "red0", 3, 1),
    ("giza", (1, 2, 3, 4), "", "", 0, 0),
    ("giza", (), "tactics", "", 0, 2),
    ("giza", (), "tactics", "", 1, 2),
    ("giza", (), "tactics", "", 2, 0),
    ("giza", (), "tactics", "red1", 2, 1),
]


@pytest.mark.parametrize(
    ("wonder", "stages", "tokens", "cards", "against", "won"),
    ADDED,
    ids=[f"{r[0]}{r[1]} {r[2]} {r[3]} against {r[4]}" for r in ADDED],
)
def test_shields_add_up_over_cards_stages_and_tokens(
    wonder: str, stages: tuple[int, ...], tokens: str, cards: str, against: int, won: int
) -> None:
    state = table(
        (wonder, "olympia"),
        built={0: stages},
        tokens={0: tokens},
        front={0: cards, 1: army(against)},
        flipped=3,
    )
    choose(state, "end")
    assert state.military[0] == won


def test_after_a_battle_the_next_seat_plays() -> None:
    state = table(("giza", "rhodes", "olympia"), turn=2, flipped=3)
    choose(state, "end")
    assert asked(state) == (0, "draw")

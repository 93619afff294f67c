"""The door of the game: setups, notation, dumps and traces."""

import json
from typing import Any

import pytest

from engine.errors import DumpError, NotationError, SetupError, TraceError
from engine.match import MatchResult, MatchSpec, Variant
from engine.replay import Replay, read_trace, trace, write_trace
from engine.rng import Rng, derive
from engine.seven.components.lookup import CARD_IDS, NAMES
from engine.seven.game import SEVEN, SevenState


def deal(players: int = 3, seed: int = 1, edition: str | None = None) -> SevenState:
    state = SEVEN.deal(SEVEN.setup(players, seed, (), Variant("seven", edition)), seed)
    assert isinstance(state, SevenState)
    return state


def played(turns: int, players: int = 3, edition: str | None = None) -> SevenState:
    state = deal(players, 5, edition)
    dice = Rng(3)
    for _ in range(turns):
        for seat in state.pending():
            options = state.legal(seat)
            state.apply(seat, options[dice.below(len(options))])
    return state


# Setups


def test_wonders_are_drawn_by_lot_and_fill_the_setup() -> None:
    setup = SEVEN.setup(7, 3)
    assert setup.variant.edition == "2nd"
    assert len({wonder.split(":")[0] for wonder in setup.wonders}) == 7
    assert {wonder.split(":")[1] for wonder in setup.wonders} == {"day", "night"}
    assert SEVEN.setup(7, 3) == setup
    assert SEVEN.setup(7, 4) != setup
    assert SEVEN.setup(3, 3, (), Variant("seven", "1st")).wonders[0].split(":")[1] in ("a", "b")


THREE = ("gizah:day", "rhodos:day", "babylon:night")


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (2, {}, "expected 3 to 7 players for seven, got 2"),
        (8, {}, "expected 3 to 7 players for seven, got 8"),
        (3, {"edition": "3rd"}, "expected edition 2nd or 1st for seven, got 3rd"),
        (3, {"expansions": ("medals",)}, "expected no expansions for seven, got medals"),
        (3, {"expert": True}, "expected no expert variant for seven, got expert"),
        (4, {"wonders": THREE}, "expected 4 wonders, got 3"),
        (
            3,
            {"wonders": (*THREE[:2], "gizah:night")},
            "expected different wonders, got gizah twice",
        ),
        (3, {"wonders": (*THREE[:2], "gizah:a")}, "got gizah:a"),
        (3, {"wonders": THREE, "edition": "1st"}, "got gizah:day"),
    ],
)
def test_setups_that_are_refused(players: int, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SetupError) as problem:
        SEVEN.setup(players, 1, options.pop("wonders", ()), Variant("seven", **options))
    assert message in str(problem.value)
    assert "\n" not in str(problem.value)


# Notation


def test_every_action_is_written_and_read() -> None:
    for name in NAMES:
        for text in (f"build {name}", f"build {name} pay 0+2", f"stage {name} pay 14+1"):
            assert SEVEN.text(SEVEN.parse(text)) == text
        for verb in ("stage", "sell", "free", "revive"):
            assert SEVEN.text(SEVEN.parse(f"{verb} {name}")) == f"{verb} {name}"
    assert SEVEN.text(SEVEN.parse("pass")) == "pass"


@pytest.mark.parametrize(
    "text",
    [
        *["", "build", "build nothing", "sell altar pay 1+0", "build altar pay 0+0", "pass altar"],
        *["build altar pay 1", "build altar pay 16+0", "build altar pay 01+0", "Build altar"],
        *["build  altar", "build altar pay -1+0", "build altar pay 1+0 ", "sell altar pay 0+0"],
        "sell\naltar",
    ],
)
def test_texts_that_name_no_action(text: str) -> None:
    with pytest.raises(NotationError) as problem:
        SEVEN.parse(text)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("action", [-1, 127, 6 << 7, 5 << 7 | 1, 2 << 7 | 1 << 10, 1 << 18])
def test_numbers_that_are_no_action(action: int) -> None:
    with pytest.raises(NotationError):
        SEVEN.text(action)


# Dumps


@pytest.mark.parametrize(
    "change",
    [
        {"game": "architects"},
        {"version": 2},
        {"edition": "3rd"},
        {"edition": 1},
        {"wonders": ["gizah:day"] * 3},
        {"wonders": [1, 2, 3]},
        {"wonders": ["a\nb", "c", "d"]},
        {"wonders": "gizah:day"},
        {"viewer": 3},
        {"viewer": 0},
        {"viewer": True},
        {"age": 3},
        {"turn": 7},
        {"turn": 3},
        {"turn": -1},
        {"phase": "over"},
        {"phase": "revive"},
        {"phase": "last"},
        {"phase": 0},
        {"deal": "00"},
        {"deal": None},
        {"log": ""},
        {"commits": [-1, -1]},
        {"commits": [0, 0, 0]},
        {"commits": [-1, -1, None]},
        {"commits": [-1, -1, 1 << 70]},
        {"revived": "000000000000"},
        {"revived": "zz" * 6},
        {"peeked": 3},
        {"coins": [99, 0, 0]},
    ],
)
def test_a_changed_dump_is_refused(change: dict[str, object]) -> None:
    facts = json.loads(played(4).dump())
    with pytest.raises(DumpError) as problem:
        SEVEN.load(json.dumps({**facts, **change}))
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "{", '{"game":"seven"}', "[" * 9999])
def test_what_is_no_dump_is_refused(text: str) -> None:
    with pytest.raises(DumpError):
        SEVEN.load(text)


def test_no_card_or_move_of_a_dump_can_be_changed() -> None:
    for state in (played(4), played(9, 4, "1st"), played(14).view(1)):
        facts = json.loads(state.dump())
        for key in ("deal", "log"):
            data = bytes.fromhex(facts[key])
            for at in range(0, len(data), 7):
                for byte in (0, 1, 77, 90, 158, 254, 255):
                    forged = data[:at] + bytes([byte]) + data[at + 1 :]
                    if forged == data:
                        continue
                    text = json.dumps({**facts, key: forged.hex()}, separators=(",", ":"))
                    try:
                        again = SEVEN.load(text)
                    except DumpError:
                        continue
                    # Another game, but a game: nothing is left of it but itself.
                    assert again.dump() == text


def test_games_dump_and_load_at_the_end() -> None:
    for players in range(3, 8):
        for edition in ("1st", "2nd"):
            state = deal(players, players, edition)
            state.playout(Rng(derive(players, "end")))
            assert SEVEN.load(state.dump()).ranks() == state.ranks()


# Traces


def test_a_deal_is_told_by_ids_and_dealt_again() -> None:
    state = deal(4)
    facts = SEVEN.deal_facts(state)
    hands = facts["hands"]
    assert isinstance(hands, list)
    assert [len(age) for age in hands] == [4, 4, 4]
    assert all(id in CARD_IDS for age in hands for hand in age for id in hand)
    backwards: dict[str, object] = {"hands": [[hand[::-1] for hand in age] for age in hands]}
    assert SEVEN.deal_again(SEVEN.setup(4, 1), backwards).dump() == state.dump()


@pytest.mark.parametrize("where", ["card", "age", "hand", "id", "keys", "guild"])
def test_a_deal_no_shuffle_makes_is_refused(where: str) -> None:
    facts = SEVEN.deal_facts(deal())
    hands = facts["hands"]
    assert isinstance(hands, list)
    if where == "card":
        hands[0][0][0] = hands[0][0][1]
    elif where == "age":
        hands.pop()
    elif where == "hand":
        hands[1][1].pop()
    elif where == "id":
        hands[2][2][3] = "castle"
    elif where == "guild":
        guilds = [id for hand in hands[2] for id in hand if id.endswith("guild")]
        for hand in hands[2]:
            if guilds[0] in hand:
                hand[hand.index(guilds[0])] = guilds[1]
    else:
        facts["decks"] = []
    with pytest.raises(TraceError):
        SEVEN.deal_again(SEVEN.setup(3, 1), facts)


def test_a_trace_has_the_keys_of_its_game() -> None:
    setup = SEVEN.setup(3, 8)
    state = SEVEN.deal(setup, 8)
    decisions = []
    dice = Rng(8)
    while seats := state.pending():
        for seat in seats:
            options = state.legal(seat)
            decisions.append(options[dice.below(len(options))])
            state.apply(seat, decisions[-1])
    spec = MatchSpec(setup, 8, ("random",) * 3, 1)
    facts = trace(MatchResult(spec, decisions, state.scores(), state.ranks()))
    assert facts["edition"] == "2nd"
    scores = facts["scores"]
    assert isinstance(scores, list)
    assert list(scores[0]) == (
        ["wonder", "treasure", "military", "civil", "commerce", "science", "guilds", "total"]
    )
    replay = Replay(read_trace(write_trace(facts)))
    while replay.advance():
        pass
    assert replay.state.dump() == state.dump()


def test_there_is_no_chance_after_the_deal() -> None:
    with pytest.raises(TraceError):
        SEVEN.chance_again({"chance": "shuffle"})
    with pytest.raises(TraceError):
        SEVEN.chance_facts([1])

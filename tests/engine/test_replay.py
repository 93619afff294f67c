"""Traces: what is written can be checked by anyone, and what is wrong is found."""

import copy
import dataclasses
import json
from typing import Any

import pytest

from engine.errors import TraceError
from engine.replay import Replay, final_state, read_trace, rounds, trace, write_trace
from tests.support.setups import ROWS, Row, every_row, random_match

pytestmark = pytest.mark.slow

KEYS = [
    "game",
    "edition",
    "expansions",
    "expert",
    "players",
    "wonders",
    "deal",
    "steps",
    "scores",
    "ranks",
]


# KeyError stands for a key that is missing.
WRONG_VALUES: tuple[object, ...] = (KeyError, "nonsense", 99, None, [], {})


def replay(facts: dict[str, Any]) -> None:
    record = Replay(read_trace(json.dumps(facts)))
    while record.advance():
        pass


@every_row
def test_a_trace_has_the_keys_of_the_format(row: Row) -> None:
    facts = json.loads(write_trace(trace(random_match(row, 1))))
    assert list(facts) == KEYS
    assert (facts["game"], facts["players"]) == (row.game, row.players)
    assert len(facts["wonders"]) == len(facts["scores"]) == len(facts["ranks"]) == row.players
    for step in facts["steps"]:
        if "chance" not in step:
            assert list(step) == ["seat", "prompt", "options", "choice"]
            assert step["choice"] in step["options"]
    for sheet in facts["scores"]:
        *parts, total = sheet.values()
        assert sum(parts) == total
        assert all(type(number) is int for number in sheet.values())


def test_a_listed_order_of_options_is_a_matter_of_taste() -> None:
    facts: dict[str, Any] = trace(random_match(ROWS[0], 1))
    for step in facts["steps"]:
        if "options" in step:
            step["options"].reverse()
    replay(facts)


def spoilt(facts: dict[str, Any], *path: Any, value: object) -> dict[str, Any]:
    facts = copy.deepcopy(facts)
    place: Any = facts
    for key in path[:-1]:
        place = place[key]
    if value is KeyError:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return facts


@every_row
def test_every_key_counts(row: Row) -> None:
    facts = json.loads(write_trace(trace(random_match(row, 2))))
    for key in KEYS:
        if key == "edition":  # left out, it is the default
            continue
        with pytest.raises(TraceError):
            replay(spoilt(facts, key, value=KeyError))
        with pytest.raises(TraceError):
            replay(spoilt(facts, key, value={"no": ["such", 7]}))
    for key in facts["deal"]:
        for value in (KeyError, 3, ["nothing"], [["nothing"]]):
            with pytest.raises(TraceError):
                replay(spoilt(facts, "deal", key, value=value))


@every_row
def test_every_step_counts(row: Row) -> None:
    facts = json.loads(write_trace(trace(random_match(row, 3))))
    steps = facts["steps"]
    for at in (0, len(steps) // 2, len(steps) - 1):
        for key in steps[at]:
            for value in WRONG_VALUES:
                with pytest.raises(TraceError) as raised:
                    replay(spoilt(facts, "steps", at, key, value=value))
                assert "\n" not in str(raised.value)
        with pytest.raises(TraceError):
            replay(spoilt(facts, "steps", at, value=KeyError))
        with pytest.raises(TraceError):
            replay(spoilt(facts, "steps", at, value="a step"))
    with pytest.raises(TraceError):
        replay(spoilt(facts, "steps", value=[*steps, steps[-1]]))
    with pytest.raises(TraceError):
        replay(spoilt(facts, "scores", 0, "total", value=-1))
    with pytest.raises(TraceError):
        replay(spoilt(facts, "ranks", value=[9] * row.players))


@pytest.mark.parametrize(
    "line", ["", "[]", "{", "null", '{"game": 3}', '{"game": "chess"}', "[" * 99999]
)
def test_what_is_no_trace_is_refused(line: str) -> None:
    with pytest.raises(TraceError) as raised:
        Replay(read_trace(line))
    assert "\n" not in str(raised.value)


def test_a_shuffle_must_be_one_of_the_same_cards() -> None:
    row = next(row for row in ROWS if row.players == 7)
    for seed in range(20):
        facts = json.loads(write_trace(trace(random_match(row, seed))))
        at = [number for number, step in enumerate(facts["steps"]) if "chance" in step]
        if at and facts["steps"][at[0]]["order"]:
            break
    order = facts["steps"][at[0]]["order"]
    other = "gear" if order[0] != "gear" else "wood"
    for value in ([], order[1:], [other, *order[1:]], [*order, other]):
        with pytest.raises(TraceError):
            replay(spoilt(facts, "steps", at[0], "order", value=value))
    with pytest.raises(TraceError):
        replay(spoilt(facts, "steps", at[0], "deck", value=8))


def test_decisions_of_other_rules_tell_no_story() -> None:
    result = random_match(ROWS[0], 1)
    old = dataclasses.replace(result, spec=dataclasses.replace(result.spec, version=0))
    with pytest.raises(TraceError, match="version"):
        trace(old)


@every_row
def test_rounds_are_the_match_once_more(row: Row) -> None:
    result = random_match(row, 3)
    state = row.deal(3)
    for round in rounds(result):
        assert round.before.dump() == state.dump()
        assert round.seats == state.pending()
        assert round.options == [state.legal(seat) for seat in round.seats]
        place = round.number + len(round.seats)
        assert round.actions == result.decisions[round.number : place]
        for seat, action in zip(round.seats, round.actions, strict=True):
            state.apply(seat, action)
        assert round.after.dump() == state.dump()
    assert final_state(result).dump() == state.dump()


@pytest.mark.parametrize("row", [ROWS[0], ROWS[-1]], ids=[ROWS[0].id, ROWS[-1].id])
def test_decisions_the_rules_do_not_confirm(row: Row) -> None:
    result = random_match(row, 3)
    count = len(result.decisions)
    fewer = dataclasses.replace(result, decisions=result.decisions[:-1])
    with pytest.raises(TraceError, match=f"^expected decision {count - 1} by seat ., got the end$"):
        final_state(fewer)
    more = dataclasses.replace(result, decisions=[*result.decisions, 0])
    with pytest.raises(TraceError, match=f"^expected {count} decisions, got {count + 1}$"):
        final_state(more)
    first = next(iter(rounds(result)))
    actions = row.rules.actions(row.variant, row.players)
    illegal = next(action for action in actions if action not in first.options[0])
    other = dataclasses.replace(result, decisions=[illegal, *result.decisions[1:]])
    with pytest.raises(TraceError, match=r"^expected a legal decision 0 by seat 0, got "):
        final_state(other)

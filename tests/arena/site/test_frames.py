"""A replay shows what happened, and to a seat no more than the seat could see."""

from dataclasses import replace

import pytest

from arena.display import display_of
from arena.site.frames import build_frames
from engine.errors import SetupError, TraceError
from engine.match import Fault
from tests.arena.site.sample_replays import ROWS
from tests.support.setups import Row, random_match

every_row = pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])


@every_row
@pytest.mark.parametrize("seed", [1, 2])
def test_every_decision_is_shown_with_the_options_left(row: Row, seed: int) -> None:
    result = random_match(row, seed)
    shown = build_frames(result)
    choices = [choice for frame in shown.frames for choice in frame.choices]
    state = row.deal(seed)
    decisions = iter(result.decisions)
    left = iter(choices)
    while seats := state.pending():
        options = {seat: state.legal(seat) for seat in seats}
        before = state.clone()
        for seat in seats:
            action = next(decisions)
            choice = next(left)
            assert choice.text == display_of(row.rules.id).describe_action(
                action, "en", state=before, seat=seat, brief=True
            )
            assert choice.told == display_of(row.rules.id).tell_action(
                action, "en", True, before, seat
            )
            assert choice.others == tuple(
                display_of(row.rules.id).describe_action(option, "en", state=before, seat=seat)
                for option in options[seat]
                if option != action
            )
            state.apply(seat, action)
    assert [panel.points for panel in shown.frames[-1].scene.panels[1:]] == result.scores
    assert [row[-1] for row in shown.pad.rows] == result.scores


@every_row
def test_a_seat_sees_its_view_and_its_own_options_alone(row: Row) -> None:
    result = random_match(row, 3)
    state = row.deal(3)
    for frame in build_frames(result, "fr", seat=1).frames:
        assert frame.scene == display_of(row.rules.id).scene(state.view(1), "fr")
        for choice in frame.choices:
            assert bool(choice.others) == (choice.seat == 1)
        seats = state.pending()
        for seat in seats:
            state.apply(seat, result.decisions.pop(0))


def test_a_card_buried_or_sold_is_not_named_to_others() -> None:
    row = ROWS[-1]
    result = random_match(row, 1)
    whole = [choice for frame in build_frames(result).frames for choice in frame.choices]
    seen = [choice for frame in build_frames(result, seat=0).frames for choice in frame.choices]
    hidden = {"sell a card", "build a stage"}
    told = 0
    for all_of_it, part in zip(whole, seen, strict=True):
        if part.seat != 0 and all_of_it.text.startswith(("sell", "build a stage with")):
            assert part.text.partition(" (")[0] in hidden
            assert (part.verb, part.card) == (all_of_it.verb, "")
            told += 1
        else:
            assert part.text == all_of_it.text
    assert told > 10


def test_a_fault_is_shown_when_it_happened_and_the_steward_from_then_on() -> None:
    result = random_match(ROWS[3], 1)
    fault = Fault(1, "time", "slow", 6)
    frames = build_frames(replace(result, faults=(fault,))).frames
    assert [number for number, frame in enumerate(frames) if frame.faults] == [2]
    assert [
        choice.relieved for frame in frames[:2] for choice in frame.choices if choice.seat == 1
    ] == [False] * 2
    assert all(
        choice.relieved for frame in frames[2:] for choice in frame.choices if choice.seat == 1
    )
    late = replace(result, faults=(replace(fault, decision=len(result.decisions)),))
    assert build_frames(late).frames[-1].faults


def test_what_is_no_match_is_refused() -> None:
    result = random_match(ROWS[0], 1)
    with pytest.raises(SetupError, match="expected a seat from 0 to 1, got 2"):
        build_frames(result, seat=2)
    old = replace(result, spec=replace(result.spec, version=0))
    with pytest.raises(TraceError, match="expected version 2 of architects, got a match of 0"):
        build_frames(old)
    count = len(result.decisions)
    with pytest.raises(TraceError, match=f"expected decision {count - 1} by seat ., got the end"):
        build_frames(replace(result, decisions=result.decisions[:-1]))
    with pytest.raises(TraceError, match=f"expected {count} decisions, got {count + 1}"):
        build_frames(replace(result, decisions=[*result.decisions, 0]))
    with pytest.raises(TraceError, match="expected a legal decision 0 by seat 0"):
        build_frames(replace(result, decisions=[3, *result.decisions[1:]]))


def test_a_battle_is_told_with_what_everybody_won_and_lost() -> None:
    result = random_match(ROWS[3], 1)
    frames = build_frames(result).frames
    fought = [frame for frame in frames if frame.spoils]
    assert 1 <= len(fought) <= 3
    for frame in fought:
        assert sum(lost for _, _, lost in frame.spoils) > 0
        assert (
            sum(won for _, won, _ in frame.spoils) % sum(lost for _, _, lost in frame.spoils) == 0
        )


def test_seats_of_one_name_are_told_apart_by_their_cities() -> None:
    row = ROWS[0]
    result = random_match(row, 1)
    same = build_frames(result, names=("twin",) * len(result.ranks))
    labels = {same.label(seat) for seat in range(len(result.ranks))}
    assert len(labels) == len(result.ranks)
    assert all(label.startswith("twin (") for label in labels)
    different = build_frames(result, names=tuple(f"bot{at}" for at in range(len(result.ranks))))
    assert different.label(1) == "bot1"

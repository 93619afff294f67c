"""Decisions: made when read, the same whichever way they were made, and still what they were."""

import copy
import pickle
from collections.abc import Callable

import pytest

from bots.api import Decision, Option, State
from bots.decision import actions_of, ask_packed, ask_position, ask_round, find_action
from tests.support.setups import Row, every_row, states


def ask(row: Row, state: State, seat: int) -> Decision:
    return ask_position(row.rules, state, seat, state.legal(seat), 1.5)


def written(row: Row, state: State, seat: int) -> Decision:
    """The same question with nothing left to be made."""
    rules = row.rules
    options = tuple(Option(rules.text(action), action) for action in state.legal(seat))
    prompt = rules.prompts[state.prompt(seat)]
    return Decision(rules, seat, prompt, options, state.view(seat), 1.5)


def packed(row: Row, state: State, seat: int) -> Decision:
    """The same question with a view that comes as text."""
    text = state.view(seat).dump()
    prompt = row.rules.prompts[state.prompt(seat)]
    return ask_packed(row.rules, seat, prompt, state.legal(seat), lambda: row.rules.load(text), 1.5)


def in_round(row: Row, state: State, seat: int) -> Decision:
    """The same question, asked along with those of all other seats."""
    seats = state.pending()
    return ask_round(row.rules, state, seats, [1.5] * len(seats))[seats.index(seat)]


@every_row
def test_a_decision_reads_the_same_in_whichever_way_it_was_made(row: Row) -> None:
    for state in states(row, 1):
        for seat in state.pending():
            whole = written(row, state, seat)
            legal, view, facts = actions_of(whole), whole.view.dump(), whole.facts()
            assert legal == state.legal(seat)
            for way in (ask, packed, in_round):
                lazy = way(row, state, seat)
                assert lazy.prompt == whole.prompt
                assert (lazy.game, lazy.seat, lazy.seconds_left) == (row.rules, seat, 1.5)
                assert lazy.view.dump() == view
                assert lazy.facts() == facts
                assert lazy.view is lazy.view
                assert lazy.options == whole.options
                assert lazy.options is lazy.options
                assert actions_of(lazy) == legal


@every_row
def test_a_kept_decision_does_not_change_while_the_match_goes_on(row: Row) -> None:
    state = row.deal(3)
    kept: list[tuple[Decision, list[str], str]] = []
    while seats := state.pending():
        for decision in ask_round(row.rules, state, seats, [1.5] * len(seats)):
            seat = decision.seat
            texts = [row.rules.text(action) for action in state.legal(seat)]
            view = state.view(seat).dump()
            kept += [(decision, texts, view), (ask(row, state, seat), texts, view)]
        for seat in seats:
            state.apply(seat, state.legal(seat)[-1])
    for decision, texts, view in kept:
        assert [str(option) for option in decision.options] == texts
        assert decision.view.dump() == view


@every_row
def test_a_view_hides_what_the_position_knew(row: Row) -> None:
    state = row.deal(2)
    seat = state.pending()[0]
    assert ask(row, state, seat).view.viewer == seat
    assert state.viewer == -1


def test_what_is_not_read_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Row("seven", 3)
    state = row.deal(1)
    made: list[str] = []

    def view() -> State:
        made.append("view")
        return state.view(0)

    decision = ask_packed(row.rules, 0, "play", state.legal(0), view, 1.0)
    assert find_action(decision, decision.options[1]) == state.legal(0)[1]
    assert (decision.seat, decision.prompt, made) == (0, "play", [])
    assert decision.view is decision.view
    assert made == ["view"]


@every_row
def test_an_answer_is_found_by_option_and_by_text(row: Row) -> None:
    state = row.deal(1)
    seat = state.pending()[0]
    legal = state.legal(seat)
    decision = ask(row, state, seat)
    again = ask(row, state, seat)
    for action, option in zip(legal, again.options, strict=True):
        assert find_action(decision, option) == action
        assert find_action(decision, option.text) == action
        assert find_action(decision, Option(option.text, -1)) == action  # its text decides
        assert decision.option(option.text) == option
    assert find_action(decision, "no such thing") is None
    assert find_action(decision, Option("no such thing", legal[0])) is None
    with pytest.raises(ValueError, match=r"expected one of .* got 'no such thing'"):
        decision.option("no such thing")


def test_an_option_of_the_other_game_is_none_of_this() -> None:
    one, other = Row("architects", 3), Row("seven", 3)
    first, second = one.deal(1), other.deal(1)
    question = ask(one, first, first.pending()[0])
    foreign = [option for option in ask(other, second, 0).options if option.action in (0, 1)]
    assert {option.action for option in foreign} <= set(actions_of(question))
    assert [find_action(question, option) for option in foreign] == [None, None]


def test_an_option_made_by_hand_equals_one_that_is_read() -> None:
    row = Row("architects", 2)
    state = row.deal(1)
    option = ask(row, state, state.pending()[0]).options[0]
    same = Option(option.text, option.action)
    assert option == same
    assert hash(option) == hash(same)
    assert {option} == {same}
    assert option != Option(option.text, option.action + 1)
    assert option != option.text
    assert str(option) == option.text
    assert repr(option) == f"Option(text={option.text!r}, action={option.action})"


@pytest.mark.parametrize(
    "travel", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))]
)
def test_an_option_can_be_copied(travel: Callable[[Option], Option]) -> None:
    row = Row("architects", 2)
    state = row.deal(1)
    for option in ask(row, state, state.pending()[0]).options:
        assert travel(option) == option


def test_a_decision_made_by_hand_is_all_there() -> None:
    row = Row("architects", 2)
    state = row.deal(1)
    made = Decision(
        game=row.rules,
        seat=0,
        prompt="turn",
        options=(Option("a", 1), Option("b", 2)),
        view=state.view(0),
        seconds_left=2.0,
    )
    assert made == copy.copy(made)
    assert hash(made) == hash(copy.copy(made))
    assert made.option("b").action == 2
    assert actions_of(made) == [1, 2]
    assert repr(made).startswith("Decision(game=")
    listed = Decision(row.rules, 0, "turn", [Option("a", 1), Option("b", 2)], made.view, 2)
    assert listed == made
    match made:
        case Decision(seat=seat, options=(Option("a", first), _)):
            assert (seat, first) == (0, 1)
        case _:
            pytest.fail("a decision matches by its fields")


@pytest.mark.parametrize("name", ["options", "view"])
def test_what_was_asked_cannot_be_replaced(name: str) -> None:
    row = Row("architects", 2)
    state = row.deal(1)
    with pytest.raises(AttributeError):
        setattr(ask(row, state, state.pending()[0]), name, ())

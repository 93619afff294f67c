"""Leaf counts: how many sequences of decisions there are, the surest summary of a rules engine."""

from mypy_extensions import i64

from engine.contract import State


def perft(state: State, depth: i64) -> i64:
    """Count the decision sequences of this length; games that end earlier count once."""
    if depth == 0:
        return 1
    seats = state.pending()
    if not seats:
        return 1
    seat = seats[0]
    actions = state.legal(seat)
    leaves: i64 = 0
    for action in actions:
        after = state.clone()
        after.apply(seat, action)
        leaves += perft(after, depth - 1)
    return leaves

"""Small steps into imagined futures that several bots of the house share."""

import math
from collections.abc import Sequence

from bots.api import Decision
from engine.contract import Action, Seat, State
from engine.rng import Rng


def imagined(view: State, rng: Rng) -> State:
    """One world the view allows."""
    world = view.clone()
    world.imagine(rng)
    return world


def settle(state: State, seat: Seat, action: Action, rng: Rng) -> None:
    """Apply a seat's answer; whoever else is asked at the same time answers at random."""
    others = [other for other in state.pending() if other != seat]
    state.apply(seat, action)
    for other in others:
        options = state.legal(other)
        state.apply(other, options[rng.below(len(options))])


def outcomes(decision: Decision, rng: Rng, worlds: int) -> list[list[State]]:
    """For every option, the positions it leads to in the same few imagined worlds."""
    results: list[list[State]] = [[] for _ in decision.options]
    for _ in range(worlds):
        world = imagined(decision.view, rng)
        for option, after in zip(decision.options, results, strict=True):
            state = world.clone()
            settle(state, decision.seat, option.action, rng)
            after.append(state)
    return results


def best(values: Sequence[float], rng: Rng) -> int:
    """The place of the greatest value; equal ones are drawn for."""
    top = max(values)
    places = [place for place, value in enumerate(values) if value == top]
    return places[rng.below(len(places))]


def reward(state: State, seat: Seat) -> float:
    """How good the end of a game is for a seat: mostly winning, and a little by the margin."""
    scores = state.scores()
    rivals = [score for other, score in enumerate(scores) if other != seat]
    margin = max(-1.0, min(1.0, (scores[seat] - max(rivals)) / 20))
    won = 1.0 if state.ranks()[seat] == 0 else 0.0
    return 0.6 * won + 0.4 * (0.5 + 0.5 * margin)


def whole_number(name: str, text: str, low: int, high: int) -> int:
    """A parameter of a spec; ValueError if it is no number in the range."""
    if not text.isdecimal() or not low <= int(text) <= high:
        raise ValueError(f"expected {name} from {low} to {high}, got {text}")
    return int(text)


def number(name: str, text: str, low: float, high: float) -> float:
    """A parameter of a spec; ValueError if it is no number in the range."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise ValueError(f"expected {name} from {low} to {high}, got {text}")
    return value

"""Steps of a search: a world that a view allows, and a round played in it."""

from engine.contract import Action, Seat, State
from engine.rng import Rng


def imagine_world(view: State, rng: Rng) -> State:
    """A whole position that the view allows: what is hidden is dealt at random; the view stays."""
    world = view.clone()
    world.imagine(rng)
    return world


def play_round(state: State, seat: Seat, action: Action, rng: Rng) -> None:
    """Apply a seat's answer; whoever else is asked at the same time answers at random.

    In 7 Wonders all seats choose at once, and nothing happens until the last of them has answered.
    """
    others = [other for other in state.pending() if other != seat]
    state.apply(seat, action)
    for other in others:
        options = state.legal(other)
        state.apply(other, options[rng.below(len(options))])

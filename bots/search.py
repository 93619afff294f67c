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


def reward(state: State, seat: Seat) -> float:
    """How good the end of a game is for a seat: mostly winning, and a little by the margin."""
    return reward_of(state.scores(), state.ranks(), seat)


def reward_of(scores: list[int], ranks: list[int], seat: Seat) -> float:
    """The same by scores and ranks that are known."""
    rivals = [score for other, score in enumerate(scores) if other != seat]
    margin = max(-1.0, min(1.0, (scores[seat] - max(rivals)) / 20))
    won = 1.0 if ranks[seat] == 0 else 0.0
    return 0.6 * won + 0.4 * (0.5 + 0.5 * margin)


def sample_rewards(
    view: State, seat: Seat, actions: list[Action], worlds: int, rng: Rng
) -> list[float]:
    """For each action the rewards of random playouts, one in each of so many common worlds."""
    totals = [0.0 for _ in actions]
    for _ in range(worlds):
        world = imagine_world(view, rng)
        for place, action in enumerate(actions):
            state = world.clone()
            play_round(state, seat, action, rng)
            state.playout(rng)
            totals[place] += reward(state, seat)
    return totals

"""Small steps into imagined futures that several bots of the house share."""

from collections.abc import Sequence

from bots.api import Decision, Rng, Seat, State, imagine_world, play_round


def outcomes(decision: Decision, rng: Rng, worlds: int) -> list[list[State]]:
    """For every option, the positions it leads to in the same few imagined worlds."""
    results: list[list[State]] = [[] for _ in decision.options]
    for _ in range(worlds):
        world = imagine_world(decision.view, rng)
        for option, after in zip(decision.options, results, strict=True):
            state = world.clone()
            play_round(state, decision.seat, option.action, rng)
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


def check_range(name: str, value: float, low: float, high: float) -> None:
    """ValueError if a parameter of a spec is out of its range."""
    if not low <= value <= high:
        raise ValueError(f"expected {name} from {low:g} to {high:g}, got {value:g}")

"""Small steps into imagined futures that several bots of the house share."""

from collections.abc import Callable, Sequence

from bots.api import Decision, Rng, Seat, State, imagine_world


def weigh(
    decision: Decision, rng: Rng, worlds: int, value: Callable[[State, Seat], float]
) -> list[float]:
    """For every option, what it leads to is worth in the same few imagined worlds, all added up."""
    seat = decision.seat
    options = decision.options
    sums = [0.0 for _ in options]
    for _ in range(worlds):
        world = imagine_world(decision.view, rng)
        # All answer before anything happens: what the others may do is the same whatever we do.
        others = [(other, world.legal(other)) for other in world.pending() if other != seat]
        for place, option in enumerate(options):
            state = world.clone()
            state.apply(seat, option.action)
            for other, legal in others:
                state.apply(other, legal[rng.below(len(legal))])
            sums[place] += value(state, seat)
    return sums


def best(values: Sequence[float], rng: Rng) -> int:
    """The place of the greatest value; equal ones are drawn for."""
    top = max(values)
    places = [place for place, value in enumerate(values) if value == top]
    return places[rng.below(len(places))]


def check_range(name: str, value: float, low: float, high: float) -> None:
    """ValueError if a parameter of a spec is out of its range."""
    if not low <= value <= high:
        raise ValueError(f"expected {name} from {low:g} to {high:g}, got {value:g}")

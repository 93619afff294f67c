"""Search on top of a learned value: sequential halving over common imagined worlds.

A few options are proposed. Each is tried in the same worlds: everybody plays on by the learned
value, and what the own next decision is then worth is the result. The worse half is dropped, and
the rest is tried in as many worlds again as the time allows.
"""

import time

from mypy_extensions import i64

from bots.house.learned.net import hides_nothing
from bots.house.learned.policy import Value, first_best, outcome
from engine.contract import State
from engine.rng import Rng


class Trial:
    """An option that is still in question: what it brought so far."""

    def __init__(self, place: int, action: int, worth: i64) -> None:
        self.place = place
        self.action = action
        self.worth: i64 = worth  # by the learned value, out of ONE
        self.total: i64 = 0
        self.count: i64 = 0

    def mean(self) -> i64:
        """What a world brought on average; what was not tried is taken for what it promised."""
        return self.total // self.count if self.count else self.worth


class Halving:
    """The search of one seat."""

    def __init__(self, value: Value, depth: int, dice_worlds: int, rng: Rng) -> None:
        self.value = value
        self.depth: i64 = depth  # own decisions before the one whose worth is the result
        self.dice_worlds = dice_worlds  # imagined for a choice on the way
        self.rng = rng
        self.tried = 0  # rollouts, for the statistics

    def search(
        self, view: State, seat: i64, trials: list[Trial], worlds: int, stop: float
    ) -> Trial:
        """The best of the trials, in so many worlds each time, or until the time is up."""
        seconds = max(0.0, stop - time.perf_counter())
        stages = 0
        while 1 << stages < len(trials):
            stages += 1
        for stage in range(stages):
            until = stop - seconds * (stages - 1 - stage) / stages
            done = 0
            while done < worlds if worlds else not done or time.perf_counter() < until:
                self._try_world(view, seat, trials)
                done += 1
            trials = ranked(trials)[: (len(trials) + 1) // 2]
        return trials[0]

    def _try_world(self, view: State, seat: i64, trials: list[Trial]) -> None:
        world = view.clone()
        world.imagine(self.rng)
        # All answer before anything happens: what the others do is the same whatever we do.
        others = [other for other in world.pending() if other != seat]
        answers = [self._choose(world, other) for other in others]
        for trial in trials:
            state = world.clone()
            state.apply(seat, trial.action)
            for place, other in enumerate(others):
                state.apply(other, answers[place])
            trial.total += self._play_on(state, seat)
            trial.count += 1
            self.tried += 1

    def _choose(self, state: State, seat: i64) -> int:
        return self.value.choose(state, seat, self.dice_worlds, self.rng)

    def _play_on(self, state: State, seat: i64) -> i64:
        """Play on by the value up to an own decision; what that is worth."""
        left = self.depth
        while pending := state.pending():
            if seat in pending:
                if left == 0:
                    return self._worth(state, seat)
                left -= 1
            answers = [self._choose(state, each) for each in pending]
            for place, each in enumerate(pending):
                state.apply(each, answers[place])
        return outcome(state, seat)

    def _worth(self, state: State, seat: i64) -> i64:
        """What the best option of a seat is worth."""
        actions = state.legal(seat)
        if hides_nothing(state):
            sums = self.value.weigh_view(state, seat, actions, 1, self.rng)
            return i64(sums[first_best(sums)])
        view = state.view(seat)
        sums = self.value.weigh_view(view, seat, actions, self.dice_worlds, self.rng)
        return i64(sums[first_best(sums)]) // self.dice_worlds


def ranked(trials: list[Trial]) -> list[Trial]:
    """The trials, the best first; of equal ones the one that promised more."""
    return sorted(trials, key=_standing)


def _standing(trial: Trial) -> tuple[int, int, int]:
    return -int(trial.mean()), -int(trial.worth), trial.place


def propose(actions: list[int], sums: list[int], worlds: int, most: int) -> list[Trial]:
    """The options of the greatest sums, the best first."""
    trials = [Trial(place, action, sums[place] // worlds) for place, action in enumerate(actions)]
    return ranked(trials)[:most]

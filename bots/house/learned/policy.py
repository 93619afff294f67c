"""Choosing by a learned value: one decision ahead, over imagined worlds."""

from librt.vecs import vec
from mypy_extensions import i64

from bots.house.learned.net import ONE, Net, hides_nothing, part_of
from engine.contract import State
from engine.rng import Rng


def outcome(state: State, seat: i64) -> i64:
    """What the end of a game is worth to a seat, out of ONE: 0.6 for winning, 0.4 by the margin."""
    scores = state.scores()
    best: i64 = -1000
    for at in range(len(scores)):
        if at != seat and i64(scores[at]) > best:
            best = i64(scores[at])
    margin = max(i64(-20), min(i64(20), i64(scores[seat]) - best))
    ranks = state.ranks()
    worth = (20 + margin) * (ONE // 100)
    if ranks[seat] == 0:
        worth += ONE // 5 * 3 // ranks.count(0)
    return worth


class Value:
    """The networks of a game, and room to work in."""

    def __init__(self, nets: list[Net]) -> None:
        self.nets = nets
        self.features: i64 = nets[0].features
        self._noughts: vec[i64] = vec[i64]([0 for _ in range(nets[0].features)])
        self._row: vec[i64] = self._noughts[:]
        self._base: vec[i64] = self._noughts[:]
        self._sums: vec[i64] = nets[0].start[:]
        self._part: i64 = -1

    def prepare(self, state: State, seat: i64) -> None:
        """Sum up a position; what is judged next is counted by what differs from it."""
        self._part = part_of(state)
        net = self.nets[self._part]
        base = self._noughts[:]
        state.fill_features(seat, base)
        sums = net.start[:]
        at: i64 = 0
        while at < self.features:
            if base[at]:
                net.add(at, base[at], sums)
            at += 1
        self._base = base
        self._sums = sums

    def judge(self, state: State, seat: i64) -> i64:
        """What a position is worth to a seat, out of ONE; as much like the one prepared as can be.

        The features are in `row` afterwards, unless the game is over.
        """
        if not state.pending():
            return outcome(state, seat)
        if part_of(state) != self._part:
            self.prepare(state, seat)
        net = self.nets[self._part]
        row = self._noughts[:]
        state.fill_features(seat, row)
        self._row = row
        base = self._base
        sums = self._sums[:]
        at: i64 = 0
        while at < self.features:
            change = row[at] - base[at]
            if change:
                net.add(at, change, sums)
            at += 1
        return net.answer(sums)

    def weigh(self, world: State, seat: i64, actions: list[int], sums: list[int]) -> None:
        """Add to the sums what each action leads to is worth, in a world the seat may be in."""
        self.prepare(world, seat)
        for place, action in enumerate(actions):
            sums[place] += self.judge(world.after(seat, action), seat)

    def weigh_view(
        self, view: State, seat: i64, actions: list[int], worlds: int, rng: Rng
    ) -> list[int]:
        """What each action is worth over so many imagined worlds, all added up."""
        sums = [0 for _ in actions]
        if hides_nothing(view):
            self.weigh(view, seat, actions, sums)
            return sums
        for _ in range(worlds):
            world = view.clone()
            world.imagine(rng)
            self.weigh(world, seat, actions, sums)
        return sums

    def choose(self, state: State, seat: i64, worlds: int, rng: Rng) -> int:
        """The action of a seat in a whole position, by no more than the seat knows."""
        actions = state.legal(seat)
        if hides_nothing(state):
            return actions[first_best(self.weigh_view(state, seat, actions, 1, rng))]
        return actions[first_best(self.weigh_view(state.view(seat), seat, actions, worlds, rng))]


def first_best(sums: list[int]) -> int:
    """The place of the greatest; the first of equal ones."""
    best = 0
    for place in range(1, len(sums)):
        if sums[place] > sums[best]:
            best = place
    return best

"""Tree search over information sets, as `ismcts` plays it; compiled.

Each simulation imagines one world and walks down the tree: every decision taken is a node, shared
by all worlds in which it can be taken. Then the rest is played out, and all seats get their reward.
"""

from __future__ import annotations

import math
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from bots.search import reward_of
from engine.contract import State
from engine.rng import Rng

# Whose decisions are branches.
SHARED: Final = 0  # everybody's in one tree; of those who decide at once our own
OWN: Final = 1  # our own
EACH: Final = 2  # everybody's, each in a tree of its own
TREES: Final = ("shared", "own", "each")

# What the end of a simulation is worth.
MIXED: Final = 0  # mostly winning, a little by the margin
POINTS: Final = 1
LEADER: Final = 2  # points against those of the best other seat
REWARDS: Final = ("mixed", "points", "leader")

_WARMTH: Final = 0.1  # how much better an answer must have been to be tried far more often
_EVEN: Final = 1000


class TreeNode:
    """A decision taken: how often it could be, how often it was, and what it brought."""

    __slots__ = ("children", "possible", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[int, TreeNode] = {}
        self.possible: i64 = 0
        self.visits: i64 = 0
        self.total: float = 0.0


class TreeSearch:
    """The search of one decision."""

    def __init__(
        self,
        players: i64,
        me: i64,
        explore: float,
        trees: i64,
        rewards: i64,
        learns: bool,
        cut: i64,
        keys: i64,
        rng: Rng,
    ) -> None:
        self.me: i64 = me
        self.explore = explore
        self.trees: i64 = trees
        self.rewards: i64 = rewards
        self.learns = learns  # playouts prefer what went well in the tree
        self.cut: i64 = cut * players  # answers of a playout, -1 for all
        self.rng = rng
        self.roots = [TreeNode() for _ in range(players)]
        self.odds: vec[i64] = vec[i64]([_EVEN for _ in range(keys)])
        self.sums: vec[float] = vec[float]([0.0 for _ in range(keys)])
        self.counts: vec[i64] = vec[i64]([0 for _ in range(keys)])

    def simulate(self, state: State) -> None:
        """Walk down in one world, add a leaf, play on, and remember."""
        at = self.roots[:] if self.trees == EACH else [self.roots[0]] * len(self.roots)
        path: list[TreeNode] = []
        seats: list[int] = []
        keys: list[int] = []
        grown = False
        self.roots[0].visits += 1
        while not grown and (pending := state.pending()):
            answers: list[int] = []
            for seat in pending:
                if not self._branches(seat, pending):
                    answers.append(self._at_random(state, seat))
                    continue
                action, node, new = self._choose(at[seat], state.legal(seat))
                if self.trees == EACH:
                    at[seat] = node
                    grown = grown or (new and seat == self.me)
                else:
                    at = [node] * len(at)
                    grown = new
                path.append(node)
                seats.append(seat)
                keys.append(state.odds_key(action))
                answers.append(action)
            for place, seat in enumerate(pending):
                state.apply(seat, answers[place])
        if self.learns or self.cut >= 0:
            state.playout_by(self.rng, self.odds, self.cut)
        else:
            state.playout(self.rng)
        self._remember(state, path, seats, keys)

    def _branches(self, seat: i64, pending: list[int]) -> bool:
        if self.trees == EACH or seat == self.me:
            return True
        return self.trees == SHARED and len(pending) == 1

    def _at_random(self, state: State, seat: i64) -> int:
        options = state.legal(seat)
        return options[self.rng.below(len(options))]

    def _choose(self, node: TreeNode, options: list[int]) -> tuple[int, TreeNode, bool]:
        """The child to follow by upper confidence bounds; a new one as long as there is one."""
        children = node.children
        fresh = [action for action in options if action not in children]
        for action in options:
            if action in children:
                children[action].possible += 1
        if fresh:
            action = fresh[self.rng.below(len(fresh))]
            child = TreeNode()
            children[action] = child
            child.possible = 1
            return action, child, True
        top = -1e9
        best = options[0]
        for action in options:
            child = children[action]
            visits = float(child.visits)
            bound = child.total / visits + self.explore * math.sqrt(
                math.log(float(child.possible)) / visits
            )
            if bound > top:
                top, best = bound, action
        return best, children[best], False

    def _remember(
        self, state: State, path: list[TreeNode], seats: list[int], keys: list[int]
    ) -> None:
        worth = self._rewards(state)
        for place, node in enumerate(path):
            own = worth[seats[place]]
            node.visits += 1
            node.total += own
            if self.learns:
                key: i64 = keys[place]
                self.sums[key] += own
                self.counts[key] += 1
                mean = self.sums[key] / float(self.counts[key])
                self.odds[key] = 1 + i64(float(_EVEN) * math.exp((mean - 0.5) / _WARMTH))

    def _rewards(self, state: State) -> list[float]:
        """What the end is worth to every seat, counted once."""
        scores = state.scores()
        if self.rewards == MIXED:
            ranks = state.ranks()
            return [reward_of(scores, ranks, seat) for seat in range(len(scores))]
        if self.rewards == POINTS:
            return [float(score) / 100.0 for score in scores]
        found: list[float] = []
        for seat in range(len(scores)):
            rivals = [score for other, score in enumerate(scores) if other != seat]
            found.append(0.5 + float(scores[seat] - max(rivals)) / 100.0)
        return found

    def visits(self, action: int) -> int:
        """How often we chose this answer at the root."""
        root = self.roots[self.me if self.trees == EACH else 0]
        if action in root.children:
            return int(root.children[action].visits)
        return 0

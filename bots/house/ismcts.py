"""The top rung: tree search over information sets."""

from __future__ import annotations

import math
import time

from bots.api import (
    Action,
    Bot,
    Decision,
    Option,
    Rng,
    Seat,
    Seating,
    State,
    imagine_world,
    play_round,
)
from bots.house.lookahead import check_range, reward


class Node:
    """A decision taken: how often it could be, how often it was, and what it brought."""

    __slots__ = ("children", "possible", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[Action, Node] = {}
        self.possible = 0
        self.visits = 0
        self.total = 0.0


class Ismcts(Bot):
    """Each simulation imagines one world; the tree is shared by all of them."""

    def __init__(self, ms: int = 50, sims: int = 0, explore: float = 0.5) -> None:
        check_range("ms", ms, 1, 3_600_000)
        check_range("sims", sims, 0, 10**9)
        check_range("explore", explore, 0, 100)
        self.seconds = ms / 1000
        self.sims = sims
        self.explore = explore
        self.simulated = 0
        self.searched = 0.0

    def start(self, seating: Seating) -> None:
        self.rng = Rng(seating.seed)

    def decide(self, decision: Decision) -> Option:
        began = time.perf_counter()
        stop = began + min(self.seconds, decision.seconds_left / 2)
        root = Node()
        while root.visits < self.sims if self.sims else time.perf_counter() < stop:
            self.simulate(root, imagine_world(decision.view, self.rng), decision.seat)
        self.simulated += root.visits
        self.searched += time.perf_counter() - began
        return max(
            decision.options,
            key=lambda option: (
                root.children[option.action].visits if option.action in root.children else 0
            ),
        )

    def simulate(self, node: Node, state: State, me: Seat) -> None:
        """Walk down the tree in one world, add a leaf, play on at random, and remember."""
        node.visits += 1
        path: list[tuple[Node, Seat]] = []
        grown = False
        while not grown and (seats := state.pending()):
            # Where several decide at once, only our own decision is a branch; the rest is chance.
            seat = me if me in seats else seats[0]
            options = state.legal(seat)
            action, node, grown = self.choose(node, options)
            play_round(state, seat, action, self.rng)
            path.append((node, seat))
        state.playout(self.rng)
        for visited, seat in path:
            visited.visits += 1
            visited.total += reward(state, seat)

    def choose(self, node: Node, options: list[Action]) -> tuple[Action, Node, bool]:
        """The child to follow by upper confidence bounds; a new one as long as there is one."""
        children = node.children
        fresh = [action for action in options if action not in children]
        for action in options:
            if action in children:
                children[action].possible += 1
        if fresh:
            action = fresh[self.rng.below(len(fresh))]
            child = children[action] = Node()
            child.possible = 1
            return action, child, True
        top = -1.0
        for action in options:
            child = children[action]
            bound = child.total / child.visits + self.explore * math.sqrt(
                math.log(child.possible) / child.visits
            )
            if bound > top:
                top, best = bound, action
        return best, children[best], False

"""What a seat may expect of a game, and what a decision costs it, by the strongest house bot.

Outlooks are from 0, the game is lost, to 100, it is won; in between mostly the chance to win, a
little by the expected margin.
"""

from dataclasses import dataclass
from typing import Final

from bots.api import Decision, Game, Seat, Seating, Setup, State
from bots.decision import actions_of
from bots.house.hint import STRONGEST
from bots.house.learned.halving import Trial
from bots.house.learned.net import ONE
from bots.house.learned.policy import outcome
from bots.house.oracle import Oracle

JUDGE: Final = STRONGEST
UNIT: Final = "outlook"
WORLDS: Final = 16  # imagined for every stage of a decision, whatever the machine
# The worth of an end out of 100 counts its margin too: a lost game has at most, a won one at least.
LOST: Final = 20
WON: Final = 80


@dataclass(frozen=True)
class JudgedChoice:
    """The option to take, the outlook before the decision, and how much lower it is after it."""

    best: int
    outlook: float
    cost: float


class Judge:
    """That bot, asked about the decisions of one seat."""

    def __init__(self, game: Game, setup: Setup, seat: Seat, seed: int) -> None:
        self.bot = Oracle(worlds=WORLDS)
        self.bot.start(Seating(game, setup, seat, seed))

    def judge(self, decision: Decision, chosen: int) -> JudgedChoice:
        """Judge the option that was chosen by what the seat could know."""
        best = self.bot.judge(decision)[0]
        if best.place == chosen:
            return JudgedChoice(chosen, _outlook(int(best.mean())), 0.0)
        # The two once more, in worlds of their own: the best of a search looks better than it is.
        pair = [Trial(at, actions_of(decision)[at], 0) for at in (best.place, chosen)]
        self.bot.halving.search(decision.view, decision.seat, pair, WORLDS, 0.0)
        better, taken = (_outlook(int(trial.mean())) for trial in pair)
        if better <= taken:
            return JudgedChoice(chosen, taken, 0.0)
        return JudgedChoice(best.place, better, better - taken)


def judge_end(state: State, seat: Seat) -> float:
    """The outlook of a seat when the game is over: what it came to."""
    return _outlook(int(outcome(state, seat)))


def _outlook(worth: int) -> float:
    """Where a worth is between lost and won; by how much a game is won or lost makes no odds."""
    return 100 * min(1.0, max(0.0, (100 * worth / ONE - LOST) / (WON - LOST)))

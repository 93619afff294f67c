"""A hint for a person: what the strongest bot of the house does, and what it expects of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from bots.api import Action, Decision, Rng, Seat, Seating, Setup, State, imagine_world
from bots.decision import actions_of
from bots.house.learned.net import ONE
from bots.house.learned.weights import shipped_value
from bots.house.oracle import Oracle
from engine.rng import draw_seed

STRONGEST: Final = "oracle"  # docs/sage.md has the matches that show it
ASKED: Final = 0.3  # seconds that bot has
SECONDS: Final = 0.7  # for the games that are imagined
SURE: Final = 3.0  # standard errors from which on a difference is told, as there are many
FEWEST: Final = 10  # imagined games from which something is concluded


@dataclass
class ImaginedEnds:
    """How imagined games ended after an option, one entry a game."""

    wins: int = 0
    leads: list[int] = field(default_factory=list)  # points ahead of the best other seat
    sheets: list[dict[str, int]] = field(default_factory=list)  # own points by category

    @property
    def games(self) -> int:
        return len(self.leads)

    @property
    def mean_lead(self) -> float:
        return sum(self.leads) / max(1, self.games)


@dataclass(frozen=True)
class Hint:
    """The option that bot takes, the next best, and what it makes of every option."""

    best: int
    second: int | None
    outlooks: list[float]  # from 0 to 1: mostly the chance to win, a little by the margin
    after_best: ImaginedEnds
    after_second: ImaginedEnds

    @property
    def is_thin(self) -> bool:
        """Whether too few games were imagined, as on a slow machine, to conclude anything."""
        return self.after_best.games < FEWEST

    @property
    def is_lost(self) -> bool:
        """Whether no imagined game was won, so that outlooks differ by next to nothing."""
        ends = [self.after_best, self.after_second]
        return not self.is_thin and not any(end.wins for end in ends)

    def differences(self) -> dict[str, float]:
        """By how many points the best option brings more than the next, by category, if clearly."""
        pairs = list(zip(self.after_best.sheets, self.after_second.sheets, strict=False))
        found = {}
        for category in pairs[0][0] if len(pairs) >= FEWEST else ():
            gaps = [one[category] - other[category] for one, other in pairs]
            mean = sum(gaps) / len(gaps)
            spread = sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1)
            if abs(mean) > SURE * sqrt(spread / len(gaps)):
                found[category] = mean
        return found


def hint(decision: Decision, setup: Setup, asked: float = ASKED, seconds: float = SECONDS) -> Hint:
    """Ask the bot; then play games on from what the seat knows, everybody like `sage`.

    The option it takes and the next best are tried in the same imagined worlds.
    """
    bot = Oracle(ms=max(1, int(1000 * asked)))
    bot.start(Seating(decision.game, setup, decision.seat, draw_seed()))
    best, *others = bot.judge(decision)
    tried = [trial for trial in others if trial.count]
    second = max(tried, key=lambda trial: (int(trial.count), int(trial.mean())), default=None)
    outlooks = [0.0 for _ in decision.options]
    for trial in (best, *others):
        outlooks[trial.place] = int(trial.mean()) / ONE
    places = [best.place] if second is None else [best.place, second.place]
    ends = [ImaginedEnds() for _ in places]
    stop = time.perf_counter() + seconds
    rng = Rng(draw_seed())
    while not ends[0].games or time.perf_counter() < stop:
        _try_world(decision, places, ends, rng)
    return Hint(
        best.place,
        None if second is None else second.place,
        outlooks,
        ends[0],
        ImaginedEnds() if second is None else ends[1],
    )


def _try_world(decision: Decision, places: list[int], ends: list[ImaginedEnds], rng: Rng) -> None:
    """One world, and a game in it for each of these options."""
    value = shipped_value(decision.game.id)

    def choose(state: State, seat: Seat) -> Action:
        return value.choose(state, seat, 1, rng)

    seat, actions = decision.seat, actions_of(decision)
    world = imagine_world(decision.view, rng)
    # What the others do at the same time is the same whatever the seat does.
    others = [(other, choose(world, other)) for other in world.pending() if other != seat]
    for at, end in zip(places, ends, strict=True):
        state = world.clone()
        state.apply(seat, actions[at])
        for other, answer in others:
            state.apply(other, answer)
        while pending := state.pending():
            answers = [choose(state, each) for each in pending]
            for each, answer in zip(pending, answers, strict=True):
                state.apply(each, answer)
        scores = state.scores()
        end.wins += state.ranks()[seat] == 0
        end.leads.append(scores[seat] - max(scores[:seat] + scores[seat + 1 :]))
        end.sheets.append(decision.game.score_sheet(state)[seat])

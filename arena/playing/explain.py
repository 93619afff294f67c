"""Why a seat of a match did as it did: where its lead went, and what it might have done instead."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from arena.playing.referee import build_decision
from bots.chairs.limits import Limits
from bots.house.judge import judge_options, judge_position
from engine.catalog import find
from engine.contract import Game, Seat
from engine.match import MatchResult
from engine.replay import Round, rounds
from engine.rng import Rng, derive

WORLDS: Final = 12  # imagined for every decision
STAGES: Final = 4  # parts of a match, at whose ends categories are compared
# What is compared beside the whole: fighting and knowledge, in either game.
RIVALRIES: Final = ("military", "science", "progress")


@dataclass(frozen=True)
class JudgedDecision:
    """A decision of the seat, and what the judge makes of it."""

    number: int  # in the match
    prompt: str
    options: int
    chosen: str
    better: str  # what the judge would have taken; the same if it agrees
    cost: float  # what the choice is worth less than that
    lead: float = 0.0  # of the seat, before it
    swing: float = 0.0  # how the lead changed until the seat's next decision, or the end
    others: tuple[str, ...] = ()  # what others did in between

    @property
    def is_same(self) -> bool:
        return self.better == self.chosen


@dataclass(frozen=True)
class StageScores:
    """The score sheets at some point of the match."""

    decision: int
    sheets: list[dict[str, int]]


@dataclass(frozen=True)
class MatchExplanation:
    """A match as one seat lived it."""

    seat: Seat
    sheets: list[dict[str, int]]  # at the end, by seat
    decisions: list[JudgedDecision]
    final_lead: int  # over the best of the others, in points
    stages: list[StageScores]

    def turning_points(self, most: int) -> list[JudgedDecision]:
        """The decisions after which the lead fell most, in their order."""
        falls = sorted(
            (each for each in self.decisions if each.swing < 0), key=lambda each: each.swing
        )
        return sorted(falls[:most], key=lambda each: each.number)

    def costliest(self, most: int) -> list[JudgedDecision]:
        """The decisions that the judge would have taken otherwise, the costliest first."""
        other = [each for each in self.decisions if not each.is_same and each.cost > 0]
        return sorted(other, key=lambda each: -each.cost)[:most]


def explain(result: MatchResult, seat: Seat, worlds: int = WORLDS) -> MatchExplanation:
    """Play the match again and judge every decision of the seat by what it could know."""
    game = find(result.spec.game)
    rng = Rng(derive(result.spec.seed, f"explain {seat}"))
    played = list(rounds(result))
    own = [round for round in played if seat in round.seats]
    end = played[-1].after
    leads = [judge_position(round.before, seat) for round in own]
    sheets = game.score_sheet(end)
    totals = [sheet["total"] for sheet in sheets]
    final = totals[seat] - max(total for each, total in enumerate(totals) if each != seat)
    decisions = []
    for at, round in enumerate(own):
        after = leads[at + 1] if at + 1 < len(own) else float(final)
        following = own[at + 1].number if at + 1 < len(own) else len(result.decisions)
        between = _moves(result, played, seat, round.number, following)
        judged = _judge(game, round, seat, worlds, rng)
        decisions.append(replace(judged, lead=leads[at], swing=after - leads[at], others=between))
    cuts = sorted({len(played) * part // STAGES for part in range(1, STAGES)} - {0})
    stages = [StageScores(played[cut].number, game.score_sheet(played[cut].before)) for cut in cuts]
    stages.append(StageScores(len(result.decisions), sheets))
    return MatchExplanation(seat, sheets, decisions, final, stages)


def _judge(game: Game, round: Round, seat: Seat, worlds: int, rng: Rng) -> JudgedDecision:
    place = round.seats.index(seat)
    decision = build_decision(game, round.before, seat, Limits.move)
    values = judge_options(decision, worlds, rng)
    actions = [option.action for option in decision.options]
    chosen = actions.index(round.actions[place])
    top = max(values)
    best = chosen if values[chosen] == top else values.index(top)
    return JudgedDecision(
        round.number + place,
        decision.prompt,
        len(actions),
        decision.options[chosen].text,
        decision.options[best].text,
        top - values[chosen],
    )


def _moves(
    result: MatchResult, played: list[Round], seat: Seat, since: int, before: int
) -> tuple[str, ...]:
    """What the others decided from one decision on until another."""
    game = find(result.spec.game)
    return tuple(
        f"{result.spec.bots[other]} ({other}): {game.text(action)}"
        for round in played
        if since <= round.number < before
        for other, action in zip(round.seats, round.actions, strict=True)
        if other != seat
    )

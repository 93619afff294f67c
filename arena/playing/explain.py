"""Why a seat of a match did as it did: how its outlook fell, and what else it might have done."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from arena.display import display_of
from arena.playing.referee import build_decision
from bots.chairs.limits import Limits
from bots.house.judge import Judge, judge_end
from engine.catalog import find
from engine.contract import Game, Seat
from engine.match import MatchResult
from engine.replay import Round, rounds
from engine.rng import derive

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
    outlook: float  # of the seat, before it
    swing: float = 0.0  # how the outlook changed until the seat's next decision, or the end
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
    final_outlook: float
    stages: list[StageScores]

    def turning_points(self, most: int) -> list[JudgedDecision]:
        """The costliest decision, and those after which the outlook fell most, in their order."""
        falls = sorted(
            (each for each in self.decisions if each.swing < 0), key=lambda each: each.swing
        )
        found = list(dict.fromkeys([*self.costliest(1), *falls]))
        return sorted(found[:most], key=lambda each: each.number)

    def costliest(self, most: int) -> list[JudgedDecision]:
        """The decisions that the judge would have taken otherwise, the costliest first."""
        other = [each for each in self.decisions if not each.is_same and each.cost > 0]
        return sorted(other, key=lambda each: -each.cost)[:most]


@dataclass(frozen=True)
class LostLead:
    """When somebody else was ahead of the winner on points for the last time."""

    seat: Seat
    decision: int  # the first of the round before which it was


def last_lost_lead(result: MatchResult) -> LostLead | None:
    """Who was ahead of the winner last, and until when; none if nobody ever was."""
    winner = result.ranks.index(0)
    found = None
    for round in rounds(result):
        scores = round.before.scores()
        if scores[winner] < max(scores):
            found = LostLead(scores.index(max(scores)), round.number)
    return found


def explain(result: MatchResult, seat: Seat) -> MatchExplanation:
    """Play the match again and judge every decision of the seat by what it could know."""
    game = find(result.spec.game)
    seed = derive(result.spec.seed, f"explain {seat}")
    judge = Judge(game, result.spec.setup, seat, seed)
    played = list(rounds(result))
    own = [round for round in played if seat in round.seats]
    end = played[-1].after
    judged = [_judge(game, round, seat, judge) for round in own]
    ahead = [each.outlook for each in judged[1:]] + [judge_end(end, seat)]
    until = [round.number for round in own[1:]] + [len(result.decisions)]
    decisions = [
        replace(
            each,
            swing=after - each.outlook,
            others=_moves(result, played, seat, round.number, following),
        )
        for each, round, after, following in zip(judged, own, ahead, until, strict=True)
    ]
    sheets = game.score_sheet(end)
    totals = [sheet["total"] for sheet in sheets]
    lead = totals[seat] - max(total for each, total in enumerate(totals) if each != seat)
    cuts = sorted({len(played) * part // STAGES for part in range(1, STAGES)} - {0})
    stages = [StageScores(played[cut].number, game.score_sheet(played[cut].before)) for cut in cuts]
    stages.append(StageScores(len(result.decisions), sheets))
    return MatchExplanation(seat, sheets, decisions, lead, ahead[-1], stages)


def describe_choices(
    result: MatchResult, found: MatchExplanation, lang: str
) -> dict[int, tuple[str, str]]:
    """What was chosen and what was better, in words, by the number of the decision.

    A card that was taken is named even if it was face down, one that was not only if it was seen.
    """
    game = find(result.spec.game)
    describe = display_of(result.spec.game).describe_action
    judged = {each.number: each for each in found.decisions}
    told = {}
    for round in rounds(result):
        if found.seat not in round.seats:
            continue
        each = judged[round.number + round.seats.index(found.seat)]
        chosen, better = game.parse(each.chosen), game.parse(each.better)
        seen = round.before if each.is_same else round.before.view(found.seat)
        told[each.number] = (
            describe(chosen, lang, state=round.before, seat=found.seat),
            describe(better, lang, state=seen, seat=found.seat),
        )
    return told


def _judge(game: Game, round: Round, seat: Seat, judge: Judge) -> JudgedDecision:
    place = round.seats.index(seat)
    decision = build_decision(game, round.before, seat, Limits.move)
    actions = [option.action for option in decision.options]
    chosen = actions.index(round.actions[place])
    verdict = judge.judge(decision, chosen)
    return JudgedDecision(
        round.number + place,
        decision.prompt,
        len(actions),
        decision.options[chosen].text,
        decision.options[verdict.best].text,
        verdict.cost,
        verdict.outlook,
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

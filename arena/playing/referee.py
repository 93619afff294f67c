"""One match: ask every seat that owes a decision, check the answers, apply them."""

import time
from collections.abc import Callable, Sequence

from bots.api import Decision, Outcome, Seating
from bots.chairs.base import Chair, ChairFault
from bots.chairs.clock import TimeBudget
from bots.chairs.limits import Limits
from bots.chairs.steward import Steward
from bots.decision import ask_position, ask_round
from bots.sandbox.errors import SandboxError
from engine.catalog import find
from engine.contract import Action, Game, Seat, State
from engine.match import Fault, MatchResult, MatchSpec, SeatUsage
from engine.rng import derive

# Told after each round of decisions: the position, and who just did what.
Watcher = Callable[[State, list[tuple[Seat, Action]]], None]


class Table:
    """The chairs of one match; a bot that fails is relieved by the steward."""

    def __init__(self, spec: MatchSpec, chairs: Sequence[Chair], limits: Limits) -> None:
        self.spec = spec
        self.limits = limits
        self.chairs = list(chairs)
        self.accounts: dict[Seat, SeatUsage] = {}
        self.faults: list[Fault] = []
        self.decisions: list[Action] = []

    def relieve(self, seat: Seat, fault: ChairFault, place: int = 0) -> None:
        """Note what went wrong and let the steward play on.

        The place of the seat in the round makes the number that of its own decision: those of a
        round are numbered in the order of its seats, and become known together.
        """
        number = len(self.decisions) + place
        self.faults.append(Fault(seat, fault.kind, fault.detail, number))
        self.accounts[seat] = self.chairs[seat].usage()
        self.chairs[seat] = Steward(self.spec.seed, seat)

    def start(self, game: Game) -> None:
        for seat, chair in enumerate(self.chairs):
            chair.budget = TimeBudget(self.limits)
            seed = derive(self.spec.seed, f"bot {seat}")
            try:
                chair.start(Seating(game, self.spec.setup, seat, seed))
            except ChairFault as fault:
                self.relieve(seat, fault)
            except SandboxError as problem:
                problem.seat = seat
                raise

    def round(self, game: Game, state: State, seats: list[Seat]) -> list[Action]:
        """What the seats answer: all are asked, then all are heard."""
        asked = ask_round(game, state, seats, [self.chairs[seat].budget.left for seat in seats])
        for place, decision in enumerate(asked):
            seat = decision.seat
            try:
                self.chairs[seat].ask(decision)
            except ChairFault as fault:
                self.relieve(seat, fault, place)
                self.chairs[seat].ask(decision)
            except SandboxError as problem:
                problem.seat = seat
                raise
        return [self.answer(decision, place) for place, decision in enumerate(asked)]

    def answer(self, decision: Decision, place: int) -> Action:
        """The answer of the seat that is asked at this place in the round."""
        try:
            return self.chairs[decision.seat].answer()
        except ChairFault as fault:
            self.relieve(decision.seat, fault, place)
        except SandboxError as problem:
            problem.seat = decision.seat
            raise
        steward = self.chairs[decision.seat]
        steward.ask(decision)
        return steward.answer()

    def show(self, state: State) -> None:
        """Let the bots that watch see what they now know."""
        for seat, chair in enumerate(self.chairs):
            if chair.observes:
                try:
                    chair.observe(state.view(seat))
                except ChairFault as fault:
                    self.relieve(seat, fault)
                except SandboxError as problem:
                    problem.seat = seat
                    raise

    def finish(self, outcome: Outcome) -> None:
        for seat, chair in enumerate(self.chairs):
            try:
                chair.finish(outcome)
            except ChairFault as fault:
                self.relieve(seat, fault)
                continue
            except SandboxError:
                pass  # the match is decided: who has lost it must not have it played again
            if seat not in self.accounts:
                self.accounts[seat] = chair.usage()


def play(
    spec: MatchSpec,
    chairs: Sequence[Chair],
    limits: Limits,
    watch: Watcher | None = None,
    sandbox: str = "",
    begun: Sequence[Action] = (),
) -> MatchResult:
    """Play the match to its end, whatever the bots do; how they are contained is noted.

    Of a match that was begun elsewhere, the decisions of whole rounds are given, and not asked for.
    """
    game = find(spec.game)
    state = game.deal(spec.setup, spec.seed)
    table = Table(spec, chairs, limits)
    began = time.monotonic()
    table.start(game)
    known = list(begun)
    if watch:
        watch(state, [])
    while seats := state.pending():
        made = len(table.decisions)
        if known and made + len(seats) <= len(known):
            answers = known[made : made + len(seats)]
        else:
            answers = table.round(game, state, seats)
        for seat, answer in zip(seats, answers, strict=True):
            state.apply(seat, answer)
        table.decisions += answers
        table.show(state)
        if watch:
            watch(state, list(zip(seats, answers, strict=True)))
    ranks = rank_faulty_last(state.ranks(), {fault.seat for fault in table.faults})
    # What all are told stands, even if one fails to hear it.
    table.finish(Outcome(state.scores(), ranks))
    return MatchResult(
        spec,
        table.decisions,
        state.scores(),
        ranks,
        tuple(table.faults),
        tuple([table.accounts[seat] for seat in range(len(table.chairs))]),
        sandbox,
        time.monotonic() - began,
    )


def build_decision(game: Game, state: State, seat: Seat, seconds: float) -> Decision:
    """The question a seat owes an answer to."""
    return ask_position(game, state, seat, state.legal(seat), seconds)


def rank_faulty_last(ranks: list[int], faulty: set[Seat]) -> list[int]:
    """Ranks with the seats whose bot failed behind all others, side by side."""
    if not faulty:
        return ranks
    keys = [(True, 0) if seat in faulty else (False, rank) for seat, rank in enumerate(ranks)]
    return [sum(other < key for other in keys) for key in keys]

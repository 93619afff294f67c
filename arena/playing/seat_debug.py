"""A seat of a stored match once more: the same views, options and dice, for its author to see."""

from __future__ import annotations

import os
import pdb
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

from arena.playing.referee import build_decision
from bots.api import Bot, Decision, Option, Seating
from bots.chairs.base import Chair, ChairFault
from bots.chairs.in_process import InProcessChair, open_in_process
from bots.chairs.limits import Limits
from bots.chairs.pool import choose_isolation, open_chair
from bots.decision import check_answer
from bots.discovery.finder import find_bot
from bots.discovery.spec import parse_spec
from engine.catalog import find
from engine.contract import Action, State
from engine.errors import ArenaError
from engine.match import MatchResult
from engine.replay import rounds
from engine.rng import derive


@dataclass(frozen=True)
class Moment:
    """A decision of the match: which it was, what was asked, and what was answered."""

    number: int  # in the match
    decision: Decision
    recorded: Action


def moments(
    result: MatchResult, observe: Callable[[State], None] | None = None
) -> Iterator[Moment]:
    """Every decision of a match in its order; `observe` gets the position after each round."""
    game = find(result.spec.game)
    for round in rounds(result):
        for place, seat in enumerate(round.seats):
            decision = build_decision(game, round.before, seat, Limits.move)
            yield Moment(round.number + place, decision, round.actions[place])
        if observe:
            observe(round.after)


@dataclass(frozen=True)
class ReplayedDecision:
    """What the bot answered this time, or why it did not."""

    moment: Moment
    answer: Action | None
    fault: ChairFault | None

    @property
    def is_same(self) -> bool:
        return self.answer == self.moment.recorded


def replay_seat(
    result: MatchResult, seat: int, bot: str, stop_at: int | None = None
) -> Iterator[ReplayedDecision]:
    """Ask the bot again whatever its seat was asked; the match goes as it went.

    A Python bot runs in this process, and under the debugger at the decision with the number
    `stop_at`; a program runs in the sandbox.
    """
    chair = _open(bot, stop_at is not None)
    game = find(result.spec.game)
    seed = derive(result.spec.seed, f"bot {seat}")
    chair.start(Seating(game, result.spec.setup, seat, seed))

    def show(state: State) -> None:
        if chair.observes:
            chair.observe(state.view(seat))

    with closing(chair):
        for moment in moments(result, show):
            if moment.decision.seat == seat:
                yield _again(chair, moment, moment.number == stop_at)


def _open(bot: str, debug: bool) -> Chair:
    spec = parse_spec(bot)
    manifest = find_bot(spec)
    if not manifest.is_program:
        return open_in_process(spec, manifest)
    if debug:
        raise ArenaError(f"expected a Python bot for --pdb, got {bot}")
    return open_chair(spec, manifest, Limits(), choose_isolation([bot]))


def _again(chair: Chair, moment: Moment, debug: bool) -> ReplayedDecision:
    asked = _DebuggedChair(chair) if debug and isinstance(chair, InProcessChair) else chair
    try:
        asked.ask(moment.decision)
        return ReplayedDecision(moment, asked.answer(), None)
    except ChairFault as fault:
        return ReplayedDecision(moment, None, fault)


class _DebuggedChair(Chair):
    """The chair of a bot in this process, its next decision made under the debugger."""

    def __init__(self, chair: InProcessChair) -> None:
        super().__init__()
        self.chair = chair

    def ask(self, decision: Decision) -> None:
        self.chair.ask(decision)

    def answer(self) -> Action:
        bot = self.chair.bot
        self.chair.bot = _DebuggedBot(bot)
        try:
            return self.chair.answer()
        finally:
            self.chair.bot = bot


class _DebuggedBot(Bot):
    """A bot whose decisions are made under the debugger."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def decide(self, decision: Decision) -> Option | str:
        answer = pdb.Pdb().runcall(self._answer, decision)
        if answer is None:  # the debugger was left
            raise KeyboardInterrupt
        return answer

    def _answer(self, decision: Decision) -> Option | str:
        return check_answer(self.bot.decide(decision))


def find_moment(result: MatchResult, seat: int, number: int | None) -> Moment:
    """A decision of the seat; if no number is given, where its bot failed, or else its last."""
    own = [moment for moment in moments(result) if moment.decision.seat == seat]
    if not own:
        raise ArenaError(f"expected a seat that decided something, got {seat}")
    failed = [fault.decision for fault in result.faults if fault.seat == seat]
    if number is None:
        number = failed[0] if failed else own[-1].number
    if number in failed:
        return _failed_moment(own, number)
    for moment in own:
        if moment.number == number:
            return moment
    numbers = ", ".join(str(moment.number) for moment in own)
    raise ArenaError(f"expected a decision of seat {seat} out of {numbers}, got {number}")


def _failed_moment(own: list[Moment], number: int) -> Moment:
    """The decision of a seat at which its fault is to be seen again.

    A bot may fail between two decisions, such as when it starts; and matches stored by earlier
    versions carry the number of their round's first decision. Both mean the seat's next decision.
    """
    return next((moment for moment in own if moment.number >= number), own[-1])


def decisions_of(result: MatchResult, seat: int) -> list[int]:
    """The numbers of the decisions a seat had to make."""
    return [moment.number for moment in moments(result) if moment.decision.seat == seat]


TEST: Final = '''\
"""Decision {number} of match {match}, as seat {seat} met it."""

from pathlib import Path

from arena.testing import decide_again
from bots.api import Setup, Variant

BOT = {bot}
SETUP = {setup!r}
VIEW = {view!r}
OPTIONS = {options!r}
RECORDED = {recorded!r}


def test_decision_{number}_of_match_{match}() -> None:
    # Say here what it ought to be.
    choice = decide_again(BOT, {game!r}, SETUP, {seat}, {seed}, VIEW, OPTIONS)
    assert choice == RECORDED
'''


def write_test(match: int, result: MatchResult, moment: Moment, bot: str, folder: Path) -> str:
    """A test for the bot's own suite, of this one decision; it finds the bot from its folder."""
    game = moment.decision.game
    return TEST.format(
        number=moment.number,
        match=match,
        seat=moment.decision.seat,
        bot=_bot_from(folder, bot),
        setup=result.spec.setup,
        view=moment.decision.view.dump(),
        options=_texts(moment),
        recorded=game.text(moment.recorded),
        game=game.id,
        seed=derive(result.spec.seed, f"bot {moment.decision.seat}"),
    )


def _bot_from(folder: Path, bot: str) -> str:
    """The expression that names a bot in a test of that folder, wherever the test is run."""
    spec = parse_spec(bot)
    if find_bot(spec).is_program:
        raise ArenaError(f"expected a Python bot for a test, got {bot}")
    if not spec.is_path:
        return repr(bot)
    place = os.path.relpath(spec.path.resolve(), folder.resolve())
    tail = bot[len(spec.target) :]
    return f"str(Path(__file__).parent / {place!r})" + (f" + {tail!r}" if tail else "")


@dataclass(frozen=True)
class Difference:
    """Where two matches part: a number of a decision, and who chose what in each."""

    number: int
    first: Moment | None
    second: Moment | None


def difference(one: MatchResult, other: MatchResult) -> Difference | None:
    """The first decision at which two matches are not the same; None if there is none."""
    for number, (first, second) in enumerate(zip_longest(moments(one), moments(other))):
        if first is None or second is None:
            return Difference(number, first, second)
        asked = (first.decision.seat, first.decision.prompt, _texts(first))
        if asked != (second.decision.seat, second.decision.prompt, _texts(second)):
            return Difference(number, first, second)
        if first.recorded != second.recorded:
            return Difference(number, first, second)
    return None


def _texts(moment: Moment) -> list[str]:
    return [option.text for option in moment.decision.options]

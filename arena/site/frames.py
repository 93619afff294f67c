"""A match as pictures: the table before every round of decisions, and what was decided."""

from dataclasses import dataclass, replace
from math import prod

from arena.display import display_of
from arena.display.scene import DEFEAT, VICTORY, Panel, Scene, Sheet
from engine.contract import Seat, State
from engine.errors import SetupError
from engine.match import Fault, FaultKind, MatchResult, MatchSpec
from engine.replay import Round, rounds


@dataclass(frozen=True)
class SeatChoice:
    """What a seat decided, and what else it could have, as far as the onlooker may know."""

    seat: Seat
    text: str
    told: str  # the same, made, after the name of the seat
    others: tuple[str, ...]
    relieved: bool = False  # the steward decided in the bot's place
    left: bool = False  # who sat there has left the table
    verb: str = ""
    card: str = ""  # the key of the card it is about, as far as the onlooker may know
    stage: int = 0  # the stage that it builds
    drawn: str = ""  # what it brought besides, told like the move


@dataclass(frozen=True)
class ReplayFrame:
    """The table, what was decided next, and which bots failed then; at the end only the table."""

    scene: Scene
    choices: tuple[SeatChoice, ...]
    faults: tuple[Fault, ...]
    spoils: tuple[tuple[Seat, int, int], ...] = ()  # points of a battle just fought: won and lost


@dataclass(frozen=True)
class ReplayFrames:
    """A whole match, seen by everybody or by one seat."""

    spec: MatchSpec
    names: tuple[str, ...]
    lang: str
    seat: Seat | None
    frames: list[ReplayFrame]
    pad: Sheet
    ending: str  # why the game was over
    ranks: list[int]
    failed: frozenset[Seat]  # seats whose bot did
    left: frozenset[Seat]  # seats of people who left the table

    def label(self, seat: Seat) -> str:
        """Who sits there, with the city if another has the same name."""
        name = self.names[seat]
        if self.names.count(name) == 1:
            return name
        city = next(each.name for each in self.frames[0].scene.panels if each.seat == seat)
        return f"{name} ({city.partition(' (')[0]})"


def build_frames(
    result: MatchResult,
    lang: str = "en",
    seat: Seat | None = None,
    names: tuple[str, ...] = (),
) -> ReplayFrames:
    """The match played again; a seat sees what it could see then, and nobody else's options."""
    spec = result.spec
    players = spec.setup.players
    if seat is not None and not 0 <= seat < players:
        raise SetupError(
            "expected a seat from 0 to {last}, got {seat}", last=players - 1, seat=seat
        )
    played = list(rounds(result))
    frames = [_frame(round, result, lang, seat) for round in played]
    end = played[-1].after
    late = tuple(f for f in result.faults if f.decision >= len(result.decisions))
    frames.append(ReplayFrame(_scene(spec.game, end, lang, seat), (), late))
    for at in range(1, len(frames)):
        found = spoils(frames[at - 1].scene, frames[at].scene)
        frames[at] = replace(frames[at], spoils=found)
    display = display_of(spec.game)
    names = names or spec.bots
    pad, ending = display.score_pad(end, lang), display.ending(end, names, lang)
    left = left_seats(result)
    failed = frozenset(fault.seat for fault in result.faults) - left
    return ReplayFrames(spec, names, lang, seat, frames, pad, ending, result.ranks, failed, left)


def left_seats(result: MatchResult) -> frozenset[Seat]:
    """The seats of people who left the table before the end."""
    return frozenset(each.seat for each in result.faults if each.kind == FaultKind.RESIGNED)


def spoils(before: Scene, after: Scene) -> tuple[tuple[Seat, int, int], ...]:
    """For each seat what a battle between two positions gave and took; nothing without one."""
    found = []
    for one, other in zip(before.panels, after.panels, strict=True):
        if other.seat is not None:
            won = _points(other, VICTORY) - _points(one, VICTORY)
            lost = _points(other, DEFEAT) - _points(one, DEFEAT)
            found.append((other.seat, won, lost))
    return tuple(found) if any(won or lost for _, won, lost in found) else ()


def _points(panel: Panel, kind: str) -> int:
    """What the tokens of that kind are worth: a sum, or a number of equal ones."""
    pieces = (piece for line in panel.lines for piece in line.pieces if piece.kind == kind)
    return sum(prod(int(each) for each in piece.mark.split("×")) for piece in pieces)


def _frame(round: Round, result: MatchResult, lang: str, viewer: Seat | None) -> ReplayFrame:
    """The position before a round, and what was decided in it."""
    game = result.spec.game
    due = range(round.number, round.number + len(round.seats))
    relieved = {fault.seat for fault in result.faults if fault.decision < due.stop}
    left = relieved & left_seats(result)
    choices = tuple(
        replace(
            _choice(game, round, at, lang, viewer),
            relieved=seat in relieved - left,
            left=seat in left,
        )
        for at, seat in enumerate(round.seats)
    )
    faults = tuple(fault for fault in result.faults if fault.decision in due)
    return ReplayFrame(_scene(game, round.before, lang, viewer), choices, faults)


def _scene(game: str, state: State, lang: str, viewer: Seat | None) -> Scene:
    return display_of(game).scene(state if viewer is None else state.view(viewer), lang)


def _choice(game: str, round: Round, at: int, lang: str, viewer: Seat | None) -> SeatChoice:
    display = display_of(game)
    state, seat, action = round.before, round.seats[at], round.actions[at]
    face = display.move_face(action, lang, state, seat)
    card = "" if face.card is None else face.card.key
    # What was taken lies open to all afterwards, what could have been need not.
    is_open = viewer in (None, seat)
    text = display.describe_action(action, lang, is_open, state, seat, brief=True)
    told = display.tell_action(action, lang, is_open, state, seat)
    choice = SeatChoice(
        *(seat, text, told, ()),
        verb=face.verb,
        stage=face.stage,
        drawn=display.drawn_besides(state, action, round.after, lang),
    )
    if not is_open:
        return choice
    seen = state if viewer is None else state.view(viewer)
    others = tuple(
        display.describe_action(option, lang, state=seen, seat=seat)
        for option in round.options[at]
        if option != action
    )
    return replace(choice, others=others, card=card)

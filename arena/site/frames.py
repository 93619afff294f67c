"""A match as pictures: the table before every round of decisions, and what was decided."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.display import display_of
from arena.display.scene import Scene, Sheet
from engine.catalog import find
from engine.contract import Action, Game, Seat, State
from engine.errors import SetupError, TraceError
from engine.match import Fault, MatchResult, MatchSpec


@dataclass(frozen=True)
class Choice:
    """What a seat decided, and what else it could have, as far as the onlooker may know."""

    seat: Seat
    text: str
    others: tuple[str, ...]
    relieved: bool  # the steward decided in the bot's place


@dataclass(frozen=True)
class Shot:
    """The table, what was decided next, and which bots failed then; at the end only the table."""

    scene: Scene
    choices: tuple[Choice, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class ReplayFrames:
    """A whole match, seen by everybody or by one seat."""

    spec: MatchSpec
    names: tuple[str, ...]
    lang: str
    seat: Seat | None
    shots: list[Shot]
    pad: Sheet
    ranks: list[int]
    failed: frozenset[Seat]  # seats whose bot did


def film(
    result: MatchResult,
    lang: str = "en",
    seat: Seat | None = None,
    names: tuple[str, ...] = (),
) -> ReplayFrames:
    """The match played again; a seat sees what it could see then, and nobody else's options."""
    spec = result.spec
    game = find(spec.game)
    if spec.version != game.version:
        raise TraceError(
            "expected version {version} of {game}, got a match of {got}",
            version=game.version,
            game=game.id,
            got=spec.version,
        )
    players = spec.setup.players
    if seat is not None and not 0 <= seat < players:
        raise SetupError(
            "expected a seat from 0 to {last}, got {seat}", last=players - 1, seat=seat
        )
    state = game.deal(spec.setup, spec.seed)
    shots = list(_shots(game, state, result, lang, seat))
    pad = display_of(game.id).score_pad(state, lang)
    failed = frozenset(fault.seat for fault in result.faults)
    return ReplayFrames(spec, names or spec.bots, lang, seat, shots, pad, result.ranks, failed)


def _shots(
    game: Game, state: State, result: MatchResult, lang: str, viewer: Seat | None
) -> Iterator[Shot]:
    """Every position with what came next; the state is at the end when the last one is out."""
    at = 0
    while seats := state.pending():
        actions = result.decisions[at : at + len(seats)]
        if len(actions) < len(seats):
            raise TraceError("expected a decision {at}, got the end", at=at + len(actions) + 1)
        relieved = {fault.seat for fault in result.faults if fault.decision < at + len(seats)}
        choices = tuple(
            _choice(game, state, seat, action, lang, viewer, seat in relieved)
            for seat, action in zip(seats, actions, strict=True)
        )
        due = range(at, at + len(seats))
        faults = tuple(fault for fault in result.faults if fault.decision in due)
        yield Shot(_scene(game, state, lang, viewer), choices, faults)
        for seat, action in zip(seats, actions, strict=True):
            state.apply(seat, action)
        at += len(seats)
    if at < len(result.decisions):
        raise TraceError("expected {at} decisions, got {count}", at=at, count=len(result.decisions))
    late = tuple(fault for fault in result.faults if fault.decision >= at)
    yield Shot(_scene(game, state, lang, viewer), (), late)


def _scene(game: Game, state: State, lang: str, viewer: Seat | None) -> Scene:
    return display_of(game.id).scene(state if viewer is None else state.view(viewer), lang)


def _choice(
    game: Game,
    state: State,
    seat: Seat,
    action: Action,
    lang: str,
    viewer: Seat | None,
    relieved: bool,
) -> Choice:
    legal = state.legal(seat)
    display = display_of(game.id)
    if action not in legal:
        raise TraceError(
            "expected an option of seat {seat}, got {text}", seat=seat, text=game.text(action)
        )
    # What was taken lies open to all afterwards, what could have been need not.
    if viewer not in (None, seat):
        return Choice(seat, display.describe_action(action, lang, False, state), (), relieved)
    seen = state if viewer is None else state.view(viewer)
    others = tuple(
        display.describe_action(option, lang, state=seen) for option in legal if option != action
    )
    return Choice(seat, display.describe_action(action, lang, state=state), others, relieved)

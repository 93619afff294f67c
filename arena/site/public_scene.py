"""A game that goes on as everybody may see it: what every seat knows, and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.display import display_of
from arena.display.scene import CARD, PILE, TOKEN, Line, Panel, Piece, Scene
from arena.i18n import N_, NN_, gettext, ngettext
from arena.site.pages.news import ToldMove, consequences
from engine.catalog import find
from engine.contract import Action, State
from engine.match import MatchResult, MatchSpec
from engine.replay import rounds

PRIVATE_LINES: Final = ("hand",)  # what is known of a hand differs from seat to seat
GAINS: Final = (CARD, TOKEN)
BUILT: Final = N_("built {card}")
TOOK: Final = N_("took {card}")
DISCARDED: Final = NN_("{n} card sold or discarded", "{n} cards sold or discarded")


@dataclass(frozen=True)
class PublicStep:
    """What was new after a turn, in a game that counts turns: when it was, in brief."""

    when: str
    told: tuple[ToldMove, ...]


@dataclass(frozen=True)
class PublicPosition:
    """The table as everybody sees it, and what was new in the steps before, the last one first."""

    scene: Scene
    news: tuple[PublicStep, ...]


def public_scene(game: str, state: State, lang: str) -> Scene:
    """What the views of all seats have in common.

    A seat's own place is as another sees it, and of every row those pieces are kept that are in the
    views of all. So nobody can learn from it what their own seat does not know.
    """
    display = display_of(game)
    scenes = [display.scene(state.view(seat), lang) for seat in range(state.players)]
    panels = []
    for at, panel in enumerate(scenes[0].panels):
        seen = scenes[0] if panel.seat is None else scenes[(panel.seat + 1) % len(scenes)]
        panels.append(_common(seen.panels[at], [scene.panels[at] for scene in scenes]))
    return replace(scenes[0], panels=panels)


def _common(panel: Panel, views: Sequence[Panel]) -> Panel:
    lines = []
    for line in panel.lines:
        pieces = _in_all(line, views)
        if pieces and line.id not in PRIVATE_LINES:
            lines.append(replace(line, pieces=pieces))
    return replace(panel, lines=lines)


def _in_all(line: Line, views: Sequence[Panel]) -> list[Piece]:
    """The pieces of a row that are in this row of every view, as often as they are there."""
    left = Counter(line.pieces)
    for view in views:
        left &= Counter(piece for each in view.lines if each.id == line.id for piece in each.pieces)
    kept = []
    for piece in line.pieces:
        if left[piece]:
            left[piece] -= 1
            kept.append(piece)
    return kept


def public_position(
    spec: MatchSpec, decisions: Sequence[Action], names: Sequence[str], lang: str, steps: int
) -> PublicPosition:
    """A match after these decisions of whole rounds, with what happened in so many last steps.

    A step is what changes for everybody: rounds after which all look the same are none.
    TraceError where the rules say otherwise.
    """
    scenes: list[Scene] = []
    for position in reversed(list(_positions(spec, decisions))):
        scene = public_scene(spec.game, position, lang)
        if not scenes or scene != scenes[-1]:
            scenes.append(scene)
        if len(scenes) > steps:
            break
    news = tuple(
        PublicStep(before.short, tuple(_news(before, after, names, lang)))
        for before, after in zip(scenes[1:], scenes, strict=False)
    )
    return PublicPosition(scenes[0], news)


def _positions(spec: MatchSpec, decisions: Sequence[Action]) -> Iterator[State]:
    """The positions after each round that all of its seats have decided."""
    state = find(spec.game).deal(spec.setup, spec.seed)
    yield state
    played = rounds(MatchResult(spec, list(decisions), [], []))
    made = 0
    while 0 < (due := len(state.pending())) <= len(decisions) - made:
        state = next(played).after
        made += due
        yield state


def _news(before: Scene, after: Scene, names: Sequence[str], lang: str) -> Iterator[ToldMove]:
    """What every city got, as far as it lies on the table, and what followed."""
    for old, new in zip(before.panels, after.panels, strict=True):
        gains = [piece.text for piece in (_gains(new) - _gains(old)).elements()]
        if new.seat is not None and gains:
            text = gettext(BUILT if before.age else TOOK, lang, card=", ".join(gains))
            yield new.seat, names[new.seat], text
    if discarded := _discarded(after) - _discarded(before):
        yield None, "", ngettext(*DISCARDED, discarded, lang)
    yield from consequences(before, after, names, lang)


def _discarded(scene: Scene) -> int:
    """How many cards lie in the discard pile, where there is one that all see."""
    lines = [line for line in scene.panels[0].lines if line.id == "discards"]
    return sum(int(piece.mark) for line in lines for piece in line.pieces if piece.kind == PILE)


def _gains(panel: Panel) -> Counter[Piece]:
    """Cards and tokens, each without how often it is there."""
    found: Counter[Piece] = Counter()
    for line in panel.lines:
        for piece in line.pieces:
            if piece.kind in GAINS and line.id != "deck":
                found[replace(piece, count=1)] += piece.count
    return found

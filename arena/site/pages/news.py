"""What followed from moves of a game that goes on: battles, stages that stand, the Cat's way."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, TypeAlias

from arena.display.scene import CONFLICT, STAGE, Panel, Piece, Scene
from arena.i18n import N_, colon, gettext
from arena.site.frames import spoils

# Whose it is, the name of the seat, and what is told; without a seat it is for all.
ToldMove: TypeAlias = tuple[int | None, str, str]

HORNS_GO: Final = N_("Red cards with horns are discarded.")


def consequences(
    before: Scene,
    after: Scene,
    names: Sequence[str],
    lang: str,
    told: Collection[tuple[int, int]] = (),
) -> Iterator[ToldMove]:
    """What changed between two positions, but for stages that were told: by seat and number."""
    for (seat, number), gives in stages_built(before, after).items():
        if (seat, number) not in told:
            text = gettext("stage {n} built: {gives}", lang, n=number, gives=gives)
            yield seat, names[seat], text
    for old, new in _cities(before, after):
        if new.pawns and not old.pawns:
            yield None, "", gettext("The Cat goes to {city}.", lang, city=new.name)
    yield from _battles(before, after, names, lang)


def in_order(followed: Sequence[ToldMove], drawn: Sequence[ToldMove]) -> list[ToldMove]:
    """What followed for a seat, then what its move brought besides, then what is for all."""
    own = [each for each in followed if each[0] is not None]
    return [*own, *drawn, *(each for each in followed if each[0] is None)]


def stages_built(before: Scene, after: Scene) -> dict[tuple[int, int], str]:
    """What the stages give that stand since, by the seat and their number."""
    return {
        (new.seat, number): stage.note
        for old, new in _cities(before, after)
        for number, (was, stage) in enumerate(zip(stages_of(old), stages_of(new), strict=True), 1)
        if stage.done and not was.done and new.seat is not None
    }


def _cities(before: Scene, after: Scene) -> list[tuple[Panel, Panel]]:
    """The panels of every seat; the first is the middle."""
    return list(zip(before.panels[1:], after.panels[1:], strict=True))


def stages_of(panel: Panel) -> list[Piece]:
    """The stages of a city's wonder, in their order."""
    return [piece for line in panel.lines for piece in line.pieces if piece.kind == STAGE]


def _battles(before: Scene, after: Scene, names: Sequence[str], lang: str) -> Iterator[ToldMove]:
    ended = before.age if before.age != after.age else ""
    if not ended and not is_battle(before, after):
        return
    head = (
        gettext("End of Age {age}. Battles", lang, age=ended) if ended else gettext("Battle", lang)
    )
    yield None, "", f"{head}{colon(lang)} {battle_results(before, after, names, lang)}"
    if not ended:
        yield None, "", gettext(HORNS_GO, lang)


def is_battle(before: Scene, after: Scene) -> bool:
    """Whether there was a battle between two positions, though nobody may have won it."""
    return bool(spoils(before, after)) or flipped(after) < flipped(before)


def flipped(scene: Scene) -> int:
    """How many conflict tokens show their battle side; in a game without them none."""
    lines = scene.panels[0].lines
    tokens = (piece.mark for line in lines for piece in line.pieces if piece.kind == CONFLICT)
    return sum(int(mark.partition("/")[0]) for mark in tokens)


def battle_results(before: Scene, after: Scene, names: Sequence[str], lang: str) -> str:
    """What every seat won and lost in a battle between two positions."""
    told = [
        f"{names[seat]}" + (f" +{won}" if won else "") + (f" −{lost}" if lost else "")
        for seat, won, lost in spoils(before, after)
        if won or lost
    ]
    return ", ".join(told) or gettext("nobody wins", lang)

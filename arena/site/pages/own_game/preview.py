"""What an option of a visitor does at once, as far as the visitor's seat knows.

The rules themselves say it: every option is carried out in positions that the view of the seat
allows. What happens in all of them is certain, what happens in some of them may happen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from arena.display import display_of
from arena.display.scene import COINS, CONFLICT, MoveFace, Panel, Piece, Scene
from arena.i18n import N_, NN_, colon, gettext, ngettext
from arena.site.pages.news import battle_results, is_battle, stages_of
from arena.site.pages.own_game.possible_worlds import possible_worlds
from bots.api import Decision
from engine.contract import Action, State

COUNTS: Final = " x "  # in the signs of a card that gives something for each of some things
BY_ITSELF: Final = ("build", "stage")  # moves that name the stage they build

POINTS: Final = (
    NN_("+{n} point now", "+{n} points now"),
    NN_("−{n} point now", "−{n} points now"),
)
COINS_NOW: Final = NN_("+{n} coin now", "+{n} coins now")
COINS_AT_LEAST: Final = NN_("at least +{n} coin", "at least +{n} coins")
NOTHING: Final = N_("nothing now")
STAGE_BUILT: Final = N_("builds stage {n}")
BATTLE: Final = N_("starts a battle")
ENDING: Final = N_("ends the game")
COMPLETES: Final = N_("completes your wonder and ends the game")
UNKNOWN: Final = N_("unknown card")
UNKNOWN_TOKEN: Final = N_("unknown token")
MAY: Final = {
    "stage": N_("may build a stage"),
    "battle": N_("may start a battle"),
    "ending": N_("may end the game"),
}


@dataclass(frozen=True)
class Foreseen:
    """Something that an option does; what is not to be missed has an icon."""

    text: str
    icon: str = ""


@dataclass(frozen=True)
class MoveResult:
    """What differs after an option for the one who takes it."""

    points: int  # those of coins apart, as the price is told
    coins: int  # what is paid included
    stages: tuple[int, ...]
    battle: str  # in words, empty without one
    ending: str  # the same, unless it was settled before


class Preview:
    """The options of one decision, carried out."""

    def __init__(self, decision: Decision, names: Sequence[str], lang: str) -> None:
        self._decision = decision
        self._names = names
        self._lang = lang
        self._display = display_of(decision.game.id)
        self._before = self._display.scene(decision.view, lang)
        self._points = self._count(decision.view)
        self._ending = self._display.ending(decision.view, names, lang)  # settled before

    @cached_property
    def _worlds(self) -> list[State]:
        return possible_worlds(self._decision.view)

    def foresee(self, action: Action) -> list[Foreseen]:
        """What an option does: the certain things, and those that may happen."""
        seat = self._decision.seat
        results = [self._result(world.after(seat, action)) for world in self._worlds]
        face = self._display.move_face(action, self._lang, self._decision.view, seat)
        stages: set[tuple[int, ...]] = {()}
        if face.verb not in BY_ITSELF:
            stages = {result.stages for result in results}
        battles = {result.battle for result in results}
        ends = {bool(result.ending) for result in results}
        told = self._stages(stages) if len(stages) == 1 else []
        told += self._gains(results, face)
        if "" not in battles:
            told.append(Foreseen(self._common(battles), "horn"))
        if ends == {True}:
            completes = all(self._is_complete(result) for result in results)
            text = gettext(COMPLETES if completes else ENDING, self._lang)
            told.append(Foreseen(text, "crown"))
        possible = {
            "stage": len(stages) > 1,
            "battle": len(battles) > 1 and "" in battles,
            "ending": len(ends) > 1,
        }
        unknown = UNKNOWN_TOKEN if face.verb == "token_stack" else UNKNOWN
        return told + self._chances([key for key, is_so in possible.items() if is_so], unknown)

    def _common(self, battles: set[str]) -> str:
        """The battle that all positions have follow; with its results if they are the same."""
        return next(iter(battles)) if len(battles) == 1 else gettext(BATTLE, self._lang)

    def _chances(self, possible: list[str], unknown: str) -> list[Foreseen]:
        """What the card or token that is drawn blind may do."""
        if not possible:
            return []
        listed = ", ".join(gettext(MAY[key], self._lang) for key in possible)
        icon = "" if possible == ["stage"] else "crown" if "ending" in possible else "horn"
        return [Foreseen(f"{gettext(unknown, self._lang)}{colon(self._lang)} {listed}", icon)]

    def _result(self, after: State) -> MoveResult:
        seat, lang = self._decision.seat, self._lang
        scene = self._display.scene(after, lang)
        old, new = self._before.panels[1 + seat], scene.panels[1 + seat]
        pairs = zip(stages_of(old), stages_of(new), strict=True)
        return MoveResult(
            self._count(after) - self._points,
            _coins(new) - _coins(old),
            tuple(n for n, (was, stage) in enumerate(pairs, 1) if stage.done and not was.done),
            self._battle(scene),
            "" if self._ending else self._display.ending(after, self._names, lang),
        )

    def _count(self, state: State) -> int:
        """The points of the seat without those of its coins."""
        sheet = self._decision.game.score_sheet(state)[self._decision.seat]
        return sheet["total"] - sheet.get("treasure", 0)

    def _battle(self, after: Scene) -> str:
        """The battle that follows: with its results, unless the turn goes on before it."""
        if is_battle(self._before, after):
            results = battle_results(self._before, after, self._names, self._lang)
            return f"{gettext(BATTLE, self._lang)}{colon(self._lang)} {results}"
        is_due = _all_flipped(after) and not _all_flipped(self._before)
        return gettext(BATTLE, self._lang) if is_due else ""

    def _gains(self, results: list[MoveResult], face: MoveFace) -> list[Foreseen]:
        """Points and coins, where they are certain; a card that counts things may bring none."""
        points = {result.points for result in results}
        if len(points) > 1 or face.verb == "sell":
            return []
        gained, told = points.pop(), []
        card = None if face.verb == "stage" else face.card
        if gained and not (card and card.gives == f"v{gained}"):  # which the card says itself
            told.append(Foreseen(ngettext(*POINTS[gained < 0], abs(gained), self._lang)))
        grows = bool(card and _counts_neighbours(card))  # by what they build in the same turn
        if coins := results[0].coins + face.paid:
            texts = COINS_AT_LEAST if grows else COINS_NOW
            told.append(Foreseen(ngettext(*texts, coins, self._lang)))
        if card and COUNTS in card.gives and not told and not grows:
            told.append(Foreseen(gettext(NOTHING, self._lang)))
        return told

    def _stages(self, stages: set[tuple[int, ...]]) -> list[Foreseen]:
        return [
            Foreseen(gettext(STAGE_BUILT, self._lang, n=number))
            for built in stages
            for number in built
        ]

    def _is_complete(self, result: MoveResult) -> bool:
        stages = stages_of(self._before.panels[1 + self._decision.seat])
        return sum(stage.done for stage in stages) + len(result.stages) == len(stages)


def _counts_neighbours(card: Piece) -> bool:
    """Whether a card gives coins for what neighbours have."""
    coins, _, counted = card.gives.partition(COUNTS)
    return "$" in coins and bool({"left", "right"} & set(counted.split()))


def _coins(panel: Panel) -> int:
    pieces = (piece for line in panel.lines for piece in line.pieces)
    return sum(int(piece.mark) for piece in pieces if piece.kind == COINS)


def _all_flipped(scene: Scene) -> bool:
    lines = scene.panels[0].lines
    return any(it.done for line in lines for it in line.pieces if it.kind == CONFLICT)

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

TREASURE: Final = "treasure"  # the category of the points of coins
COUNTS: Final = " x "  # in the signs of a card that gives something for each of some things
POINTS: Final = (
    NN_("+{n} point now", "+{n} points now"),
    NN_("−{n} point now", "−{n} points now"),
)
POINTS_AT_LEAST: Final = NN_("at least +{n} point now", "at least +{n} points now")
# Where coins are points too, which a price takes away.
WORTH: Final = NN_("worth {n} point now", "worth {n} points now")
COINS_NOW: Final = NN_("+{n} coin now", "+{n} coins now")
COINS_AT_LEAST: Final = NN_("at least +{n} coin", "at least +{n} coins")
NOTHING: Final = N_("nothing now")
STAGE_BUILT: Final = N_("builds stage {n}")
TOKEN: Final = N_("brings a Progress token")
EXTRA: Final = N_("brings another card ({token})")
BATTLE: Final = N_("starts a battle")
ENDING: Final = N_("ends the game")
COMPLETES: Final = N_("completes your wonder and ends the game")
UNKNOWN: Final = N_("unknown card")
UNKNOWN_TOKEN: Final = N_("unknown token")
MAY: Final = {
    "stage": N_("may build a stage"),
    "token": N_("may bring a Progress token"),
    "extra": N_("may bring another card"),
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
    token: bool  # whether it wins one
    extra: frozenset[str]  # what lets the seat draw another card since
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
        self._prospects = self._display.prospects(decision.view, decision.seat, lang)
        self._ending = self._display.ending(decision.view, names, lang)  # settled before

    @cached_property
    def _worlds(self) -> list[State]:
        return possible_worlds(self._decision.view)

    def foresee(self, action: Action) -> list[Foreseen]:
        """What an option does: the certain things, and those that may happen."""
        seat = self._decision.seat
        results = self._results(action)
        face = self._display.move_face(action, self._lang, self._decision.view, seat)
        stages = {tuple(n for n in it.stages if n != face.stage) for it in results}
        tokens = {result.token for result in results}
        extras = {result.extra for result in results}
        battles = {result.battle for result in results}
        ends = {bool(result.ending) for result in results}
        told = self._stages(stages) if len(stages) == 1 else []
        told += self._gains(results, face)
        if tokens == {True}:
            told.append(Foreseen(gettext(TOKEN, self._lang)))
        sure = frozenset.intersection(*extras)
        told += [Foreseen(gettext(EXTRA, self._lang, token=each)) for each in sorted(sure)]
        if "" not in battles:
            told.append(Foreseen(self._common(battles), "horn"))
        if ends == {True}:
            completes = all(self._is_complete(result) for result in results)
            text = gettext(COMPLETES if completes else ENDING, self._lang)
            told.append(Foreseen(text, "crown"))
        possible = {
            "stage": len(stages) > 1,
            "token": len(tokens) > 1,
            "extra": any(extra > sure for extra in extras),
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
        icon = "crown" if "ending" in possible else "horn" if "battle" in possible else ""
        return [Foreseen(f"{gettext(unknown, self._lang)}{colon(self._lang)} {listed}", icon)]

    def _results(self, action: Action) -> list[MoveResult]:
        """What an option does in every position; what looks the same afterwards is judged once."""
        seat = self._decision.seat
        afters = [world.after(seat, action) for world in self._worlds]
        if len(afters) > 1:
            afters = list({after.view(seat).pack(): after for after in afters}.values())
        return [self._result(after) for after in afters]

    def _result(self, after: State) -> MoveResult:
        seat, lang = self._decision.seat, self._lang
        scene = self._display.scene(after, lang)
        old, new = self._before.panels[1 + seat], scene.panels[1 + seat]
        pairs = zip(stages_of(old), stages_of(new), strict=True)
        coming = self._display.prospects(after, seat, lang)
        return MoveResult(
            self._count(after) - self._points,
            _coins(new) - _coins(old),
            tuple(n for n, (was, stage) in enumerate(pairs, 1) if stage.done and not was.done),
            coming.tokens > self._prospects.tokens,
            coming.extra - self._prospects.extra,
            self._battle(scene),
            "" if self._ending else self._display.ending(after, self._names, lang),
        )

    def _count(self, state: State) -> int:
        """The points of the seat without those of its coins."""
        sheet = self._decision.game.score_sheet(state)[self._decision.seat]
        return sheet["total"] - sheet.get(TREASURE, 0)

    @property
    def _has_treasure(self) -> bool:
        """Whether coins are points, so that what is paid lowers the total."""
        return TREASURE in self._decision.game.score_sheet(self._decision.view)[0]

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
        if face.verb == "sell":
            return []
        if len(points) > 1:
            least = min(points)
            text = ngettext(*POINTS_AT_LEAST, least, self._lang)
            return [Foreseen(text)] if least > 0 else []
        gained, told = points.pop(), []
        card = None if face.verb == "stage" else face.card
        # Unless the card or the stage says it itself.
        points_said = ngettext("{n} point", "{n} points", gained, self._lang) in face.label
        if gained and not points_said and not (card and card.gives == f"v{gained}"):
            texts = WORTH if self._has_treasure and gained > 0 else POINTS[gained < 0]
            told.append(Foreseen(ngettext(*texts, abs(gained), self._lang)))
        grows = bool(card and _counts_neighbours(card))  # by what they build in the same turn
        coins = results[0].coins + face.paid
        if coins and ngettext("{n} coin", "{n} coins", coins, self._lang) not in face.label:
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

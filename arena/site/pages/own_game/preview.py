"""What an option of a visitor does at once, as far as the visitor's seat knows.

The rules themselves say it: every option is carried out in positions that the view of the seat
allows. What happens in all of them is certain, what happens in some of them may happen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mypy_extensions import u8

from arena.display import display_of
from arena.display.scene import COINS, CONFLICT, MoveFace, Panel, Scene
from arena.i18n import N_, NN_, colon, gettext, ngettext
from arena.site.pages.news import battle_results, is_battle, stages_of
from bots.api import Decision, Rng, imagine_world
from engine.architects.components.lookup import DECK_SIZE, HIDDEN, KIND_COUNT, TOKEN_COUNT
from engine.architects.knowledge.redact import tokens_unseen
from engine.architects.state import ArchitectsPosition, given_kind
from engine.contract import Action, State

WORLDS: Final = 16  # at least, for the cards below those that come next
SEED: Final = 1  # a page that is loaded again says the same
COUNTS: Final = " x "  # in the signs of a card that gives something for each of some things
BY_ITSELF: Final = ("build", "stage")  # moves that name the stage they build

POINTS: Final = (
    NN_("+{n} point now", "+{n} points now"),
    NN_("−{n} point now", "−{n} points now"),
)
COINS_NOW: Final = NN_("+{n} coin now", "+{n} coins now")
NOTHING: Final = N_("nothing now")
STAGE_BUILT: Final = N_("builds stage {n}")
BATTLE: Final = N_("starts a battle")
ENDING: Final = N_("ends the game")
COMPLETES: Final = N_("completes your wonder and ends the game")
UNKNOWN: Final = N_("unknown card")
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
        return told + self._chances([key for key, is_so in possible.items() if is_so])

    def _common(self, battles: set[str]) -> str:
        """The battle that all positions have follow; with its results if they are the same."""
        return next(iter(battles)) if len(battles) == 1 else gettext(BATTLE, self._lang)

    def _chances(self, possible: list[str]) -> list[Foreseen]:
        """What the card that is drawn blind may do."""
        if not possible:
            return []
        listed = ", ".join(gettext(MAY[key], self._lang) for key in possible)
        icon = "" if possible == ["stage"] else "crown" if "ending" in possible else "horn"
        return [Foreseen(f"{gettext(UNKNOWN, self._lang)}{colon(self._lang)} {listed}", icon)]

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
        if coins := results[0].coins + face.paid:
            told.append(Foreseen(ngettext(*COINS_NOW, coins, self._lang)))
        if card and COUNTS in card.gives and not told:
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


def possible_worlds(view: State) -> list[State]:
    """Positions that a view allows, among them one for every card or token that may come next."""
    if not isinstance(view, ArchitectsPosition):
        return [imagine_world(view, Rng(SEED))]  # a move of one's own meets nothing hidden
    cards, tokens = _next_cards(view), _next_tokens(view)
    worlds = []
    for at in range(max(WORLDS, len(cards), len(tokens))):
        world = view.clone()
        assert isinstance(world, ArchitectsPosition)
        if cards:
            top = world.players * DECK_SIZE + world.size[world.players] - 1
            world.deck[top] = u8(cards[at % len(cards)])
        if tokens:
            world.stack[world.stacked - 1] = u8(tokens[at % len(tokens)])
        world.imagine(Rng(SEED + at))
        worlds.append(world)
    return list(worlds)


def _next_cards(view: ArchitectsPosition) -> list[int]:
    """The kinds that may lie on top of the central deck; none if that is known."""
    centre = int(view.players)
    if not view.size[centre] or view.top(centre) != HIDDEN:
        return []
    given = [given_kind(each) for each in view.given]
    unseen = [int(view.stock[centre * KIND_COUNT + kind]) for kind in range(KIND_COUNT)]
    return [kind for kind, count in enumerate(unseen) if count > given.count(kind)]


def _next_tokens(view: ArchitectsPosition) -> list[int]:
    """The Progress tokens that may lie on top of the stack."""
    if not view.stacked:
        return []
    return [token for token in range(TOKEN_COUNT) if tokens_unseen(view, token)]


def _coins(panel: Panel) -> int:
    pieces = (piece for line in panel.lines for piece in line.pieces)
    return sum(int(piece.mark) for piece in pieces if piece.kind == COINS)


def _all_flipped(scene: Scene) -> bool:
    lines = scene.panels[0].lines
    return any(it.done for line in lines for it in line.pieces if it.kind == CONFLICT)

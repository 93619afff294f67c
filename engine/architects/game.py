"""The door of Architects: its positions and its rules as the contract has them."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from engine.architects import deal, dump, facts, notation, outlook, picture, score, view
from engine.architects.actions import OVER, PROMPTS
from engine.architects.ids import WONDER_IDS
from engine.architects.state import Position
from engine.architects.turn import advance, start_turn, step
from engine.architects.wonders import WONDERS
from engine.contract import Game, Outlook, Setup, State
from engine.errors import SetupError
from engine.rng import Rng, derive
from engine.scene import Scene, Sheet


class ArchitectsState(Position):
    """A position that answers the verbs of the contract."""

    def pending(self) -> list[int]:
        return [] if self.ask == OVER else [self.turn]

    def prompt(self, seat: i64) -> int:
        return self.ask

    def legal(self, seat: i64) -> list[int]:
        return [self.options[at] for at in range(self.offered)]

    def apply(self, seat: i64, action: i64) -> None:
        self.check_whole()
        step(self, action)
        advance(self)

    def playout(self, dice: Rng) -> None:
        self.check_whole()
        while self.ask != OVER:
            step(self, self.options[dice.below(self.offered)])
            advance(self)

    def clone(self) -> ArchitectsState:
        return ArchitectsState(self.players, self)

    def scores(self) -> list[int]:
        return [score.total(self, seat) for seat in range(self.players)]

    def ranks(self) -> list[int]:
        return score.ranks(self)

    def forget(self, seat: i64) -> None:
        view.forget(self, seat)

    def invent(self, rng: Rng) -> None:
        view.invent(self, rng)

    def dump(self) -> str:
        return dump.write(self)


class ArchitectsGame(Game):
    """7 Wonders Architects, with or without Medals."""

    def __init__(self) -> None:
        super().__init__("architects", 1, range(2, 8), PROMPTS, (), ("medals",))

    def setup(
        self,
        players: int,
        seed: int,
        wonders: tuple[str, ...] = (),
        edition: str | None = None,
        expansions: tuple[str, ...] = (),
        expert: bool = False,
    ) -> Setup:
        if players not in self.players:
            raise SetupError(f"expected 2 to 7 players for architects, got {players}")
        self._check_edition(edition)
        for expansion in expansions:
            if expansion not in self.expansions:
                raise SetupError(f"expected the expansion medals, got {expansion!r}")
        if len(set(expansions)) != len(expansions):
            raise SetupError(f"expected every expansion once, got {', '.join(expansions)}")
        if expert and "medals" not in expansions:
            raise SetupError("expected the medals expansion for the expert variant, got none")
        if not wonders:
            wonders = self._draw_wonders(players, seed, expansions)
        self._check_wonders(players, wonders, expansions)
        return Setup(players, wonders, None, expansions, expert)

    def _check_edition(self, edition: str | None) -> None:
        if edition is not None:
            raise SetupError(f"expected no edition for architects, got {edition!r}")

    def _draw_wonders(
        self, players: int, seed: int, expansions: tuple[str, ...]
    ) -> tuple[str, ...]:
        rng = Rng(derive(seed, "wonders"))
        box = [w.id for w in WONDERS if not w.expansion or w.expansion in expansions]
        return tuple([box.pop(rng.below(len(box))) for _ in range(players)])

    def _check_wonders(
        self, players: int, wonders: tuple[str, ...], expansions: tuple[str, ...]
    ) -> None:
        if len(wonders) != players:
            raise SetupError(
                f"expected {players} wonders, got {len(wonders)}: {', '.join(wonders)}"
            )
        for id in wonders:
            if id not in WONDER_IDS:
                raise SetupError(f"expected a wonder out of {', '.join(WONDER_IDS)}, got {id!r}")
            expansion = WONDERS[WONDER_IDS.index(id)].expansion
            if expansion and expansion not in expansions:
                raise SetupError(f"expected the {expansion} expansion for {id}, got none")
        if len(set(wonders)) != len(wonders):
            raise SetupError(f"expected different wonders, got {', '.join(wonders)}")

    def deal(self, setup: Setup, seed: int) -> State:
        state = ArchitectsState(setup.players, None)
        deal.lay_out(state, setup)
        deal.shuffle_all(state, seed)
        start_turn(state)
        advance(state)
        return state

    def load(self, text: str) -> State:
        fields = dump.Fields(text)
        state = ArchitectsState(fields.players(), None)
        dump.read(state, fields)
        return state

    def text(self, action: int) -> str:
        return notation.text(action)

    def parse(self, text: str) -> int:
        return notation.parse(text)

    def score_sheet(self, state: State) -> list[dict[str, int]]:
        assert isinstance(state, Position)
        return [score.sheet(state, seat) for seat in range(state.players)]

    def facts(self, state: State) -> dict[str, object]:
        assert isinstance(state, Position)
        return facts.facts(state)

    def outlook(self, state: State, seat: int) -> Outlook:
        assert isinstance(state, Position)
        return outlook.outlook(state, seat)

    def deal_facts(self, state: State) -> dict[str, object]:
        assert isinstance(state, Position)
        return deal.deal_facts(state)

    def deal_again(self, setup: Setup, told: dict[str, object]) -> State:
        state = ArchitectsState(setup.players, None)
        deal.lay_out(state, setup)
        deal.lay_as_recorded(state, told)
        start_turn(state)
        advance(state)
        return state

    def chance_facts(self, event: list[int]) -> dict[str, object]:
        return deal.chance_facts(event)

    def chance_again(self, told: dict[str, object]) -> list[int]:
        return deal.chance_again(told)

    def components(self, edition: str | None, lang: str) -> list[Sheet]:
        self._check_edition(edition)
        return picture.components(lang)

    def scene(self, state: State, lang: str) -> Scene:
        assert isinstance(state, Position)
        return picture.scene(state, lang)

    def tell(self, action: int, lang: str) -> str:
        return picture.tell(action, lang)

    def notices(self, setup: Setup, lang: str) -> list[str]:
        return picture.notices(setup.wonders, lang)


ARCHITECTS: Final = ArchitectsGame()

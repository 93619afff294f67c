"""The door of Architects: its positions and its rules as the contract has them."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from engine.architects import action_space, deal, score
from engine.architects import setup as setup_rules
from engine.architects.actions import OVER, PROMPTS
from engine.architects.formats import deal_trace, dump, notation, packed
from engine.architects.knowledge import features, observation, redact
from engine.architects.state import ArchitectsPosition
from engine.architects.turn import ODDS_KEYS, advance, odds_key, play_out_by, start_turn, step
from engine.contract import Game, State, sparse
from engine.match import Setup, Variant
from engine.rng import Rng, derive

_NO_FEATURES: Final = vec[i64]([0 for _ in range(features.COUNT)])


@mypyc_attr(acyclic=True)
class ArchitectsState(ArchitectsPosition):
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

    def playout_by(self, dice: Rng, odds: vec[i64], answers: i64 = -1) -> None:
        self.check_whole()
        play_out_by(self, dice, odds, answers)

    def odds_key(self, action: i64) -> int:
        return odds_key(self, action)

    def clone(self) -> ArchitectsState:
        return ArchitectsState(self.players, self)

    def after(self, seat: i64, action: i64) -> ArchitectsState:
        copy = ArchitectsState(self.players, self)
        copy.apply(seat, action)
        return copy

    def fill_features(self, seat: i64, row: vec[i64]) -> None:
        features.fill_row(self, seat, row)

    def features(self, seat: i64) -> tuple[list[int], list[int]]:
        row = _NO_FEATURES[:]
        features.fill_row(self, seat, row)
        return sparse(row)

    def scores(self) -> list[int]:
        return [score.total(self, seat) for seat in range(self.players)]

    def ranks(self) -> list[int]:
        return score.ranks(self)

    def _redact(self, seat: i64) -> None:
        redact.redact_state(self, seat)

    def _imagine(self, rng: Rng) -> None:
        redact.imagine_state(self, rng)

    def dump(self) -> str:
        return dump.write(self)

    def pack(self) -> bytes:
        return packed.pack(self)

    def __reduce__(self) -> tuple[object, ...]:
        return ARCHITECTS.unpack, (self.pack(),)


# To be copied, by players: that is quicker than to make one.
_BLANK: Final = [ArchitectsState(players, None) for players in range(setup_rules.PLAYERS.stop)]


class ArchitectsGame(Game):
    """7 Wonders Architects, with or without Medals."""

    def __init__(self) -> None:
        super().__init__(
            "architects",
            setup_rules.PLAYERS,
            PROMPTS,
            (),
            setup_rules.EXPANSIONS,
            features.COUNT,
            ODDS_KEYS,
        )

    def __reduce__(self) -> str:
        return "ARCHITECTS"  # there is one

    def setup(
        self,
        players: int,
        seed: int,
        wonders: tuple[str, ...] = (),
        variant: Variant | None = None,
    ) -> Setup:
        wanted = Variant(self.id) if variant is None else variant
        setup_rules.check(wanted, players)
        if not wonders:
            rng = Rng(derive(seed, "wonders"))
            wonders = setup_rules.draw_wonders(players, wanted.expansions, rng)
        setup = Setup(wanted, players, wonders)
        setup_rules.check_wonders(setup)
        return setup

    def version(self, variant: Variant) -> int:
        # 2: at a battle every seat claims the medals it then meets.
        return 2 if variant.expansions else 1

    def wonders(self, variant: Variant) -> list[str]:
        setup_rules.check_edition(variant.edition)
        return setup_rules.wonders_of(variant.expansions)

    def actions(self, variant: Variant, players: int) -> list[int]:
        return action_space.list_actions(players)

    def feature_labels(self) -> list[str]:
        return features.labels()

    def deal(self, setup: Setup, seed: int) -> ArchitectsState:
        state = ArchitectsState(setup.players, None)
        deal.lay_out(state, setup)
        deal.shuffle_all(state, seed)
        start_turn(state)
        advance(state)
        return state

    def load(self, text: str) -> ArchitectsState:
        fields = dump.Fields(text)
        state = ArchitectsState(fields.players(), None)
        dump.read(state, fields)
        return state

    def unpack(self, data: bytes) -> ArchitectsState:
        players = packed.players_of(data)
        state = ArchitectsState(players, _BLANK[players])
        packed.unpack(state, data)
        return state

    def text(self, action: int) -> str:
        return notation.text(action)

    def parse(self, text: str) -> int:
        return notation.parse(text)

    def score_sheet(self, state: State) -> list[dict[str, int]]:
        assert isinstance(state, ArchitectsPosition)
        return [score.sheet(state, seat) for seat in range(state.players)]

    def facts(self, state: State) -> dict[str, object]:
        assert isinstance(state, ArchitectsPosition)
        return observation.facts(state)

    def deal_facts(self, state: State) -> dict[str, object]:
        assert isinstance(state, ArchitectsPosition)
        return deal_trace.deal_facts(state)

    def deal_again(self, setup: Setup, recorded: dict[str, object]) -> ArchitectsState:
        state = ArchitectsState(setup.players, None)
        deal.lay_out(state, setup)
        deal_trace.lay_as_recorded(state, recorded)
        start_turn(state)
        advance(state)
        return state

    def chance_facts(self, event: list[int]) -> dict[str, object]:
        return deal_trace.chance_facts(event)

    def chance_again(self, recorded: dict[str, object]) -> list[int]:
        return deal_trace.chance_again(recorded)


ARCHITECTS: Final = ArchitectsGame()

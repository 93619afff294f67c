"""7 Wonders: the verbs of its position, and the game itself."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from engine.contract import Game, State, sparse
from engine.errors import HiddenError, TraceError
from engine.match import Setup, Variant
from engine.rng import Rng, derive
from engine.seven import action_space, deal, score
from engine.seven import setup as setup_rules
from engine.seven.actions import OVER, PLAY, PROMPTS, UNDECIDED
from engine.seven.components.lookup import EDITIONS
from engine.seven.formats import deal_trace, dump, notation, packed
from engine.seven.knowledge import features, observation, redact
from engine.seven.knowledge.imagine import imagine_state
from engine.seven.options import add_options, new_option_buffer
from engine.seven.state import SevenPosition
from engine.seven.turn import (
    ODDS_KEYS,
    answer,
    asked,
    odds_key,
    open_age,
    play_alone,
    play_out,
    play_out_by,
)

VERSION: Final = 1
_NO_FEATURES: Final = vec[i64]([0 for _ in range(features.COUNT)])


@mypyc_attr(acyclic=True)
@final
class SevenState(SevenPosition):
    """A position of 7 Wonders."""

    def pending(self) -> list[int]:
        if self.phase == OVER:
            return []
        if self.phase != PLAY:
            return [asked(self)]
        return [seat for seat in range(self.players) if self.commits[seat] == UNDECIDED]

    def prompt(self, seat: i64) -> int:
        return self.phase

    def legal(self, seat: i64) -> list[int]:
        if self.viewer >= 0 and seat != self.viewer:
            raise HiddenError(f"expected the cards of seat {seat}, got the view of another")
        options = new_option_buffer()
        count = add_options(self, seat, options)
        return [options[i] for i in range(count)]

    def apply(self, seat: i64, action: i64) -> None:
        self.check_whole()
        answer(self, seat, action)

    def playout(self, dice: Rng) -> None:
        self.check_whole()
        play_out(self, dice)

    def playout_by(self, dice: Rng, odds: vec[i64], answers: i64 = -1) -> None:
        self.check_whole()
        play_out_by(self, dice, odds, answers)

    def odds_key(self, action: i64) -> int:
        return odds_key(self, action)

    def clone(self) -> "SevenState":
        return SevenState(self)

    def after(self, seat: i64, action: i64) -> "SevenState":
        copy = SevenState(self)
        play_alone(copy, seat, action)
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
        imagine_state(self, rng)

    def dump(self) -> str:
        return dump.write(self)

    def pack(self) -> bytes:
        return packed.pack(self)

    def __reduce__(self) -> tuple[object, ...]:
        return SEVEN.unpack, (self.pack(),)


@final
class SevenGame(Game):
    """7 Wonders in both editions."""

    def __init__(self) -> None:
        super().__init__(
            "seven",
            setup_rules.PLAYERS,
            PROMPTS,
            EDITIONS[::-1],
            (),
            features.COUNT,
            ODDS_KEYS,
        )

    def __reduce__(self) -> str:
        return "SEVEN"  # there is one

    def setup(
        self,
        players: int,
        seed: int,
        wonders: tuple[str, ...] = (),
        variant: Variant | None = None,
    ) -> Setup:
        wanted = Variant(self.id) if variant is None else variant
        setup_rules.check(wanted, players)
        number = setup_rules.edition_named(wanted.edition)
        if not wonders:
            wonders = setup_rules.draw_wonders(number, players, Rng(derive(seed, "wonders")))
        setup = Setup(Variant(self.id, EDITIONS[number]), players, wonders)
        setup_rules.boards_of(setup)
        return setup

    def version(self, variant: Variant) -> int:
        return VERSION

    def wonders(self, variant: Variant) -> list[str]:
        return setup_rules.wonders_of(setup_rules.edition_named(variant.edition))

    def actions(self, variant: Variant, players: int) -> list[int]:
        return action_space.list_actions(setup_rules.edition_named(variant.edition), players)

    def feature_labels(self) -> list[str]:
        return features.labels()

    def deal(self, setup: Setup, seed: int) -> SevenState:
        state = _lay(setup)
        deal.shuffle_decks(state, Rng(derive(seed, "deal")))
        open_age(state)
        return state

    def load(self, text: str) -> SevenState:
        state = SevenState(None)
        dump.read(state, text)
        return state

    def unpack(self, data: bytes) -> SevenState:
        state = SevenState(None)
        packed.unpack(state, data)
        return state

    def text(self, action: int) -> str:
        return notation.text(action)

    def parse(self, text: str) -> int:
        return notation.parse(text)

    def score_sheet(self, state: State) -> list[dict[str, int]]:
        position = _own(state)
        return [score.sheet(position, seat) for seat in range(position.players)]

    def facts(self, state: State) -> dict[str, object]:
        return observation.facts(_own(state))

    def deal_facts(self, state: State) -> dict[str, object]:
        return deal_trace.deal_facts(_own(state))

    def deal_again(self, setup: Setup, recorded: dict[str, object]) -> SevenState:
        state = _lay(setup)
        deal_trace.lay_as_recorded(state, recorded)
        open_age(state)
        return state

    def chance_facts(self, event: list[int]) -> dict[str, object]:
        raise TraceError("expected no chance after the deal of seven, got an event")

    def chance_again(self, recorded: dict[str, object]) -> list[int]:
        raise TraceError("expected no chance after the deal of seven, got an event")


def _lay(setup: Setup) -> SevenState:
    state = SevenState(None)
    deal.lay_boards(
        state, setup_rules.edition_named(setup.variant.edition), setup_rules.boards_of(setup)
    )
    return state


def _own(state: State) -> SevenState:
    assert isinstance(state, SevenState)
    return state


SEVEN: Final = SevenGame()

"""Numbers for learners: every action has one, and an observation tells what a seat may know."""

import numpy as np
import pytest
from librt.vecs import vec
from mypy_extensions import i64

from arena.adapters.encoding import Encoding, zero_sum_rewards
from arena.adapters.layout import BOUND
from engine.architects.build import offer_builds
from engine.architects.components.ids import WONDER_IDS
from engine.architects.components.lookup import GREY_COUNT, KIND_COUNT, STAGE_COUNT, TOKEN_COUNT
from engine.architects.state import ArchitectsPosition
from engine.catalog import find
from engine.errors import ArenaError, HiddenError, NotationError
from engine.match import Variant
from engine.rng import Rng, derive
from tests.support.setups import Row, every_row, states

pytestmark = pytest.mark.slow


def encoding_of(row: Row) -> Encoding:
    return Encoding(row.rules, row.players, row.variant)


@every_row
def test_every_option_of_every_decision_has_an_index(row: Row, many: int) -> None:
    code = encoding_of(row)
    for seed in range(many):
        for state in states(row, seed):
            for seat in range(row.players):
                legal = code.legal(state, seat)
                options = state.legal(seat) if seat in state.pending() else []
                assert sorted(code.actions[index] for index in legal) == sorted(options)
                assert np.flatnonzero(code.mask(state, seat)).tolist() == legal


@every_row
def test_indices_and_actions_are_one_to_one_and_can_be_written(row: Row) -> None:
    code = encoding_of(row)
    assert [code.index(action) for action in code.actions] == list(range(len(code.actions)))
    texts = {row.rules.text(action) for action in code.actions}
    assert len(texts) == len(code.actions)
    with pytest.raises(NotationError, match="expected an action of"):
        code.index(-1)


def test_no_hand_pays_otherwise_than_the_builds_that_are_listed() -> None:
    game = find("architects")
    actions = game.actions(Variant("architects"), 2)
    listed = {action for action in actions if game.text(action).startswith("build ")}
    seen = set()
    dice = Rng(derive(1, "hands"))
    for _ in range(2000):
        p = ArchitectsPosition(2, None)
        cards = [0] * int(2 * KIND_COUNT)
        for _card in range(dice.below(9)):
            cards[dice.below(GREY_COUNT + 1)] += 1
        p.cards = vec[i64](cards)
        p.wonder = vec[i64]([dice.below(len(WONDER_IDS)), 0])
        p.owned = vec[i64]([dice.below(1 << TOKEN_COUNT), 0])
        p.built = vec[i64]([dice.below(1 << STAGE_COUNT), 0])
        p.clear_options()
        offer_builds(p)
        seen |= {int(p.options[at]) for at in range(p.offered)}
    assert seen <= listed
    assert len(seen) > len(listed) / 2


@every_row
def test_observations_are_small_numbers_with_a_label_each(row: Row) -> None:
    code = encoding_of(row)
    assert len(code.labels()) == code.size
    for state in states(row, 3):
        for seat in range(row.players):
            seen = code.observe(state.view(seat))
            assert seen.shape == (code.size,)
            assert seen.dtype == np.float32
            assert np.abs(seen).max() < BOUND


@every_row
def test_what_is_hidden_makes_no_difference(row: Row, many: int) -> None:
    code = encoding_of(row)
    different = 0
    for seed in range(many):
        rng = Rng(derive(seed, "scramble"))
        for state in states(row, seed):
            seat = rng.below(row.players)
            other = row.rules.load(row.scramble(state.dump(), seat, rng))
            different += other.dump() != state.dump()
            assert np.array_equal(code.observe(other.view(seat)), code.observe(state.view(seat)))
    assert different


@every_row
def test_what_others_have_chosen_but_not_shown_makes_no_difference(row: Row) -> None:
    code = encoding_of(row)
    tried = 0
    for state in states(row, 6):
        first, *others = [*state.pending(), -1]
        for seat in others[:-1]:
            before = code.observe(state.view(seat)), code.legal(state, seat)
            for action in state.legal(first):
                after = state.clone()
                after.apply(first, action)
                assert np.array_equal(code.observe(after.view(seat)), before[0])
                assert code.legal(after, seat) == before[1]
                tried += 1
    assert bool(tried) == (row.game == "seven")


def told(code: Encoding, seen: np.ndarray) -> dict[str, float]:
    """An observation by its labels, without noughts."""
    numbers = zip(code.labels(), seen.tolist(), strict=True)
    return {label: round(value, 4) for label, value in numbers if value}


def test_an_observation_of_architects_tells_the_view() -> None:
    game = find("architects")
    state = game.deal(game.setup(3, 5), 5)
    state.apply(0, game.parse("take left"))
    code = Encoding(game, 3)
    facts: dict = game.facts(state.view(1))  # type: ignore[type-arg]
    seen = told(code, code.observe(state.view(1)))
    assert seen["seat 1"] == 1
    for place, seat in ((0, 1), (1, 2), (2, 0)):
        mine = facts["seats"][seat]
        assert seen[f"+{place} wonder {mine['wonder']}"] == 1
        assert seen[f"+{place} deck.top {mine['deck']['top'][0]}"] == 1
        assert seen.get(f"+{place} to_move", 0) == (facts["to_move"] == seat)
        cards = {k: v for k, v in seen.items() if k.startswith(f"+{place} cards ")}
        assert cards == {f"+{place} cards {id}": n / 4 for id, n in mine["cards"].items()}
    tokens = {label for label in seen if label.startswith("progress.face_up")}
    assert tokens == {f"progress.face_up {id}" for id in facts["progress"]["face_up"]}
    assert "centre.top unknown" not in seen


def test_an_observation_of_seven_tells_the_view() -> None:
    game = find("seven")
    state = game.deal(game.setup(3, 5), 5)
    for seat in state.pending():
        state.apply(seat, state.legal(seat)[0])
    code = Encoding(game, 3)
    facts: dict = game.facts(state.view(2))  # type: ignore[type-arg]
    seen = told(code, code.observe(state.view(2)))
    assert seen["age 1"] == seen["turn 2"] == seen["prompt play"] == seen["seat 2"] == 1
    for place, seat in ((0, 2), (1, 0), (2, 1)):
        mine = facts["seats"][seat]
        assert seen[f"+{place} coins"] == pytest.approx(mine["coins"] / 20, abs=1e-4)
        hand = {label for label in seen if label.startswith(f"+{place} hand ")}
        known = {f"+{place} hand {id}" for id in mine["hand"] if id}
        assert hand == known or hand == {f"+{place} hand unknown"}
        assert bool(known) == (None not in mine["hand"])
    assert "+0 hand unknown" not in seen
    assert "+1 hand unknown" in seen or "+2 hand unknown" in seen


def test_a_whole_state_is_not_encoded() -> None:
    game = find("seven")
    with pytest.raises(HiddenError, match="expected the view of a seat"):
        Encoding(game, 3).observe(game.deal(game.setup(3, 1), 1))


def test_the_parts_of_an_observation() -> None:
    game = find("architects")
    code = Encoding(game, 4)
    seen = code.observe(game.deal(game.setup(4, 1), 1).view(2))
    table, seats = code.parts(seen)
    assert table[-4:].tolist() == [0, 0, 1, 0]  # the seat
    assert seats.shape == (4, code.seat_size)
    assert np.concatenate([table, seats.ravel()]).tolist() == seen.tolist()


def test_an_index_that_is_not_legal_is_refused() -> None:
    game = find("architects")
    code = Encoding(game, 2)
    state = game.deal(game.setup(2, 1), 1)
    (wrong, *_) = set(range(len(code.actions))) - set(code.legal(state, 0))
    with pytest.raises(ArenaError, match=f"expected one of 3 legal indices, got {wrong}"):
        code.choice(state, 0, wrong)
    with pytest.raises(ArenaError, match="expected one of 0 legal indices"):
        code.choice(state, 1, code.legal(state, 0)[0])


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ([0, 1], [1, -1]),
        ([0, 0], [0, 0]),
        ([2, 0, 1], [-1, 1, 0]),
        ([0, 0, 2], [0.5, 0.5, -1]),
        ([0, 1, 1, 3], [1, 0, 0, -1]),
    ],
)
def test_zero_sum_rewards(ranks: list[int], points: list[float]) -> None:
    assert zero_sum_rewards(ranks) == points
    assert sum(points) == 0

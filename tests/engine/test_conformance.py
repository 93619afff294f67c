"""What must hold at every decision of every game."""

import pytest

from engine.replay import Replay, read_trace, trace, write_trace
from engine.rng import Rng, derive
from tests.support.setups import Row, every_row, random_match, states

pytestmark = pytest.mark.slow


@every_row
def test_options_are_distinct_and_written_unambiguously(row: Row, many: int) -> None:
    for seed in range(many):
        for state in states(row, seed):
            for seat in state.pending():
                options = state.legal(seat)
                texts = [row.rules.text(action) for action in options]
                assert len(options) >= 2
                assert len(set(options)) == len(set(texts)) == len(options)
                assert [row.rules.parse(text) for text in texts] == options
                assert 0 <= state.prompt(seat) < len(row.rules.prompts)


@every_row
def test_dump_and_load_are_inverse_and_load_finds_every_card(row: Row, many: int) -> None:
    for seed in range(many):
        for state in states(row, seed):
            text = state.dump()
            again = row.rules.load(text)  # checks that no card is missing or there twice
            assert "\n" not in text
            assert again.dump() == text
            assert again.pending() == state.pending()
            assert again.scores() == state.scores()
            assert again.ranks() == state.ranks()
            for seat in state.pending():
                assert again.legal(seat) == state.legal(seat)
                assert again.prompt(seat) == state.prompt(seat)


@every_row
def test_a_clone_is_independent(row: Row, many: int) -> None:
    for seed in range(many):
        for state in states(row, seed):
            before = state.dump()
            other = state.clone()
            assert other.dump() == before
            for seat in other.pending():
                assert other.legal(seat) == state.legal(seat)
            other.playout(Rng(derive(seed, "other")))
            assert other.pending() == []
            assert state.dump() == before


@every_row
def test_commits_commute(row: Row, many: int) -> None:
    for seed in range(many):
        dice = Rng(derive(seed, "commits"))
        for state in states(row, seed):
            seats = state.pending()
            if len(seats) < 2:
                continue
            answers = {seat: (o := state.legal(seat))[dice.below(len(o))] for seat in seats}
            one, other = state.clone(), state.clone()
            for seat in seats:
                one.apply(seat, answers[seat])
            for seat in reversed(seats):
                assert other.legal(seat) == state.legal(seat)
                other.apply(seat, answers[seat])
            assert one.dump() == other.dump()


@every_row
def test_playout_chooses_uniformly_among_the_legal_options(row: Row, many: int) -> None:
    for seed in range(many):
        slow = row.deal(seed)
        fast = slow.clone()
        dice = Rng(derive(seed, "dice"))
        while seats := slow.pending():
            for seat in seats:
                options = slow.legal(seat)
                slow.apply(seat, options[dice.below(len(options))])
        fast.playout(Rng(derive(seed, "dice")))
        assert fast.dump() == slow.dump()


@every_row
def test_a_match_is_its_spec_and_its_decisions(row: Row, many: int) -> None:
    for seed in range(many):
        result = random_match(row, seed)
        line = write_trace(trace(result))
        assert write_trace(trace(result)) == line
        replay = Replay(read_trace(line))
        while replay.advance():
            pass
        assert replay.state.scores() == result.scores
        assert replay.state.ranks() == result.ranks


@every_row
def test_ranks_count_the_seats_ahead(row: Row, many: int) -> None:
    for seed in range(many):
        result = random_match(row, seed)
        best = [seat for seat, rank in enumerate(result.ranks) if rank == 0]
        assert best
        assert all(result.scores[seat] == max(result.scores) for seat in best)
        for rank in result.ranks:
            assert sum(other < rank for other in result.ranks) == rank


@every_row
def test_the_seed_decides_the_deal(row: Row) -> None:
    assert row.deal(1).dump() == row.deal(1).dump()
    assert row.deal(1).dump() != row.deal(2).dump()

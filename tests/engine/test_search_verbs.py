"""Verbs for searchers and learners: features, what follows from one answer, playouts by odds."""

from collections.abc import Iterator

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from engine.catalog import GAMES, find
from engine.contract import Game, State
from engine.match import Variant
from engine.rng import Rng

TABLES = [
    ("architects", 2, Variant("architects", None, ("medals",), True)),
    ("architects", 4, Variant("architects")),
    ("seven", 3, Variant("seven", "1st")),
    ("seven", 5, Variant("seven", "2nd")),
]


def positions(game: Game, players: int, variant: Variant, seed: int) -> Iterator[State]:
    """Every position of a random game in which somebody is asked."""
    state, dice = game.deal(game.setup(players, seed, (), variant), seed), Rng(seed)
    while seats := state.pending():
        yield state
        for seat in seats:
            options = state.legal(seat)
            state.apply(seat, options[dice.below(len(options))])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_feature_has_a_label_of_its_own(game: Game) -> None:
    labels = game.feature_labels()
    assert len(labels) == len(set(labels)) == game.feature_count


@pytest.mark.parametrize(("game", "players", "variant"), TABLES)
def test_features_tell_what_the_seat_knows_and_no_more(
    game: str, players: int, variant: Variant
) -> None:
    told = set()
    for state in positions(find(game), players, variant, 3):
        for seat in range(players):
            places, numbers = state.features(seat)
            assert (places, numbers) == state.view(seat).features(seat)
            assert sorted(set(places)) == places
            assert all(numbers)
            told |= set(places)
    assert max(told) < find(game).feature_count
    assert len(told) > 120  # not the same few numbers over and over


def test_features_by_hand() -> None:
    game = find("seven")
    state = game.deal(game.setup(3, 1, ("rhodos:day", "gizah:day", "olympia:day")), 1)
    labels = game.feature_labels()
    told = {labels[place]: number for place, number in zip(*state.features(1), strict=True)}
    assert told["board.gizah:day.0"] == told["turn.1"] == told["players.3"] == 1
    assert told["coins.3"] == 1
    assert "coins.4" not in told
    assert sum(number for label, number in told.items() if label.startswith("held.")) == 7
    assert told["points"] == 1  # three coins


@pytest.mark.parametrize(("game", "players", "variant"), TABLES)
def test_after_an_answer_the_position_itself_is_as_it_was(
    game: str, players: int, variant: Variant
) -> None:
    for at, state in enumerate(positions(find(game), players, variant, 5)):
        if at % 7 == 0:
            before = state.dump()
            for seat in state.pending():
                for action in state.legal(seat):
                    state.after(seat, action)
            assert state.dump() == before


def test_after_the_answer_of_a_single_seat_everything_has_happened() -> None:
    for state in positions(find("architects"), 3, Variant("architects"), 2):
        [seat] = state.pending()
        for action in state.legal(seat):
            played = state.clone()
            played.apply(seat, action)
            assert state.after(seat, action).dump() == played.dump()


def test_after_an_answer_at_seven_only_the_own_city_has_changed() -> None:
    """What the seat knows of it needs no world: a view gives the same."""
    game = find("seven")
    for state in positions(game, 3, Variant("seven", "2nd"), 4):
        for seat in state.pending():
            view = state.view(seat)
            for action in state.legal(seat):
                future = state.after(seat, action)
                assert future.features(seat) == view.after(seat, action).features(seat)
                sheets = zip(game.score_sheet(state), game.score_sheet(future), strict=True)
                for other, (old, new) in enumerate(sheets):
                    if other != seat:  # guilds may count it, and it may have paid
                        kept = {"wonder", "military", "civil", "commerce", "science"}
                        assert all(old[part] == new[part] for part in kept)


def test_the_last_answer_of_a_round_makes_what_it_promised_where_nobody_pays() -> None:
    """The own points after a round differ from those promised by the coins of others alone."""
    game = find("seven")
    for state in positions(game, 3, Variant("seven", "2nd"), 6):
        seats = state.pending()
        if len(seats) == 3 and int(getattr(state, "turn")) < 5:  # noqa: B009 - not of the contract
            promised = []
            answers = [state.legal(seat)[-1] for seat in seats]  # the last option sells
            for seat, action in zip(seats, answers, strict=True):
                promised.append(game.score_sheet(state.after(seat, action))[seat])
            played = state.clone()
            for seat, action in zip(seats, answers, strict=True):
                played.apply(seat, action)
            assert game.score_sheet(played) == promised


@pytest.mark.parametrize(("game", "players", "variant"), TABLES)
def test_a_playout_by_odds_goes_by_them(game: str, players: int, variant: Variant) -> None:
    rules = find(game)
    state = rules.deal(rules.setup(players, 1, (), variant), 1)
    even = vec[i64]([1 for _ in range(rules.odds_keys)])
    end = state.clone()
    end.playout_by(Rng(1), even)
    assert end.pending() == []
    seat = state.pending()[0]
    for wanted in state.legal(seat):
        odds = even[:]
        odds[state.odds_key(wanted)] = 10**9
        played = state.clone()
        played.playout_by(Rng(2), odds, 1)
        if game == "architects":
            keys = [state.odds_key(action) for action in state.legal(seat)]
            if keys.count(state.odds_key(wanted)) == 1:
                assert played.dump() == state.after(seat, wanted).dump()
        else:
            assert played.dump() != state.dump()


def test_a_playout_is_cut_after_so_many_answers() -> None:
    game = find("architects")
    state = game.deal(game.setup(2, 1), 1)
    even = vec[i64]([1 for _ in range(game.odds_keys)])
    cut = state.clone()
    cut.playout_by(Rng(1), even, 0)
    assert cut.dump() == state.dump()
    cut.playout_by(Rng(1), even, 10)
    assert cut.pending() != []

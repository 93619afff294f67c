"""Both games of a block differ in who sits where alone, and over blocks everything is even."""

from collections import Counter
from typing import Any

import pytest

from arena.compare.pairs import PairDesign, PairSchedule, draw_hand, rank_points, score
from arena.schedule.fixtures import TrackRules
from engine.errors import ArenaError
from engine.match import MatchResult, Variant

FIELD = ("f1", "f2", "f3", "f4")


def tables(game: str, design: str, *counts: int, seed: int = 1, **options: Any) -> PairSchedule:
    field = () if design == "self" else FIELD
    rules = TrackRules(Variant(game, **options))
    return PairSchedule(rules, "new", "old", field, PairDesign(design), counts, seed)


EVERY = pytest.mark.parametrize(
    "case",
    [
        *(("architects", design, k) for design in PairDesign for k in range(2, 8)),
        *(("seven", design, k) for design in PairDesign for k in (3, 4, 7)),
    ],
    ids=lambda case: "-".join(map(str, case)),
)


@EVERY
def test_games_of_a_block_differ_in_the_exchange_alone(case: tuple[str, str, int]) -> None:
    exchange = {"new": "old", "old": "new"}
    for number in range(30):
        first, second = tables(*case).block(number).games
        assert first.seed == second.seed
        assert first.setup == second.setup
        assert second.bots == tuple(exchange.get(bot, bot) for bot in first.bots)
        assert "new" in first.bots
        assert len(first.bots) == first.setup.players == case[2]


@EVERY
def test_deals_differ_from_block_to_block(case: tuple[str, str, int]) -> None:
    seeds = [tables(*case).block(number).games[0].seed for number in range(200)]
    assert len(set(seeds)) == 200


@EVERY
def test_a_block_follows_from_seed_and_number(case: tuple[str, str, int]) -> None:
    some = [tables(*case).block(number) for number in (0, 7, 1000)]
    assert some == [tables(*case).block(number) for number in (0, 7, 1000)]
    others = [tables(*case, seed=2).block(number) for number in range(20)]
    assert others != [tables(*case).block(number) for number in range(20)]


@EVERY
def test_seats_and_wonders_are_even(case: tuple[str, str, int]) -> None:
    where = tables(*case)
    boards = where.pool.wonders
    sides = len(boards[0])
    period = len(where.design.shares(case[2])) * len(boards) * sides
    seats: dict[str, Counter[int]] = {"new": Counter(), "old": Counter()}
    wonders: Counter[str] = Counter()
    for number in range(period):
        block = where.block(number)
        wonders.update(block.games[0].setup.wonders)
        for spec in block.games:
            for seat, bot in enumerate(spec.bots):
                if bot in seats:
                    seats[bot][seat] += 1
    assert seats["new"] == seats["old"]
    assert len(set(seats["new"].values())) == 1
    assert set(seats["new"]) == set(range(case[2]))
    assert set(wonders) == {side for board in boards for side in board}
    assert len(set(wonders.values())) == 1


@pytest.mark.parametrize("case", [("architects", "field", 4), ("seven", "mirror", 7)])
def test_opponents_are_even(case: tuple[str, str, int]) -> None:
    where = tables(*case)
    met = Counter(bot for n in range(40) for bot in where.block(n).games[0].bots)
    assert len({met[bot] for bot in FIELD}) == 1
    assert all(len({*where.block(n).games[0].bots}) >= 4 for n in range(40))


def test_opponents_change_places() -> None:
    where = tables("architects", "mirror", 4)
    after = Counter(
        (bots[seat - 1], bots[seat])
        for n in range(200)
        for bots in [where.block(n).games[0].bots]
        for seat in range(4)
        if bots[seat] == "new"
    )
    assert set(after) == {(bot, "new") for bot in FIELD}


def test_numbers_of_players_take_turns() -> None:
    where = tables("architects", "self", 2, 3, 5)
    assert [where.block(number).players for number in range(6)] == [2, 3, 5, 2, 3, 5]


def test_expansions_bring_their_wonders() -> None:
    where = tables("architects", "self", 4, expansions=("medals",))
    seen = {wonder for n in range(9) for wonder in where.block(n).games[0].setup.wonders}
    assert {"rome", "ur"} <= seen
    assert where.block(0).games[0].setup.variant.expansions == ("medals",)


def test_no_hand_holds_an_item_twice_while_there_are_enough() -> None:
    for size in range(1, 8):
        for nth in range(50):
            assert len(set(draw_hand(tuple("abcdefg"), size, 5, nth))) == size


def test_hands_repeat_where_items_are_few() -> None:
    assert sorted(draw_hand(("a", "b"), 4, 5, 0)) == ["a", "a", "b", "b"]
    assert Counter(
        item for nth in range(6) for item in draw_hand(tuple("ab"), 3, 5, nth)
    ) == Counter(a=9, b=9)


def test_rank_points_are_the_share_beaten() -> None:
    assert rank_points([0, 1, 2, 3]) == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert rank_points([0, 0, 2]) == pytest.approx([0.75, 0.75, 0])
    assert rank_points([0, 0]) == [0.5, 0.5]


@pytest.mark.parametrize("players", range(2, 8))
def test_a_bot_that_always_wins_scores_what_its_excess_says(players: int) -> None:
    """NEW's seats all above OLD's: an excess of 1 in every game."""
    where = tables("architects", "self", players)
    results = []
    for spec in where.block(0).games:
        ranked = sorted(range(players), key=lambda seat: spec.bots[seat] != "new")
        results.append(MatchResult(spec, [], [], [ranked.index(seat) for seat in range(players)]))
    expected = PairDesign.SELF.factor(players)
    assert score(results, "new", "old") == pytest.approx(expected)
    assert score(results, "old", "new") == pytest.approx(-expected)


@pytest.mark.parametrize("design", ["field", "mirror"])
def test_scores_at_tables_with_a_field_are_those_of_the_two(design: str) -> None:
    results = []
    for spec in tables("architects", design, 4).block(0).games:
        rest = iter([1, 3] if design == "field" else [1, 3, 2 if "new" in spec.bots else 0])
        own = {"new": 0, "old": 2}
        ranks = [own[bot] if bot in own else next(rest) for bot in spec.bots]
        results.append(MatchResult(spec, [], [], ranks))
    assert score(results, "new", "old") == pytest.approx(1 - 1 / 3)


def test_two_players_leave_no_room_for_a_field() -> None:
    assert sorted(tables("architects", "field", 2).block(0).games[0].bots) == ["new", "old"]


@pytest.mark.parametrize(
    ("design", "field", "counts", "words"),
    [
        ("self", FIELD, (4,), "expected the design field or mirror with a field, got self"),
        ("mirror", (), (2,), "expected a field of bots for the design mirror, got none"),
        ("field", (), (2, 3), "expected a field of bots for the design field, got none"),
        ("self", (), (8,), "expected 2 to 7 players"),
        ("self", (), (4, 9), "expected 2 to 7 players"),
        ("self", (), (), "expected a number of players, got none"),
    ],
)
def test_tables_that_cannot_be_laid(
    design: str, field: tuple[str, ...], counts: tuple[int, ...], words: str
) -> None:
    with pytest.raises(ArenaError, match=words):
        PairSchedule(
            TrackRules(Variant("architects")), "new", "old", field, PairDesign(design), counts, 1
        )

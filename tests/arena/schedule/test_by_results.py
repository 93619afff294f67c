"""Swiss rounds and knockouts: who meets whom follows from results, and from nothing else."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

import pytest

from arena.schedule import Fixture, Track, TrackRules, open_track
from arena.schedule.knockout import Knockout, draw_tables, round_size
from arena.schedule.swiss import Swiss
from arena.schedule.table_games import MAX_FURTHER, ByResults, follow_results, points_of
from engine.errors import SetupError
from engine.match import Variant

SEED = 5
Ranker = Callable[[Fixture], Sequence[int]]


def by_seed(fixture: Fixture) -> list[int]:
    """The better seed always wins."""
    return [sorted(fixture.entrants).index(bot) for bot in fixture.entrants]


def all_tied(fixture: Fixture) -> list[int]:
    return [0] * len(fixture.entrants)


def by_lot(dice: Random) -> Ranker:
    def ranks(fixture: Fixture) -> list[int]:
        order = list(range(len(fixture.entrants)))
        dice.shuffle(order)
        if dice.random() < 0.2:  # a shared win
            order = [max(0, rank - 1) for rank in order]
        return order

    return ranks


def track_of(bots: int, players: int) -> Track:
    return open_track(TrackRules(Variant("architects")), players, range(bots))


def swiss(bots: int, players: int, rounds: int | None = None) -> Swiss:
    return Swiss(labels(bots), track_of(bots, players), SEED, rounds)


def knockout(bots: int, players: int, deals: int = 1, lives: int = 1) -> Knockout:
    return Knockout(labels(bots), track_of(bots, players), SEED, deals, lives)


def labels(bots: int) -> tuple[str, ...]:
    return tuple(f"b{number}" for number in range(bots))


def play_out(
    design: ByResults, ranker: Ranker
) -> tuple[list[list[Fixture]], dict[int, Sequence[int]], list[int]]:
    """All batches, all results and the final order."""
    ranks: dict[int, Sequence[int]] = {}
    played: list[list[Fixture]] = []
    batches = design.batches(lambda: ranks)
    while True:
        try:
            played.append(next(batches))
        except StopIteration as end:
            order: list[int] = end.value
            return played, ranks, order
        ranks |= {fixture.number: ranker(fixture) for fixture in played[-1]}


FIELDS = [
    (bots, players) for bots in (2, 3, 5, 8, 11, 16) for players in (2, 3, 5) if bots >= players
]
DESIGNS: list[Callable[[int, int], ByResults]] = [swiss, knockout]


@pytest.mark.parametrize(("bots", "players"), FIELDS)
@pytest.mark.parametrize("make", DESIGNS)
def test_numbers_seats_and_deals_are_as_promised(
    make: Callable[[int, int], ByResults], bots: int, players: int
) -> None:
    design = make(bots, players)
    batches, _, order = play_out(design, by_lot(Random(bots)))
    games = [fixture for batch in batches for fixture in batch]
    assert [fixture.number for fixture in games] == list(range(len(games)))
    assert len({fixture.id for fixture in games}) == len(games)
    assert sorted(order) == list(range(bots))
    assert len(games) >= design.games
    hands: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    for fixture in games:
        assert fixture.spec.bots == tuple(f"b{bot}" for bot in fixture.entrants)
        for seat, bot in enumerate(fixture.entrants):
            hands[fixture.spec.seed, bot][seat] += 1
    assert all(seats == Counter(range(players)) for seats in hands.values())


@pytest.mark.parametrize(("bots", "players"), FIELDS)
@pytest.mark.parametrize("make", DESIGNS)
def test_who_resumes_anywhere_has_the_same_tables(
    make: Callable[[int, int], ByResults], bots: int, players: int
) -> None:
    batches, ranks, order = play_out(make(bots, players), by_lot(Random(7 * bots)))
    games = {fixture.number: fixture for batch in batches for fixture in batch}
    for stop in range(0, len(games) + 1, max(1, len(games) // 7)):
        known = {number: ranks[number] for number in range(stop)}
        found = follow_results(make(bots, players), known)
        assert found.fixtures == {number: games[number] for number in found.fixtures}
        assert [fixture.number for fixture in found.due] == list(range(stop, len(found.fixtures)))
        assert found.order == (order if stop == len(games) else None)
    whole = follow_results(make(bots, players), ranks)
    assert (whole.fixtures, whole.due, whole.order) == (games, [], order)


def test_a_missing_result_in_a_batch_is_waited_for() -> None:
    _, ranks, _ = play_out(swiss(6, 2), by_seed)
    found = follow_results(swiss(6, 2), {number: ranks[number] for number in ranks if number != 1})
    assert [fixture.number for fixture in found.due] == [1]
    assert len(found.fixtures) == 6


def tables_by_round(batches: list[list[Fixture]], rounds: int) -> list[set[frozenset[int]]]:
    tables: list[set[frozenset[int]]] = [set() for _ in range(rounds)]
    for fixture in (fixture for batch in batches for fixture in batch if fixture.round < rounds):
        tables[fixture.round].add(frozenset(fixture.entrants))
    return tables


@pytest.mark.parametrize("bots", [4, 6, 9, 12, 21])
def test_nobody_meets_twice_in_half_as_many_swiss_rounds_as_bots(bots: int) -> None:
    rounds = bots // 2
    for luck in range(3):
        batches, _, _ = play_out(swiss(bots, 2, rounds), by_lot(Random(luck)))
        tables = tables_by_round(batches, rounds)
        assert all(len(round) == bots // 2 for round in tables)
        assert max(Counter(pair for round in tables for pair in round).values()) == 1


@pytest.mark.parametrize(("bots", "players"), [(5, 2), (7, 3), (11, 4)])
def test_all_sit_out_about_equally_often(bots: int, players: int) -> None:
    rounds = 6
    batches, _, _ = play_out(swiss(bots, players, rounds), by_lot(Random(1)))
    sat: Counter[int] = Counter(dict.fromkeys(range(bots), 0))
    for round in tables_by_round(batches, rounds):
        playing = [bot for table in round for bot in table]
        assert len(playing) == len(set(playing)) == bots - bots % players
        sat.update(set(range(bots)) - set(playing))
    assert max(sat.values()) - min(sat.values()) <= 1


def test_equals_meet_in_swiss_rounds() -> None:
    batches, _, order = play_out(swiss(8, 2, 3), by_seed)
    tables = tables_by_round(batches, 3)
    assert tables[0] == {frozenset(pair) for pair in ((0, 1), (2, 3), (4, 5), (6, 7))}
    assert tables[1] == {frozenset(pair) for pair in ((0, 2), (4, 6), (1, 3), (5, 7))}
    assert frozenset((0, 4)) in tables[2]
    assert order[0] == 0


def test_a_tie_for_the_first_place_is_played_off() -> None:
    def first_two_alike(fixture: Fixture) -> list[int]:
        if set(fixture.entrants) == {0, 1} and fixture.round < 1:
            return [0, 0]
        return by_seed(fixture)[::-1] if fixture.round == 1 else by_seed(fixture)

    batches, _, order = play_out(swiss(2, 2, 1), first_two_alike)
    assert [batch[0].round for batch in batches] == [0, 1]
    assert order == [1, 0]


@pytest.mark.parametrize("make", [*DESIGNS, lambda n, k: knockout(n, k, lives=2)])
def test_where_all_is_tied_the_seed_decides_in_the_end(
    make: Callable[[int, int], ByResults],
) -> None:
    batches, _, order = play_out(make(4, 2), all_tied)
    assert order[0] == 0
    further = Counter(fixture.round for batch in batches[1:] for fixture in batch)
    assert max(further.values()) >= MAX_FURTHER


@pytest.mark.parametrize("players", range(2, 8))
def test_rounds_of_a_knockout_come_to_an_end(players: int) -> None:
    for bots in range(players, 201):
        left = bots
        while left > 1:
            size = round_size(left, players)
            tables, going_on = draw_tables(list(range(left)), size, players)
            seated = sorted(bot for table in tables for bot in table)
            assert seated == list(range(left - len(seated), left)), "the best seeds sit out"
            assert all(len(table) == players for table in tables)
            assert all(0 < count < players for count in going_on)
            assert left - len(seated) + sum(going_on) == size.left < left
            left = size.left


@pytest.mark.parametrize("bots", range(2, 34))
def test_two_at_a_table_have_byes_in_the_first_round_alone(bots: int) -> None:
    size = round_size(bots, 2)
    left = size.left
    assert left & (left - 1) == 0
    while left > 1:
        size = round_size(left, 2)
        assert 2 * size.tables == left
        left = size.left


@pytest.mark.parametrize(("bots", "players"), FIELDS)
def test_the_best_wins_a_knockout_with_as_many_games_as_forecast(bots: int, players: int) -> None:
    design = knockout(bots, players, deals=2)
    batches, _, order = play_out(design, by_seed)
    assert sum(map(len, batches)) == design.games
    assert order[0] == 0
    assert order[1] in (1, 2)


@pytest.mark.parametrize("bots", [2, 3, 5, 8, 13])
def test_who_loses_twice_is_out(bots: int) -> None:
    design = knockout(bots, 2, deals=1, lives=2)
    for luck in range(5):
        batches, ranks, order = play_out(design, by_lot(Random(luck)))
        lost: Counter[int] = Counter()
        tables: dict[tuple[int, frozenset[int]], list[Fixture]] = defaultdict(list)
        for fixture in (fixture for batch in batches for fixture in batch):
            tables[fixture.round, frozenset(fixture.entrants)].append(fixture)
        for (_, pair), games in tables.items():
            points: Counter[int] = Counter()
            for fixture in games[:2]:
                points.update(points_of(fixture.entrants, ranks[fixture.number]))
            for at in range(2, len(games), 2):  # further deals, one by one
                if points[min(pair)] == points[max(pair)]:
                    points = Counter()
                    for fixture in games[at : at + 2]:
                        points.update(points_of(fixture.entrants, ranks[fixture.number]))
            lost[max(pair, key=lambda bot: (-points[bot], bot))] += 1
        assert lost[order[0]] <= 1
        assert all(lost[bot] == 2 for bot in order[1:])
        assert len(tables) == 2 * bots - 2 + lost[order[0]]


def test_two_lives_are_for_two_at_a_table() -> None:
    with pytest.raises(SetupError, match="expected 2 players for the double design, got 3"):
        knockout(6, 3, lives=2)


def test_points_are_opponents_beaten_twice() -> None:
    assert points_of((4, 7, 9), (0, 1, 1)) == {4: 4, 7: 1, 9: 1}
    assert points_of((1, 2), (0, 0)) == {1: 1, 2: 1}


@pytest.mark.parametrize(
    ("design", "lines"),
    [
        (swiss(7, 3), ["3 rounds of 2 tables", "with half the points: 1", "18 games"]),
        (
            knockout(5, 2),
            ["round 1: 5 bots, 1 table of 2, 1 go on; the best 3 sit out", "the final", "8 games"],
        ),
        (knockout(4, 2, lives=2), ["double elimination", "12 games or more"]),
    ],
)
def test_it_is_told_in_words(design: ByResults, lines: list[str]) -> None:
    text = "\n".join(design.describe())
    assert all(line in text for line in lines)


def test_tables_have_no_pair_twice_that_another_round_could_spare() -> None:
    batches, _, _ = play_out(swiss(16, 4, 4), by_lot(Random(3)))
    met = Counter(
        frozenset(pair)
        for round in tables_by_round(batches, 4)
        for table in round
        for pair in combinations(sorted(table), 2)
    )
    assert max(met.values()) <= 2

"""Schedules: even by the count of an auditor, the same everywhere, from any start."""

import subprocess
import sys
from hashlib import blake2b
from itertools import islice, permutations
from math import perm

import pytest

from arena.schedule import (
    Balanced,
    Design,
    Full,
    Gauntlet,
    RandomTables,
    Schedule,
    Track,
    TrackRules,
    build_cycle,
    describe,
    from_json,
    open_pool,
    open_track,
    open_tracks,
    to_json,
)
from engine.catalog import find
from engine.errors import ArenaError, SetupError
from engine.match import Variant
from tests.arena.schedule.audit import Audit, audit, bound, spread

ARCHITECTS = TrackRules(Variant("architects"))
SEVEN = TrackRules(Variant("seven"))
DESIGNS = [(bots, players) for bots in range(2, 13) for players in range(2, min(bots, 7) + 1)]


def labels(bots: int) -> tuple[str, ...]:
    return tuple(f"bot{place}" for place in range(bots))


def balanced(
    bots: int, players: int, rounds: int | None, rules: TrackRules = ARCHITECTS, seed: int = 1
) -> Schedule:
    track = open_track(rules, players, range(bots))
    return Schedule(labels(bots), [track], Balanced(seed), seed, rounds)


def names(track: Track) -> list[str]:
    return [side for wonder in track.pool.wonders for side in wonder]


@pytest.mark.slow
@pytest.mark.parametrize(("bots", "players"), DESIGNS)
def test_small_fields_are_even_at_every_round_and_exact_at_the_end(bots: int, players: int) -> None:
    schedule = balanced(bots, players, 2 * (bots - 1), seed=bots)
    report = audit(schedule, bots, names(schedule.tracks[0]))
    neighbour, meeting = bound(bots, players)
    assert (report.seat, report.bot_wonder) == (0, 0)
    assert report.seat_any <= 1
    assert report.wonder <= 1
    assert report.neighbour <= neighbour
    assert report.meeting <= meeting
    assert report.end == (0, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("bots", "players"), [(13, 6), (16, 4), (20, 5), (30, 6), (40, 7)])
def test_large_fields_are_even_after_twenty_rounds(bots: int, players: int) -> None:
    schedule = balanced(bots, players, 20)
    report = audit(schedule, bots, names(schedule.tracks[0]))
    neighbour, meeting = bound(bots, players)
    assert (report.seat, report.bot_wonder) == (0, 0)
    assert report.wonder <= 1
    assert report.neighbour <= neighbour
    assert report.meeting <= meeting


def test_a_second_time_through_the_cycle_is_another_and_as_even() -> None:
    schedule = balanced(8, 4, 28)
    report = audit(schedule, 8, names(schedule.tracks[0]))
    assert report.neighbour <= 2
    assert report.meeting <= 2
    assert report.end == (0, 0)
    first = [schedule[at].entrants for at in range(112)]
    assert first != [schedule[at].entrants for at in range(112, 224)]


@pytest.mark.parametrize("edition", ["1st", "2nd"])
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_both_sides_of_the_boards_are_used_alike(edition: str, players: int) -> None:
    schedule = balanced(8, players, 42, TrackRules(Variant("seven", edition)))
    track = schedule.tracks[0]
    assert len(names(track)) == 14
    report = audit(schedule, 8, names(track))
    assert report.wonder <= 1
    assert report.bot_wonder == 0


def test_medals_add_wonders_and_names_choose_some() -> None:
    assert len(open_pool(Variant("architects"))) == len(open_pool(Variant("architects"), ())) == 7
    assert len(open_pool(Variant("architects", None, ("medals",)))) == 9
    assert open_pool(Variant("seven"), ("gizah", "rhodos:day")).wonders == (
        ("gizah:day", "gizah:night"),
        ("rhodos:day",),
    )
    assert [len(sides) for sides in open_pool(Variant("seven"), (":night",)).wonders] == [1] * 7
    with pytest.raises(SetupError, match="got atlantis"):
        open_pool(Variant("architects"), ("atlantis",))
    with pytest.raises(SetupError, match="got rome"):
        open_pool(Variant("architects"), ("rome",))


def test_every_spec_can_be_dealt_and_is_labelled_by_seat() -> None:
    for rules in (TrackRules(Variant("architects", None, ("medals",), True)), SEVEN):
        for fixture in balanced(5, 3, 4, rules):
            spec = fixture.spec
            assert spec.bots == tuple(f"bot{entrant}" for entrant in fixture.entrants)
            assert spec.version == find(spec.game).version(spec.setup.variant)
            assert find(spec.game).deal(spec.setup, spec.seed).players == 3


def mixed(rounds: int | None) -> Schedule:
    tracks, _ = open_tracks([ARCHITECTS, SEVEN], [3, 4, 5], range(8), {4: 2})
    return Schedule(labels(8), tracks, Balanced(5), 5, rounds)


def test_the_tail_is_the_same_from_any_start() -> None:
    schedule = mixed(4)
    whole = list(schedule)
    assert len(whole) == len(schedule) == 4 * 8 * 8
    for start in range(0, len(schedule), 37):
        assert list(mixed(4).start(start)) == whole[start:]
        assert mixed(4)[start] == whole[start]
    assert list(islice(mixed(None).start(100), 20)) == whole[100:120]


def test_ids_and_numbers_are_unique_and_deals_belong_to_rounds() -> None:
    whole = list(mixed(6))
    assert [fixture.number for fixture in whole] == list(range(len(whole)))
    assert len({fixture.id for fixture in whole}) == len(whole)
    deals = {(f.spec.game, f.spec.setup.players, f.round): f.spec.seed for f in whole}
    assert len(set(deals.values())) == len(deals)
    for fixture in whole:
        spec = fixture.spec
        assert spec.seed == deals[spec.game, spec.setup.players, fixture.round]
    assert whole[0].id.startswith("architects-8-4-0-")


def test_weights_are_rounds_and_no_track_waits_long() -> None:
    played = [
        (fixture.spec.game, fixture.spec.setup.players)
        for fixture in mixed(3)
        if fixture.id[-2:] == "-0"
    ]
    period = played[:8]
    assert period == played[8:16] == played[16:24]
    assert period.count(("architects", 4)) == 2
    assert period.count(("seven", 5)) == 1
    assert period[0] != period[1]


def test_tracks_of_a_mixture_are_even_each() -> None:
    schedule = mixed(14)
    for track in schedule.tracks:
        own = [f for f in schedule if f.id.startswith(f"{track.name}-")]
        report = audit(own, 8, names(track))
        assert report.end == (0, 0)
        assert report.neighbour <= 2


def test_tables_larger_than_the_field_are_left_out_with_a_word() -> None:
    tracks, left_out = open_tracks([SEVEN], [2, 3, 4, 5], range(4))
    assert [track.players for track in tracks] == [3, 4]
    assert left_out == [
        "no seven with 2 players: expected 3 to 7 players for seven, got 2",
        "no seven with 5 players: expected at least 5 bots for 5 players, got 4",
    ]
    with pytest.raises(SetupError, match="nothing to play: no seven with 5"):
        open_tracks([SEVEN], [5], range(4))
    with pytest.raises(SetupError, match="expected at least 3 wonders, got 2"):
        open_track(TrackRules(Variant("architects"), ("giza", "rhodes")), 3, range(3))


def test_a_bot_may_play_one_game_only() -> None:
    tracks = [open_track(ARCHITECTS, 3, range(4)), open_track(SEVEN, 3, (0, 2, 3))]
    schedule = Schedule(labels(4), tracks, Balanced(1), 1, 4)
    assert len(schedule) == 4 * (4 + 3)
    assert {bot for f in schedule if f.spec.game == "seven" for bot in f.entrants} == {0, 2, 3}


def test_labels_change_names_alone() -> None:
    track = open_track(ARCHITECTS, 3, range(4))
    one = list(Schedule(("a", "b", "c", "d"), [track], Balanced(1), 1, 3))
    other = list(Schedule(("d", "c", "b", "a"), [track], Balanced(1), 1, 3))
    assert [f.entrants for f in one] == [f.entrants for f in other]
    turned = {"a": "d", "b": "c", "c": "b", "d": "a"}
    assert [tuple(turned[bot] for bot in f.spec.bots) for f in one] == [f.spec.bots for f in other]


def test_another_seed_is_another_schedule_and_the_bounds_hold() -> None:
    assert [f.entrants for f in balanced(6, 4, 3, seed=1)] != [
        f.entrants for f in balanced(6, 4, 3, seed=2)
    ]
    for seed in range(5):
        schedule = balanced(9, 5, 16, seed=seed)
        report = audit(schedule, 9, names(schedule.tracks[0]))
        assert max(report.neighbour, report.meeting) <= 2
        assert report.end == (0, 0)


PRINTED = """
from arena.schedule import *
from engine.match import Variant
kinds = [TrackRules(Variant("architects")), TrackRules(Variant("seven"))]
tracks, _ = open_tracks(kinds, [3, 5], range(7))
for design in (Balanced(3), RandomTables(3)):
    for fixture in Schedule(tuple("abcdefg"), tracks, design, 3, 2):
        print(fixture)
"""


def test_every_process_makes_the_same_schedule() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", PRINTED],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert runs[0].count("Fixture(") == 2 * 2 * 4 * 7


def test_a_cycle_survives_json_and_a_bad_one_is_refused() -> None:
    cycle = build_cycle(9, 4)
    assert from_json(to_json(cycle)) == cycle
    kept = Balanced(1, [cycle])
    track = open_track(ARCHITECTS, 4, range(9))
    assert kept.table(track, 3, 2) == Balanced(1).table(track, 3, 2)
    for text in (
        "",
        "[]",
        '{"bots":3,"blocks":[]}',
        '{"bots":3,"blocks":[[0,0]]}',
        '{"bots":3,"blocks":[[[0],[1]]]}',
        '{"bots":3,"blocks":[[0,3]]}',
        '{"bots":3,"blocks":[[0,1],[0]]}',
        '{"bots":"3","blocks":[[0,1]]}',
    ):
        with pytest.raises(ArenaError, match="expected"):
            from_json(text)


def test_full_has_every_table_once_a_round() -> None:
    track = open_track(ARCHITECTS, 3, range(5))
    schedule = Schedule(labels(5), [track], Full(), 1, 2)
    assert len(schedule) == 2 * perm(5, 3)
    tables = [fixture.entrants for fixture in schedule]
    assert len(set(tables[:60])) == 60
    assert tables[:60] == tables[60:]
    assert {len(set(table)) for table in tables} == {3}
    assert len({fixture.spec.seed for fixture in schedule}) == 2


def test_full_refuses_what_nobody_waits_for() -> None:
    track = open_track(ARCHITECTS, 7, range(40))
    with pytest.raises(SetupError, match=f"at most 100000 games, got {perm(40, 7)}"):
        Schedule(labels(40), [track], Full(), 1, 1)


def test_random_tables_have_different_bots_and_their_own_deals() -> None:
    track = open_track(SEVEN, 4, range(9))
    schedule = Schedule(labels(9), [track], RandomTables(2), 2, 10)
    fixtures = list(schedule)
    assert all(len(set(fixture.entrants)) == 4 for fixture in fixtures)
    assert len({fixture.spec.seed for fixture in fixtures}) == 90
    assert fixtures[0].id == "random-seven-9-4-0-0"
    book = Audit(9, frozenset(names(track)))
    for fixture in fixtures:
        book.count(fixture)
    assert 0 < book.plays() < 30


def test_what_is_no_schedule_is_refused() -> None:
    track = open_track(ARCHITECTS, 3, range(4))
    with pytest.raises(SetupError, match="got none"):
        Schedule(labels(4), [], Balanced(1), 1, 1)
    with pytest.raises(SetupError, match="different tracks"):
        Schedule(labels(4), [track, track], Balanced(1), 1, 1)
    with pytest.raises(SetupError, match="at least one round"):
        Schedule(labels(4), [track], Balanced(1), 1, 0)
    with pytest.raises(SetupError, match="weight"):
        open_track(ARCHITECTS, 3, range(4), weight=0)
    with pytest.raises(SetupError, match="without end"):
        len(balanced(4, 3, None))
    with pytest.raises(IndexError):
        balanced(4, 3, 1)[4]


FIELDS = [(2, 2), (3, 3), (5, 2), (5, 5), (6, 4), (8, 3), (8, 7), (9, 5), (12, 4), (13, 6), (16, 7)]


@pytest.mark.parametrize(("bots", "players"), FIELDS)
def test_a_gauntlet_is_exact_for_the_newcomer_and_fair_to_the_others(
    bots: int, players: int
) -> None:
    newcomer = bots // 2
    others = [bot for bot in range(bots) if bot != newcomer]
    track = open_track(ARCHITECTS, players, range(bots))
    design = Gauntlet(4, newcomer)
    schedule = Schedule(labels(bots), [track], design, 4, design.rounds(track))
    book = Audit(bots, frozenset(names(track)))
    for fixture in schedule:
        book.count(fixture)
        assert book.played[newcomer] == book.games
        assert spread(book.seats[newcomer, seat] for seat in range(players)) <= 1
        if book.games % players == 0:
            assert spread(book.bot_uses[newcomer, name] for name in names(track)) <= 1
        if book.games % len(others) == 0:
            assert spread(book.neighbours[newcomer, bot] for bot in others) == 0
            assert spread(book.neighbours[bot, newcomer] for bot in others) == 0
            assert spread(book.meetings[frozenset((newcomer, bot))] for bot in others) == 0
            assert spread(book.seats[bot, at] for bot in others for at in range(players)) <= 8
        if book.games % len(others) == 0 and players > 2:
            pairs = list(permutations(others, 2))
            assert spread(book.meetings[frozenset(pair)] for pair in pairs) <= 3
            assert spread(book.neighbours[pair] for pair in pairs) <= 4
    assert len({fixture.id for fixture in schedule}) == len(schedule)
    deals = {fixture.spec.seed for fixture in schedule}
    assert len(deals) == -(-len(schedule) // players)


def test_a_gauntlet_goes_on_from_any_start_and_needs_its_newcomer() -> None:
    tracks, _ = open_tracks([ARCHITECTS, SEVEN], [3, 4], range(6))
    whole = list(Schedule(labels(6), tracks, Gauntlet(1, 5), 1, 9))
    assert list(Schedule(labels(6), tracks, Gauntlet(1, 5), 1, 9).start(77)) == whole[77:]
    with pytest.raises(SetupError, match="newcomer"):
        Schedule(labels(6), tracks, Gauntlet(1, 6), 1, 9)


def test_a_schedule_says_what_will_be_played() -> None:
    tracks, _ = open_tracks([ARCHITECTS, SEVEN], [3], range(4), {3: 2})
    text = describe(Schedule(("ada", "bo", "cy", "di"), tracks, Balanced(1), 1, 3)).splitlines()
    assert text == [
        "4 bots: ada, bo, cy, di",
        "architects, 3 players: 6 rounds of 4 games, 7 wonders, weight 2",
        "seven, 3 players: 6 rounds of 4 games, 7 wonders, 14 sides, weight 2",
        "balanced design, 48 games in all; 36 games for each bot",
        "a round is one deal: every bot sits once in every seat, with every wonder of the round",
        (
            "3 players: pairs of bots differ by at most 0 meetings after a round"
            " (2 as neighbours), and by 0 (0) after 6 rounds"
        ),
    ]
    gauntlet = describe(Schedule(labels(4), tracks, Gauntlet(1, 3), 1, 1))
    assert "8 to 12 games for each bot" in gauntlet
    assert "bot3 plays every game" in gauntlet
    assert "until told to stop" in describe(Schedule(labels(4), tracks, RandomTables(1), 1))


def test_schedules_stay_what_they_were() -> None:
    """A tournament that was begun goes on under the next version of this code."""
    tracks, _ = open_tracks([ARCHITECTS, SEVEN], [3, 5], range(9))
    designs: tuple[Design, ...] = (Balanced(2), Gauntlet(2, 0), RandomTables(2), Full())
    told = [to_json(build_cycle(*size)) for size in ((9, 5), (14, 4), (26, 3))]
    for design in designs:
        games = islice(Schedule(labels(9), tracks, design, 2), 120)
        told += [f"{f.id} {f.entrants} {f.spec.seed} {f.spec.setup.wonders}" for f in games]
    digest = blake2b("\n".join(told).encode(), digest_size=8).hexdigest()
    assert digest == "a943c433a1daad57"

"""What is due follows from the database: newcomers, all against all, then where it is open."""

from collections import Counter

import pytest

from arena.league.planning.agenda import Agenda, DueStage, agenda
from arena.league.planning.seating import balanced
from arena.league.rules import LeagueRules, league_rules_of, parse_rules, write_rules
from arena.schedule import TrackRules, open_track
from engine.errors import ArenaError
from engine.match import Variant
from leagues.records import League, StageKind, SubmissionState
from leagues.storage import leases
from leagues.storage.handle import Storage
from tests.arena.league.sample_league import enter, found, play

pytestmark = pytest.mark.slow


def look(storage: Storage, league: League) -> Agenda:
    return agenda(storage, league, parse_rules(league.rules))


def due(storage: Storage, league: League) -> DueStage:
    found = look(storage, league).due
    assert found is not None
    return found


def labels(due: DueStage) -> set[str]:
    return {label for fixture in due.fixtures for label in fixture.spec.bots}


def test_a_field_meets_then_plays_where_the_order_is_open(storage: Storage) -> None:
    league = found(storage, games=10, extra=100)
    assert "at least 2 bots to play, got 0" in look(storage, league).why_not
    for name in "abc":
        enter(storage, league, name)
    first = due(storage, league)
    assert (first.stage.kind, len(first.fixtures)) == ("balanced", 2 * (3 + 3))
    play(storage, first, 5)
    again = due(storage, league)
    assert again == first
    play(storage, first)
    kinds = []
    while (now := look(storage, league)).due is not None:
        kinds.append(now.due.stage.kind)
        play(storage, now.due, level=False)
    assert set(kinds) == {"adaptive"}
    assert "the goal is reached: order@95%" in now.why_not
    assert not list(storage.reader.results.damages())


def test_no_stage_is_opened_while_somebody_is_checked(storage: Storage) -> None:
    league = found(storage)
    rules = parse_rules(league.rules)
    for name in "abc":
        enter(storage, league, name)
    assert agenda(storage, league, rules, may_open=False).due is None
    assert storage.reader.stages.of_league(league.id) == []
    first = due(storage, league)
    assert agenda(storage, league, rules, may_open=False).due == first  # it is under way


def test_when_the_order_stays_open_there_is_an_end(storage: Storage) -> None:
    league = found(storage, games=20, extra=4)
    for name in "abc":
        enter(storage, league, name)
    extra = 0
    while (now := look(storage, league)).due is not None:
        extra += len(now.due.fixtures) * (now.due.stage.kind == StageKind.ADAPTIVE)
        play(storage, now.due)
    assert "enough was played" in now.why_not
    assert extra == 4 * 3


def test_newcomers_are_placed_first_and_the_schedule_heals(storage: Storage) -> None:
    league = found(storage, games=10, placement=6, extra=20, until="order@99.9%")
    for name in "abc":
        enter(storage, league, name)
    play(storage, due(storage, league))
    half = due(storage, league)
    assert half.stage.kind == StageKind.ADAPTIVE
    play(storage, half, 3)
    enter(storage, league, "new")
    placement = due(storage, league)
    assert placement.stage.kind == StageKind.PLACEMENT
    assert all("new@1" in fixture.spec.bots for fixture in placement.fixtures)
    assert len(placement.fixtures) == 2  # a third of its games, then its opponents are chosen anew
    play(storage, placement, 1)
    # Half way one of the others leaves: the rest is not due, the newcomer goes on elsewhere.
    gone = storage.reader.leagues.find_submission(league.id, "b")
    storage.leagues.set_submission_state(gone.id, SubmissionState.WITHDRAWN)
    placed = 0
    while (healed := due(storage, league)).stage.kind == StageKind.PLACEMENT:
        assert "new@1" in labels(healed) <= {"a@1", "c@1", "new@1"}
        placed += len(healed.fixtures)
        play(storage, healed)
    assert placed == 9
    # Who leaves then takes nothing from those who have met.
    storage.leagues.set_submission_state(
        storage.reader.leagues.find_submission(league.id, "c").id, SubmissionState.WITHDRAWN
    )
    assert due(storage, league).stage.kind == StageKind.ADAPTIVE
    assert "no games of 3 players: there are 2 bots" in look(storage, league).left_out


def test_a_new_version_is_a_newcomer_and_replaces_its_parent(storage: Storage) -> None:
    league = found(storage, games=5)
    for name in "abc":
        enter(storage, league, name)
    play(storage, due(storage, league))
    enter(storage, league, "a", version="2")
    placement = due(storage, league)
    assert (placement.stage.kind, labels(placement)) == ("placement", {"a@2", "b@1", "c@1"})
    assert all("a@2" in fixture.spec.bots for fixture in placement.fixtures)


def test_one_owners_bots_never_share_a_table(storage: Storage) -> None:
    league = found(storage, players="2-4", games=20, placement=10)
    for name, owner in zip("abcde", ("ann", "ann", "bob", "bob", None), strict=True):
        enter(storage, league, name, owner)
    whose = {
        entry.label: entry.owner or entry.label
        for entry in storage.reader.leagues.playing(league.id)
    }
    assert "4 players: there are 5 bots, of whom 3 may share" in look(storage, league).left_out
    kinds = set()
    for at in range(40):
        now = look(storage, league).due
        if now is None:
            break
        if at == 2:
            enter(storage, league, "f", "ann")
            whose["ann/f@1"] = "ann"
            continue
        kinds.add(now.stage.kind)
        assert now.fixtures
        for fixture in now.fixtures:
            owners = [whose[label] for label in fixture.spec.bots]
            assert len(set(owners)) == len(owners)
        play(storage, now)
    assert kinds == {"balanced", "placement", "adaptive"}


def test_nothing_but_bots_of_one_owner_is_told(storage: Storage) -> None:
    league = found(storage)
    enter(storage, league, "a", "ann")
    enter(storage, league, "b", "ann")
    assert "at least 2 bots of different owners to play, got 2" in look(storage, league).why_not
    together = found(storage, "home", same_owner=True)
    enter(storage, together, "a", "ann")
    enter(storage, together, "b", "ann")
    assert due(storage, together).stage.kind == StageKind.BALANCED


@pytest.mark.parametrize("players", [2, 3])
def test_tables_apart_are_about_even(players: int) -> None:
    owners = ["ann", "ann", "bob", "bob", "cid", "dan", None, None]
    track = open_track(TrackRules(Variant("architects")), players, range(8))
    tables = [table for _, _, table in balanced([track], owners, 10, 1)]
    games = Counter(bot for table in tables for bot in table)
    assert max(games.values()) - min(games.values()) <= 2
    seats = Counter((bot, seat) for table in tables for seat, bot in enumerate(table))
    assert max(seats.values()) - min(seats.values()) <= 4
    met = Counter(frozenset((a, b)) for table in tables for a in table for b in table if a < b)
    assert frozenset((0, 1)) not in met
    assert max(met.values()) - min(met.values()) <= 8


def test_two_workers_open_one_stage(storage: Storage) -> None:
    league = found(storage)
    for name in "abc":
        enter(storage, league, name)
    assert due(storage, league) == due(storage, league)
    assert not storage.stages.open_stage(league, 1, StageKind.BALANCED, 1, {}, [])
    ((stage, tournament),) = storage.reader.stages.of_league(league.id)
    assert stage.number == 1
    assert tournament.seed != league.seed  # which would tell all deals to come


def test_a_claim_is_one_workers_while_it_lives(storage: Storage) -> None:
    league = found(storage, games=10)
    for name in "abc":
        enter(storage, league, name)
    now = due(storage, league)
    ann, bob = storage.leases.register("ann"), storage.leases.register("bob")
    stage = now.stage.tournament
    hers, his = (storage.leases.unplayed(stage, len(now.fixtures)) for _ in range(2))
    mine = hers.claim(ann, 5)
    theirs = his.claim(bob, 100)
    assert mine == [0, 1, 2, 3, 4]
    assert theirs == [*range(5, 12)]
    play(storage, now, 2)
    storage.leases.renew(ann, lease=-1)  # it was killed, and its time has run out
    assert his.claim(bob, 1, without={leases.match_task(stage, 2)}) == [3]
    assert his.claim(bob, 100) == [2, 4]
    assert storage.leases.unplayed(stage, len(now.fixtures)).claim(bob, 1) == []
    assert storage.leases.claim(ann, "check/1")
    assert not storage.reader.leases.is_claimed("check/1")
    storage.leases.renew(ann)
    assert storage.reader.leases.is_claimed("check/1")
    assert not storage.leases.claim(bob, "check/1")
    storage.leases.release(ann, ["check/1"])
    assert storage.leases.claim(bob, "check/1")
    storage.leases.unregister(bob)
    assert storage.leases.claim(ann, "check/1")


def test_every_match_is_claimed_once_however_large_the_stage(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "MATCHES_AT_ONCE", 5)
    league = found(storage, players="2", games=80)
    for name in "abcd":
        enter(storage, league, name)
    now = due(storage, league)
    workers = [storage.leases.register(name) for name in ("slow", "ann", "bob")]
    hands = [storage.leases.unplayed(now.stage.tournament, len(now.fixtures)) for _ in workers]
    seen = hands[0].claim(workers[0], 3)  # which it keeps to the end
    at = 0
    while mine := hands[1 + at % 2].claim(workers[1 + at % 2], 7):
        seen += mine
        play(storage, now, numbers=mine)
        storage.leases.release(workers[1 + at % 2])
        at += 1
    assert sorted(seen) == list(range(len(now.fixtures)))
    assert len(seen) > 100
    storage.leases.renew(workers[0], lease=-1)
    assert hands[1].claim(workers[1], 7) == [0, 1, 2]


def test_the_long_dead_are_forgotten(storage: Storage) -> None:
    late, gone = (storage.leases.register(name) for name in ("late", "gone"))
    for worker, ago in ((late, leases.FORGET_AFTER - 60), (gone, leases.FORGET_AFTER + 60)):
        assert storage.leases.claim(worker, f"check/{worker}")
        storage.leases.renew(worker, lease=-ago)
    storage.leases.register("new")
    for worker in (late, gone):
        storage.leases.renew(worker)
    assert list(storage.reader.leases.active_workers()) == ["late", "new"]
    assert not storage.reader.leases.is_claimed(f"check/{gone}")


def test_rules_are_a_file_one_can_read() -> None:
    facts = {"game": "seven", "players": "3-5", "edition": "2nd", "time": "2s+1m/5s"}
    rules = league_rules_of(facts | {"until": "top1"}, "the rules")
    assert parse_rules(write_rules(rules)) == rules


def test_rules_of_old_leagues_are_read() -> None:
    old = parse_rules("placement = 2\nrounds = 2\ngames = 300")
    assert (old.placement, old.games) == (LeagueRules.placement, 300)
    assert "rounds" not in write_rules(old)


def test_rules_do_not_depend_on_how_they_are_spelled() -> None:
    one = parse_rules('players = "2-4"\ntime = "1s+1m"\nuntil = "top1"')
    other = parse_rules('players = "4,2,3"\ntime = "1000ms+60s"\nuntil = "top1@95%"')
    assert write_rules(one) == write_rules(other)


@pytest.mark.parametrize(
    ("text", "seconds", "written"),
    [("off", None, "off"), ("0s", 0.0, "0s"), ("90s", 90.0, "1m30s"), ("2m", 120.0, "2m")],
)
def test_a_live_delay_is_a_time_or_off(text: str, seconds: float | None, written: str) -> None:
    rules = parse_rules(f'live_delay = "{text}"')
    assert rules.live_delay == seconds
    assert f'live_delay = "{written}"\n' in write_rules(rules)
    assert parse_rules("").live_delay is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('game = "chess"', "expected a game out of architects, seven, got chess"),
        ('players = "2-3"\ngame = "seven"', "expected 3 to 7 players for seven, got 2"),
        ('sandbox = "nice"', "expected a sandbox out of full, strong, reduced, none, got nice"),
        ("games = 0", "expected games from 1 to 1000000, got 0"),
        ('games = "2"', "expected a whole number for games in the rules, got a text"),
        ('time = "long"', "expected a time"),
        ('until = "always"', "expected a goal"),
        ("drift = 3.0", "expected a drift from 0 to 2"),
        ('live_delay = "soon"', "expected a live delay such as 30s or 2m, or off, got soon"),
        ("live_delay = 30", "expected a text for live_delay in the rules, got a whole number"),
        ('wonders = ["Gizah"]\ngame = "seven"', "wonders or more, got 1|expected a wonder"),
        ('edition = "9th"\ngame = "seven"', "9th"),
        ("seed = 1", "in the rules, got seed"),
        ("game = ", "expected TOML in the rules"),
    ],
)
def test_rules_are_checked(text: str, reason: str) -> None:
    with pytest.raises(ArenaError, match=reason):
        parse_rules(text)

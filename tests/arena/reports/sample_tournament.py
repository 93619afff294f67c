"""A small tournament, played by dice, in a database as the arena leaves it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from arena.playing.referee import rank_faulty_last
from arena.schedule import Fixture
from arena.tournament.contest import load_stored, tournament_config
from arena.tournament.plan import Plan, plan_of
from arena.tournament.plan_command import plan_command
from engine.catalog import find
from engine.match import Fault, MatchResult, SeatUsage
from engine.rng import Rng, derive
from leagues.records import Tournament
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import Storage, open_storage

NAME = "spring"
LABELS = ("greedy", "[bold red]x[/]", "=1+1|<b>")
TRACEBACK = "Traceback (most recent call last):\n  File bot.py, line 3\nZeroDivisionError: zero"
FAULTY = 2  # the place of a match in which seat 1 failed
PRINTED = "hello [red]world[/]\n\tand more \u202e"
Change = Callable[[ScheduledResult], ScheduledResult]


def plan(rounds: int = 2, **more: object) -> Plan:
    """Both games, three bots, six matches of each."""
    settings: dict[str, object] = {"game": "both", "players": "3", "seed": 5, "name": NAME} | more
    return plan_of(
        {"bots": ["random", "random:x=1", "random:x=2"], "rounds": rounds} | settings, ""
    )


def begin(storage: Storage, wanted: Plan) -> tuple[Tournament, list[int]]:
    """A tournament of bots that need not exist."""
    entrants = [
        storage.results.get_or_create_entrant(label, spec, f"{at}digest", "1.0").id
        for at, (label, spec) in enumerate(zip(LABELS, wanted.bots, strict=True))
    ]
    row = storage.results.get_or_create_tournament(
        wanted.name, 5, tournament_config(wanted), entrants, [], plan_command(wanted)
    )
    return row, entrants


def throw(fixture: Fixture, sandbox: str = "full") -> MatchResult:
    """The match by dice; in one of them a bot failed on the way."""
    spec = fixture.spec
    state = find(spec.game).deal(spec.setup, spec.seed)
    dice = Rng(derive(fixture.number, "dice"))
    decisions = []
    while seats := state.pending():
        for seat in seats:
            options = state.legal(seat)
            decisions.append(options[dice.below(len(options))])
            state.apply(seat, decisions[-1])
    failed = fixture.number == FAULTY
    faults = (Fault(1, "exception", TRACEBACK, 4),) if failed else ()
    ranks = rank_faulty_last(state.ranks(), {fault.seat for fault in faults})
    accounts = tuple(SeatUsage(9, 0.5, 0.25, PRINTED if failed else "") for _ in state.scores())
    return MatchResult(spec, decisions, state.scores(), ranks, faults, accounts, sandbox, 0.75)


def matches(storage: Storage, row: Tournament, rated: bool = True) -> Iterator[ScheduledResult]:
    """All the tournament asks for."""
    entrants = storage.reader.results.entrants(row.id)
    ids = [entrant.id for entrant in entrants]
    for fixture in load_stored(row, entrants).schedule:
        seats = tuple(ids[place] for place in fixture.entrants)
        result = throw(fixture, "full" if rated else "trusted")
        yield ScheduledResult(
            fixture.number, fixture.id, fixture.stage, fixture.round, seats, result, rated
        )


def build(path: Path, rated: bool = True, change: Change | None = None) -> None:
    """A database of one tournament; `change` is what a liar would store instead."""
    with open_storage(path) as storage:
        row, _ = begin(storage, replace(plan(), trust_bots=not rated))
        played = list(matches(storage, row, rated))
        storage.results.add(
            row.id, played if change is None else list(map(change, played)), "0.1.0"
        )
        storage.results.report_incident(row.id, 3, "a worker died\nand more")


def with_result(played: ScheduledResult, **changes: object) -> ScheduledResult:
    return replace(played, result=replace(played.result, **changes))  # type: ignore[arg-type]

"""A database with something of everything, and a visitor who asks the site without a network."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
from starlette.types import ASGIApp

from arena.league.rules import league_rules_of, write_rules
from arena.league.submit import submit
from arena.site.security.rate_limit import SiteLimits
from engine.match import Fault, MatchResult, SeatUsage
from leagues.records import LeagueState, StageKind, Submission, SubmissionState
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import Storage, open_storage
from leagues.storage.match_filter import MatchFilter
from leagues.submissions.archive import receive_bytes
from tests.arena.site.sample_replays import MARKUP
from tests.support.setups import Row, random_match

# More than any test has.
MANY = SiteLimits(reads=10**6, replays=10**6, writes=10**6, tables=10**3, all_tables=10**3)
TABLES = [Row("architects", 2), Row("architects", 3), Row("seven", 3, {"edition": "1st"})]
NAMES = [f"first {MARKUP}", "second", "third", "fourth"]


def stock(path: Path, matches: int = 54) -> Storage:
    """Tournament 1 has bots with bad names that fail; 2 is not rated; 3 has no matches.

    League summer has a bot of ann's and one of bob's with some matches, and one that was rejected.
    """
    storage = open_storage(path)
    bots: list[int] = []
    for at, name in enumerate(NAMES):
        parent = bots[0] if at == 1 else None
        entrant = storage.results.get_or_create_entrant(
            name, f"/secret/{at}.py", f"digest{at}", f"{at}", "ann", parent
        )
        bots.append(entrant.id)
    for name, seed in ((f"spring {MARKUP}", 1), ("loose", 2), ("empty", 3)):
        storage.results.get_or_create_tournament(
            name, seed, {"name": name}, bots, command=f"arena {MARKUP}"
        )
    storage.results.add(1, [played(bots, number) for number in range(matches)], at=1_700_000_000)
    loose = [replace(played(bots, number), rated=False) for number in range(4)]
    storage.results.add(2, loose, at=1_700_000_000)
    storage.results.exclude(3, f"a reason {MARKUP}", "ann")
    league(storage)
    return storage


def league(storage: Storage) -> None:
    row = storage.leagues.create(
        "summer",
        write_rules(league_rules_of({"players": "2", "games": 2, "sandbox": "none"}, "")),
        5,
    )
    storage.leagues.set_league_state(row.id, LeagueState.OPEN)
    entries = [hand_in(storage, owner) for owner in ("ann", "bob", "cy")]
    for entry in entries[:2]:
        storage.leagues.set_submission_state(entry.id, SubmissionState.ACCEPTED)
    storage.leagues.set_submission_state(
        entries[2].id, SubmissionState.REJECTED, f"a reason {MARKUP}", f"detail {MARKUP}"
    )
    bots = [entry.entrant for entry in entries[:2]]
    assert storage.stages.open_stage(row, 1, StageKind.BALANCED, 1, {}, bots)
    ((_, tournament),) = storage.reader.stages.of_league(row.id)
    played_here = [
        ScheduledResult(at, f"summer-{at}", "balanced", 0, tuple(bots), random_match(TABLES[0], at))
        for at in range(4)
    ]
    storage.results.add(tournament.id, played_here, at=1_700_000_000)


def add_league_match(storage: Storage) -> int:
    """One more match of league summer, as a worker stores it; its number."""
    ((_, tournament),) = storage.reader.stages.of_league(1)
    here = MatchFilter(tournament=tournament.id)
    (latest,) = storage.reader.results.matches(here, limit=1)
    bots = tuple(seat.entrant for seat in latest.seats)
    again = ScheduledResult(99, "summer-99", "balanced", 0, bots, latest.result)
    storage.results.add(tournament.id, [again], at=1_700_000_000)
    return storage.reader.results.ids(here, limit=1)[0]


def source(owner: str) -> bytes:
    """A bot that is its owner's alone."""
    return f"""# the secret of {owner}
def decide(decision):
    return decision.options[0]
""".encode()


def hand_in(storage: Storage, owner: str) -> Submission:
    archive = receive_bytes("mine.py", source(owner))
    return submit(storage, storage.reader.leagues.by_name("summer"), archive, owner)[0]


def played(bots: list[int], number: int) -> ScheduledResult:
    row = TABLES[number % len(TABLES)]
    result = random_match(row, number)
    seats = tuple(bots[(number + seat) % len(bots)] for seat in range(row.players))
    accounts = tuple(SeatUsage(9, 0.5, 0.1, f"printed {MARKUP}") for _ in seats)
    result = replace(result, accounts=accounts, sandbox="full", seconds=1.5)
    if bots[0] in seats and number % 2:
        result = failed(result, seats.index(bots[0]))
    return ScheduledResult(number, f"fixture-{number}", "balanced", number // 6, seats, result)


def failed(result: MatchResult, seat: int) -> MatchResult:
    where = 'File "/home/host/bots/mine/bot.py", line 1'
    detail = f"Traceback (most recent call last):\n  {where}\nValueError: {MARKUP}"
    return replace(result, faults=(Fault(seat, "exception", detail, 4),))


class Visitor:
    """Asks and keeps cookies, as a browser does."""

    def __init__(self, app: ASGIApp, host: str = "127.0.0.1") -> None:
        self.app = app
        self.host = host
        self.cookies = httpx.Cookies()

    def get(self, url: str, **more: Any) -> httpx.Response:
        return self.ask("GET", url, **more)

    def post(self, url: str, **more: Any) -> httpx.Response:
        return self.ask("POST", url, **more)

    def ask(self, method: str, url: str, **more: Any) -> httpx.Response:
        return asyncio.run(self._ask(method, url, more))

    async def _ask(self, method: str, url: str, more: dict[str, Any]) -> httpx.Response:
        transport = httpx.ASGITransport(app=self.app, client=(self.host, 1))
        async with httpx.AsyncClient(
            transport=transport, base_url="http://localhost", cookies=self.cookies
        ) as client:
            answer = await client.request(method, url, **more)
            self.cookies = client.cookies
            return answer

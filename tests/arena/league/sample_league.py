"""Leagues to try: bots that decide at once, submissions, results without games."""

from collections.abc import Sequence

from arena.league.planning.agenda import DueStage
from arena.league.rules import league_rules_of, write_rules
from arena.league.submit import submit
from engine.match import Fault, MatchResult
from leagues.records import League, LeagueState, Submission, SubmissionState
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import Storage
from leagues.submissions.archive import BotArchive, Item, receive_bytes

FIRST = "def decide(decision):\n    return decision.options[0]\n"
LAST = "def decide(decision):\n    return decision.options[-1]\n"
BROKEN = (
    'def decide(decision):\n    print("hello")\n'
    '    raise RuntimeError("\\x1b[31m<b>broken</b>\\ttwice")\n'
)
# Plays well while it is checked, alone among stewards, and badly in a league.
FLAKY = """
class Bot:
    def start(self, seating):
        self.fails = seating.seed % 2 == 0
    def decide(self, decision):
        if self.fails:
            raise ValueError("today I fail")
        return decision.options[0]
"""


def code(name: str, source: str = FIRST, note: str = "") -> BotArchive:
    """A bot in a single file; a note makes it another one."""
    return receive_bytes(f"{name}.py", f"{source}# {note}\n".encode())


def folder(name: str, version: str, source: str = FIRST) -> BotArchive:
    facts = f'name = "{name}"\nversion = "{version}"\nentry = "bot.py"\n'
    return BotArchive(
        (Item("bot.py", False, source.encode()), Item("bot.toml", False, facts.encode()))
    )


def found(storage: Storage, name: str = "spring", **rules: object) -> League:
    """A league that is open."""
    checked = league_rules_of({"players": "2-3", "sandbox": "none"} | rules, "the rules")
    league = storage.leagues.create(name, write_rules(checked), 7)
    storage.leagues.set_league_state(league.id, LeagueState.OPEN)
    return league


def enter(
    storage: Storage, league: League, name: str, owner: str | None = None, version: str = "1"
) -> Submission:
    """A bot that was accepted without a check."""
    entry, new = submit(storage, league, folder(name, version, f"{FIRST}# {owner}\n"), owner)
    assert new
    storage.leagues.set_submission_state(entry.id, SubmissionState.ACCEPTED)
    return storage.reader.leagues.submission(entry.id)


def play(
    storage: Storage,
    due: DueStage,
    most: int | None = None,
    level: bool = True,
    numbers: Sequence[int] | None = None,
    faulty: int | None = None,
    sandbox: str = "",
) -> None:
    """Store results of the first so many matches of a stage, or of these.

    Bots that are level beat each other by turns, else who was entered first wins. The faulty one
    of the stage's bots fails wherever it sits.
    """
    rows = []
    for fixture in due.fixtures[:most]:
        if numbers is not None and fixture.number not in numbers:
            continue
        order = sorted(fixture.entrants, reverse=level and fixture.number % 2 == 1)
        ranks = [order.index(place) for place in fixture.entrants]
        scores = [50 - 10 * rank for rank in ranks]
        faults = tuple(
            Fault(seat, "exception", "ValueError", 1)
            for seat, place in enumerate(fixture.entrants)
            if place == faulty
        )
        result = MatchResult(fixture.spec, [1, 2], scores, ranks, faults, sandbox=sandbox)
        entrants = tuple(due.entrants[place] for place in fixture.entrants)
        rows.append(
            ScheduledResult(
                fixture.number, fixture.id, fixture.stage, fixture.round, entrants, result
            )
        )
    storage.results.add(due.stage.tournament, rows)

"""A league that shows matches under way, and one that is."""

from dataclasses import replace

from arena.league.organiser.seasons import edited_rules_text
from engine.match import MatchResult, MatchSpec
from leagues.running_matches import RunningMatch
from leagues.storage.codec import ScheduledResult
from leagues.storage.handle import Storage
from leagues.storage.leases import match_task
from tests.support.setups import Row, random_match

NUMBER = 40  # its place in the schedule
LONG = 1000.0  # seconds
SEVEN = Row("seven", 3)


def show_live(storage: Storage, delay: str = "30s") -> None:
    """Let league summer show matches under way."""
    league = storage.reader.leagues.by_name("summer")
    changes = {"rules": edited_rules_text(league, {"live_delay": delay})}
    storage.seasons.edit(league.id, changes, "", "ann")


class RunningGame:
    """A match that a worker plays, as far as the test says."""

    def __init__(self, storage: Storage, result: MatchResult | None = None) -> None:
        self.storage = storage
        self.result = random_match(SEVEN, 3) if result is None else result
        reader = storage.reader
        ((stage, _),) = reader.stages.of_league(reader.leagues.by_name("summer").id)
        self.tournament = stage.tournament
        bots = [entrant.id for entrant in reader.results.entrants(stage.tournament)]
        self.entrants = tuple((bots * 4)[: len(self.result.spec.bots)])
        self.worker = storage.leases.register("worker", LONG)
        self.task = match_task(self.tournament, NUMBER)
        assert storage.leases.claim(self.worker, self.task)

    @property
    def path(self) -> str:
        return f"/leagues/summer/live/{self.tournament}/{NUMBER}"

    def publish(self, decisions: list[int], spec: MatchSpec | None = None) -> None:
        spec = spec or self.result.spec
        row = RunningMatch(self.tournament, NUMBER, spec, self.entrants, tuple(decisions))
        self.storage.running.save(self.worker, [row])

    def publish_rounds(self, count: int) -> None:
        """So many turns of a table at which all decide at once."""
        self.publish(self.result.decisions[: count * len(self.entrants)])

    def finish(self) -> int:
        """Store it, as its worker does; its number."""
        result = replace(self.result, sandbox="full", seconds=1.5)
        done = ScheduledResult(NUMBER, f"summer-{NUMBER}", "balanced", 0, self.entrants, result)
        self.storage.results.add(self.tournament, [done])
        self.storage.leases.release(self.worker, [self.task])
        found = self.storage.reader.running.stored_id(1, self.tournament, NUMBER)
        assert found is not None
        return found

"""The news of a league: what happened to it and to the bots in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from leagues.records import League, LeagueState, SubmissionState
from leagues.storage.handle import StorageReader

STATES: Final = {
    LeagueState.CREATED: "was created",
    LeagueState.OPEN: "is open",
    LeagueState.PAUSED: "is paused",
    LeagueState.FROZEN: "takes no more submissions",
    LeagueState.CLOSED: "is closed",
}
BOTS: Final = {
    SubmissionState.ACCEPTED: "joined",
    SubmissionState.REJECTED: "was rejected",
    SubmissionState.RESUMED: "came back",
    SubmissionState.SUSPENDED: "was suspended",
    SubmissionState.WITHDRAWN: "was withdrawn",
}
# Why a bot was rejected or withdrawn is between its owner and the organiser.
PRIVATE: Final = frozenset({"rejected"})
REASONED: Final = frozenset({"suspended"})


@dataclass(frozen=True, slots=True)
class NewsItem:
    """Something that happened in a league."""

    source: str  # league, stage or bot
    number: int  # of its source, growing
    kind: str  # such as accepted, suspended, closed
    at: int  # seconds since 1970
    title: str
    reason: str
    bot: str | None  # the label of the bot that it is about
    entrant: int | None

    @property
    def id(self) -> str:
        """Its name, the same for ever."""
        return f"{self.source}-{self.number}"


def public_news(reader: StorageReader, league: League, most: int) -> list[NewsItem]:
    """What everybody may know, newest first."""
    items = [item for item in all_news(reader, league) if item.kind not in PRIVATE]
    return sorted(items, key=lambda item: (item.at, item.number), reverse=True)[:most]


def all_news(reader: StorageReader, league: League) -> Iterator[NewsItem]:
    """All that happened, each source in its order."""
    for event in reader.leagues.events(league.id):
        if event.state in STATES:
            title = f"{league.name} {STATES[event.state]}"
            kind = event.state.value.lower()
            yield NewsItem("league", event.id, kind, event.at, title, event.reason, None, None)
    for stage, tournament in reader.stages.of_league(league.id):
        title = f"{league.name}: stage {stage.number} ({stage.kind.value}) began"
        at, id = tournament.created, stage.tournament
        yield NewsItem("stage", id, "stage", at, title, "", None, None)
    for entry in reader.leagues.submissions(league.id):
        for change in entry.events:
            if change.state in BOTS:
                title = f"{entry.label} {BOTS[change.state]}"
                kind = change.state.value.lower()
                yield NewsItem(
                    *("bot", change.id, kind, change.at, title),
                    *(change.reason, entry.label, entry.entrant),
                )

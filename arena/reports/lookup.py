"""Tournaments, leagues and bots of a database by the names that people give them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from arena.reports.wording import display_names
from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError
from leagues.records import Entrant, Origin, Tournament
from leagues.storage.handle import StorageReader
from leagues.storage.match_filter import MatchFilter


def find_league(reader: StorageReader, name: str | None) -> int | None:
    """The league of this name, unless a tournament has it; None if there is none."""
    if name is None or reader.results.tournament(name) is not None:
        return None
    return next((each.id for each in reader.leagues.all() if each.name == name), None)


def matches_of(reader: StorageReader, name: str) -> MatchFilter:
    """The matches of the tournament or the league of this name."""
    if league := find_league(reader, name):
        return MatchFilter(league=league)
    return MatchFilter(tournament=find_tournament(reader, name).id)


def entrants_of(reader: StorageReader, which: MatchFilter) -> list[Entrant]:
    """Who is in a tournament, in a league, or anywhere."""
    if which.league is None:
        return reader.results.entrants(which.tournament)
    entered = {entry.entrant for entry in reader.leagues.submissions(which.league)}
    return [entrant for entrant in reader.results.entrants() if entrant.id in entered]


def tournaments_of(reader: StorageReader, name: str) -> list[Tournament]:
    """The tournament of this name, or the stages of the league."""
    if league := find_league(reader, name):
        return [tournament for _, tournament in reader.stages.of_league(league)]
    return [find_tournament(reader, name)]


def find_entrant(entrants: Sequence[Entrant], name: str) -> Entrant:
    """The bot of this name, label or spec; where several are, the newest, and stderr says so."""
    names = display_names(entrants)
    keys: tuple[Callable[[Entrant], str], ...] = (
        lambda each: names[each.id],
        lambda each: each.label,
        lambda each: each.spec,
    )
    for key in keys:
        found = [each for each in entrants if name == key(each)]
        if found:
            return _newest(found, name, names)
    if versions := [each for each in entrants if name == each.label.partition("@")[0]]:
        return _newest(versions, name, names)
    known = ", ".join(list(names.values())[:20]) or "no bot at all"
    raise ArenaError(f"expected a bot out of {known}, got {name}")


def _newest(found: Sequence[Entrant], name: str, names: Mapping[int, str]) -> Entrant:
    """The one that entered last."""
    newest = max(found, key=lambda each: each.id)
    if others := [names[each.id] for each in found if each.id != newest.id]:
        line = f"{name} is {names[newest.id]}, the newest; others: {', '.join(others)}"
        print(for_terminal(line), file=sys.stderr)  # noqa: T201
    return newest


def find_tournament(reader: StorageReader, name: str) -> Tournament:
    """The tournament of this name."""
    row = reader.results.tournament(name)
    if row is None:
        if find_league(reader, name):
            raise ArenaError(f"expected a tournament, got a league: arena league show {name}")
        known = (
            ", ".join(each.name for each in reader.results.tournaments()[-20:])
            or "no tournament at all"
        )
        raise ArenaError(f"expected a tournament out of {known}, got {name}")
    return row


def describe_sandboxes(origins: Sequence[Origin]) -> str:
    """How the bots of some matches were contained."""
    often: Counter[str] = Counter()
    for each in origins:
        often[each.sandbox or "unknown"] += each.matches
    if len(often) == 1:
        return next(iter(often))
    return ", ".join(f"{name} ({matches:,})" for name, matches in often.most_common()) or "none"

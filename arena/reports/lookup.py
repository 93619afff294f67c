"""Tournaments, leagues and bots of a database by the names that people give them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from arena.reports.wording import display_names
from engine.errors import ArenaError
from leagues.storage.leagues import Roster
from leagues.storage.models import Entrant, Tournament
from leagues.storage.results import MatchFilter, Origin, Store


def find_league(store: Store, name: str | None) -> int | None:
    """The league of this name, unless a tournament has it; None if there is none."""
    if name is None or store.tournament(name) is not None:
        return None
    return next((each.id for each in Roster(store.engine).leagues() if each.name == name), None)


def matches_of(store: Store, name: str) -> MatchFilter:
    """The matches of the tournament or the league of this name."""
    if league := find_league(store, name):
        return MatchFilter(league=league)
    return MatchFilter(tournament=find_tournament(store, name).id)


def entrants_of(store: Store, which: MatchFilter) -> list[Entrant]:
    """Who is in a tournament, in a league, or anywhere."""
    if which.league is None:
        return store.entrants(which.tournament)
    entered = {entry.entrant for entry in Roster(store.engine).entries(which.league)}
    return [entrant for entrant in store.entrants() if entrant.id in entered]


def tournaments_of(store: Store, name: str) -> list[Tournament]:
    """The tournament of this name, or the stages of the league."""
    if league := find_league(store, name):
        return [tournament for _, tournament in Roster(store.engine).stages(league)]
    return [find_tournament(store, name)]


def find_entrant(entrants: Sequence[Entrant], name: str) -> Entrant:
    """The bot of this name, label or spec; refused where several are.

    A label without its version is the newest that has it.
    """
    names = display_names(entrants)
    keys: tuple[Callable[[Entrant], str], ...] = (
        lambda each: names[each.id or 0],
        lambda each: each.label,
        lambda each: each.spec,
    )
    for key in keys:
        found = [each for each in entrants if name == key(each)]
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(names[each.id or 0] for each in found)
            raise ArenaError(f"expected one bot out of {several}, got {name}")
    if versions := [each for each in entrants if name == each.label.partition("@")[0]]:
        return versions[-1]
    known = ", ".join(list(names.values())[:20]) or "no bot at all"
    raise ArenaError(f"expected a bot out of {known}, got {name}")


def find_tournament(store: Store, name: str) -> Tournament:
    """The tournament of this name."""
    row = store.tournament(name)
    if row is None:
        if find_league(store, name):
            raise ArenaError(f"expected a tournament, got a league: arena league show {name}")
        known = ", ".join(each.name for each in store.tournaments()[-20:]) or "no tournament at all"
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

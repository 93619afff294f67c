"""A league over its seasons: what it says of itself, its final, its podium, and what follows."""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from arena.league.leaderboard import league_leaderboard
from arena.league.organiser.moderation import organiser_name
from arena.league.rules import league_rules_of, parse_rules, write_rules
from engine.errors import ArenaError
from leagues.moderation.seasons import NewSeason
from leagues.ratings.trueskill_fold import Rating, child_rating
from leagues.records import League, LeagueState
from leagues.storage.handle import StorageReader, open_storage

# Rules that may change while a league is played; the others decide what a match is.
EDITABLE: Final = (
    *("placement", "games", "until", "extra", "per_day", "submissions", "active"),
    *("final", "promoted", "live_delay"),
)
MAX_LINE: Final = 120
MAX_TEXT: Final = 20_000


def edit_league(
    league: str, told: dict[str, str], rules: dict[str, Any], reason: str, by: str, db: str
) -> str:
    """Change what a league says of itself and those of its rules that may change."""
    _check_told(told)
    with open_storage(db, create=False) as storage:
        row = storage.reader.leagues.by_name(league)
        changes = dict(told)
        if rules:
            changes["rules"] = edited_rules_text(row, rules)
            changes["changed"] = ", ".join(f"{key} = {value}" for key, value in rules.items())
        if not changes:
            raise ArenaError("expected something to change, got nothing: see --help")
        storage.seasons.edit(row.id, changes, reason, organiser_name(by))
    return f"{league} has another {', '.join([*told, *rules])} now"


def edited_rules_text(league: League, rules: dict[str, Any]) -> str:
    """The rules of a league with some changed; ArenaError if they may not change."""
    fixed = [key for key in rules if key not in EDITABLE]
    if fixed:
        raise ArenaError(
            f"expected rules out of {', '.join(EDITABLE)}, got {', '.join(fixed)}: "
            "they decide what a match is, and stay"
        )
    facts = tomllib.loads(write_rules(parse_rules(league.rules, league.name)))
    return write_rules(league_rules_of(facts | rules, "the rules"))


def _check_told(told: dict[str, str]) -> None:
    for key, text in told.items():
        most = MAX_TEXT if key == "text" else MAX_LINE
        if len(text) > most:
            raise ArenaError(f"expected a {key} of up to {most} characters, got {len(text)}")
        if key in ("opens", "closes") and text:
            try:
                date.fromisoformat(text)
            except ValueError:
                raise ArenaError(f"expected a date like 2027-03-31, got {text}") from None


def begin_final(league: str, reason: str, by: str, db: str) -> str:
    """Freeze submissions and let every bot play more games, with a seed that is drawn now."""
    with open_storage(db, create=False) as storage:
        row = storage.reader.leagues.by_name(league)
        rules = parse_rules(row.rules, row.name)
        final = storage.leagues.begin_final(row.id, rules.final, reason, organiser_name(by))
    return (
        f"{league} is in its FINAL: {final.games} more games of every bot, on new deals\n"
        f"SHA-256 of their seed, which is shown when the league is closed: {final.seed_sha256}"
    )


def archive_league(league: str, undo: bool, reason: str, by: str, db: str) -> str:
    """Hide a league that was a mistake, or show it again as it was."""
    with open_storage(db, create=False) as storage:
        row = storage.reader.leagues.by_name(league)
        state = LeagueState.ARCHIVED
        if undo:
            if storage.reader.leagues.state(row.id) != state:
                raise ArenaError(f"expected a league that is ARCHIVED, got {league}")
            state = storage.reader.leagues.state_before(row.id)
        storage.leagues.set_league_state(row.id, state, reason, organiser_name(by))
    return f"{league} is {state}"


def follow_league(leagues: Sequence[str], name: str, divisions: int, by: str, db: str) -> list[str]:
    """The next season: a new league, or one for every division; what was made.

    The leagues are the divisions of the season that ends, the highest first.
    """
    who = organiser_name(by)
    with open_storage(db, create=False) as storage:
        rows = [storage.reader.leagues.by_name(each) for each in leagues]
        for row in rows:
            if storage.reader.leagues.state(row.id) != LeagueState.CLOSED:
                raise ArenaError(f"expected a league that is CLOSED, got {row.name}")
        rules = parse_rules(rows[0].rules, rows[0].name)
        standings = [_standings(storage.reader, row) for row in rows]
        if divisions and len(rows) == 1:
            fields = _split(standings[0], divisions)
        else:
            fields = promote(standings, rules.promoted)
        season = storage.reader.leagues.details(rows[0].id).season + 1
        alone = len(fields) == 1
        made = [
            NewSeason(
                name=name if alone else f"{name}-d{at + 1}",
                rules=rows[0].rules,
                seed=secrets.randbits(128),
                origins=[row.id for row in rows],
                season=season,
                division=0 if alone else at + 1,
                carried=field,
            )
            for at, field in enumerate(fields)
        ]
        storage.leagues.create_season(made, who)
    return [
        f"{new.name}: season {season}, {len(new.carried)} bots; now: arena league open {new.name}"
        for new in made
    ]


def _standings(reader: StorageReader, league: League) -> list[tuple[int, Rating]]:
    """The bots that play, best first, and what is believed of each."""
    board = league_leaderboard(reader, league)
    return [
        (board.entries[row.entrant].id, child_rating(board.table.fit.belief(row.entrant)))
        for row in board.rows()
    ]


def _split(field: list[tuple[int, Rating]], divisions: int) -> list[list[tuple[int, Rating]]]:
    """A field cut into divisions of about the same size, the best first."""
    if len(field) < 2 * divisions:
        raise ArenaError(f"expected at least {2 * divisions} bots that play, got {len(field)}")
    bounds = [len(field) * at // divisions for at in range(divisions + 1)]
    return [field[bounds[at] : bounds[at + 1]] for at in range(divisions)]


def promote(
    standings: list[list[tuple[int, Rating]]], moving: int
) -> list[list[tuple[int, Rating]]]:
    """The divisions of the next season: so many go up, and as many down, between any two."""
    fields = [list(each) for each in standings]
    for upper in range(len(standings) - 1):
        most = min(moving, len(standings[upper]) // 3, len(standings[upper + 1]) // 3)
        if not most:
            continue
        down, up = standings[upper][-most:], standings[upper + 1][:most]
        fields[upper] = [each for each in fields[upper] if each not in down] + up
        fields[upper + 1] = down + [each for each in fields[upper + 1] if each not in up]
    return fields

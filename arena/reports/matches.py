"""Matches as they are stored: lists, single ones with all that happened, and exports."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from typing import Any, Final, TextIO

from arena.reports import lookup
from arena.reports.output import OutputFormat
from arena.reports.table import Column, Report, cell
from arena.reports.wording import display_names, format_count, format_time
from engine.errors import ArenaError
from leagues.records import StoredMatch, Tournament
from leagues.storage.handle import StorageReader, read_storage
from leagues.storage.match_filter import MatchFilter

MATCHES: Final = (
    Column("match", "match"),
    Column("tournament", "tournament"),
    Column("game", "game", spare=3),
    Column("edition", "edition", shown=False),
    Column("expansions", "expansions", shown=False),
    Column("expert", "expert", shown=False),
    Column("players", "players", shown=False),
    Column("round", "round", spare=4),
    Column("seats", "bots by rank, with scores", text=lambda seats: _seats_text(seats)),
    Column("faults", "faults"),
    Column("seconds", "seconds", ".2f", spare=2),
    Column("rated", "rated", "yes/no", spare=1),
    Column("excluded", "excluded", spare=1),
    Column("sandbox", "sandbox", shown=False),
    Column("played_at", "when", shown=False, text=lambda at: format_time(at)),
)
SEATS: Final = (
    Column("match", "match", shown=False),
    Column("game", "game", shown=False),
    Column("seat", "seat"),
    Column("bot", "bot"),
    Column("wonder", "city"),
    Column("score", "score"),
    Column("rank", "rank"),
    Column("asked", "asked", spare=2),
    Column("computed", "CPU s", ".3f", spare=1),
    Column("longest", "longest s", ".3f", spare=3),
    Column("fault", "fault"),
    Column("decision", "at", shown=False),
    Column("detail", "detail", shown=False),
    Column("printed", "printed", shown=False),
)


def list_matches(
    which: MatchFilter,
    tournament: str | None,
    bot: str | None,
    limit: int,
    format: OutputFormat,
    db: str,
) -> None:
    """Print the latest matches that the filter, the tournament and the bot agree with."""
    game = None
    if which.game:
        from engine.catalog import find  # loads the games, of which a list shows nothing

        game = find(which.game).id
    with read_storage(db) as reader:
        where = lookup.matches_of(reader, tournament) if tournament else MatchFilter()
        entrants = lookup.entrants_of(reader, where) if bot else []
        which = replace(
            where,
            game=game,
            players=which.players,
            entrant=lookup.find_entrant(entrants, bot).id if bot else None,
            faulty=which.faulty,
        )
        match_list(reader, which, limit).write(format)


def match_list(reader: StorageReader, which: MatchFilter, limit: int | None) -> Report:
    """The latest matches that pass the filter, a row each."""
    tournaments = {row.id: row.name for row in reader.results.tournaments()}
    names = display_names(reader.results.entrants(), beside_contest=True)
    rows = [
        _match_row(stored, names, tournaments)
        for stored in reader.results.matches(which, limit=limit)
    ]
    total = reader.results.count(which)
    shown = "" if len(rows) == total else f"{len(rows):,} of "
    return Report(
        "matches", MATCHES, rows, [f"{shown}{format_count(total, 'match')}, latest first"]
    )


def _match_row(
    stored: StoredMatch, names: dict[int, str], tournaments: dict[int, str]
) -> dict[str, Any]:
    match, result = stored, stored.result
    order = sorted(range(match.players), key=lambda seat: (result.ranks[seat], seat))
    return {
        "match": match.id,
        "tournament": tournaments.get(match.tournament),
        "game": match.game,
        "edition": match.edition,
        "expansions": list(result.spec.setup.variant.expansions),
        "expert": match.expert,
        "players": match.players,
        "round": match.round,
        "seats": [
            {
                "seat": seat,
                "bot": names[stored.seats[seat].entrant],
                "wonder": stored.seats[seat].wonder,
                "score": result.scores[seat],
                "rank": result.ranks[seat] + 1,
            }
            for seat in order
        ],
        "faults": sorted({fault.kind for fault in result.faults}),
        "seconds": result.seconds,
        "rated": match.rated,
        "excluded": stored.excluded,
        "sandbox": match.sandbox,
        "played_at": match.played_at,
    }


def _seats_text(seats: list[dict[str, Any]]) -> str:
    return ", ".join(f"{seat['bot']} {seat['score']}" for seat in seats)


def match_seats(reader: StorageReader, stored: StoredMatch) -> Report:
    """One match, a row for each seat."""
    match, result = stored, stored.result
    names = display_names(reader.results.entrants(), beside_contest=True)
    faults = {fault.seat: fault for fault in result.faults}
    sheets = score_sheets(stored)
    categories = [key for key in sheets[0] if key != "total"] if sheets else []
    rows = []
    for seat, row in enumerate(stored.seats):
        fault = faults.get(seat)
        account = result.accounts[seat] if result.accounts else None
        rows.append(
            {
                "match": match.id,
                "game": match.game,
                "seat": seat,
                "bot": names[row.entrant],
                "wonder": row.wonder,
                "score": row.score,
                "rank": row.rank + 1,
                **({f"points_{key}": sheets[seat][key] for key in categories}),
                "asked": account and account.asked,
                "computed": account and account.computed,
                "longest": account and account.longest,
                "fault": fault.kind if fault else None,
                "decision": fault.decision if fault else None,
                "detail": fault.detail if fault else None,
                "printed": account.printed if account else None,
            }
        )
    title = f"match {match.id}: {match.game}, {format_count(match.players, 'player')}"
    points = tuple(Column(f"points_{key}", key, spare=4) for key in categories)
    at = [column.key for column in SEATS].index("rank") + 1
    columns = (*SEATS[:at], *points, *SEATS[at:])
    return Report(title, columns, rows, match_caption(reader, stored))


def score_sheets(stored: StoredMatch) -> list[dict[str, int]]:
    """Where the points of each seat come from; nothing where the rules are others by now."""
    from engine.catalog import find
    from engine.replay import final_state

    try:
        return find(stored.game).score_sheet(final_state(stored.result))
    except ArenaError:
        return []


def tournament_of(reader: StorageReader, stored: StoredMatch) -> Tournament:
    """The tournament a match belongs to."""
    return reader.results.tournament_by_id(stored.tournament)


def match_caption(reader: StorageReader, stored: StoredMatch) -> list[str]:
    """Where a match comes from, and what became of it."""
    match, variant = stored, stored.result.spec.setup.variant
    tournament = tournament_of(reader, stored)
    options = [*([variant.edition] if variant.edition else []), *variant.expansions]
    options += ["expert"] if variant.expert else []
    rated = "rated" if match.rated else "NOT RATED: the bots were not contained"
    if match.rated and not match.is_contained:
        rated = "rated in its league; NOT CONTAINED: the bots could have cheated"
    place = f"place {match.number} of the schedule ({match.fixture})"
    if tournament.is_series:
        rated = "not rated: games of play, compare and tune never are"
    decisions = format_count(len(stored.result.decisions), "decision")
    program = match.program or "of unknown version"
    lines = [
        f"game {match.number + 1} of {tournament.name}: {tournament.command}"
        if tournament.is_series
        else f"tournament {tournament.name}, {place}, {match.stage} stage, round {match.round}",
        ", ".join([f"deal {match.seed}", f"rules version {match.rules}", *options]),
        f"{decisions} in {stored.result.seconds:.2f} s{_factor_note(stored)}",
        f"played {format_time(match.played_at)} by arena {program}",
        f"sandbox: {match.sandbox or 'unknown'}; {'excluded' if stored.excluded else rated}",
        "seats whose bot failed come last",
    ]
    for event in stored.events:
        what = "excluded" if event.excluded else "restored"
        by = f" by {event.by}" if event.by else ""
        lines.append(f"{what} {format_time(event.at)}{by}: {event.reason}")
    return lines


def _factor_note(stored: StoredMatch) -> str:
    factor = stored.result.time_factor
    return "" if factor == 1 else f", time limits times {factor:g} for the speed of the machine"


def match_facts(
    stored: StoredMatch, names: dict[int, str], tournament: str, points: bool = False
) -> dict[str, Any]:
    """A match with all that is known of it, as plain values; with score sheets if asked."""
    match, result = stored, stored.result
    sheets = score_sheets(stored) if points else []
    setup = result.spec.setup
    bots = [names[seat.entrant] for seat in stored.seats]
    return {
        "match": match.id,
        "tournament": tournament,
        "number": match.number,
        "fixture": match.fixture,
        "stage": match.stage,
        "round": match.round,
        "spec": {
            "game": match.game,
            "version": match.rules,
            "seed": match.seed,
            **_fields_of(setup),
            "variant": _fields_of(setup.variant),
            "bots": bots,
        },
        "decisions": result.decisions,
        "seats": [
            {"seat": seat, "bot": bot, "digest": entrant.digest, "wonder": setup.wonders[seat]}
            | {"score": result.scores[seat], "rank": result.ranks[seat] + 1}
            | ({"points": sheets[seat]} if sheets else {})
            for seat, (bot, entrant) in enumerate(zip(bots, stored.entrants, strict=True))
        ],
        "faults": [_fields_of(fault) for fault in result.faults],
        "accounts": [_fields_of(account) for account in result.accounts],
        "sandbox": match.sandbox,
        "rated": match.rated,
        "excluded": stored.excluded,
        "events": [
            {"excluded": event.excluded, "reason": event.reason, "by": event.by, "at": event.at}
            for event in stored.events
        ],
        "program": match.program,
        "played_at": match.played_at,
        "seconds": result.seconds,
        "time_factor": result.time_factor,
    }


def _fields_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass, not copied: there are some for every seat of an export."""
    return {name: getattr(value, name) for name in _names_of(value.__class__)}


@cache
def _names_of(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def export_lines(reader: StorageReader, which: MatchFilter, points: bool = False) -> Iterator[str]:
    """Every match as a line of JSON, in schedule order; with score sheets if asked."""
    names = display_names(reader.results.entrants(), beside_contest=True)
    tournaments = _tournament_names(reader)
    for stored in reader.results.matches(which, latest_first=False):
        told = match_facts(stored, names, tournaments[stored.tournament], points)
        yield json.dumps(told, separators=(",", ":"))


def _tournament_names(reader: StorageReader) -> dict[int, str]:
    return {row.id: row.name for row in reader.results.tournaments()}


EXPORT: Final = (
    *("match", "tournament", "number", "fixture", "stage", "round", "game", "players", "edition"),
    *(
        "expansions",
        "expert",
        "seed",
        "seat",
        "bot",
        "digest",
        "wonder",
        "score",
        "rank",
        "fault",
        "fault_decision",
    ),
    *("asked", "computed", "longest", "sandbox", "rated", "excluded", "played_at", "seconds"),
    "time_factor",
)


# The categories of all score sheets.
POINTS: Final = (
    *("wonder", "cat", "blue", "military", "progress", "medals"),
    *("treasure", "civil", "commerce", "science", "guilds"),
)


def export_csv(
    reader: StorageReader, which: MatchFilter, out: TextIO, points: bool = False
) -> None:
    """Write a row of CSV for every seat of every match; with score sheets if asked."""
    names = display_names(reader.results.entrants(), beside_contest=True)
    tournaments = _tournament_names(reader)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*EXPORT, *((f"points_{key}" for key in POINTS) if points else ())))
    bots: dict[int, tuple[Any, Any]] = {}  # what a seat's row says of an entrant
    for stored in reader.results.matches(which, latest_first=False):
        front, back = _match_cells(stored, tournaments[stored.tournament])
        accounts = stored.result.accounts
        sheets = score_sheets(stored) if points else []
        for seat, entrant in zip(stored.seats, stored.entrants, strict=True):
            if seat.entrant not in bots:
                bots[seat.entrant] = cell(names[seat.entrant]), cell(entrant.digest)
            account = accounts[seat.seat] if accounts else None
            used = (account.asked, account.computed, account.longest) if account else [None] * 3
            writer.writerow(
                (
                    *front,
                    seat.seat,
                    *bots[seat.entrant],
                    *(cell(seat.wonder), seat.score, seat.rank + 1),
                    *(cell(seat.fault), seat.fault_decision),
                    *map(cell, used),
                    *back,
                    *_points_cells(sheets, seat.seat, points),
                )
            )


def _points_cells(sheets: list[dict[str, int]], seat: int, wanted: bool) -> list[int | None]:
    sheet = sheets[seat] if sheets else {}
    return [sheet.get(key) for key in POINTS] if wanted else []


def _match_cells(stored: StoredMatch, tournament: str) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """What all rows of a match begin and end with."""
    expansions = " ".join(stored.result.spec.setup.variant.expansions)
    front = (
        *(stored.id, tournament, stored.number, stored.fixture, stored.stage, stored.round),
        *(stored.game, stored.players, stored.edition, expansions, int(stored.expert), stored.seed),
    )
    back = (
        *(stored.sandbox, int(stored.rated), int(stored.excluded), stored.played_at),
        *(stored.result.seconds, stored.result.time_factor),
    )
    return tuple(map(cell, front)), tuple(map(cell, back))

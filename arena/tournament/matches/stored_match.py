"""StoredMatch matches, printed: a list of them, one of them, its trace, and whether it is right."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arena.reports import matches
from arena.reports.output import OutputFormat, create_file, report_file
from arena.reports.wording import db_option, display_names
from bots.protocol.notes import notes_by_decision, read_notes
from bots.protocol.sanitize import for_terminal
from engine.catalog import find
from engine.errors import ArenaError
from engine.replay import trace, write_trace
from leagues.records import StoredMatch
from leagues.storage.handle import read_storage


def show_match(id: int, seat: int | None, format: OutputFormat, db: str) -> None:
    """Print the seats of a match, and what happened at one of them or all."""
    with read_storage(db) as reader:
        stored = reader.results.match(id)
        players = stored.players
        if seat is not None and not 0 <= seat < players:
            raise ArenaError(f"expected a seat from 0 to {players - 1}, got {seat}")
        if format is OutputFormat.JSON:
            names = display_names(reader.results.entrants(), beside_contest=True)
            tournament = matches.tournament_of(reader, stored).name
            facts = matches.match_facts(stored, names, tournament, points=True)
            game = find(stored.game)
            facts["moves"] = [game.text(action) for action in stored.result.decisions]
            print(json.dumps(facts))  # noqa: T201
            return
        report = matches.match_seats(reader, stored)
        if seat is not None:
            report = replace(report, rows=[row for row in report.rows if row["seat"] == seat])
        report.write(format)
        if format is OutputFormat.TABLE:
            print("\n".join(_details(stored, seat, db)))  # noqa: T201


def _details(stored: StoredMatch, only: int | None, db: str) -> list[str]:
    """Faults and what the bots printed, indented; then how to see more."""
    result = stored.result
    lines = []
    for seat, bot in enumerate(result.spec.bots):
        if only not in (None, seat):
            continue
        for fault in result.faults:
            if fault.seat == seat:
                what = f"{fault.kind} at decision {fault.decision}"
                lines += _quoted(f"seat {seat}, {bot}: {what}", fault.detail)
        printed = result.accounts[seat].printed if result.accounts else ""
        notes, rest = read_notes(printed)
        if notes:
            from arena.playing.seat_debug import decisions_of

            own = notes_by_decision(printed, decisions_of(result, seat))
            noted = [f"decision {at}: {text}" for at, texts in own.items() for text in texts]
            lines += _quoted(f"seat {seat}, {bot} noted:", "\n".join(noted))
        if rest.strip():
            lines += _quoted(f"seat {seat}, {bot} printed:", rest)
    id = f"{stored.id}"
    whose = "" if only is None else f" --seat {only}"
    return [
        *lines,
        f"\nwhy it ended so: arena match explain {id}{whose}{db_option(db)}",
        f"to see it move by move: arena match trace {id} --watch{db_option(db)}",
        f"to check it against the rules: arena match verify {id}{db_option(db)}",
    ]


def _notes(stored: StoredMatch) -> dict[int, list[str]]:
    """What bots noted on each decision of a match."""
    from arena.playing.seat_debug import decisions_of

    notes: dict[int, list[str]] = {}
    for seat, account in enumerate(stored.result.accounts):
        if account.printed:
            own = decisions_of(stored.result, seat)
            notes |= notes_by_decision(account.printed, own)
    return notes


def _quoted(heading: str, text: str) -> list[str]:
    lines = text.strip("\n").split("\n")
    return [
        f"\n{for_terminal(heading)}",
        *(f"    {for_terminal(line.expandtabs())}" for line in lines),
    ]


def write_match_trace(id: int, out: Path | None, watch: bool, lang: str, db: str) -> None:
    """Write the trace of a match to a file or to stdout, or draw the match."""
    from arena.tournament.verify import contradiction

    if watch and out:
        raise ArenaError("expected --watch or --out, got both")
    with read_storage(db) as reader:
        stored = reader.results.match(id)
        result = stored.result
    if problem := contradiction(result):
        raise ArenaError(f"match {id}: {problem}")
    line = write_trace(trace(result))
    if watch:
        from arena.reports.replay import replay_trace

        bots = [entrant.label for entrant in stored.entrants]
        replay_trace(line, None, True, lang, bots, _notes(stored))
    elif out:
        with create_file(out) as file:
            file.write(line + "\n")
        report_file(out)
    else:
        print(line)  # noqa: T201


def verify_matches(ids: Sequence[int], format: OutputFormat, db: str) -> int:
    """Play matches again from their decisions; 1 if one comes out differently."""
    from arena.tournament.verify import contradiction

    found = []
    with read_storage(db) as reader:
        damaged = {damage.match: damage.text for damage in reader.results.damages()}
        for id in ids:
            problem = damaged.get(id) or contradiction(reader.results.match(id).result)
            found.append({"match": id, "problem": problem})
            if format is OutputFormat.TABLE:
                print(for_terminal(f"match {id}: {problem or 'confirmed by the rules'}"))  # noqa: T201
    if format is OutputFormat.JSON:
        print(json.dumps(found))  # noqa: T201
    return 1 if any(each["problem"] for each in found) else 0

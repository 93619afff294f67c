"""Why a bot decided as it did in a stored match, and where two matches differ."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.playing import seat_debug
from arena.reports.output import OutputFormat, create_file, report_file
from arena.reports.table import Column, Report
from arena.reports.wording import format_count
from arena.tournament.verify import contradiction
from bots.discovery.digest import digest
from bots.discovery.spec import parse_spec
from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError, TraceError
from engine.match import Setup
from leagues.records import StoredMatch
from leagues.storage.handle import read_storage

DIFFERENCES: Final = (
    Column("decision", "decision"),
    Column("prompt", "prompt"),
    Column("recorded", "in the match"),
    Column("answer", "now"),
    Column("options", "options", spare=1),
)
# In which matches may differ: in what was to be played, then in what came of it.
SPEC_KEYS: Final = ("game", "setup", "seed", "bots", "version")
DIFFERENT: Final = (*SPEC_KEYS, "decision", "choices", "scores", "ranks")


@dataclass(frozen=True)
class DebugRequest:
    """Which decision of which seat is asked again, of which bot, and what for."""

    match: int
    seat: int
    decision: int | None = None  # where the bot failed, or its last one
    bot: str | None = None  # the one that played
    pdb: bool = False
    save: Path | None = None


def debug_seat(request: DebugRequest, format: OutputFormat, db: str) -> None:
    """Ask a bot again what it was asked in a match, and print its answer."""
    seat = request.seat
    with read_storage(db) as reader:
        stored = _confirmed(reader.results.match(request.match))
    spec = request.bot or _own_bot(stored, seat)
    result = stored.result
    moment = seat_debug.find_moment(result, seat, request.decision)
    if request.decision is None and all(fault.seat != seat for fault in result.faults):
        numbers = seat_debug.decisions_of(result, seat)
        of = f"the last of {len(numbers)}, from {numbers[0]} to {numbers[-1]}"
        _note(f"seat {seat} had no fault; decision {moment.number} is {of}")
    if request.save is not None:
        with create_file(request.save) as out:
            folder = request.save.parent
            out.write(seat_debug.write_test(request.match, result, moment, spec, folder))
        report_file(request.save, f"a test of decision {moment.number}")
    failed = next((each.decision for each in result.faults if each.seat == seat), None)
    stop_at = moment.number if request.pdb else None
    hidden = redirect_stdout(sys.stderr) if format is OutputFormat.JSON else nullcontext()
    replayed = []
    with hidden:  # what the bot prints is no part of JSON
        for again in seat_debug.replay_seat(result, seat, spec, stop_at):
            replayed.append(again)
            if again.moment.number == moment.number:
                break
    by_steward = failed is not None and moment.number >= failed
    _print_answer(replayed, by_steward, format)


def _note(text: str) -> None:
    print(f"note: {for_terminal(text)}", file=sys.stderr)  # noqa: T201


def _confirmed(stored: StoredMatch) -> StoredMatch:
    """The match, if the rules confirm it."""
    if (problem := contradiction(stored.result)) is not None:
        raise TraceError(f"match {stored.id}: {problem}")
    return stored


def _own_bot(stored: StoredMatch, seat: int) -> str:
    """The spec of the bot that sat there, with a note if it has changed."""
    if seat >= len(stored.entrants):
        raise ArenaError(f"expected a seat below {len(stored.entrants)}, got {seat}")
    entrant = stored.entrants[seat]
    if entrant.spec.startswith("league:"):  # a stranger's, which must not run in this process
        raise ArenaError(
            f"expected --bot with your own copy of {entrant.label}, got a league's bot"
        )
    if digest(parse_spec(entrant.spec)) != entrant.digest.partition("#")[0]:
        _note(f"{entrant.spec} has changed since the match")
    return entrant.spec


def _print_answer(
    replayed: list[seat_debug.ReplayedDecision], by_steward: bool, format: OutputFormat
) -> None:
    again = replayed[-1]
    changes = [each for each in replayed if not each.is_same]
    asked = len(replayed)
    moment = again.moment
    game = moment.decision.game
    facts = {
        "decision": moment.number,
        "seat": moment.decision.seat,
        "prompt": moment.decision.prompt,
        "options": [option.text for option in moment.decision.options],
        "recorded": game.text(moment.recorded),
        "answer": None if again.answer is None else game.text(again.answer),
        "fault": None if again.fault is None else again.fault.detail,
        "changed": [each.moment.number for each in changes],
        "differences": [_difference_row(each) for each in changes],
        "asked": asked,
        "view": game.facts(moment.decision.view),
    }
    if format is OutputFormat.JSON:
        print(json.dumps(facts))  # noqa: T201
        return
    lines = [
        f"decision {moment.number}, seat {facts['seat']}, {facts['prompt']}",
        f"options: {', '.join(option.text for option in moment.decision.options)}",
        f"in the match: {facts['recorded']}{' (by the steward)' if by_steward else ''}",
    ]
    if again.fault is not None:
        lines.append(f"now: {again.fault.kind}")
        lines += [f"  {for_terminal(line)}" for line in again.fault.detail.splitlines()]
    else:
        lines.append(f"now: {facts['answer']}")
    print("\n".join(map(for_terminal, lines)))  # noqa: T201
    if changes:
        rows = [_difference_row(each) for each in changes]
        title = f"{len(changes)} of {format_count(asked, 'answer')} differ from the match"
        Report(title, DIFFERENCES, rows).write(OutputFormat.TABLE)


def _difference_row(again: seat_debug.ReplayedDecision) -> dict[str, Any]:
    decision = again.moment.decision
    now = again.fault.kind if again.fault else ""
    return {
        "decision": again.moment.number,
        "prompt": decision.prompt,
        "options": len(decision.options),
        "recorded": decision.game.text(again.moment.recorded),
        "answer": now if again.answer is None else decision.game.text(again.answer),
    }


def diff_matches(first: int, second: int, format: OutputFormat, db: str) -> int:
    """Print where two matches differ; 1 if they do."""
    with read_storage(db) as reader:
        facts = _differences(
            _confirmed(reader.results.match(first)), _confirmed(reader.results.match(second))
        )
    if format is OutputFormat.JSON:
        print(json.dumps({key: facts.get(key) for key in DIFFERENT}))  # noqa: T201
    else:
        for key, value in facts.items():
            if isinstance(value, list):
                pair = zip((first, second), value, strict=True)
                value = "; ".join(f"match {id}: {_words(each)}" for id, each in pair)
            print(f"{key}: {for_terminal(str(value))}")  # noqa: T201
        if not facts:
            print("the same match, decision by decision")  # noqa: T201
    return 1 if facts else 0


def _differences(one: StoredMatch, other: StoredMatch) -> dict[str, object]:
    facts: dict[str, object] = {}
    results = (one.result, other.result)
    for key in SPEC_KEYS:
        pair = [getattr(result.spec, key) for result in results]
        if pair[0] != pair[1]:
            facts[key] = [_plain(value) for value in pair]
    found = seat_debug.difference(*results)
    if found is not None:
        facts["decision"] = found.number
        facts["choices"] = [_choice(moment) for moment in (found.first, found.second)]
    if one.result.ranks != other.result.ranks or one.result.scores != other.result.scores:
        facts["scores"] = [result.scores for result in results]
        facts["ranks"] = [[ahead + 1 for ahead in result.ranks] for result in results]
    return facts


def _plain(value: object) -> object:
    """A part of a spec as plain data; set-ups in words."""
    if isinstance(value, Setup):
        return f"{value.variant}, {', '.join(value.wonders)}"
    return value


def _words(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _choice(moment: seat_debug.Moment | None) -> str:
    if moment is None:
        return "the end of the match"
    decision = moment.decision
    text = decision.game.text(moment.recorded)
    return f"seat {decision.seat}, {decision.prompt}: {text} ({len(decision.options)} options)"

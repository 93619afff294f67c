"""arena match debug and diff: why did my bot do that, and where do two matches part."""

import json
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import (
    DbOpt,
    JsonOpt,
    LinesOpt,
    settle_form,
)
from arena.playing import seat_debug
from arena.reports.output import OutputFormat, create_file, report_file
from arena.reports.wording import DEFAULT_DB, plain
from arena.tournament.verify import contradiction
from bots.discovery.digest import digest
from bots.discovery.spec import parse_spec
from engine.errors import ArenaError, TraceError
from leagues.storage.results import Stored, read_store

IdArg = Annotated[int, typer.Argument(metavar="ID", help="Number of the match.")]


def debug(
    id: IdArg,
    seat: Annotated[int, typer.Option(min=0, help="Whose decisions.")],
    decision: Annotated[
        int | None,
        typer.Option(min=0, help="Number of a decision; where the bot failed if not given."),
    ] = None,
    bot: Annotated[
        str | None, typer.Option(metavar="BOT", help="Another bot in that seat, or the same moved.")
    ] = None,
    pdb: Annotated[bool, typer.Option("--pdb", help="Stop there in the debugger.")] = False,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE.py", help="Write the decision as a test.")
    ] = None,
    db: DbOpt = DEFAULT_DB,
    form: LinesOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """Ask a bot again what it was asked in a match: same views, same options, same dice.

    The bot runs in this process, so only your own. Every decision of the seat is asked up to the
    one you name; where the answer is another one than then, that is told.
    """
    form = settle_form(form, as_json, lines=True)
    with read_store(db) as store:
        stored = _whole(store.match(id))
    spec = bot or _own(stored, seat)
    moment = seat_debug.find_moment(stored.result, seat, decision)
    if decision is None and all(fault.seat != seat for fault in stored.result.faults):
        numbers = seat_debug.decisions_of(stored.result, seat)
        of = f"the last of {len(numbers)}, from {numbers[0]} to {numbers[-1]}"
        typer.echo(f"note: seat {seat} had no fault; decision {moment.number} is {of}", err=True)
    if save is not None:
        with create_file(save) as out:
            out.write(seat_debug.write_test(id, stored.result, moment, spec))
        report_file(save, f"a test of decision {moment.number}")
    changes = []
    for again in seat_debug.rehearse(stored.result, seat, spec, moment.number if pdb else None):
        if not again.is_same:
            changes.append(again.moment.number)
        if again.moment.number == moment.number:
            _tell(again, changes, form)
            return


def _whole(stored: Stored) -> Stored:
    """The match, if the rules confirm it."""
    if (problem := contradiction(stored.result)) is not None:
        raise TraceError(f"match {stored.match.id}: {problem}")
    return stored


def _own(stored: Stored, seat: int) -> str:
    """The spec of the bot that sat there; told if it is no longer what it was."""
    if seat >= len(stored.entrants):
        raise ArenaError(f"expected a seat below {len(stored.entrants)}, got {seat}")
    entrant = stored.entrants[seat]
    if entrant.spec.startswith("league:"):  # a stranger's, who must not run in this process
        raise ArenaError(
            f"expected --bot with your own copy of {entrant.label}, got a league's bot"
        )
    if digest(parse_spec(entrant.spec)) != entrant.digest.partition("#")[0]:
        typer.echo(f"note: {plain(entrant.spec)} has changed since the match", err=True)
    return entrant.spec


def _tell(again: seat_debug.Again, changes: list[int], form: OutputFormat) -> None:
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
        "changed": changes,
        "view": game.facts(moment.decision.view),
    }
    if form is OutputFormat.JSON:
        typer.echo(json.dumps(facts))
        return
    typer.echo(f"decision {moment.number}, seat {facts['seat']}, {facts['prompt']}")
    typer.echo(f"options: {', '.join(option.text for option in moment.decision.options)}")
    typer.echo(f"in the match: {facts['recorded']}")
    if again.fault is not None:
        typer.echo(f"now: {again.fault.kind}")
        for line in again.fault.detail.splitlines():
            typer.echo(f"  {plain(line)}")
    else:
        typer.echo(f"now: {facts['answer']}")
    if changes and changes[0] != moment.number:
        typer.echo(f"the first answer that is not the recorded one is at decision {changes[0]}")


def diff(
    first: IdArg,
    second: Annotated[int, typer.Argument(metavar="ID2", help="Number of the other match.")],
    db: DbOpt = DEFAULT_DB,
    form: LinesOpt = OutputFormat.TABLE,
    as_json: JsonOpt = False,
) -> None:
    """Tell where two matches part; exit code 1 if they do."""
    form = settle_form(form, as_json, lines=True)
    with read_store(db) as store:
        one, other = _whole(store.match(first)), _whole(store.match(second))
    facts: dict[str, object] = {}
    for key in ("game", "setup", "seed", "bots", "version"):
        pair = getattr(one.result.spec, key), getattr(other.result.spec, key)
        if pair[0] != pair[1]:
            facts[key] = [str(value) for value in pair]
    found = seat_debug.difference(one.result, other.result)
    if found is not None:
        facts["decision"] = found.number
        facts["choices"] = [_choice(moment) for moment in (found.first, found.second)]
    if one.result.ranks != other.result.ranks or one.result.scores != other.result.scores:
        facts["scores"] = [one.result.scores, other.result.scores]
        facts["ranks"] = [
            [ahead + 1 for ahead in result.ranks] for result in (one.result, other.result)
        ]
    if form is OutputFormat.JSON:
        typer.echo(json.dumps(facts))
    else:
        for key, value in facts.items():
            both = value if isinstance(value, list) else [value]
            typer.echo(f"{key}: {plain(' | '.join(map(str, both)))}")
        if not facts:
            typer.echo("the same match, decision by decision")
    raise typer.Exit(1 if facts else 0)


def _choice(moment: seat_debug.Moment | None) -> str:
    if moment is None:
        return "the end of the match"
    decision = moment.decision
    text = decision.game.text(moment.recorded)
    return f"seat {decision.seat} at {decision.prompt}: {text} of {len(decision.options)}"

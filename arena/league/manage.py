"""What an operator does with a league: make it, change its state, submit and suspend bots."""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any, Final

from arena import log_config
from arena.league.leaderboard import league_leaderboard
from arena.league.organiser.moderation import organiser_name
from arena.league.reports import (
    board_report,
    collusion_report,
    entries_report,
    entry_facts,
    entry_lines,
    league_facts,
    league_lines,
)
from arena.league.rules import LeagueRules, league_rules_of, write_rules
from arena.league.submit import submit
from arena.league.unpacked_bots import WorkerOptions
from arena.league.worker import open_league_worker
from arena.playing import worker
from arena.playing.game_settings import read_toml
from arena.reports.output import OutputFormat, read_text
from arena.reports.wording import format_count
from bots.discovery.files import is_ignored
from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError
from leagues.ratings.leaderboard import LeaderboardFilter
from leagues.records import LeagueState, Submission, SubmissionState
from leagues.storage.handle import Storage, open_storage, read_storage
from leagues.submissions.archive import receive

POLL: Final = 0.3  # seconds between two looks at a submission


def create_league(
    name: str, rules_file: Path | None, given: dict[str, Any], seed: int | None, db: str
) -> None:
    """Make a league by the rules of a file, with the given ones on top."""
    text = write_rules(read_league_rules(rules_file, given))
    with open_storage(db) as storage:
        # Long enough that what is seen of past stages does not tell the deals to come.
        storage.leagues.create(name, text, secrets.randbits(128) if seed is None else seed)


def read_league_rules(rules_file: Path | None, given: dict[str, Any]) -> LeagueRules:
    """The rules of a file, with the given ones on top."""
    facts = (_read_rules(rules_file) if rules_file else {}) | given
    plain_facts = {k: list(v) if isinstance(v, tuple) else v for k, v in facts.items()}
    return league_rules_of(plain_facts, "the rules")


def _read_rules(path: Path) -> dict[str, Any]:
    facts = read_toml(read_text(path), str(path))
    if "rounds" in facts:
        raise ArenaError(
            f"expected matches in {path}, by placement, games and extra, got rounds: "
            "no league plays them any more"
        )
    league_rules_of(facts, str(path))  # so that an error names the file
    return facts


def change_league_state(league: str, state: LeagueState, reason: str, by: str, db: str) -> None:
    """Open, pause, freeze or close a league."""
    with open_storage(db, create=False) as storage:
        row = storage.reader.leagues.by_name(league)
        storage.leagues.set_league_state(row.id, state, reason, organiser_name(by))


def change_bot_state(
    league: str, bot: str, state: SubmissionState, reason: str, by: str, db: str
) -> str:
    """Withdraw, suspend or resume a bot; its new state in words."""
    with open_storage(db, create=False) as storage:
        row = storage.reader.leagues.by_name(league)
        entry = storage.reader.leagues.find_submission(row.id, bot)
        if (
            state == SubmissionState.RESUMED
            and not entry.since
            and entry.state != SubmissionState.RECEIVED
        ):
            state = SubmissionState.RECEIVED  # it never played, so it is checked first
        storage.leagues.set_submission_state(
            entry.id, state, reason, by=organiser_name(by), is_act=True
        )
        return f"{entry.label}: {_state(storage.reader.leagues.submission(entry.id))}"


def show_league(league: str, bot: str, format: OutputFormat, db: str) -> None:
    """Print the rules and bots of a league, or the history of one bot."""
    with read_storage(db) as reader:
        row = reader.leagues.by_name(league)
        if bot:
            entry = reader.leagues.find_submission(row.id, bot)
            standing = league_leaderboard(reader, row)
            is_json = format is OutputFormat.JSON
            print(  # noqa: T201
                json.dumps(entry_facts(standing, entry))
                if is_json
                else "\n".join(entry_lines(standing, entry))
            )
            return
        if format is OutputFormat.JSON:
            print(json.dumps(league_facts(reader, row)))  # noqa: T201
            return
        if format is OutputFormat.TABLE:
            print("\n".join(league_lines(reader, row)))  # noqa: T201
        entries_report(reader, row).write(format)


def show_table(
    league: str,
    players: int | None,
    everyone: bool,
    format: OutputFormat,
    explain: bool,
    db: str,
) -> None:
    """Print the leaderboard of a league, or of its games with so many players."""
    with read_storage(db) as reader:
        row = reader.leagues.by_name(league)
        found = league_leaderboard(
            reader, row, LeaderboardFilter(players=players) if players else None
        )
        board_report(reader, row, found, everyone).write(format, explain)


def show_collusion(league: str, most: int, format: OutputFormat, db: str) -> None:
    """Print who does better in whose presence than strength explains."""
    with read_storage(db) as reader:
        row = reader.leagues.by_name(league)
        report = collusion_report(reader, row)
    replace(report, rows=report.rows[:most]).write(format)


def submit_bot(
    league: str, path: Path, owner: str | None, wait: WorkerOptions | None, db: str
) -> int:
    """Submit a bot, and check it right away if it is waited for; 1 if it is rejected."""
    archive = receive(path, is_ignored)
    with open_storage(db, create=False) as storage:
        row = storage.reader.leagues.by_name(league)
        entry, new = submit(storage, row, archive, owner)
        if new:
            size = f"{format_count(entry.files, 'file')}, {format_count(entry.size, 'byte')}"
            print(f"{entry.label}: RECEIVED, {size}")  # noqa: T201
        else:
            back = ""
            if entry.state == SubmissionState.WITHDRAWN:
                back = f"; to let it play again: arena league resume {league} {entry.label}"
            state = f"{_state(entry)}{back}"
            print(f"{entry.label} is in {league} already, unchanged: {state}")  # noqa: T201
        return _wait(storage, entry, wait) if wait else 0


def _state(entry: Submission) -> str:
    return f"{entry.status}{': ' + for_terminal(entry.reason) if entry.reason else ''}"


def _wait(storage: Storage, entry: Submission, options: WorkerOptions) -> int:
    """Check the bot in this process, unless a worker is doing so; 1 if it is rejected."""
    with (
        log_config.SharedLog(worker.SPAWN, 0, None) as queue,
        open_league_worker(storage, options, queue) as checker,
    ):
        while storage.reader.leagues.submission(entry.id).state == SubmissionState.RECEIVED:
            if not checker.checks.check(entry):
                sleep(POLL)
    entry = storage.reader.leagues.submission(entry.id)
    lines = [f"{entry.label}: {_state(entry)}"]
    lines += [f"    {for_terminal(line)}" for line in entry.detail.splitlines()]
    print("\n".join(lines))  # noqa: T201
    return 1 if entry.state == SubmissionState.REJECTED else 0

"""A check of a bot as lines or JSON: its steps, how far it is, and the verdict."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from threading import Event, Thread
from typing import Final, Self

from arena.playing.conformance import STEPS, BotCheck, CheckScope, CheckStep
from arena.playing.progress import notify_once
from arena.schedule.goal import parse_budget
from bots.chairs.limits import Limits
from bots.protocol.sanitize import for_terminal
from engine.catalog import find
from engine.errors import ArenaError

MAX_PRINTED_LINES: Final = 20  # of what a bot printed
LINES: Final = 10.0  # seconds between two lines about how far a check is
SILENT: Final = 15.0  # seconds without an answer after which a reason is guessed
LIVE: Final = 1.0  # seconds between two on a terminal, one over the other


def check_scope(
    games: Sequence[str], players: int | None, seed: int | None, budget: str, full: bool
) -> CheckScope:
    """What is checked by these options; ArenaError if a game has no such number of players."""
    chosen = [find(game) for game in games]
    for game in chosen:
        if players is not None and players not in game.players:
            fewest, most = game.players[0], game.players[-1]
            raise ArenaError(f"expected {fewest} to {most} players for {game.id}, got {players}")
    if (players is not None or seed is not None) and len(chosen) != 1:
        raise ArenaError("expected one --game with --players or --seed, got none or several")
    seconds = math.inf if full else parse_budget(budget)
    return CheckScope(tuple(game.id for game in chosen), seconds, players, seed)


def check_bot(spec: str, limits: Limits, trust: bool, scope: CheckScope, as_json: bool) -> int:
    """Run the steps of a check and print them as they are done; 1 if one fails."""
    steps: list[CheckStep] = []
    with _CheckTicker() as ticker:
        check = BotCheck(spec, limits, trust, scope=scope, on_progress=ticker.update)
        ticker.is_program = check.manifest.is_program
        for step in check.run():
            notify_once(check.isolation.weakness)  # only once the bot was found
            steps.append(step)
            ticker.finish_step(step)
            if not as_json:
                print(_step_lines(step), flush=True)  # noqa: T201
    passed = steps[-1].verdict != "FAIL"
    if as_json:
        facts = {
            "bot": spec,
            "passed": passed,
            "sandbox": check.isolation.name,
            "steps": [asdict(step) for step in steps],
            "not_run": list(STEPS[len(steps) :]),
            "repeat": None if passed else check.repeat_command(),
            "printed": check.printed,
        }
        print(json.dumps(facts))  # noqa: T201
    else:
        _print_verdict(check, steps, passed)
    return 0 if passed else 1


def _step_lines(step: CheckStep) -> str:
    first, _, rest = step.found.partition("\n")
    lines = [f"{step.number} {step.verdict:4} {step.name}: {for_terminal(first)}"]
    lines += [f"       {for_terminal(line)}" for line in rest.splitlines()]
    return "\n".join(lines)


def _print_verdict(check: BotCheck, steps: list[CheckStep], passed: bool) -> None:
    """What the bot printed, how it was contained, and whether it is ready to compete."""
    lines = []
    if passed and (printed := check.printed.strip().splitlines()):
        cut = f", the last {MAX_PRINTED_LINES} lines" if printed[MAX_PRINTED_LINES:] else ""
        lines.append(f"it printed in its first game{cut}:")
        lines += [f"       {line}" for line in printed[-MAX_PRINTED_LINES:]]
    lines.append(f"sandbox: {check.isolation.line}")
    if passed:
        lines.append(f"{check.text} is ready to compete")
    else:
        verdict = f"{check.text} failed the check: step {len(steps)}"
        left = [str(number) for number in range(len(steps) + 1, len(STEPS) + 1)]
        if left:
            verdict += f"; not run: {', '.join(left)}"
        lines += [verdict, f"again: {check.repeat_command()}"]
    print("\n".join(for_terminal(line) for line in lines))  # noqa: T201


class _CheckTicker(AbstractContextManager["_CheckTicker"]):
    """How far a check is, on stderr: one line again and again on a terminal, some elsewhere."""

    def __init__(self) -> None:
        self.is_live = sys.stderr.isatty()
        self.is_program = False
        self.began = time.monotonic()
        self.step = 1
        self.done = ""
        self._over = Event()
        self._thread = Thread(target=self._run, daemon=True)  # a bot may keep us waiting

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._erase()

    def update(self, done: str) -> None:
        """What is done of the present step."""
        self.done = done

    def finish_step(self, step: CheckStep) -> None:
        """Go on to the next step, whose line the caller may print now."""
        self.step, self.done = step.number + 1, ""
        self._erase()

    def line(self, waited: float) -> str:
        """How far it is after so many seconds."""
        text = f"step {self.step}: {self.done or 'waiting for the bot'}, {waited:.0f} s"
        # The first mistake of most programs.
        silent = self.is_program and not self.done and waited > SILENT
        return text + ("; does it flush stdout after every line?" if silent else "")

    def _erase(self) -> None:
        if self.is_live:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _run(self) -> None:
        while not self._over.wait(LIVE if self.is_live else LINES):
            self._erase()
            line = self.line(time.monotonic() - self.began)
            sys.stderr.write(line if self.is_live else f"{line}\n")
            sys.stderr.flush()

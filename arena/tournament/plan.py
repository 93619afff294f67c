"""A tournament as it was asked for: the same by flags and by file."""

from __future__ import annotations

import os
import shlex
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.schedule.adaptive import parse_budget, parse_goal
from bots.chairs.limits import parse_limits
from bots.discovery.spec import parse_spec
from engine.catalog import GAMES
from engine.errors import ArenaError

DESIGNS: Final = ("balanced", "full", "random")
MAX_BOTS: Final = 200


@dataclass(frozen=True)
class Plan:
    """What is to be played, and how."""

    bots: tuple[str, ...]
    game: str = "architects"  # or seven, or both
    players: str = ""  # counts such as 2-4,6; those the games and the field allow if not given
    wonders: tuple[str, ...] = ()  # those in play; all if not given
    edition: str | None = None
    expansions: tuple[str, ...] = ()
    expert: bool = False
    design: str = "balanced"
    newcomer: str = ""  # the one bot every match is about
    rounds: int | None = None  # of every track; one whole cycle of the design if not given
    time: str = ""
    freeze: bool = False
    until: str = ""
    budget: str = ""
    in_process: bool = False
    trust_bots: bool = False
    seed: int | None = None
    name: str = ""

    def __post_init__(self) -> None:
        if not 2 <= len(self.bots) <= MAX_BOTS:
            raise ArenaError(f"expected 2 to {MAX_BOTS} bots, got {len(self.bots)}")
        if self.design not in DESIGNS:
            raise ArenaError(f"expected a design out of {', '.join(DESIGNS)}, got {self.design}")
        if self.game != "both" and self.game not in (game.id for game in GAMES):
            names = ", ".join(game.id for game in GAMES)
            raise ArenaError(f"expected a game out of {names} or both, got {self.game}")
        if self.rounds is not None and self.rounds < 1:
            raise ArenaError(f"expected at least 1 round, got {self.rounds}")
        if self.game == "both" and self.wonders:
            raise ArenaError("expected --wonders for one game, got both games")
        parse_counts(self.players)
        if self.until:
            parse_goal(self.until)
            for key in ("rounds", "newcomer"):
                if getattr(self, key):
                    raise ArenaError(f"expected --until or --{key}, got both")
            if self.game == "both" or self.design != "balanced":
                raise ArenaError("expected --until for one game and the balanced design")
        if self.newcomer and self.design != "balanced":
            raise ArenaError(f"expected --newcomer or --design {self.design}, got both")
        if self.budget:
            parse_budget(self.budget)
        if self.time:
            parse_limits(self.time)

    @property
    def games(self) -> tuple[str, ...]:
        """The ids of the games played."""
        return tuple(game.id for game in GAMES) if self.game == "both" else (self.game,)

    def command(self, extra: tuple[str, ...] = ()) -> str:
        """The command line that asks for it."""
        words = ["arena", "tournament", "run", *self.bots]
        for field in fields(self)[1:]:
            value = getattr(self, field.name)
            if value == field.default:
                continue
            words.append(f"--{field.name.replace('_', '-')}")
            if value is not True:
                words.append(",".join(value) if isinstance(value, tuple) else str(value))
        return shlex.join([*words, *extra])


def parse_counts(text: str) -> tuple[int, ...]:
    """Numbers of players out of 2-4,6; none for no text."""
    counts: set[int] = set()
    for part in filter(None, text.replace(" ", "").split(",")):
        low, _, high = part.partition("-")
        if not low.isdecimal() or not (high or low).isdecimal() or len(part) > 5:
            raise ArenaError(f"expected numbers of players such as 3-5, got {text}")
        first, last = int(low), int(high or low)
        if not 2 <= first <= last <= 7:
            raise ArenaError(f"expected numbers of players between 2 and 7, got {part}")
        counts.update(range(first, last + 1))
    return tuple(sorted(counts))


def read_plan(path: Path) -> Plan:
    """The plan a file describes; bots with a path are looked for from its folder."""
    try:
        facts = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise ArenaError(f"expected to read {path}, got {problem.strerror}") from None
    except ValueError as problem:
        raise ArenaError(f"expected TOML in {path}, got {problem}") from None
    plan = plan_of(facts, str(path))
    return replace(plan, bots=tuple(_from(path.parent, bot) for bot in plan.bots))


def plan_of(facts: dict[str, Any], where: str) -> Plan:
    """A plan from plain values, each checked."""
    known = [field.name for field in fields(Plan)]
    if unknown := sorted(set(facts) - set(known)):
        raise ArenaError(f"expected {', '.join(known)} in {where}, got {unknown[0]}")
    if "bots" not in facts:
        raise ArenaError(f"expected bots in {where}, got none")
    try:
        return msgspec.convert(facts, Plan)
    except msgspec.ValidationError as problem:
        raise ArenaError(f"{_lower(str(problem))} in {where}") from None


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:].replace("`", "")


def _from(folder: Path, bot: str) -> str:
    spec = parse_spec(bot)
    if not spec.is_path or spec.path.is_absolute():
        return bot
    path = os.path.join(folder, spec.target)
    tail = bot[len(spec.target) :]
    return (path if "/" in path else f"./{path}") + tail

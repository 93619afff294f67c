"""A tournament as it was asked for: the same by options and by file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.playing.game_settings import (
    BOTH,
    GameFacts,
    GameSettings,
    check_facts,
    read_game_settings,
    read_toml,
    write_game_settings,
)
from arena.schedule.goal import Goal, parse_budget, parse_goal, write_budget
from bots.chairs.limits import write_limits
from bots.discovery.spec import parse_spec
from engine.catalog import GAMES
from engine.errors import ArenaError

BY_RESULTS: Final = ("swiss", "knockout", "double")  # designs whose tables follow from results
DESIGNS: Final = ("balanced", "full", "random", *BY_RESULTS)
MAX_BOTS: Final = 200
DEFAULT_SETTINGS: Final = GameSettings()
DEFAULT_TIME: Final = write_limits(DEFAULT_SETTINGS.limits)


class PlanFacts(GameFacts, total=False):
    """A plan as files, options and stored configurations write it."""

    bots: tuple[str, ...]
    design: str
    newcomer: str
    rounds: int | None
    until: str
    budget: str
    in_process: bool
    trust_bots: bool
    seed: int | None
    name: str


@dataclass(frozen=True)
class Plan:
    """What is to be played, and how."""

    bots: tuple[str, ...]
    settings: GameSettings = DEFAULT_SETTINGS
    design: str = "balanced"
    newcomer: str = ""  # the one bot every match is about
    # Of every track, one whole cycle of the design if not given; of a knockout, deals of a table.
    rounds: int | None = None
    until: Goal | None = None
    budget: float | None = None  # seconds
    in_process: bool = False
    trust_bots: bool = False
    seed: int | None = None
    name: str = ""

    @property
    def by_results(self) -> bool:
        """Whether tables follow from the results before them."""
        return self.design in BY_RESULTS

    def __post_init__(self) -> None:
        if not 2 <= len(self.bots) <= MAX_BOTS:
            raise ArenaError(f"expected 2 to {MAX_BOTS} bots, got {len(self.bots)}")
        if self.design not in DESIGNS:
            raise ArenaError(f"expected a design out of {', '.join(DESIGNS)}, got {self.design}")
        game = self.settings.game
        if game != BOTH and game not in (game.id for game in GAMES):
            names = ", ".join(game.id for game in GAMES)
            raise ArenaError(f"expected a game out of {names} or both, got {game}")
        if self.rounds is not None and self.rounds < 1:
            raise ArenaError(f"expected at least 1 round, got {self.rounds}")
        if game == BOTH and self.settings.wonders:
            raise ArenaError("expected wonders for one game, got both games")
        if self.until is not None:
            for key in ("rounds", "newcomer"):
                if getattr(self, key):
                    raise ArenaError(f"expected until or {key}, got both")
            if game == BOTH or self.design != "balanced":
                raise ArenaError("expected until for one game and the balanced design")
        if self.by_results and (game == BOTH or len(self.settings.players) > 1):
            raise ArenaError(
                f"expected one game and one number of players for the {self.design} design"
            )
        if self.newcomer and self.design != "balanced":
            raise ArenaError(f"expected newcomer or design {self.design}, got both")


def read_plan(path: Path, given: dict[str, Any] | None = None) -> Plan:
    """The plan a file describes, with what is given besides; paths of bots are from its folder."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise ArenaError(f"expected to read {path}, got {problem.strerror}") from None
    except ValueError as problem:
        raise ArenaError(f"expected TOML in {path}, got {problem}") from None
    facts = check_facts(read_toml(text, str(path)), PlanFacts, str(path))
    bots = tuple(_from(path.parent, bot) for bot in facts.get("bots", ()))
    return plan_of({**facts, **({"bots": bots} if bots else {}), **(given or {})}, str(path))


def plan_of(facts: dict[str, Any], where: str) -> Plan:
    """A plan from plain values, each checked."""
    checked = check_facts(facts, PlanFacts, where)
    if "bots" not in checked:
        raise ArenaError(f"expected bots in {where}, got none")
    until, budget = checked.get("until"), checked.get("budget")
    return Plan(
        checked["bots"],
        read_game_settings(checked, Plan.settings),
        checked.get("design", Plan.design),
        checked.get("newcomer", Plan.newcomer),
        checked.get("rounds"),
        parse_goal(until) if until else None,
        parse_budget(budget) if budget else None,
        checked.get("in_process", Plan.in_process),
        checked.get("trust_bots", Plan.trust_bots),
        checked.get("seed"),
        checked.get("name", Plan.name),
    )


def write_plan(plan: Plan) -> PlanFacts:
    """The inverse of `plan_of`: the same plan has the same texts, however it was spelled."""
    game = write_game_settings(plan.settings)
    if game["time"] == DEFAULT_TIME:
        game["time"] = ""  # as it was stored where no time was given
    return {
        "bots": plan.bots,
        **game,
        "design": plan.design,
        "newcomer": plan.newcomer,
        "rounds": plan.rounds,
        "until": "" if plan.until is None else str(plan.until),
        "budget": "" if plan.budget is None else write_budget(plan.budget),
        "in_process": plan.in_process,
        "trust_bots": plan.trust_bots,
        "seed": plan.seed,
        "name": plan.name,
    }


def _from(folder: Path, bot: str) -> str:
    spec = parse_spec(bot)
    if not spec.is_path or spec.path.is_absolute():
        return bot
    path = os.path.join(folder, spec.target)
    tail = bot[len(spec.target) :]
    return (path if "/" in path else f"./{path}") + tail

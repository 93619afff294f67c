"""The command line that asks for a tournament."""

from __future__ import annotations

import shlex
from typing import Any, cast

from arena.tournament.plan import Plan, write_plan


def plan_command(plan: Plan, extra: tuple[str, ...] = ()) -> str:
    """The command that asks for a plan; options that say what is usual are left out."""
    words = ["arena", "tournament", "run", *plan.bots]
    usual = cast(dict[str, Any], write_plan(Plan(plan.bots)))
    for key, value in cast(dict[str, Any], write_plan(plan)).items():
        if value == usual.get(key):
            continue
        words.append(f"--{key.replace('_', '-')}")
        if value is not True:
            words.append(",".join(value) if isinstance(value, tuple) else str(value))
    return shlex.join([*words, *extra])

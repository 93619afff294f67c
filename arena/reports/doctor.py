"""How well this machine isolates bots, and what would make it better."""

import json
import sys

from bots.protocol.sanitize import for_terminal
from bots.sandbox.probe import (
    LAYERS,
    Finding,
    Level,
    ProbeReport,
    guarantees,
    probe,
    suggested_jobs,
    why_not,
)
from engine import COMPILED


def show_machine(as_json: bool) -> int:
    """Print the level of the sandbox, what is missing and how to fix it; 3 if it is unsafe."""
    found = probe()
    print(json.dumps(_facts(found)) if as_json else "\n".join(_lines(found)))  # noqa: T201
    return 3 if found.level is Level.UNSAFE else 0


def _engine() -> str:
    return "compiled" if COMPILED else "interpreted"


def _facts(found: ProbeReport) -> dict[str, object]:
    return {
        "sandbox": found.level,
        "lost": found.lost,
        "fixes": found.fixes,
        "layers": {f.name: {"works": f.works, "found": f.found} for f in found.findings},
        "guarantees": {
            each.name: {"holds": each.holds, "found": each.found} for each in found.guarantees
        },
        "levels": {level: _level(level) for level in LAYERS},
        "jobs": suggested_jobs(),
        "engine": _engine(),
        "python": sys.version.split()[0],
    }


def _level(level: Level) -> dict[str, object]:
    """Whether bots can be run at this level here, and what is promised if they are."""
    layers = LAYERS[level]
    problem = why_not(layers) if sys.platform == "linux" else sys.platform
    kept = {each.name: each.holds for each in guarantees(layers)}
    return {"works": not problem, "problem": problem, "guarantees": kept}


def _finding(each: Finding) -> str:
    """Whether a layer works, and its version or the reason."""
    found = for_terminal(each.found)
    if not each.works:
        return found
    return f"works ({found})" if found else "works"


def _lines(found: ProbeReport) -> list[str]:
    lines = [f"sandbox: {found.level.upper()}"]
    lines += [f"  {each.name}: {_finding(each)}" for each in found.findings]
    lines += [f"  lost: {found.lost}"] if found.lost else []
    lines += [f"  fix: {fix}" for fix in found.fixes]
    for each in found.guarantees:
        lines.append(f"  {'keeps' if each.holds else 'does not keep'} {each.name}: {each.found}")
    if found.level is Level.UNSAFE:
        lines.append("  strangers' bots are refused unless you give --trust-bots")
    lines.append(f"engine: {_engine()}, Python {sys.version.split()[0]}")
    lines.append(f"jobs: {suggested_jobs()}, one match per physical core")
    return lines

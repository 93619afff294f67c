"""Bots as tables and lines: which there are, what they declare, whether they are fit to play."""

from __future__ import annotations

import json
from dataclasses import asdict

from rich.table import Table

from arena.playing.conformance import BotCheck
from arena.reports import terminal
from bots.chairs.limits import Limits
from bots.discovery.manifest_reader import list_manifests, read_manifest
from bots.discovery.spec import parse_spec
from bots.protocol.sanitize import for_terminal


def list_bots(as_json: bool) -> None:
    """Print the bots of the house and of installed packages."""
    manifests = list_manifests()
    if as_json:
        print(json.dumps([asdict(manifest) for manifest in manifests]))  # noqa: T201
        return
    table = Table()
    for heading in ("bot", "version", "source", "what it does"):
        table.add_column(heading)
    for manifest in manifests:
        words = (manifest.name, manifest.version, manifest.source, manifest.summary)
        table.add_row(*map(for_terminal, words))
    terminal.console().print(table)


def show_bot(spec: str, as_json: bool) -> None:
    """Print the manifest of a bot."""
    manifest = read_manifest(parse_spec(spec))
    if as_json:
        print(json.dumps(asdict(manifest)))  # noqa: T201
        return
    facts = asdict(manifest) | {"games": ", ".join(manifest.games) or "all", "kind": manifest.kind}
    for key, value in facts.items():
        if value:
            print(f"{key:>8}  {for_terminal(str(value))}")  # noqa: T201


def check_bot(spec: str, limits: Limits, trust: bool, as_json: bool) -> int:
    """Run the steps of a check and print them as they are done; 1 if one fails."""
    passed = True
    steps = []
    check = BotCheck(spec, limits, trust)
    for step in check.run():
        passed = passed and step.verdict != "FAIL"
        steps.append(asdict(step))
        if not as_json:
            first, _, rest = step.found.partition("\n")
            lines = [f"{step.number} {step.verdict:4} {step.name}: {for_terminal(first)}"]
            lines += [f"       {for_terminal(line)}" for line in rest.splitlines()]
            print("\n".join(lines), flush=True)  # noqa: T201
    if as_json:
        facts = {"bot": spec, "passed": passed, "sandbox": check.isolation.name, "steps": steps}
        print(json.dumps(facts))  # noqa: T201
    else:
        print(f"sandbox: {for_terminal(check.isolation.line)}")  # noqa: T201
        if passed:
            print(f"{for_terminal(spec)} is fit to play")  # noqa: T201
    return 0 if passed else 1

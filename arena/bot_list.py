"""The bots there are, and what they declare, as tables and lines; none of their code runs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final

from arena.bot_parameters import DeclaredParameter, declared_parameters
from bots.discovery.manifest import Manifest
from bots.discovery.manifest_reader import list_manifests, read_manifest
from bots.discovery.spec import parse_spec
from bots.protocol.sanitize import for_terminal

QUOTES: Final = "'\""  # which a spec does without


def list_bots(as_json: bool) -> None:
    """Print the built-in bots and those of installed packages."""
    manifests = list_manifests()
    if as_json:
        print(json.dumps([_manifest_facts(manifest) for manifest in manifests]))  # noqa: T201
        return
    rows = [("bot", "version", "source", "what it does")]
    rows += [(each.name, each.version, each.source, each.summary) for each in manifests]
    cells = [[for_terminal(cell) for cell in row] for row in rows]
    widths = [max(len(row[at]) for row in cells) for at in range(3)]
    for row in cells:  # without rich, which takes longer to load than all the rest
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=False))
        print("  ".join([*padded, row[3]]).rstrip())  # noqa: T201


def _manifest_facts(manifest: Manifest) -> dict[str, Any]:
    """A manifest for programs: what is not declared is null."""
    facts = asdict(manifest)
    return {key: None if value == "" else value for key, value in facts.items()}


def show_bot(spec: str, as_json: bool) -> None:
    """Print the manifest of a bot, and the parameters it takes."""
    manifest = read_manifest(parse_spec(spec))
    parameters = declared_parameters(manifest)
    if as_json:
        known = None if parameters is None else [asdict(each) for each in parameters]
        print(json.dumps(_manifest_facts(manifest) | {"parameters": known}))  # noqa: T201
        return
    facts = asdict(manifest) | {"games": ", ".join(manifest.games) or "all", "kind": manifest.kind}
    for key, value in facts.items():
        if value:
            print(f"{key:>8}  {for_terminal(str(value))}")  # noqa: T201
    for at, line in enumerate(_parameter_lines(parameters or [])):
        print(f"{'' if at else 'takes':>8}  {for_terminal(line)}")  # noqa: T201


def _parameter_lines(parameters: list[DeclaredParameter]) -> list[str]:
    """As a spec has them, with the value they have if it is not given."""
    written = [
        f"{each.name}={(each.default or each.type or '?').strip(QUOTES)}" for each in parameters
    ]
    wide = max(map(len, written), default=0)
    return [
        f"{text:<{wide}}  {each.meaning or ''}".rstrip()
        for text, each in zip(written, parameters, strict=True)
    ]

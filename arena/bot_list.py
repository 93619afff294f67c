"""The bots there are, and what they declare, as tables and lines; none of their code runs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from bots.discovery.manifest import Manifest
from bots.discovery.manifest_reader import list_manifests, read_manifest
from bots.discovery.spec import parse_spec
from bots.protocol.sanitize import for_terminal


def list_bots(as_json: bool) -> None:
    """Print the bots of the house and of installed packages."""
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
    """Print the manifest of a bot."""
    manifest = read_manifest(parse_spec(spec))
    if as_json:
        print(json.dumps(_manifest_facts(manifest)))  # noqa: T201
        return
    facts = asdict(manifest) | {"games": ", ".join(manifest.games) or "all", "kind": manifest.kind}
    for key, value in facts.items():
        if value:
            print(f"{key:>8}  {for_terminal(str(value))}")  # noqa: T201

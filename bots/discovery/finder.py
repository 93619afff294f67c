"""Finding the bot a spec names, for the arena: no stranger's code is run."""

from __future__ import annotations

from bots.api import Maker
from bots.discovery.loader import find_maker, make_bot
from bots.discovery.manifest import Manifest, Source
from bots.discovery.manifest_reader import read_manifest
from bots.discovery.spec import BotError, BotSpec


def check_params(name: str, make: Maker, params: dict[str, str]) -> None:
    """BotError if a built-in bot does not take these parameters; a stranger's is not made."""
    try:
        make_bot(name, make, params)
    except ValueError as problem:
        raise BotError(f"{name}: {problem}") from None


def find_bot(spec: BotSpec) -> Manifest:
    """The bot a spec names; BotError if there is none, or the house's has no such parameters."""
    manifest = read_manifest(spec)
    if manifest.source is Source.HOUSE:
        check_params(manifest.name, find_maker(manifest), dict(spec.params))
    elif manifest.is_program and spec.params:
        key = spec.params[0][0]
        raise BotError(f"expected no parameters for {manifest.name}, a program, got {key}")
    return manifest

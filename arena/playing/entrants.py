"""Who competes: bots under labels that tell them apart, and a digest of what each is."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from arena.i18n import N_
from bots.discovery.digest import digest
from bots.discovery.finder import find_bot
from bots.discovery.spec import BotSpec, parse_spec
from bots.protocol.sanitize import for_storage
from engine.errors import ArenaError

MAX_LABEL = 40
# Why a bot is refused; pages translate the stored sentence by this message.
OTHER_GAME: Final = N_("expected a bot that plays {game}, got one for {games}")


OBJECT: Final = "object"  # the source of a bot that is an object of this process


@dataclass(frozen=True)
class Contender:
    """A bot that competes: as results call it, as it is found, as it is."""

    label: str
    spec: str
    digest: str
    version: str
    source: str  # house, file, folder, package, program, command or object


def check_games(bots: Iterable[str], games: Iterable[str]) -> None:
    """ArenaError if a bot says that it does not play one of these games."""
    wanted = tuple(games)
    for text in dict.fromkeys(bots):
        said = find_bot(parse_spec(text)).games
        for game in wanted:
            if said and game not in said:
                refused = OTHER_GAME.format(game=game, games=", ".join(said))
                raise ArenaError(f"{refused}: {text}")


def contenders(bots: Sequence[str]) -> list[Contender]:
    """The bots a list of specs names, found without running any of them; BotError if one is none.

    A bot that is listed twice competes twice.
    """
    specs = [parse_spec(text) for text in bots]
    manifests = [find_bot(spec) for spec in specs]
    digests = [digest(spec) for spec in specs]
    names = [_name(spec, manifest.name) for spec, manifest in zip(specs, manifests, strict=True)]
    alike = Counter(dict(zip(digests, names, strict=True)).values())  # different bots, one name
    found: list[Contender] = []
    for at, (spec, manifest, name) in enumerate(zip(specs, manifests, names, strict=True)):
        label = f"{name}@{digests[at][:6]}" if alike[name] > 1 else name
        nth = digests[:at].count(digests[at])
        again = f"#{nth + 1}" if nth else ""
        found.append(
            Contender(
                label + again,
                spec.text,
                digests[at] + again,
                manifest.version,
                manifest.source,
            )
        )
    return found


def _name(spec: BotSpec, name: str) -> str:
    if spec.is_command and not spec.name:
        name = " ".join(PurePath(word).name for word in shlex.split(name))
    params = ",".join(f"{key}={value}" for key, value in spec.params)
    return for_storage(f"{name}:{params}" if params else name, MAX_LABEL).replace("\n", " ")

"""Who competes: bots under labels that tell them apart, and a digest of what each is."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from bots.discovery.digest import digest
from bots.discovery.finder import find_bot
from bots.discovery.spec import BotSpec, parse_spec
from bots.protocol.sanitize import for_storage

MAX_LABEL = 40


@dataclass(frozen=True)
class Contender:
    """A bot that competes: as results call it, as it is found, as it is."""

    label: str
    spec: str
    digest: str
    version: str
    source: str  # house, file, folder, package, program or command


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
    if spec.is_command:
        name = " ".join(PurePath(word).name for word in shlex.split(name))
    params = ",".join(f"{key}={value}" for key, value in spec.params)
    return for_storage(f"{name}:{params}" if params else name, MAX_LABEL).replace("\n", " ")

"""Seating bots: how well they are contained, and a chair for each."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from bots.chairs.base import Chair
from bots.chairs.in_process import open_in_process
from bots.chairs.limits import Limits
from bots.chairs.sandboxed import SandboxedChair
from bots.chairs.subprocess import SubprocessChair
from bots.discovery.loader import find_bot
from bots.discovery.manifest import Manifest
from bots.discovery.spec import BotSpec, parse_spec
from bots.sandbox.container import Layers
from bots.sandbox.errors import SandboxError
from bots.sandbox.probe import Level, probe


@dataclass(frozen=True)
class Isolation:
    """How bots are contained: a level or why there is none; in a line; in layers."""

    name: str
    line: str
    layers: Layers | None = None


def choose_isolation(
    bots: Sequence[str], in_process: bool = False, trust: bool = False
) -> Isolation:
    """Where these bots may play; SandboxError if strangers' code could not be contained."""
    return _stand([find_bot(parse_spec(text)) for text in bots], in_process, trust)


def _stand(manifests: Sequence[Manifest], in_process: bool, trust: bool) -> Isolation:
    if in_process:
        return Isolation("in-process", "none: the bots ran in the arena's own process")
    if trust:
        return Isolation("trusted", "none: the bots were trusted")
    report = probe()
    if report.level is not Level.UNSAFE:
        return Isolation(report.level, report.line(), report.layers)
    strangers = [manifest.name for manifest in manifests if manifest.source != "house"]
    if not strangers:
        return Isolation("house", f"none: only bots of the house played; {report.line()}")
    raise SandboxError(
        f"expected to contain {strangers[0]}, got sandbox {report.line()}; arena doctor tells "
        "more; --trust-bots runs bots you wrote or reviewed"
    )


def seat(spec: BotSpec, manifest: Manifest, limits: Limits, ground: Isolation) -> Chair:
    """A chair on this ground."""
    if ground.name == "in-process":
        return open_in_process(spec, manifest)
    if ground.layers is None:
        return SubprocessChair(spec, manifest, limits)
    return SandboxedChair(spec, manifest, limits, ground.layers)


class ChairPool:
    """Chairs for many matches: a bot keeps its container from one to the next, while there is room.

    A bot that sits twice at a table has two chairs. Of a bot's processes only the container's
    first, which never loads it, outlives a match.
    """

    def __init__(
        self,
        limits: Limits,
        in_process: bool = False,
        trust: bool = False,
        most: int = 16,
        ground: Isolation | None = None,
    ) -> None:
        self.limits = limits
        self.in_process = in_process
        self.trust = trust
        self.most = most
        self.ground = ground  # where all stand; found for each if not given
        self.kept: OrderedDict[tuple[str, int], Chair] = OrderedDict()  # oldest use first

    def chairs(self, specs: Sequence[str]) -> list[Chair]:
        """A chair for each spec; good until the next call. BotError if one names no bot."""
        wanted = [(text, specs[:at].count(text)) for at, text in enumerate(specs)]
        missing = [key for key in wanted if key not in self.kept]
        for key in wanted:
            if key in self.kept:
                self.kept.move_to_end(key)
        while self.kept and len(self.kept) + len(missing) > max(self.most, len(wanted)):
            self.kept.popitem(last=False)[1].close()
        for text, nth in missing:
            spec = parse_spec(text)
            manifest = find_bot(spec)
            ground = self.ground or _stand([manifest], self.in_process, self.trust)
            self.kept[text, nth] = seat(spec, manifest, self.limits, ground)
        return [self.kept[key] for key in wanted]

    def close(self) -> None:
        """Be done with all of them."""
        while self.kept:
            self.kept.popitem()[1].close()


@contextmanager
def sit_down(
    bots: Sequence[str], in_process: bool, limits: Limits, trust: bool = False
) -> Iterator[list[Chair]]:
    """A chair for each spec, as long as it is needed; BotError if one names no bot."""
    specs = [parse_spec(text) for text in bots]
    found = [(spec, find_bot(spec)) for spec in specs]
    ground = _stand([manifest for _, manifest in found], in_process, trust)
    chairs: list[Chair] = []
    try:
        for spec, manifest in found:
            chairs.append(seat(spec, manifest, limits, ground))
        yield chairs
    finally:
        for chair in chairs:
            chair.close()

"""Opening chairs: how bots are isolated, and a pool of chairs for many matches."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from bots.chairs.base import Chair
from bots.chairs.in_process import open_in_process
from bots.chairs.limits import Limits
from bots.chairs.remote import RemoteChair
from bots.chairs.sandboxed import SandboxTransport
from bots.chairs.subprocess import PipeTransport
from bots.discovery.finder import find_bot
from bots.discovery.manifest import Manifest, Source
from bots.discovery.spec import BotSpec, parse_spec
from bots.sandbox.container import Layers
from bots.sandbox.errors import SandboxError
from bots.sandbox.probe import Level, probe


class IsolationKind(StrEnum):
    """How bots are kept from the machine and from each other: a sandbox's level, or why none."""

    IN_PROCESS = "in-process"
    TRUSTED = "trusted"
    HOUSE = "house"
    FULL = Level.FULL
    STRONG = Level.STRONG
    REDUCED = Level.REDUCED


@dataclass(frozen=True)
class Isolation:
    """How bots are isolated: the kind, the same in a line, and the sandbox's layers if any."""

    name: IsolationKind
    line: str
    layers: Layers | None = None
    weakness: str = ""  # what the user should know before strangers' bots are run


def choose_isolation(
    bots: Sequence[str], in_process: bool = False, trust: bool = False
) -> Isolation:
    """How these bots may be run; SandboxError if strangers' code could not be contained."""
    return _choose([find_bot(parse_spec(text)) for text in bots], in_process, trust)


def _choose(manifests: Sequence[Manifest], in_process: bool, trust: bool) -> Isolation:
    if in_process:
        return Isolation(IsolationKind.IN_PROCESS, "none: the bots ran in the arena's own process")
    if trust:
        return Isolation(IsolationKind.TRUSTED, "none: the bots were trusted")
    report = probe()
    strangers = [manifest.name for manifest in manifests if manifest.source is not Source.HOUSE]
    if report.level is not Level.UNSAFE:
        weakness = report.weakness if strangers else ""
        return Isolation(IsolationKind(report.level), report.line(), report.layers, weakness)
    if not strangers:
        line = f"none: only built-in bots played; {report.line()}"
        return Isolation(IsolationKind.HOUSE, line)
    raise SandboxError(
        f"cannot sandbox {strangers[0]}: {report.line()}; run arena doctor for details; "
        "--trust-bots runs bots you wrote or reviewed"
    )


def too_weak(required: str, found: Isolation) -> SandboxError:
    """That bots would be contained less than is required, and what would help."""
    fixes = "; ".join(probe().fixes)
    return SandboxError(
        f"expected sandbox {required}, got {found.line}" + (f"; fix: {fixes}" if fixes else "")
    )


def open_chair(spec: BotSpec, manifest: Manifest, limits: Limits, isolation: Isolation) -> Chair:
    """A chair for a bot, isolated so."""
    if isolation.name is IsolationKind.IN_PROCESS:
        return open_in_process(spec, manifest)
    if isolation.layers is None:
        return RemoteChair(PipeTransport(spec, manifest), limits)
    transport = SandboxTransport(spec, manifest, isolation.layers, limits.freeze)
    return RemoteChair(transport, limits)


class ChairPool:
    """Chairs for many matches: a bot keeps its container from one to the next, while there is room.

    A bot that sits twice at a table has two chairs. Of a stranger's processes only the container's
    first, which never loads it, outlives a match; a built-in bot's worker does too. One container
    serves a bot with whatever parameters, which a worker is told.
    """

    def __init__(
        self,
        limits: Limits,
        in_process: bool = False,
        trust: bool = False,
        most: int = 16,
        isolation: Isolation | None = None,
    ) -> None:
        self.limits = limits
        self.in_process = in_process
        self.trust = trust
        self.most = most
        self.isolation = isolation  # of all; chosen for each if not given
        self.kept: OrderedDict[tuple[str, int], Chair] = OrderedDict()  # oldest use first

    def chairs(self, specs: Sequence[str]) -> list[Chair]:
        """A chair for each spec; good until the next call. BotError if one names no bot."""
        names = [self._container_of(text) for text in specs]
        wanted = [(name, names[:at].count(name)) for at, name in enumerate(names)]
        missing = [
            (key, text) for key, text in zip(wanted, specs, strict=True) if key not in self.kept
        ]
        for key in wanted:
            if key in self.kept:
                self.kept.move_to_end(key)
        while self.kept and len(self.kept) + len(missing) > max(self.most, len(wanted)):
            self.kept.popitem(last=False)[1].close()
        for key, text in missing:
            spec = parse_spec(text)
            manifest = find_bot(spec)
            isolation = self.isolation or _choose([manifest], self.in_process, self.trust)
            try:
                self.kept[key] = open_chair(spec, manifest, self.limits, isolation)
            except SandboxError as problem:
                problem.seat = wanted.index(key)
                raise
        return [
            self._with_params(self.kept[key], text) for key, text in zip(wanted, specs, strict=True)
        ]

    def _container_of(self, text: str) -> str:
        """What the bots have in common that one container serves, one after the other."""
        contained = self.isolation is not None and self.isolation.layers is not None
        return parse_spec(text).target if contained else text

    def _with_params(self, chair: Chair, text: str) -> Chair:
        """The chair, whose bot plays with the parameters of this spec; BotError if it cannot."""
        if isinstance(chair, RemoteChair) and isinstance(chair.transport, SandboxTransport):
            if chair.transport.spec.text != text:
                spec = parse_spec(text)
                find_bot(spec)
                chair.transport.use(spec)
        return chair

    def close(self) -> None:
        """Close them all."""
        while self.kept:
            self.kept.popitem()[1].close()


@contextmanager
def open_chairs(
    bots: Sequence[str], in_process: bool, limits: Limits, trust: bool = False
) -> Iterator[list[Chair]]:
    """A chair for each spec, as long as it is needed; BotError if one names no bot."""
    specs = [parse_spec(text) for text in bots]
    found = [(spec, find_bot(spec)) for spec in specs]
    isolation = _choose([manifest for _, manifest in found], in_process, trust)
    chairs: list[Chair] = []
    try:
        for spec, manifest in found:
            chairs.append(open_chair(spec, manifest, limits, isolation))
        yield chairs
    finally:
        for chair in chairs:
            chair.close()

"""What a machine says of itself, what a run asks of it, and why one is refused."""

from __future__ import annotations

import platform
import socket
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from importlib import metadata
from typing import Any, Self

from bots.chairs.limits import NOT_SCALED, FactorBounds
from bots.sandbox.probe import is_less, probe
from engine import COMPILED
from engine.catalog import GAMES, find
from engine.match import Variant
from engine.version import program_version


@dataclass(frozen=True)
class Build:
    """The program that plays: two machines of another build may play another match."""

    program: str
    rules: str  # versions of the games' rules
    engine: str  # compiled or interpreted
    python: str
    dask: str

    def difference(self, wanted: Build) -> str:
        """What is another than wanted; nothing if all is the same."""
        for part in fields(self):
            here, there = getattr(self, part.name), getattr(wanted, part.name)
            if here != there:
                return f"expected {part.name} {there}, got {here}"
        return ""


def this_build() -> Build:
    """The build of this process."""
    variants = [Variant(game.id, None, game.expansions[:1]) for game in GAMES]
    rules = ", ".join(f"{each.game} {find(each.game).version(each)}" for each in variants)
    version = ".".join(platform.python_version_tuple()[:2])
    return Build(
        program_version(),
        rules,
        "compiled" if COMPILED else "interpreted",
        version,
        metadata.version("distributed"),
    )


@dataclass(frozen=True)
class MachineFacts:
    """What a machine announces when it joins a cluster."""

    machine: str
    cores: int  # matches it plays at once
    level: str
    build: Build
    speed: float  # of a core when it joined, 1 that of the reference processor

    def plain(self) -> dict[str, Any]:
        """The facts as they travel."""
        return asdict(self)

    @classmethod
    def parse(cls, plain: Mapping[str, Any]) -> Self | None:
        """The inverse of `plain`; None for what another version announces, or nobody of ours."""
        try:
            return cls(**{**plain, "build": Build(**plain["build"])})
        except (KeyError, TypeError):
            return None


def facts_of_here(machine: str, cores: int, speed: float) -> MachineFacts:
    """The facts of this machine; its sandbox is tried."""
    name = machine or socket.gethostname()
    return MachineFacts(name, cores, probe().level, this_build(), speed)


@dataclass(frozen=True)
class Demands:
    """What a run asks of a machine."""

    build: Build
    level: str = ""  # of the sandbox, at least; nothing where bots are trusted
    factor_bounds: FactorBounds = NOT_SCALED
    timed: bool = False  # whether bots have a time limit that may decide matches

    def refusal(self, facts: MachineFacts) -> str:
        """Why a machine is not given matches; nothing if it is."""
        if problem := facts.build.difference(self.build):
            return problem
        if self.level and is_less(facts.level, self.level):
            return f"expected sandbox {self.level}, got {facts.level}"
        return ""

    def doubt(self, speed: float, noise: str) -> str:
        """Why a machine is set aside until it is measured again; nothing if it is not."""
        if not self.timed or self.factor_bounds.are_off:
            return ""
        if not self.factor_bounds.hold(speed):
            low, high = 1 / self.factor_bounds.high, 1 / self.factor_bounds.low
            return f"expected a processor of speed {low:.2g} to {high:.2g}, got {speed:.2f}"
        return noise

"""The machines of a cluster, for people and for programs."""

from __future__ import annotations

import asyncio

from arena.cluster.address import ClusterAddress
from arena.cluster.dask_backend import CONNECT, MachineState, SchedulerClient, silence
from arena.reports.table import Column, Report
from engine.errors import ArenaError

COLUMNS = (
    Column("machine", "machine"),
    Column("address", "address", shown=False),
    Column("cores", "cores"),
    Column("sandbox", "sandbox"),
    Column("program", "program"),
    Column("engine", "engine"),
    Column("python", "python", spare=1),
    Column("speed", "speed", ".2f"),
    Column("noise", "noise", shown=False),
    Column("under_way", "under way"),
    Column("played", "matches"),
    Column("rate", "matches/s", ".1f"),
)


def cluster_report(address: ClusterAddress) -> Report:
    """What the scheduler knows of its machines; ArenaError if there is no scheduler."""
    silence()
    states = asyncio.run(_machines(address))
    rate = sum(state.rate for state in states)
    cores = sum(state.facts.cores for state in states if state.facts)
    caption = [f"{len(states)} machines, {cores} cores, {rate:.1f} matches/s"]
    caption += [
        f"{state.facts.machine} is not for bots with a time limit: {state.noise}"
        for state in states
        if state.facts and state.noise
    ]
    return Report(f"cluster {address.url}", COLUMNS, [_row(state) for state in states], caption)


async def _machines(address: ClusterAddress) -> list[MachineState]:
    try:
        async with asyncio.timeout(2 * CONNECT):
            client = await SchedulerClient.open(address.url, address.tls)
            try:
                return await client.machines()
            finally:
                await client.close()
    except OSError as problem:  # TimeoutError is one
        cause = f": {problem}" if str(problem) else ""
        raise ArenaError(f"expected a scheduler at {address.url}, got no answer{cause}") from None


def _row(state: MachineState) -> dict[str, object]:
    row: dict[str, object] = {
        "machine": state.address,
        "address": state.address,
        "under_way": state.under_way,
        "played": state.played,
        "rate": state.rate,
    }
    if (facts := state.facts) is not None:
        build = facts.build
        row |= {"machine": facts.machine, "cores": facts.cores, "sandbox": facts.level}
        row |= {"program": build.program, "engine": build.engine, "python": build.python}
        row |= {"speed": state.speed, "noise": state.noise}
    return {column.key: row.get(column.key) for column in COLUMNS}

"""arena cluster: play on several machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import OutputOptions, grouped

app = typer.Typer(help="Play on several machines.", no_args_is_help=True)
TlsOpt = Annotated[
    Path | None,
    typer.Option(
        "--tls",
        envvar="ARENA_CLUSTER_TLS",
        metavar="DIR",
        help="Folder that arena cluster certificates created.",
    ),
]


@app.command()
def scheduler(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all interfaces.")] = (
        "127.0.0.1"
    ),
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 for any free one.")
    ] = 8786,
    dashboard: Annotated[
        int | None,
        typer.Option(metavar="PORT", min=0, max=65535, help="Show Dask's dashboard; needs bokeh."),
    ] = None,
    tls: TlsOpt = None,
) -> None:
    """Run the scheduler, which machines join and which distributes matches to them.

    Anyone who can reach it can run code on every machine: keep it on loopback or a private
    network, or use TLS.
    """
    import asyncio

    from arena.cluster.workers import check_extra

    check_extra()
    from arena.cluster.machine import serve_scheduler

    asyncio.run(serve_scheduler(host, port, tls, dashboard))


@app.command()
def worker(
    scheduler: Annotated[
        str, typer.Option(envvar="ARENA_CLUSTER", metavar="ADDRESS", help="tcp://HOST:8786")
    ],
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Matches at once; one per core.")
    ] = None,
    name: Annotated[
        str, typer.Option(help="Name of this machine; its host name if not given.")
    ] = "",
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "",
    tls: TlsOpt = None,
) -> int:
    """Join a cluster with this machine, and play its matches until Ctrl-C."""
    from arena.cluster.workers import check_extra
    from bots.sandbox.probe import suggested_jobs

    check_extra()
    from arena.cluster.address import parse_scheduler
    from arena.cluster.machine import MachineOptions, serve_machine
    from arena.playing.progress import notify

    address = parse_scheduler(scheduler, tls)
    cores = jobs or suggested_jobs()
    notify(f"joining {scheduler} with {cores} cores; Ctrl-C leaves it")
    return serve_machine(MachineOptions(address.url, cores, name, host, address.tls))


@app.command()
@grouped
def status(
    address: Annotated[
        str, typer.Argument(envvar="ARENA_CLUSTER", metavar="ADDRESS", help="tcp://HOST:8786")
    ],
    *,
    tls: TlsOpt = None,
    output: OutputOptions,
) -> None:
    """Show the machines of a cluster: sandbox, version, speed, and what they play."""
    from arena.cluster.workers import check_extra

    check_extra()
    from arena.cluster.address import parse_scheduler
    from arena.cluster.status import cluster_report

    format = output.settle()
    cluster_report(parse_scheduler(address, tls)).write(format)


@app.command()
def certificates(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", file_okay=False, help="Folder to write them to.")
    ],
    days: Annotated[int, typer.Option(min=1, help="Days until they expire.")] = 365,
) -> None:
    """Create TLS certificates: copy the folder to every machine of the cluster, and nowhere else.

    Anyone who has the files can join the cluster and run code on all of its machines.
    """
    from arena.cluster.workers import check_extra

    check_extra()
    from arena.cluster.certificates import make_certificates
    from arena.playing.progress import notify

    for file in make_certificates(folder, days):
        notify(f"wrote {file}")

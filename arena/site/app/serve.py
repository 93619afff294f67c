"""The site as a server on this machine."""

import sys
from collections.abc import Sequence

from arena.site.app.factory import create_app, listen, run
from arena.site.trusted_hosts import LOOPBACK, trusted_hosts
from leagues.storage.handle import open_storage


def serve_site(db: str, host: str, port: int, names: Sequence[str]) -> None:
    """Serve the pages of a database until it is stopped; the address goes to stderr."""
    hosts = trusted_hosts(host, names)
    with open_storage(db, create=False) as storage, listen(host, port) as listening:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listening.getsockname()[1]}/"
        print(address, file=sys.stderr, flush=True)  # noqa: T201
        if hosts.addresses:
            known = ", ".join(sorted(hosts.names - set(LOOPBACK) | {"localhost"}))
            line = f"answers to any IP address, {known}; add others with --host-name NAME"
            print(line, file=sys.stderr, flush=True)  # noqa: T201
        run(create_app(storage, hosts), listening)

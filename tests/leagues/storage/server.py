"""A PostgreSQL of the tests' own, where one is installed: no network, no password, no trace."""

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "nobody"  # the server refuses to be run by root


class Missing(Exception):
    """Why there is no server."""


def program(name: str) -> str:
    found = [str(path) for path in Path("/usr/lib/postgresql").glob(f"*/bin/{name}")]
    if path := shutil.which(name) or (found and max(found)):
        return path
    raise Missing(f"needs {name}")


@contextmanager
def running() -> Iterator[str]:
    """The folder of a running server's socket."""
    if importlib.util.find_spec("psycopg") is None:
        raise Missing("needs psycopg")
    start = [program("pg_ctl"), program("initdb")]
    folder = tempfile.mkdtemp(prefix="pg")
    prefix = []
    if os.geteuid() == 0:
        if shutil.which("runuser") is None:
            raise Missing("needs runuser")
        os.chown(folder, pwd.getpwnam(USER).pw_uid, -1)
        prefix = ["runuser", "-u", USER, "--"]

    def call(*words: str) -> None:
        log = Path(folder, "call.log")
        with log.open("wb") as output:
            done = subprocess.run(
                [*prefix, *words],
                cwd=folder,
                stdout=output,
                stderr=output,
                timeout=120,
                check=False,
            )
        if done.returncode:
            raise Missing(f"{words[0]}: {log.read_text(errors='replace')[-300:]}")

    control, make = start
    data = f"{folder}/data"
    try:
        call(make, "-D", data, "-A", "trust", "-U", "arena", "-E", "UTF8", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
        call(control, "-D", data, "-w", "-o", options, "-l", f"{folder}/data/log", "start")
        try:
            yield folder
        finally:
            call(control, "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)

"""What arena cluster is given and cannot use, told in a line."""

import socket
from pathlib import Path

import pytest

from tests.support.command import arena

pytestmark = pytest.mark.slow
REFUSED = [
    (("status", "nonsense"), "expected a cluster as tcp://HOST:PORT or local:CORES, got nonsense"),
    (("status", "local:2"), "expected a scheduler as tcp://HOST:PORT or tls://HOST:PORT, got loc"),
    (("worker", "--scheduler", "local:2"), "expected a scheduler as tcp://HOST:PORT or tls://"),
    (("status", "tls://127.0.0.1:1", "--tls", "nowhere"), "expected nowhere/ca.pem, got no such"),
    (("scheduler", "--port", "99999"), "Invalid value for '--port'"),
    (("certificates", "file/certificates"), "cannot write to file/certificates: Not a directory"),
]


@pytest.mark.parametrize(("words", "reason"), REFUSED, ids=[words[0] for words, _ in REFUSED])
def test_what_is_of_no_use_is_refused(tmp_path: Path, words: tuple[str, ...], reason: str) -> None:
    (tmp_path / "file").write_text("")
    said = arena("cluster", *words, cwd=tmp_path)
    assert (said.returncode, said.stdout) == (2, "")
    assert reason in said.stderr
    assert said.stderr.count("\n") == 1


def test_a_port_in_use_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = arena("cluster", "scheduler", "--port", port, cwd=tmp_path)
    assert said.returncode == 2
    assert said.stderr == f"arena: cannot listen at 127.0.0.1:{port}: Address already in use\n"


def test_a_run_with_a_wrong_cluster_stores_nothing(tmp_path: Path) -> None:
    words = ("random", "greedy", "--players", "2", "--rounds", "1", "--cluster", "foo")
    said = arena("tournament", "run", *words, cwd=tmp_path)
    assert said.returncode == 2
    assert "expected a cluster as tcp://HOST:PORT or local:CORES, got foo" in said.stderr
    assert list(tmp_path.iterdir()) == []

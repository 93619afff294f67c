"""arena serve as a user starts and stops it."""

import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from leagues.storage.handle import open_storage
from tests.arena.site.sample_site import stock
from tests.support.command import arena, environment

pytestmark = pytest.mark.slow


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    done = arena("serve", "--db", "typo.db", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        "arena: no results yet: typo.db does not exist (arena tournament run ..., or --db FILE)\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_it_answers_until_it_is_interrupted(tmp_path: Path) -> None:
    with open_storage(tmp_path / "new.db"):
        pass
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "arena", "serve", "--port", "0", "--db", "new.db"),
            *("--host-name", "arena.example"),
        ],
        cwd=tmp_path,
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    address = process.stderr.readline().strip()
    assert address.startswith("http://127.0.0.1:")
    answer = httpx.get(address, timeout=60, trust_env=False)
    assert answer.status_code == 200
    assert "There is no tournament yet." in answer.text
    assert "server" not in answer.headers
    led = httpx.get(address, timeout=60, trust_env=False, headers={"host": "evil.example"})
    assert (led.status_code, led.text.count("\n")) == (421, 1)
    named = httpx.get(address, timeout=60, trust_env=False, headers={"host": "arena.example"})
    assert named.status_code == 200
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert process.stderr.read() == ""
    process.stderr.close()


def test_an_address_that_is_taken_is_told_in_a_line(tmp_path: Path) -> None:
    with open_storage(tmp_path / "arena.db"):
        pass
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = arena("serve", "--port", port, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (f"arena: cannot listen on 127.0.0.1:{port}: address already in use\n")


def test_a_name_that_is_none_is_told_in_a_line(tmp_path: Path) -> None:
    done = arena("serve", "--host-name", "http://arena.example", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("arena: expected a host name such as arena.example.org, got ")
    assert done.stderr.count("\n") == 1


def test_at_every_address_it_says_what_it_answers_to(tmp_path: Path) -> None:
    with open_storage(tmp_path / "arena.db"):
        pass
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "serve", "--host", "0.0.0.0", "--port", "0"],
        cwd=tmp_path,
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    address = process.stderr.readline().strip()
    assert process.stderr.readline().startswith("answers to any IP address, ")
    own = address.replace("0.0.0.0", "127.0.0.1")
    for host, status in (("10.1.2.3:80", 200), (socket.gethostname(), 200), ("evil.example", 421)):
        answer = httpx.get(own, timeout=60, trust_env=False, headers={"host": host})
        assert answer.status_code == status, host
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    process.stderr.close()


@pytest.mark.parametrize(
    ("command", "match"),
    [(("match", "show", "2"), 2), (("play", "architects", "random", "greedy", "--in-process"), 12)],
)
def test_a_match_is_opened_in_a_browser(
    tmp_path: Path, command: tuple[str, ...], match: int
) -> None:
    with stock(tmp_path / "arena.db", 3):
        pass
    browser = tmp_path / "browser"
    browser.write_text('#!/bin/sh\necho "$1" > opened\n')
    browser.chmod(0o755)
    with subprocess.Popen(
        [sys.executable, "-m", "arena", *command, "--browser"],
        cwd=tmp_path,
        env={**environment(), "BROWSER": f"{browser} %s"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        address = process.stderr.readline().strip()
        page = httpx.get(f"{address}matches/{match}", timeout=60, trust_env=False)
        assert "data-replay" in page.text
        assert (tmp_path / "opened").read_text() == f"{address}matches/{match}\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130

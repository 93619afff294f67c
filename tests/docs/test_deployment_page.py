"""The files of examples/deployment name commands and options that there are."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml

from arena import cli
from tests.support.command import ROOT
from tests.support.needs import requires

EXAMPLES = ROOT / "examples" / "deployment"
PAGE = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
UNITS = ("arena-site.service", "arena-worker.service")


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((EXAMPLES / "compose.yaml").read_text(encoding="utf-8"))
    return found


def commands() -> Iterator[list[str]]:
    for unit in UNITS:
        text = (EXAMPLES / unit).read_text(encoding="utf-8")
        (line,) = re.findall(r"^ExecStart=/opt/arena/bin/(.*)$", text, re.MULTILINE)
        yield shlex.split(line)
    for service in compose()["services"].values():
        if command := service.get("command"):
            yield shlex.split(command)
    for line in re.findall(r"^    (arena serve .*?)\n\n", PAGE, re.MULTILINE | re.DOTALL):
        yield shlex.split(line.replace("\\\n", " "))


@pytest.mark.parametrize("words", list(commands()), ids=lambda words: " ".join(words[:3]))
def test_commands_have_the_options_that_are_given(words: list[str]) -> None:
    assert words[0] == "arena"
    cli._load(words[1:])
    command: Any = typer.main.get_command(cli.app)
    rest = words[1:]
    while hasattr(command, "commands"):
        command = command.commands[rest.pop(0)]
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in rest if word.startswith("--")} <= known


def test_every_option_of_the_page_is_one_of_the_site() -> None:
    cli._load(["serve"])
    root: Any = typer.main.get_command(cli.app)
    known = {option for each in root.commands["serve"].params for option in each.opts}
    table = re.findall(r"^\| `(--[a-z-]+)", PAGE, re.MULTILINE)
    assert table
    assert set(table) <= known


def test_every_metric_of_the_page_is_measured() -> None:
    source = (ROOT / "arena" / "site" / "monitoring" / "metrics.py").read_text(encoding="utf-8")
    named = set(re.findall(r"`(arena_\w+)`", PAGE))
    assert named
    assert {name for name in named if f'"{name}"' not in source} == set()


def test_services_wait_for_the_database() -> None:
    services = compose()["services"]
    for name in ("site", "worker"):
        assert services[name]["depends_on"] == {"database": {"condition": "service_healthy"}}
        assert services[name]["environment"]["ARENA_DB"].startswith("postgresql+psycopg://")
    assert services["site"]["ports"] == ["127.0.0.1:8000:8000"]
    assert set(services["worker"]["security_opt"]) == {"seccomp=unconfined", "apparmor=unconfined"}


@requires("systemd-analyze")
@pytest.mark.parametrize("unit", UNITS)
def test_units_are_valid(unit: str, tmp_path: Path) -> None:
    def verified(name: str, text: str) -> "subprocess.CompletedProcess[str]":
        (tmp_path / name).write_text(text, "utf-8")
        words = ["systemd-analyze", "verify", str(tmp_path / name)]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    if verified("simple.service", "[Service]\nExecStart=/bin/true\n").returncode:
        pytest.skip("systemd-analyze verifies nothing here")
    text = (EXAMPLES / unit).read_text(encoding="utf-8")
    done = verified(unit, text.replace("/opt/arena/bin/arena", "/bin/true"))
    assert (done.returncode, [line for line in done.stderr.splitlines() if unit in line]) == (0, [])

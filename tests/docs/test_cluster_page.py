"""Every command of docs/cluster.md runs, with machines in folders of their own."""

import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.command import ROOT, arena, environment
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

TEXT = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
EXAMPLES = ROOT / "examples" / "cluster"


def free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return str(found.getsockname()[1])


def start(words: list[str], folder: Path, extra: dict[str, str]) -> Callable[[], object]:
    """Run a command with a folder of its own until what this returns is called."""
    folder.mkdir()
    log = folder / "log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "arena", *words],
            cwd=folder,
            env=environment(TMPDIR=str(folder), **extra),
            stdout=out,
            stderr=out,
            text=True,
        )

    def end() -> None:
        process.terminate()
        process.wait(30)

    if words[1] == "scheduler":
        wait_until(lambda: "scheduler at" in log.read_text(), process)
    return end


@pytest.mark.parametrize("block", [text for _, text in BLOCKS], ids=["local", "cluster", "tls"])
def test_commands_run_in_order(block: str, tmp_path: Path) -> None:
    assert TEXT.count("```") == 2 * len(BLOCKS)
    shutil.copy(ROOT / "examples" / "first_bot.py", tmp_path / "mine.py")
    port = free_port()
    block = re.sub(r"\b87\d\d\b", port, block).replace("cluster-tls", f"{tmp_path}/cluster-tls")
    with ExitStack() as stack:
        for number, line in enumerate(block.splitlines()):
            program, *words = shlex.split(line)
            assert program == "arena"
            if words[-1] == "&":
                stack.callback(start(words[:-1], tmp_path / str(number), {}))
                continue
            done = arena(*words, cwd=tmp_path)
            # A comparison of 8 games may well stay undecided.
            assert done.returncode == 0 or words[0] == "compare", (line, done.stderr)
            assert done.returncode in (0, 1, 4), (line, done.stderr)


def read_yaml(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((EXAMPLES / name).read_text(encoding="utf-8")))


def commands() -> list[list[str]]:
    """The commands of the examples."""
    found = []
    (compose,) = read_yaml("compose.yaml")
    found += [shlex.split(service["command"]) for service in compose["services"].values()]
    for part in read_yaml("kubernetes.yaml"):
        if part["kind"] == "Deployment":
            (container,) = part["spec"]["template"]["spec"]["containers"]
            found.append(container["args"])
    script = (EXAMPLES / "slurm.sh").read_text(encoding="utf-8")
    found += [shlex.split(line.rstrip("&")) for line in re.findall(r"^arena .*", script, re.M)]
    found += [shlex.split(line) for line in re.findall(r"^srun (arena .*) &", script, re.M)]
    return found


@pytest.mark.parametrize("words", commands(), ids=lambda words: " ".join(words[1:3]))
def test_options_of_the_examples_exist(words: list[str], tmp_path: Path) -> None:
    known = arena(*words[1:3], "--help", cwd=tmp_path).stdout
    for word in words:
        if word.startswith("--"):
            assert word in known, words


def test_parts_of_the_kubernetes_example_fit_together() -> None:
    parts = {
        (part["kind"], part["metadata"]["name"]): part for part in read_yaml("kubernetes.yaml")
    }
    for part in parts.values():
        if part["kind"] == "Deployment":
            labels = part["spec"]["template"]["metadata"]["labels"]
            assert part["spec"]["selector"]["matchLabels"].items() <= labels.items()
    service = parts["Service", "arena-scheduler"]["spec"]
    scheduler = parts["Deployment", "arena-scheduler"]["spec"]["template"]
    assert service["selector"].items() <= scheduler["metadata"]["labels"].items()
    (container,) = scheduler["spec"]["containers"]
    assert service["ports"][0]["targetPort"] == container["ports"][0]["containerPort"]
    (compose,) = read_yaml("compose.yaml")
    assert "ports" not in compose["services"]["scheduler"]  # nobody outside reaches it


def test_the_slurm_script_is_a_script() -> None:
    script = str(EXAMPLES / "slurm.sh")
    assert subprocess.run(["sh", "-n", script], check=False).returncode == 0
    if shutil.which("shellcheck"):
        assert subprocess.run(["shellcheck", script], check=False).returncode == 0

"""The level is found by doing, and told with what is lost and how to mend it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots.sandbox import landlock
from bots.sandbox.container import Layers
from bots.sandbox.probe import Level, grade, guarantees, how_to_install, probe
from tests.bots.sandbox.matches import LEVELS
from tests.support.command import arena, environment
from tests.support.needs import require

linux = pytest.mark.skipif(sys.platform != "linux", reason="the layers are Linux's")


@pytest.mark.parametrize(
    ("layers", "level"),
    [
        (Layers(), Level.FULL),
        (Layers(landlock=False), Level.STRONG),
        (Layers(container=False), Level.REDUCED),
        (Layers(container=False, landlock=False), Level.UNSAFE),
        (Layers(seccomp=False), Level.UNSAFE),
        (Layers(limits=False), Level.UNSAFE),
    ],
)
def test_layers_amount_to_a_level(layers: Layers, level: Level) -> None:
    assert grade(layers) is level


def test_doctor_tells_what_the_probe_found(tmp_path: Path) -> None:
    done = arena("doctor", "--json", cwd=tmp_path)
    facts = json.loads(done.stdout)
    assert facts["sandbox"] == probe().level
    assert done.returncode == (3 if probe().level is Level.UNSAFE else 0)
    assert facts["jobs"] >= 1
    told = arena("doctor", cwd=tmp_path).stdout
    assert told.startswith(f"sandbox: {probe().level.upper()}\n")
    assert (not facts["fixes"]) == (probe().level is Level.FULL)


@linux
@pytest.mark.skipif(not landlock.version(), reason="this kernel has no landlock")
def test_without_bubblewrap_the_level_is_reduced(tmp_path: Path) -> None:
    done = arena("doctor", cwd=tmp_path, PATH=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "sandbox: REDUCED" in done.stdout
    assert f"fix: {how_to_install('bubblewrap')}\n" in done.stdout


@linux
@pytest.mark.skipif(not landlock.version(), reason="this kernel has no landlock")
def test_at_the_reduced_level_a_line_says_what_is_lost_and_how_to_mend_it(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def decide(decision): return decision.options[0]\n", "utf-8")
    expected = (
        "sandbox reduced: bots can learn that a file exists, its size and date, but not open it; "
        f"fix: {how_to_install('bubblewrap')}\n"
    )

    def told(*words: str, path: Path = tmp_path) -> str:
        done = arena(*words, cwd=tmp_path, PATH=str(path))
        assert done.returncode == 0, done.stderr
        return done.stderr

    play = ("play", "architects", "random", "--json", "--no-save", "--seed", "1")
    assert told(*play, "./bot.py") == expected
    assert told(*play, "random") == ""
    run = ("tournament", "run", "./bot.py", "random", "--game", "architects", "--rounds", "1")
    assert told(*run).count(expected) == 1
    assert expected not in told(*run, "--require-sandbox", "reduced")


@pytest.mark.parametrize(
    ("release", "user", "command"),
    [
        ("ID=debian\n", 1000, "sudo apt-get install bubblewrap"),
        ("ID=debian\n", 0, "apt-get install bubblewrap"),
        ('ID=linuxmint\nID_LIKE="ubuntu debian"\n', 0, "apt-get install bubblewrap"),
        ("ID=fedora\n", 0, "dnf install bubblewrap"),
        ('ID="rocky"\nID_LIKE="rhel centos fedora"\n', 1000, "sudo dnf install bubblewrap"),
        ('ID="opensuse-leap"\nID_LIKE="suse opensuse"\n', 0, "zypper install bubblewrap"),
        ("ID=manjaro\nID_LIKE=arch\n", 0, "pacman -S bubblewrap"),
        ("ID=alpine\n", 0, "apk add bubblewrap"),
        ("ID=nixos\n", 1000, "nix-env -f '<nixpkgs>' -iA bubblewrap"),
        ("ID=void\n", 0, "install bubblewrap"),
        (None, 0, "install bubblewrap"),
    ],
)
def test_the_command_is_that_of_the_distribution(
    release: str | None,
    user: int,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "os-release"
    if release is not None:
        file.write_text(release, encoding="utf-8")
    monkeypatch.setattr("platform._os_release_candidates", (str(file),))
    monkeypatch.setattr("platform._os_release_cache", None)
    monkeypatch.setattr("os.geteuid", lambda: user)
    assert how_to_install("bubblewrap") == command


@linux
def test_a_failing_bubblewrap_is_quoted(tmp_path: Path) -> None:
    if not landlock.version():
        pytest.skip("this kernel has no landlock")
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: denied' >&2; exit 1\n", "utf-8")
    fake.chmod(0o755)
    done = arena("doctor", cwd=tmp_path, PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert "sandbox: REDUCED" in done.stdout
    assert "setting up uid map: denied" in done.stdout
    assert "user namespaces" in done.stdout


@linux
def test_without_user_namespaces_it_is_reduced(tmp_path: Path) -> None:
    require("bwrap", "unshare")
    if not landlock.version():
        pytest.skip("this kernel has no landlock")
    command = f"echo 0 > /proc/sys/user/max_user_namespaces && {sys.executable} -m arena doctor"
    words = ["unshare", "--user", "--map-root-user", "sh", "-c", command]
    env = environment(PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run(words, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    if "unshare" in done.stderr or "max_user_namespaces" in done.stderr:
        pytest.skip("this machine lets nobody make a user namespace")
    assert "sandbox: REDUCED" in done.stdout, done.stderr
    assert "fix: allow user namespaces" in done.stdout


@linux
def test_without_libseccomp_it_is_unsafe(tmp_path: Path) -> None:
    (tmp_path / "pyseccomp.py").write_text("raise ImportError('none here')\n", "utf-8")
    path = os.pathsep.join(filter(None, (str(tmp_path), environment()["PYTHONPATH"])))
    done = arena("doctor", cwd=tmp_path, PYTHONPATH=path)
    assert done.returncode == 3
    assert "sandbox: UNSAFE" in done.stdout
    assert "none here" in done.stdout
    assert "--trust-bots" in done.stdout


def test_the_probe_finds_bubblewrap_where_it_works() -> None:
    require("bwrap")
    by_name = {finding.name: finding for finding in probe().findings}
    assert by_name["bubblewrap"].works or by_name["bubblewrap"].found


def test_what_is_promised_depends_on_the_layers() -> None:
    kept = {
        name: {each.name for each in guarantees(layers) if each.holds}
        for name, layers in (LEVELS | {"unfiltered": Layers(seccomp=False)}).items()
    }
    always = {"time", "memory", "processes", "threads"}
    inside = {"files", "host"}
    dumps = kept["full"] & {"dumps"}
    assert kept["full"] == kept["strong"] == always | inside | dumps
    assert kept["reduced"] == always | dumps
    assert kept["unfiltered"] == inside | dumps


@pytest.mark.parametrize(
    ("pattern", "ceiling", "holds"),
    [("core", 0, True), ("|/bin/handler %p", 0, False), ("|/bin/handler %p", 1, True)],
)
def test_whether_a_dump_starts_a_handler(
    pattern: str, ceiling: int, holds: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pattern").write_text(pattern, encoding="utf-8")
    monkeypatch.setattr("bots.sandbox.probe.CORE_PATTERN", str(tmp_path / "pattern"))
    monkeypatch.setattr("resource.getrlimit", lambda _: (0, ceiling))
    found = {each.name: each.holds for each in guarantees(Layers())}
    assert found["dumps"] is holds

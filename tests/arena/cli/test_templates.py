"""Templates in every language: each makes a folder; those that can be built here pass the check."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from arena.new_bot import BUILD, BotTemplate, next_steps, write
from tests.bots.matches import arena
from tests.support.command import environment
from tests.support.needs import require

# What a language needs to be built and run; python is tried with its own test.
TOOLS = {
    BotTemplate.JAVASCRIPT: ("node",),
    BotTemplate.JAVA: ("java", "javac"),
    BotTemplate.GO: ("go",),
    BotTemplate.RUST: ("rustc",),
    BotTemplate.C: ("cc",),
    BotTemplate.CPP: ("c++",),
    BotTemplate.CSHARP: ("mcs", "mono"),
    BotTemplate.LUA: ("lua5.4",),
}


@pytest.mark.parametrize("kind", list(BotTemplate))
def test_every_template_is_whole(tmp_path: Path, kind: BotTemplate) -> None:
    made = write("my-bot", kind, tmp_path)
    assert 'name = "my-bot"' in (made / "bot.toml").read_text("utf-8")
    assert "NAME" not in "".join(file.read_text("utf-8") for file in made.iterdir())
    for file in made.iterdir():
        runs = bool(file.stat().st_mode & stat.S_IXUSR)
        assert runs == file.read_text("utf-8").startswith("#!")
    assert (
        any(step.startswith("build it: ") for step in next_steps(made)) == (made / BUILD).exists()
    )


@pytest.mark.slow
def test_the_tests_of_two_bots_run_together(tmp_path: Path) -> None:
    for name, kind in (("one", BotTemplate.PYTHON_STDIO), ("two", BotTemplate.PYTHON)):
        write(name, kind, tmp_path)
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "one", "two"]
    done = subprocess.run(
        words, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert "3 passed" in done.stdout, done.stdout


@pytest.mark.skipif("ARENA_TEMPLATES" not in os.environ, reason="make templates builds them all")
@pytest.mark.parametrize("kind", list(TOOLS))
def test_a_template_that_can_be_built_is_fit_to_play(tmp_path: Path, kind: BotTemplate) -> None:
    require(*TOOLS[kind])
    made = write("mybot", kind, tmp_path)
    if (made / BUILD).exists():
        subprocess.run([made / BUILD], check=True)
    # Mono does not start without /proc, which the sandbox does not show.
    trust = ["--trust-bots"] if kind is BotTemplate.CSHARP else []
    done = arena("bot", "check", "./mybot", "--budget", "5s", *trust, cwd=tmp_path)
    assert done.returncode == 0, done.stdout

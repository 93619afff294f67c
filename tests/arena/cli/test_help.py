"""Every command has a line that is not cut, an example that parses, and the shell completes it."""

import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

import arena.cli
from arena.__main__ import main
from arena.cli.help_texts import HELP
from arena.command_list import COMMANDS, root_help

MAX_SUMMARY = 60


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    below = getattr(command, "commands", None)
    if below is None:
        yield " ".join(path), command
    for name, each in (below or {}).items():
        yield from leaves(each, (*path, name))


def every_command() -> dict[str, Any]:
    arena.cli._load(["--help"])
    return dict(leaves(get_command(arena.cli.app)))


def test_every_command_has_a_summary_and_an_example() -> None:
    assert set(every_command()) == set(HELP)
    for name, (summary, *examples) in HELP.items():
        assert len(summary) < MAX_SUMMARY, name
        assert summary.endswith("."), name
        assert examples, name
        for example in examples:
            assert example.startswith(f"arena {name}"), example


def test_the_first_words_of_both_lists_agree() -> None:
    for name, command in COMMANDS.items():
        if name in HELP:
            assert HELP[name][0] == command.summary


def test_examples_are_what_the_commands_take() -> None:
    commands = every_command()
    for name, (_, *examples) in HELP.items():
        for example in examples:
            words = shlex.split(example)[1 + len(name.split()) :]
            words = words[: words.index(">")] if ">" in words else words
            commands[name].make_context(name, words, resilient_parsing=False)


def test_no_line_of_a_list_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    groups = {name.rpartition(" ")[0] for name in HELP if " " in name}
    for group in sorted(groups):
        arena.cli.run([*group.split(), "--help"])
        assert "..." not in capsys.readouterr().out.replace("[ARGS]...", "")
    assert max(map(len, root_help().splitlines())) <= 80


def test_the_root_lists_every_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = []
    for words in ([], ["--help"], ["-h"]):
        monkeypatch.setattr("sys.argv", ["arena", *words])
        main()
        shown.append(capsys.readouterr().out)
    assert shown == [f"{root_help()}\n"] * 3
    for group in ("Bots:", "Compete:", "Results:", "Host:"):
        assert f"\n{group}\n" in shown[0]
    arena.cli._load(["--help"])
    names = set(get_command(arena.cli.app).commands)  # type: ignore[attr-defined]
    assert names == set(COMMANDS)
    assert all(f"\n  {name} " in shown[0] for name in names)


@pytest.mark.parametrize(
    ("line", "expected"),
    [("arena pl", ["play"]), ("arena rank s", ["show"]), ("arena play --ga", ["--games"])],
)
def test_the_shell_completes(
    line: str,
    expected: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("_ARENA_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    monkeypatch.setattr("sys.argv", ["arena"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out.split() == expected


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("play architects random random --games x", "expected a whole number."),
        ("play architects random random --games 0", "expected at least 1"),
        ("rank show -o xml", "'xml' is not one of"),
        ("play architects random random --pace x", "expected a number."),
        ("compare ./new", "Missing argument 'OLD'. See: arena compare --help"),
        ("match debug 1", "Missing option '--seat'. See: arena match debug --help"),
        ("help", "No such command 'help'. See: arena --help"),
    ],
)
def test_bad_options_are_told_without_the_words_of_a_library(
    words: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["arena", *words.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert said in told
    assert "Input should" not in told
    assert "Value error" not in told
    assert told.count("\n") == 1


def test_the_version_is_the_same_by_both_ways(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["arena", "--version"])
    main()
    short = capsys.readouterr().out
    arena.cli.run(["--version"])
    assert capsys.readouterr().out == short
    assert short.startswith("wonders-arena ")

"""The commands of `arena` by group, each in a line: all that `arena --help` has to load."""

from __future__ import annotations

from typing import Final, NamedTuple


class Command(NamedTuple):
    """A command: the module of `arena.cli` that has it, and what it does, in a line."""

    module: str
    summary: str


GROUPS: Final = {
    "Bots": {
        "bot": Command("bot", "Create, list and check bots."),
        "play": Command("play", "Play games between bots, or against them."),
        "dataset": Command("play", "Write games of bots to a file to learn from."),
        "rules": Command("rules", "Show the components of a game."),
    },
    "Compete": {
        "compare": Command("compare", "Test whether one bot is better than another (SPRT)."),
        "tune": Command("tune", "Search for better parameters of a bot."),
        "ladder": Command("ladder", "Rate the versions of your own bot."),
        "tournament": Command("tournament", "Run tournaments, and continue them."),
        "league": Command("league", "Run a league with submissions."),
    },
    "Results": {
        "rank": Command("rank", "Show leaderboards and ratings."),
        "match": Command("match", "Show, replay and debug stored matches."),
        "replay": Command("play", "Check recorded games against the rules."),
        "perft": Command("rules", "Count sequences of moves (for engine tests)."),
    },
    "Host": {
        "owner": Command("owner", "Manage the owners of a league's bots."),
        "serve": Command("site", "Serve the web site."),
        "site": Command("site", "Write the web site to files."),
        "cluster": Command("cluster", "Play on several machines."),
        "backup": Command("maintenance", "Back up a database that is in use."),
        "upgrade": Command("maintenance", "Upgrade a database to this version."),
        "doctor": Command("maintenance", "Check the sandbox on this machine."),
    },
}
COMMANDS: Final = {name: each for group in GROUPS.values() for name, each in group.items()}

INTRODUCTION: Final = """\
Usage: arena [OPTIONS] COMMAND [ARGS]...

  Bot competitions for the 7 Wonders family of games.

  arena bot new mybot                              create a bot
  arena bot check ./mybot                          check that it can compete
  arena play architects ./mybot greedy --games 10  play some games
  arena compare ./mybot greedy                     test whether it is better
  arena tournament run ./mybot greedy planner      run a tournament

Options:
  --version             Print the version.
  --install-completion  Install completion for the current shell.
  --show-completion     Print the completion script for the current shell.
  -h, --help            Show this help; each command has its own.
"""


def root_help() -> str:
    """What `arena --help` prints."""
    width = max(map(len, COMMANDS)) + 2
    parts = [INTRODUCTION]
    for title, commands in GROUPS.items():
        lines = [f"  {name:{width}}{each.summary}" for name, each in commands.items()]
        parts.append("\n".join([f"{title}:", *lines]) + "\n")
    return "\n".join(parts).rstrip()


def version_line() -> str:
    """What `arena --version` prints."""
    from engine import COMPILED
    from engine.version import program_version

    return f"wonders-arena {program_version()}, engine {'compiled' if COMPILED else 'interpreted'}"

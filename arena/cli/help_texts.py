"""A short line and examples for every command, which its help page shows."""

from __future__ import annotations

from typing import Final

import typer

from arena.command_list import COMMANDS

# By command: what lists say of it, in less than 60 characters, and examples.
HELP: Final[dict[str, tuple[str, ...]]] = {
    "bot check": (
        "Check that a bot is ready to compete.",
        "arena bot check ./mybot",
        "arena bot check ./mybot --game seven --full",
    ),
    "bot list": ("List the built-in and installed bots.", "arena bot list"),
    "bot new": (
        "Create a bot from a template.",
        "arena bot new mybot",
        "arena bot new mybot --lang java",
    ),
    "bot show": ("Show what a bot declares about itself.", "arena bot show ./mybot"),
    "play": (
        "Play games between bots, or against them.",
        "arena play architects ./mybot greedy --games 10",
        "arena play seven me planner planner",
    ),
    "dataset": (
        "Write games of bots to a file to learn from.",
        "arena dataset seven sage sage planner planner --games 1000 --out games.jsonl.gz",
    ),
    "rules": (
        "Show the components of a game.",
        "arena rules seven --edition 1st",
        "arena rules architects --json",
    ),
    "compare": (
        "Test whether one bot is better than another (SPRT).",
        "arena compare ./mybot greedy",
        "arena compare ./new ./old --field planner,greedy --non-regression",
    ),
    "tune": (
        "Search for better parameters of a bot.",
        "arena tune ./mybot --param depth=1..8",
    ),
    "tournament run": (
        "Run a tournament, or continue it.",
        "arena tournament run ./mybot greedy planner --players 2-4 --rounds 2",
        "arena tournament run cup.toml",
    ),
    "tournament list": ("List the tournaments.", "arena tournament list"),
    "tournament status": (
        "Show progress, faults and how to continue.",
        "arena tournament status cup --follow",
    ),
    "tournament verify": (
        "Replay all matches and check the table.",
        "arena tournament verify cup",
    ),
    "tournament export": (
        "Write all matches as JSON lines or CSV.",
        "arena tournament export cup --csv --out cup.csv",
    ),
    "ladder add": (
        "Add a version of a bot, and let it play.",
        "arena ladder add ./mybot",
        "arena ladder add ./mybot --game seven --players 3",
    ),
    "ladder show": ("Show the ratings of all versions.", "arena ladder show"),
    "rank show": (
        "Show leaderboards, with confidence intervals.",
        "arena rank show",
        "arena rank show --tournament cup --players 3 --explain",
    ),
    "rank matrix": (
        "Show head-to-head results.",
        "arena rank matrix --tournament cup",
    ),
    "rank history": ("Show a bot's skill over time.", "arena rank history mybot"),
    "rank explain": (
        "Show what moved a bot's rating.",
        "arena rank explain mybot",
    ),
    "rank effects": (
        "Show the effects of wonders, seats and neighbours.",
        "arena rank effects --game architects",
    ),
    "rank rebuild": ("Compute all stored ratings again.", "arena rank rebuild"),
    "rank plot": (
        "Plot skills, head-to-head results, scores or wonders.",
        "arena rank plot --out skills.png",
        "arena rank plot --kind matrix --out matrix.svg",
    ),
    "match list": (
        "List matches, the latest first.",
        "arena match list --bot mybot --limit 5",
        "arena match list --faulty",
    ),
    "match show": (
        "Show a match: scores, times, faults, output.",
        "arena match show 12",
    ),
    "match explain": (
        "Explain a loss: points, turning points, decisions.",
        "arena match explain 12 --seat 0",
    ),
    "match trace": (
        "Write a match as a trace, or draw it.",
        "arena match trace 12 --out game.jsonl",
        "arena match trace 12 --watch",
    ),
    "match verify": ("Replay matches and compare results.", "arena match verify 12 13"),
    "match exclude": (
        "Exclude a match from the ratings.",
        "arena match exclude 12 --reason 'the machine was overloaded'",
    ),
    "match restore": (
        "Count an excluded match again.",
        "arena match restore 12 --reason 'excluded by mistake'",
    ),
    "match debug": (
        "Ask a bot again what it was asked in a match.",
        "arena match debug 12 --seat 0",
        "arena match debug 12 --seat 0 --decision 8 --pdb",
    ),
    "match diff": ("Show where two matches differ.", "arena match diff 12 13"),
    "replay": (
        "Check recorded games against the rules.",
        "arena replay games.jsonl",
        "arena replay games.jsonl --game 3 --step 10 > position.json",
    ),
    "perft": (
        "Count sequences of moves (for engine tests).",
        "arena perft architects --depth 3 --seed 1",
    ),
    "league create": (
        "Create a league.",
        "arena league create spring --players 2 --games 40",
    ),
    "league simulate": (
        "Estimate what a league costs, by simulation.",
        "arena league simulate --bots 30 --games 60",
    ),
    "league open": ("Open a league: play its matches.", "arena league open spring"),
    "league pause": ("Pause play; submissions are still accepted.", "arena league pause spring"),
    "league freeze": ("Close submissions; play goes on.", "arena league freeze spring"),
    "league close": ("End a league; results stay.", "arena league close spring"),
    "league archive": (
        "Hide a league that was a mistake.",
        "arena league archive spring --reason 'created twice'",
    ),
    "league next": (
        "Start the next season of a closed league.",
        "arena league next spring summer",
    ),
    "league edit": (
        "Change a league's description, dates and match limits.",
        "arena league edit spring --title 'Spring season'",
    ),
    "league final": ("Start the final of a league.", "arena league final spring"),
    "league list": ("List the leagues.", "arena league list"),
    "league show": (
        "Show rules and bots of a league, or one bot.",
        "arena league show spring",
        "arena league show spring mybot",
    ),
    "league submit": (
        "Submit a bot, or a new version of it.",
        "arena league submit spring ./mybot --owner ann",
    ),
    "league withdraw": (
        "Withdraw a bot; its matches stay.",
        "arena league withdraw spring ann/mybot",
    ),
    "league suspend": (
        "Suspend a bot, for a reason.",
        "arena league suspend spring ann/mybot --reason 'times out'",
    ),
    "league resume": ("Let a bot play again.", "arena league resume spring ann/mybot"),
    "league work": (
        "Check new bots and play matches (a worker).",
        "arena league work spring",
        "arena league work --follow",
    ),
    "league table": ("Show the leaderboard of a league.", "arena league table spring"),
    "league collusion": (
        "Look for possible collusion between bots.",
        "arena league collusion spring",
    ),
    "league token": ("Create an upload token for an owner.", "arena league token ann"),
    "league hide": (
        "Hide a bot; its matches become anonymous.",
        "arena league hide spring ann/mybot --reason 'offensive name'",
    ),
    "league unhide": (
        "Show a hidden bot again.",
        "arena league unhide spring ann/mybot --reason renamed",
    ),
    "league erase": (
        "Delete a bot's files, name and owner permanently.",
        "arena league erase spring ann/mybot --reason 'asked by its owner'",
    ),
    "league acts": ("List organisers' actions.", "arena league acts spring"),
    "league duplicates": (
        "List identical bots of different owners.",
        "arena league duplicates spring",
    ),
    "league webhook add": (
        "Send the news of a league to a URL.",
        "arena league webhook add spring https://example.org/hook",
    ),
    "league webhook list": ("List the webhooks of a league.", "arena league webhook list spring"),
    "league webhook remove": (
        "Remove a webhook.",
        "arena league webhook remove spring 1",
    ),
    "owner token": (
        "Create another token for an owner.",
        "arena owner token ann --name laptop --days 90",
    ),
    "owner tokens": ("List the tokens of an owner.", "arena owner tokens ann"),
    "owner revoke": ("Revoke a token of an owner.", "arena owner revoke ann 1"),
    "owner organiser": (
        "Make an owner an organiser of the site.",
        "arena owner organiser ann --reason 'runs the league'",
    ),
    "owner invite": (
        "Print invitation links as a CSV.",
        "arena owner invite ann ben --site https://arena.example",
    ),
    "owner invitations": (
        "List unused invitations.",
        "arena owner invitations",
    ),
    "owner uninvite": (
        "Revoke an invitation; its link stops working.",
        "arena owner uninvite 3 --reason 'sent to the wrong address'",
    ),
    "owner team": (
        "Let several people act as one owner.",
        "arena owner team the-club --add ann --add ben --reason 'they write one bot'",
    ),
    "owner list": ("List the owners.", "arena owner list"),
    "owner ban": (
        "Ban an owner and its bots from all leagues.",
        "arena owner ban ann --reason 'attacked the sandbox'",
    ),
    "owner unban": ("Lift a ban.", "arena owner unban ann --reason 'a mistake'"),
    "owner rename": (
        "Rename an owner and its bots.",
        "arena owner rename ann anna --reason 'asked by the owner'",
    ),
    "owner erase": (
        "Delete an owner and its bots permanently.",
        "arena owner erase ann --reason 'asked by the owner'",
    ),
    "serve": ("Serve the web site.", "arena serve --port 8000"),
    "site build": ("Write the web site to a folder.", "arena site build pages"),
    "cluster scheduler": (
        "Run the scheduler of a cluster.",
        "arena cluster scheduler",
    ),
    "cluster worker": (
        "Play matches for a cluster.",
        "arena cluster worker --scheduler tcp://10.0.0.1:8786",
    ),
    "cluster status": (
        "Show the machines of a cluster.",
        "arena cluster status tcp://10.0.0.1:8786",
    ),
    "cluster certificates": (
        "Create TLS certificates for a cluster.",
        "arena cluster certificates certificates",
    ),
    "backup": ("Back up a database that is in use.", "arena backup monday.db"),
    "upgrade": ("Upgrade a database to this version.", "arena upgrade --db arena.db"),
    "doctor": ("Check the sandbox on this machine.", "arena doctor"),
}


def add_help(app: typer.Typer, path: tuple[str, ...] = ()) -> None:
    """Give the commands of an app their short lines and examples."""
    for command in app.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__.rstrip("_")
        found = HELP.get(" ".join([*path, name]))
        if found is not None:
            summary, *examples = found
            command.short_help = summary
            command.epilog = "\b\nExamples:\n" + "\n".join(f"  {each}" for each in examples)
    for group in app.registered_groups:
        if group.typer_instance is not None and group.name not in COMMANDS:
            add_help(group.typer_instance, (*path, *([group.name] if group.name else [])))

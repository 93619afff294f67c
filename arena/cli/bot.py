"""arena bot: make, list, show and check bots."""

import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from arena import new_bot
from arena.cli.options import FreezeOpt, JsonOpt, TimeOpt, TrustOpt
from arena.playing.conformance import Check
from arena.reports import terminal
from arena.reports.wording import plain
from bots.chairs.limits import parse_limits
from bots.discovery.manifest import Manifest, list_manifests, read_manifest
from bots.discovery.spec import parse_spec

app = typer.Typer(no_args_is_help=True, help="Make, list, show and check bots.")
SpecArg = Annotated[
    str, typer.Argument(metavar="SPEC", help="NAME, NAME:key=value, a path, or cmd:PROGRAM.")
]


@app.command("list")
def list_(as_json: JsonOpt = False) -> None:
    """List the bots of the house and of installed packages; none of their code runs."""
    manifests = list_manifests()
    if as_json:
        typer.echo(json.dumps([asdict(manifest) for manifest in manifests]))
        return
    table = Table()
    for heading in ("bot", "version", "source", "what it does"):
        table.add_column(heading)
    for manifest in manifests:
        words = (manifest.name, manifest.version, manifest.source, manifest.summary)
        table.add_row(*map(plain, words))
    terminal.console().print(table)


@app.command()
def show(spec: SpecArg, as_json: JsonOpt = False) -> None:
    """Show what a bot says of itself; none of its code runs."""
    manifest = read_manifest(parse_spec(spec))
    if as_json:
        typer.echo(json.dumps(asdict(manifest)))
        return
    for key, value in _facts(manifest).items():
        typer.echo(f"{key:>8}  {plain(value)}")


def _facts(manifest: Manifest) -> dict[str, str]:
    facts = asdict(manifest) | {"games": ", ".join(manifest.games) or "all", "kind": manifest.kind}
    return {key: str(value) for key, value in facts.items() if value}


@app.command()
def check(
    spec: SpecArg,
    limits: TimeOpt = "10s",
    freeze: FreezeOpt = False,
    trust: TrustOpt = False,
    as_json: JsonOpt = False,
) -> None:
    """Check a bot step by step, in the sandbox it will play in; exit code 1 if it fails."""
    passed = True
    steps = []
    checked = Check(spec, parse_limits(limits, freeze), trust)
    for step in checked.run():
        passed = passed and step.verdict != "FAIL"
        steps.append(asdict(step))
        if not as_json:
            first, _, rest = step.found.partition("\n")
            typer.echo(f"{step.number} {step.verdict:4} {step.name}: {plain(first)}")
            for line in rest.splitlines():
                typer.echo(f"       {plain(line)}")
    if as_json:
        facts = {"bot": spec, "passed": passed, "sandbox": checked.ground.name, "steps": steps}
        typer.echo(json.dumps(facts))
        raise typer.Exit(0 if passed else 1)
    typer.echo(f"sandbox: {plain(checked.ground.line)}")
    if passed:
        typer.echo(f"{spec} is fit to play")
    raise typer.Exit(0 if passed else 1)


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the bot and its folder.")],
    lang: Annotated[
        new_bot.Kind, typer.Option(help="python with our library, or any language over stdio.")
    ] = new_bot.Kind.PYTHON,
    folder: Annotated[
        Path, typer.Option("--in", metavar="DIR", file_okay=False, help="Where to put it.")
    ] = Path(),
) -> None:
    """Make a folder with a bot that works, and a test of its own."""
    made = new_bot.write(name, lang, folder)
    typer.echo(f"made {made}; now: arena bot check {shlex.quote(new_bot.spec_of(made))}")
    typer.echo(f"its own test: pip install pytest; pytest {shlex.quote(str(made))}")

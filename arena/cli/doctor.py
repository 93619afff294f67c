"""arena doctor: how well this machine contains bots, and what would make it better."""

import json
import sys

import typer

from arena.cli.options import JsonOpt
from arena.reports.wording import plain
from bots.sandbox.probe import Level, probe, suggested_jobs
from engine import COMPILED


def doctor(as_json: JsonOpt = False) -> None:
    """Tell the sandbox's level here, what is lost, and the fix; exit code 3 if it is unsafe."""
    report = probe()
    form = "compiled" if COMPILED else "interpreted"
    if as_json:
        facts = {
            "sandbox": report.level,
            "lost": report.lost,
            "fixes": report.fixes,
            "layers": {f.name: {"works": f.works, "found": f.found} for f in report.findings},
            "jobs": suggested_jobs(),
            "engine": form,
            "python": sys.version.split()[0],
        }
        typer.echo(json.dumps(facts))
    else:
        typer.echo(f"sandbox: {report.level.upper()}")
        for finding in report.findings:
            typer.echo(f"  {finding.name}: {plain(finding.found) if finding.found else 'works'}")
        if report.lost:
            typer.echo(f"  lost: {report.lost}")
        for fix in report.fixes:
            typer.echo(f"  fix: {fix}")
        if report.level is Level.UNSAFE:
            typer.echo("  strangers' bots are refused unless you say --trust-bots")
        typer.echo(f"engine: {form}, Python {sys.version.split()[0]}")
        typer.echo(f"jobs: {suggested_jobs()}, one match a physical core")
    raise typer.Exit(3 if report.level is Level.UNSAFE else 0)

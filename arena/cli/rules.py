"""arena rules: what is in the box."""

import json

import typer

from arena.cli.options import EditionOpt, GameArg, JsonOpt, Lang, LangOpt
from arena.display import display_of
from arena.reports import terminal


def rules(
    game: GameArg,
    edition: EditionOpt = None,
    lang: LangOpt = Lang.EN,
    as_json: JsonOpt = False,
) -> None:
    """Show the components of a game as tables."""
    sheets = display_of(game).components(edition, lang)
    if as_json:
        facts = {
            sheet.id: [dict(zip(sheet.keys, row, strict=True)) for row in sheet.rows]
            for sheet in sheets
        }
        typer.echo(json.dumps(facts, ensure_ascii=False, indent=1))
        return
    console = terminal.console()
    for sheet in sheets:
        console.print(terminal.sheet(sheet))
        console.print()

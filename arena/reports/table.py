"""A table of results, for people on a terminal, for programs, for a spreadsheet, for a page."""

from __future__ import annotations

import csv
import html
import io
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from arena.reports.output import OutputFormat
from arena.reports.terminal import console
from bots.protocol.sanitize import for_terminal
from engine.errors import ArenaError

if TYPE_CHECKING:
    from pandas import DataFrame

COMFORTABLE: Final = 100  # columns of a file, beyond which headings take two lines


@dataclass(frozen=True)
class Column:
    """A key for programs, a heading for people, and how its values are shown to them."""

    key: str
    heading: str
    format: str = ""  # as for format(); texts are shown as they are, a bool with any as yes or no
    shown: bool = True  # to people; programs get all
    data: bool = True  # to programs; what is put together for people alone is not
    spare: int = 0  # where a terminal is too narrow, those of the highest number are left out first
    text: Callable[[Any], str] | None = None  # how a value that is no number or text is shown

    def show(self, value: object) -> str:
        """A value for people."""
        if value is None:
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no" if self.format else ""
        if self.text is not None:
            return for_terminal(self.text(value))
        if isinstance(value, list | tuple):
            return for_terminal(" ".join(map(str, value)))
        return format(value, self.format) if self.format else for_terminal(str(value))


@dataclass(frozen=True, repr=False)
class Report:
    """Rows by key, a short caption, and details of what they mean and where they come from."""

    title: str
    columns: tuple[Column, ...]
    rows: list[dict[str, Any]]
    caption: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        keys = ", ".join(self._keys())
        return f"<Report {self.title!r}: {len(self.rows)} rows of {keys}>"

    def write(self, form: OutputFormat, explain: bool = False) -> None:
        """Print it, a table with its details if asked; notes to programs go to stderr."""
        if form is OutputFormat.TABLE:
            self._table(explain)
            return
        print(WRITERS[form](self))  # noqa: T201
        for line in self.notes if form is not OutputFormat.MD else ():
            print(for_terminal(line), file=sys.stderr)  # noqa: T201

    @property
    def notes(self) -> list[str]:
        """Caption and details."""
        return [*self.caption, *self.details]

    def to_text(self) -> str:
        """The table as people see it, without colours."""
        out = console()
        with out.capture() as text:
            self._table(False, out)
        return text.get()

    def to_html(self) -> str:
        """The table for a page or a notebook, its caption below; everything is escaped."""
        shown = self._shown()
        head = "".join(f"<th>{html.escape(column.heading)}</th>" for column in shown)
        body = ""
        for row in self.rows:
            cells = (html.escape(for_terminal(column.show(row[column.key]))) for column in shown)
            body += f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        texts = [html.escape(for_terminal(line)) for line in self.caption]
        lines = "".join(f"<p>{text}</p>" for text in texts)
        if texts and not shown:  # aligned by spaces, as on a terminal
            lines = "<pre>" + "\n".join(texts) + "</pre>"
        title = f"<p><strong>{html.escape(for_terminal(self.title))}</strong></p>"
        return f"<div>{title}{table if shown else ''}{lines}</div>"

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self.to_text()

    def to_pandas(self) -> DataFrame:
        """The rows with all keys as a data frame; ArenaError where pandas is not installed."""
        try:
            from pandas import DataFrame
        except ImportError:
            raise ArenaError("a data frame needs pandas: pip install pandas") from None
        keys = self._keys()
        return DataFrame([{key: row[key] for key in keys} for row in self.rows], columns=keys)

    def _table(self, explain: bool, out: Console | None = None) -> None:
        out = out or console()
        columns = self._shown()
        tall = self._width(columns) > (out.width if out.is_terminal else COMFORTABLE)
        if out.is_terminal:
            columns = self.fitting(out.width)
        else:
            out.width = max(out.width, 200)  # a file is as wide as it needs to be
        table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
        fits = self._width(columns, folded=True) <= out.width
        for column in columns:
            texts = self.rows and all(isinstance(row[column.key], str) for row in self.rows)
            side: JustifyMethod = "left" if texts else "right"
            # Words may go on in a second line, a number or a name may not; nothing is cut.
            whole = fits and not self._has_words(column)
            heading = column.heading.replace(" ", "\n") if tall else column.heading
            table.add_column(heading, justify=side, no_wrap=whole, overflow="fold")
        for row in self.rows:
            table.add_row(*(Text(for_terminal(column.show(row[column.key]))) for column in columns))
        # A title inside a narrow table would be folded.
        out.print(Text(for_terminal(self.title), style="bold"), soft_wrap=True)
        out.print(table)
        for line in self.notes if explain else self.caption:
            out.print(Text(for_terminal(line)), soft_wrap=True)
        if missing := [column.heading for column in self._shown() if column not in columns]:
            names = ", ".join(missing)
            out.print(Text(f"too narrow for {names}; -o csv has everything"), soft_wrap=True)

    def fitting(self, width: int) -> list[Column]:
        """The columns that a terminal has room for, with headings in two lines if need be."""
        columns = self._shown()
        if self._width(columns) <= width:
            return columns
        while self._width(columns, tall=True) > width:
            spare = max(columns, key=lambda column: column.spare)
            if not spare.spare:
                break
            columns.remove(spare)
        return columns

    def _width(self, columns: list[Column], folded: bool = False, tall: bool = False) -> int:
        """The width of a table: as it is, with folded cells, or with headings in two lines."""
        wide = 1
        for column in columns:
            heading = column.heading.split() or [""] if tall else [column.heading]
            cells = [*heading, *(column.show(row[column.key]) for row in self.rows)]
            if folded and self._has_words(column):
                cells = [word for cell in cells for word in cell.split()]
            wide += max(map(cell_len, cells)) + 2
        return wide

    def _has_words(self, column: Column) -> bool:
        return any(" " in column.show(row[column.key]) for row in self.rows)

    def _keys(self) -> list[str]:
        """The keys that programs get."""
        return [column.key for column in self.columns if column.data]

    def _shown(self) -> list[Column]:
        return [column for column in self.columns if column.shown]

    def to_json(self) -> str:
        """A list of rows with all keys."""
        rows = [{key: _bare(row[key]) for key in self._keys()} for row in self.rows]
        return json.dumps(rows, ensure_ascii=True)  # bots have a say in it

    def to_csv(self) -> str:
        """A line of keys, then the rows."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self._keys())
        texts = {column.key: column.text for column in self.columns}
        for row in self.rows:
            writer.writerow(cell(row[key], texts[key]) for key in self._keys())
        return out.getvalue().rstrip("\n")

    def to_markdown(self) -> str:
        """A table for a README, its caption below."""
        shown = self._shown()
        lines = [
            "| " + " | ".join(column.heading for column in shown) + " |",
            "|" + " --- |" * len(shown),
        ]
        for row in self.rows:
            cells = (column.show(row[column.key]) for column in shown)
            lines.append("| " + " | ".join(map(_escaped, cells)) + " |")
        return "\n".join(
            [*lines, "", *(_escaped(for_terminal(line)) + "  " for line in self.notes)]
        )


def write_all(reports: Sequence[Report], form: OutputFormat, explain: bool = False) -> None:
    """Print reports of one kind: tables one after the other, but rows for programs in one piece."""
    if form in (OutputFormat.TABLE, OutputFormat.MD):
        for at, report in enumerate(reports):
            if at:
                print()  # noqa: T201
            report.write(form, explain)
        return
    rows = [row for report in reports for row in report.rows]
    notes = list(dict.fromkeys(line for report in reports for line in report.notes))
    Report("", reports[0].columns, rows, notes).write(form)


def _bare(value: Any) -> Any:
    return round(value, 6) if isinstance(value, float) else value


def cell(value: Any, text: Callable[[Any], str] | None = None) -> Any:
    """A value for a spreadsheet; lists become texts there."""
    if isinstance(value, list | tuple):
        value = text(value) if text else " ".join(map(str, value))
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@"):
        return f"'{for_terminal(value)}"  # which a spreadsheet would take for a formula
    return for_terminal(value) if isinstance(value, str) else _bare(value)


def _escaped(text: str) -> str:
    for sign in "\\|<>*_`[]":
        text = text.replace(sign, f"\\{sign}")
    return text


WRITERS: Final = {
    OutputFormat.JSON: Report.to_json,
    OutputFormat.CSV: Report.to_csv,
    OutputFormat.MD: Report.to_markdown,
}

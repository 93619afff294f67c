"""How fast the engine plays at random: interpreted, compiled, and the same games in plain C.

All three are measured in one run, in turn, by CPU time; a figure is the median of the rounds, a
ratio the median of the ratios within a round. The interpreted engine is the source tree; the
compiled one is the installed wheel, or lies in the folder --compiled names.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks import yardstick
from tests.benchmarks.figures import keep
from tests.benchmarks.setups import (
    CLONES,
    PEER_TO_YARDSTICK,
    ROWS,
    YARDSTICK,
    YARDSTICK_GAME,
    Row,
)

ROOT = Path(__file__).resolve().parents[2]
WORKER = Path(__file__).with_name("random_play.py")

FIRST_SEED = 0
CHECKED_GAMES = 100
GAMES = {"interpreted": 60, "compiled": 4000, "c": 10000}
CLONED_STATES = 15

Forms = dict[str, Callable[[Row], float]]


class Engine:
    """One form of the engine; every task runs in a process of its own."""

    def __init__(self, folder: Path | None, compiled: bool) -> None:
        here = [] if folder is None else [str(folder)]
        path = os.pathsep.join(here)
        self.environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
        self.compiled = compiled
        self.loaded_from = Path()

    def task(self, name: str, row: Row, games: int) -> Any:
        task = {"task": name, "row": row, "first": FIRST_SEED, "games": games}
        done = subprocess.run(
            [sys.executable, "-P", str(WORKER)],
            input=json.dumps(task),
            env=self.environment,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(done.stderr.strip().rpartition("\n")[2])
        answer = json.loads(done.stdout)
        self.loaded_from = Path(answer["folder"])
        if answer["compiled"] != self.compiled:
            raise RuntimeError(f"the engine found is {'' if self.compiled else 'not '}interpreted")
        return answer["answer"]

    def check(self, row: Row) -> tuple[str, int]:
        checksum, decisions = self.task("check", row, CHECKED_GAMES)
        return checksum, decisions

    def speed(self, row: Row) -> float:
        games = GAMES["compiled" if self.compiled else "interpreted"]
        seconds: float = self.task("games", row, games)
        return games / seconds

    def copies(self, row: Row) -> tuple[float, float]:
        clone, view = self.task("copies", row, CLONED_STATES)
        return 1e6 * clone, 1e6 * view


def same_sources(folder: Path) -> bool:
    """Whether the modules beside a compiled engine are those of the source tree."""
    return all(
        (folder / path.relative_to(ROOT / "engine")).read_bytes() == path.read_bytes()
        for path in (ROOT / "engine").rglob("*.py")
        if (folder / path.relative_to(ROOT / "engine")).exists()
    )


def measure(
    rounds: int, forms: Forms, done: Callable[[str], None]
) -> dict[Row, dict[str, list[float]]]:
    """Games a second for every row and form, one figure a round."""
    speeds: dict[Row, dict[str, list[float]]] = {row: {} for row in ROWS}
    for round in range(rounds):
        for row in ROWS:
            for name, speed in forms.items():
                if name != "c" or row.game == YARDSTICK_GAME:
                    speeds[row].setdefault(name, []).append(speed(row))
        done(f"round {round + 1} of {rounds}")
    return speeds


def ratio(speeds: dict[str, list[float]], fast: str, slow: str) -> float | None:
    if fast not in speeds or slow not in speeds:
        return None
    return median(a / b for a, b in zip(speeds[fast], speeds[slow], strict=True))


def summary(
    row: Row, speeds: dict[str, list[float]], decisions: float, equal: bool
) -> dict[str, Any]:
    return {
        "row": row.name,
        "game": row.game,
        "players": row.players,
        "decisions": decisions,
        **{name: median(speeds[name]) if name in speeds else None for name in GAMES},
        "compiled_to_interpreted": ratio(speeds, "compiled", "interpreted"),
        "c_to_compiled": ratio(speeds, "c", "compiled"),
        "same_games": equal,
    }


def targets(
    rows: list[dict[str, Any]], copies: list[list[tuple[float, float]]]
) -> list[dict[str, Any]]:
    ratios = [row["c_to_compiled"] for row in rows if row["c_to_compiled"] is not None]
    full = [
        row["compiled"]
        for row in rows
        if row["game"] == YARDSTICK_GAME and row["players"] == 7 and row["compiled"]
    ]
    found = [
        ("C / compiled, worst row", max(ratios, default=None), "<=", 3.0),
        ("games/s, architects, 7 players, worst row", min(full, default=None), ">=", 10_000.0),
    ]
    yardstick_speed = next(
        row["c"]
        for row in rows
        if (row["row"], row["players"]) == (YARDSTICK.name, YARDSTICK.players)
    )
    for players, share in PEER_TO_YARDSTICK.items():
        speeds = [
            row["compiled"] / (share * yardstick_speed)
            for row in rows
            if row["game"] == "seven" and row["players"] == players
            if row["compiled"] and yardstick_speed
        ]
        what = f"seven / TAG by the yardstick, {players} players"
        found.append((what, min(speeds, default=None), ">=", 20.0))
    for (row, aim), rounds in zip(CLONES, copies, strict=True):
        clone = median(clone for clone, _ in rounds) if rounds else None
        found.append((f"clone, {row.game}, 7 players, microseconds", clone, "<", aim))
    return [
        {
            "what": what,
            "measured": value,
            "target": f"{sign} {aim:,g}",
            "met": None if value is None else meets(value, sign, aim),
        }
        for what, value, sign, aim in found
    ]


def meets(value: float, sign: str, aim: float) -> bool:
    return {"<=": value <= aim, ">=": value >= aim, "<": value < aim}[sign]


def show(report: dict[str, Any]) -> None:
    heads = ("table", "players", "decisions", "interpreted", "compiled", "C", "c/i", "C/c", "same")
    say("Random games a second (CPU time, median); decisions a game; ratios; same games played")
    say("{:20}{:>8}{:>10}{:>12}{:>10}{:>10}{:>8}{:>7}  {}".format(*heads))
    for row in report["rows"]:
        numbers = (
            f"{row['decisions']:10.1f}",
            cell(row["interpreted"], 12, 0),
            cell(row["compiled"], 10, 0),
            cell(row["c"], 10, 0),
            cell(row["compiled_to_interpreted"], 8, 1),
            cell(row["c_to_compiled"], 7, 2),
        )
        equal = "yes" if row["same_games"] else "NO"
        say(f"{row['row']:20}{row['players']:8}{''.join(numbers)}  {equal}")
    say("")
    for aim in report["targets"]:
        verdict = {None: "not measured", True: "met", False: "not met"}[aim["met"]]
        measured = cell(aim["measured"], 10, 2)
        say(f"{aim['what']:44}{measured}   aim {aim['target']:10} {verdict}")
    for game, cost in report["views"]:
        say(f"{f'a view costs as much as clones, {game}':44}{cell(cost, 10, 2)}")
    for note in report["notes"]:
        say(f"note: {note}")


def keep_figures(report: dict[str, Any]) -> None:
    """For the page: aims, and for each game the tables with the fewest and the most seats."""
    for aim in report["targets"]:
        what = aim["what"].removesuffix(", microseconds")
        keep(what, aim["measured"], "" if what == aim["what"] else "µs", aim["target"])
    for game, cost in report["views"]:
        keep(f"view / clone, {game}, 7 players", cost, "times")
    for game in dict.fromkeys(row.game for row in ROWS):
        rows = [row for row in report["rows"] if row["game"] == game]
        for row in (rows[0], max(rows, key=lambda row: row["players"])):
            name = f"{row['row']}, {row['players']} players"
            keep(f"random games, {name}", row["compiled"], "a second")
            keep(f"compiled / interpreted, {name}", row["compiled_to_interpreted"], "times")
    keep(
        "rows whose games differ", sum(not row["same_games"] for row in report["rows"]), "", "<= 0"
    )


def cell(value: float | None, width: int, digits: int) -> str:
    return f"{'-':>{width}}" if value is None else f"{value:{width},.{digits}f}"


def say(line: str) -> None:
    print(line)  # noqa: T201


def progress(line: str) -> None:
    print(line, file=sys.stderr)  # noqa: T201


def run(rounds: int, compiled_folder: Path | None, folder: Path) -> dict[str, Any]:
    """Measure whatever there is; notes say what there is not."""
    notes: list[str] = []
    forms: Forms = {}
    checks: list[Callable[[Row], tuple[str, int]]] = []

    # Only the sources: a tree built in place is still measured interpreted.
    shutil.copytree(
        ROOT / "engine", folder / "engine", ignore=shutil.ignore_patterns("*.so", "__pycache__")
    )
    interpreted = Engine(folder, compiled=False)
    checks.append(interpreted.check)
    forms["interpreted"] = interpreted.speed

    compiled = Engine(compiled_folder, compiled=True)
    copies: list[list[tuple[float, float]]] = [[] for _ in CLONES]
    try:
        compiled.check(ROWS[0])
    except RuntimeError as problem:
        notes.append(f"no compiled engine to measure: {problem}")
    else:
        checks.append(compiled.check)
        forms["compiled"] = compiled.speed
        copies = [[compiled.copies(row) for _ in range(rounds)] for row, _ in CLONES]
        if not same_sources(compiled.loaded_from):
            notes.append("the compiled engine was built from other sources than the tree's")

    compiler = yardstick.compiler()
    if compiler is None:
        notes.append("no C compiler: no yardstick")
    else:
        binary = yardstick.build(compiler, folder)
        forms["c"] = lambda row: (
            GAMES["c"] / yardstick.run(binary, row, FIRST_SEED, GAMES["c"]).seconds
        )

    rows = []
    speeds = measure(rounds, forms, progress)
    for row in ROWS:
        found = {check(row) for check in checks}
        if compiler is not None and row.game == YARDSTICK_GAME:
            found.add(yardstick.run(binary, row, FIRST_SEED, CHECKED_GAMES)[:2])
        decisions = min(found)[1] / CHECKED_GAMES
        rows.append(summary(row, speeds[row], decisions, len(found) == 1))
    if not all(row["same_games"] for row in rows):
        notes.append("rows that say NO compare different games: their ratios mean nothing")
    return {
        "rows": rows,
        "targets": targets(rows, copies),
        "views": [
            (row.game, median(view / clone for clone, view in rounds))
            for (row, _), rounds in zip(CLONES, copies, strict=True)
            if rounds
        ],
        "notes": notes,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--compiled", type=Path, metavar="DIR", help="where the compiled engine is")
    parser.add_argument("--rounds", type=int, default=5, help="rounds to take the medians of")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    asked = parser.parse_args()
    folder = asked.compiled.resolve() if asked.compiled else None
    with tempfile.TemporaryDirectory() as temporary:
        report = run(asked.rounds, folder, Path(temporary))
    keep_figures(report)
    if asked.json:
        say(json.dumps(report, indent=2))
    else:
        show(report)


if __name__ == "__main__":
    main()

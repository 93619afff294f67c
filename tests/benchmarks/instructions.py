"""Does the compiled engine take more instructions than it did? Counted, so that no clock matters.

Fails if a piece of work takes over 5 % more than the figure accepted last, in instructions.json;
says why nothing is counted where the figures do not hold: without valgrind, with an interpreted
engine, with another version of Python or another kind of processor.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ACCEPTED = HERE / "instructions.json"
WORKLOAD = HERE / "workload.py"
MOST = 0.05  # more than accepted
COMMAND = "make accept-instructions"


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def answer(*before: str, form: bool = False) -> Any:
    """What the workload says of itself, run by the installed engine and nothing of the caller's."""
    command = [*before, sys.executable, "-P", "-s", str(WORKLOAD), *["--form"] * form]
    environment = {"PATH": os.environ.get("PATH", ""), "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        command, env=environment, cwd=HERE, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"the work was not done:\n{done.stderr.strip()}")
    return json.loads(done.stdout)


def counts(valgrind: str) -> dict[str, int]:
    """Instructions of every piece of work, for each time it is done."""
    with tempfile.TemporaryDirectory() as folder:
        told = answer(
            valgrind,
            "--tool=cachegrind",
            "--cache-sim=no",
            f"--cachegrind-out-file={folder}/%p",
        )
        return {
            name: round((summary(Path(folder, str(twice))) - summary(Path(folder, str(once)))) / n)
            for name, (n, once, twice) in told["work"].items()
        }


def summary(path: Path) -> int:
    """The instructions of a process."""
    [line] = [line for line in path.read_text().splitlines() if line.startswith("summary:")]
    return int(line.split()[1])


def conditions() -> dict[str, str]:
    """What figures depend on, beside the sources."""
    compiler = shutil.which((os.environ.get("CC") or "cc").split()[0])
    version = "none"
    if compiler is not None:
        told = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
        version = told.stdout.partition("\n")[0]
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "compiler": version,
    }


def minor(version: str) -> str:
    """3.11 of 3.11.7."""
    return ".".join(version.split(".")[:2])


def unfit(accepted: dict[str, Any], here: dict[str, str]) -> str:
    """Why the accepted figures say nothing here, if so."""
    for key, of in (("python", minor), ("machine", str)):
        if of(accepted[key]) != of(here[key]):
            return f"figures are of {key} {of(accepted[key])}, this is {of(here[key])}"
    return ""


def judge(accepted: dict[str, int], found: dict[str, int]) -> tuple[list[str], bool]:
    """A line for every piece of work, and whether all are as they should be."""
    lines, sound = [], True
    for name in sorted(accepted.keys() | found.keys()):
        old, new = accepted.get(name), found.get(name)
        if old is None or new is None:
            count = "-" if new is None else f"{new:,}"
            word = "not accepted yet" if old is None else "no longer there"
            lines.append(f"{name:29}{count:>12}  {word}")
            sound = False
            continue
        change = round(new / old - 1, 6)
        word = "TOO MANY" if change > MOST else "" if change >= -MOST else "fewer: accept them"
        lines.append(f"{name:29}{new:>12,}{old:>12,}{change:>+9.2%}  {word}".rstrip())
        sound = sound and change <= MOST
    return lines, sound


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--accept", action="store_true", help="keep what is counted now")
    accept = parser.parse_args().accept
    here = conditions()
    kept = json.loads(ACCEPTED.read_text()) if ACCEPTED.exists() else None
    valgrind = shutil.which("valgrind")
    reason = "needs valgrind: apt-get install valgrind" if valgrind is None else ""
    if not reason and not answer(form=True)["compiled"]:
        reason = "the engine is not compiled"
    if not reason and kept is not None and not accept:
        reason = unfit(kept, here)
    if reason or valgrind is None:
        say(f"left out: the instruction gate: {reason}")
        sys.exit(1 if accept else 0)
    found = counts(valgrind)
    if accept:
        text = json.dumps({**here, "instructions": found}, indent=2)
        ACCEPTED.write_text(text + "\n")
    lines, sound = judge(kept["instructions"] if kept else {}, found)
    say(f"{'instructions a time':29}{'now':>12}{'accepted':>12}{'change':>9}")
    say("\n".join(lines))
    if accept:
        say(f"accepted: {ACCEPTED.name}")
    elif not sound:
        was = ", ".join(f"{key} {kept[key]}" for key in here) if kept else "nothing"
        say(f"expected at most {MOST:.0%} more instructions, got more; if that is meant: {COMMAND}")
        say(f"accepted with {was}; this is {', '.join(f'{k} {v}' for k, v in here.items())}")
        sys.exit(1)


if __name__ == "__main__":
    main()

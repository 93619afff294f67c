"""Run the README's two commands on Debian systems that nobody has prepared, and print a table.

    python tests/machines/rig.py [--jobs 2] [--busy 2] [--again] [--page] [PATTERN ...]

Needs root and `mmdebstrap`. Every machine is a fresh copy of a minimal Debian, entered by chroot in
namespaces of its own, with a fresh clone of the last commit. A result is kept in build/machines for
the commit it is of, so that an interrupted run goes on where it was. `--page` writes the rows into
the table of docs/machines.md, where a machine that was not tried keeps its last row. The same
sources are compiled once for every Python, by the first machine that has it, and the wheel is given
to the others: the table marks the machines that compiled one. `--busy 2` keeps two cores busy
meanwhile.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parents[2]
STORE: Final = HERE / "build/machines"
PAGE: Final = HERE / "docs/machines.md"
BEGIN: Final = "<!-- the table below is written by tests/machines/rig.py -->"
KITS: Final = {
    "no compiler": [],
    "bare": ["gcc", "libc6-dev", "python3-dev"],
    "everything": [
        *("gcc", "libc6-dev", "python3-dev", "bubblewrap", "chromium", "fonts-dejavu-core"),
        *("valgrind", "postgresql", "nodejs"),
    ],
}
NEEDED: Final = ("ca-certificates", "make", "python3", "python3-venv")
CERTIFICATES: Final = Path("/etc/ssl/certs/ca-certificates.crt")
USER: Final = 1000
SECOND: Final = ", second run without network"
LIMIT: Final = 3600  # seconds for one command
# Settings of a package index that a workplace may have, which the machines need as well.
PASSED: Final = ("PIP_INDEX_URL", "PIP_DEFAULT_TIMEOUT", "http_proxy", "https_proxy", "no_proxy")


@dataclass(frozen=True)
class Machine:
    """A system, what is installed on it, and the user who tries the two commands."""

    suite: str
    version: str  # of Python
    kit: str = "bare"
    root: bool = False
    folder: str = "arena"  # of the clone, in the user's home
    private: bool = False  # whether only its owner may enter the home
    environment: dict[str, str] = field(default_factory=dict)
    offline: bool = False  # whether both commands run a second time, without a network
    python: str = ""  # the folder of an interpreter, if the system's is not meant

    @property
    def compiles(self) -> bool:
        return self.kit != "no compiler"

    @property
    def name(self) -> str:
        words = ["root" if self.root else "user", self.version, self.kit]
        words += ["private home"] * self.private + ["offline again"] * self.offline
        words += [f'folder "{self.folder}"'] * (self.folder != "arena")
        words += [f"{key}={value}" for key, value in self.environment.items()]
        return ", ".join(words)


def all_machines() -> list[Machine]:
    """Every machine of the table; Python 3.12 only where an interpreter of it is at hand."""
    found = sorted(Path.home().glob(".pyenv/versions/3.12.*"))
    pythons = [("bookworm", "3.11", ""), ("trixie", "3.13", "")]
    pythons += [("bookworm", "3.12", str(found[-1]))] if found else []
    machines = [
        Machine(suite, version, kit, root, python=python)
        for kit in ("bare", "everything")
        for suite, version, python in pythons
        for root in (False, True)
    ]
    machines += [
        Machine("bookworm", "3.11", "no compiler"),
        Machine("trixie", "3.13", "no compiler"),
    ]
    # A machine costs ten minutes, so most of them are unusual in some way, too.
    unusual: dict[str, dict[str, Any]] = {
        "user, 3.11, bare": {"environment": {"PYTHONDONTWRITEBYTECODE": "1"}},
        "root, 3.11, bare": {"private": True},
        "user, 3.12, bare": {"folder": "my arena"},
        "user, 3.13, everything": {"private": True, "offline": True},
    }
    return [replace(machine, **unusual.get(machine.name, {})) for machine in machines]


def base(suite: str, kit: str) -> Path:
    """The root of a system with what a kit adds, made once."""
    place = STORE / "roots" / f"{suite}-{kit.replace(' ', '-')}"
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        unfinished = place.with_suffix(".part")
        shutil.rmtree(unfinished, ignore_errors=True)
        wanted = ",".join([*NEEDED, *KITS[kit]])
        words = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={wanted}", suite]
        subprocess.run([*words, str(unfinished)], check=True, stdin=subprocess.DEVNULL)
        unfinished.rename(place)
    return place


ENTER: Final = """
set -e
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$BASE,upperdir=$OVER/upper,workdir=$OVER/work" "$OVER/root"
cd "$OVER/root"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount --rbind /dev dev
mount -t tmpfs tmpfs dev/shm
mount --bind "$PIP" var/cache/pip
[ -z "$PYTHON" ] || mount --bind "$PYTHON" ".$PYTHON"
ip link set lo up
exec chroot "$OVER/root" "$@"
"""


class Trial:
    """A machine that is set up, used once and thrown away."""

    def __init__(self, machine: Machine, commit: str) -> None:
        self.machine = machine
        self.commit = commit
        self.over = STORE / "running" / re.sub(r"\W+", "-", machine.name)
        self.home = Path("/root" if machine.root else "/home/ann")
        self.clone = self.home / machine.folder
        self.wheels = STORE / "wheels" / f"{machine.suite}-{machine.version}"

    def run(self) -> dict[str, Any]:
        """Set the machine up, run the commands, and tell how they ended."""
        self._set_up()
        steps = [self._step("make demo"), self._step("make test")]
        compiles = False
        for made in (self._inside() / ".venv").glob("wheel-*"):
            kept = self.wheels / made.name
            if self.machine.compiles and not kept.exists():
                compiles = True
                shutil.copytree(made, kept)
        if self.machine.offline:
            steps += [self._step("make demo", False), self._step("make test", False)]
        shutil.rmtree(self.over)
        return {
            "machine": self.machine.name,
            "commit": self.commit,
            "date": datetime.now(UTC).date().isoformat(),
            "compiled": compiles,
            "steps": steps,
        }

    def _inside(self) -> Path:
        """Where the clone is, seen from outside."""
        return self.over / "upper" / self.clone.relative_to("/")

    def _set_up(self) -> None:
        shutil.rmtree(self.over, ignore_errors=True)
        for part in ("upper", "work", "root"):
            (self.over / part).mkdir(parents=True)
        upper = self.over / "upper"
        for folder in ("etc/ssl/certs", "var/cache/pip"):
            (upper / folder).mkdir(parents=True)
        # An interpreter stays where it was built to be, as it may look there for its library.
        (upper / self.machine.python.lstrip("/")).mkdir(parents=True, exist_ok=True)
        (upper / "root").mkdir(exist_ok=True)  # above such a folder, and closed otherwise
        shutil.copyfile("/etc/resolv.conf", upper / "etc/resolv.conf")
        shutil.copyfile(CERTIFICATES, upper / CERTIFICATES.relative_to("/"))
        home = upper / self.home.relative_to("/")
        home.mkdir(parents=True, exist_ok=True)
        clone = self._inside()
        subprocess.run(["git", "clone", "-q", HERE, clone], check=True)
        subprocess.run(["git", "checkout", "-q", self.commit], cwd=clone, check=True)
        if self.machine.compiles and self.wheels.exists():
            shutil.copytree(self.wheels, clone / ".venv")
        if not self.machine.root:
            subprocess.run(["chown", "-R", f"{USER}:{USER}", home], check=True)
            add = ["useradd", "--uid", str(USER), "--no-create-home", "--shell", "/bin/sh", "ann"]
            self._enter(add, sys.stderr.fileno())
        home.chmod(0o700 if self.machine.private else 0o755)

    def _enter(self, words: list[str], output: int, online: bool = True) -> int:
        caches = STORE / ("pip-root" if self.machine.root else "pip-user")
        caches.mkdir(exist_ok=True)
        os.chown(caches, *((0, 0) if self.machine.root else (USER, USER)))
        places = {
            "BASE": str(base(self.machine.suite, self.machine.kit)),
            "OVER": str(self.over),
            "PIP": str(caches),
            "PYTHON": self.machine.python,
        }
        spaces = ["--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"]
        spaces += [] if online else ["--net"]
        done = subprocess.run(
            ["unshare", *spaces, "sh", "-c", ENTER, "sh", *words],
            env=os.environ | places,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            timeout=LIMIT,
            check=False,
        )
        return done.returncode

    def _step(self, command: str, online: bool = True) -> dict[str, Any]:
        """Run a command as the machine's user in the clone."""
        places = "/usr/local/bin:/usr/bin:/bin"
        settings = {
            "HOME": str(self.home),
            "PATH": f"{self.machine.python}/bin:{places}" if self.machine.python else places,
            "LANG": "C.UTF-8",
            "PIP_CACHE_DIR": "/var/cache/pip",
            "PIP_CERT": str(CERTIFICATES),
            **{name: os.environ[name] for name in PASSED if name in os.environ},
            **self.machine.environment,
        }
        user = "0:0" if self.machine.root else f"{USER}:{USER}"
        words = [f"--userspec={user}", "/", "/usr/bin/env", "-i"]
        words += [f"{name}={value}" for name, value in settings.items()]
        words += ["/bin/sh", "-c", f"cd '{self.clone}' && exec {command}"]
        log = self.log(command, online)
        log.parent.mkdir(parents=True, exist_ok=True)
        begun = time.monotonic()
        with log.open("wb") as file:
            try:
                # A second chroot, as its option changes the user.
                code = self._enter(["chroot", *words], file.fileno(), online)
            except subprocess.TimeoutExpired:
                code = -1
        seconds = round(time.monotonic() - begun)
        text = log.read_text("utf-8", "replace")
        return {
            "command": command + ("" if online else ", offline"),
            "exit": code,
            "seconds": seconds,
            "log": str(log.relative_to(STORE)),
            **read_tests(text),
        }

    def log(self, command: str, online: bool) -> Path:
        name = command.replace(" ", "-") + ("" if online else "-offline")
        return STORE / "logs" / self.commit[:12] / self.over.name / f"{name}.txt"


def read_tests(text: str) -> dict[str, Any]:
    """What pytest says of its runs: counts added up, the tests that failed, why some were left."""
    counts = dict.fromkeys(("passed", "failed", "skipped", "error"), 0)
    for line in re.findall(r"^=+ (.* in [\d.]+s.*) =+$", text, re.MULTILINE):
        for number, what in re.findall(r"(\d+) (passed|failed|skipped|error)", line):
            counts[what] += int(number)
    failed = sorted(set(re.findall(r"^(?:FAILED|ERROR) (\S+)", text, re.MULTILINE)))
    left_out = re.findall(r"^left out: (.*)$", text, re.MULTILINE)
    return {**counts, "failures": failed, "left_out": left_out}


def is_green(result: dict[str, Any]) -> bool:
    return all(step["exit"] == 0 for step in result["steps"])


HEAD: Final = """\
| machine | `make demo` | `make test` | passed | failed | left out | commit, date |
| --- | --- | --- | --- | --- | --- | --- |"""


def rows_of(results: list[dict[str, Any]]) -> dict[str, str]:
    """The results as rows of a Markdown table, by the name in their first cell."""
    rows = {}
    for result in results:
        for start in range(0, len(result["steps"]), 2):
            demo, test = result["steps"][start : start + 2]
            name = result["machine"] + (SECOND if start else "")
            cells = [
                name,
                _shown(demo) + (", compiled" if result["compiled"] and not start else ""),
                _shown(test),
                f"{test['passed']:,}",
                str(test["failed"] + test["error"]),
                f"{test['skipped']:,}",
                f"{result['commit'][:7]}, {result['date']}",
            ]
            rows[name] = f"| {' | '.join(cells)} |"
    return rows


def with_rows(page: str, rows: dict[str, str]) -> str:
    """A page with these rows in its table, in the place of those with the same names."""
    head, _, body = page.partition(BEGIN)
    known = {line.split(" | ")[0][2:]: line for line in body.splitlines() if line.startswith("| ")}
    names = [machine.name for machine in all_machines()]
    kept = {name: row for name, row in known.items() if name.partition(SECOND)[0] in names}
    lines = sorted((kept | rows).items(), key=lambda row: names.index(row[0].partition(SECOND)[0]))
    return "\n".join([f"{head}{BEGIN}\n\n{HEAD}", *(row for _, row in lines), ""])


def _shown(step: dict[str, Any]) -> str:
    minutes, seconds = divmod(step["seconds"], 60)
    took = f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
    return took if step["exit"] == 0 else f"exit {step['exit']} after {took}"


def kept(machine: Machine, commit: str) -> Path:
    return STORE / "results" / commit[:12] / (re.sub(r"\W+", "-", machine.name) + ".json")


def try_machine(machine: Machine, commit: str, again: bool) -> dict[str, Any]:
    """The result of a machine: the one that is kept, or a new one."""
    file = kept(machine, commit)
    if file.exists() and not again:
        result: dict[str, Any] = json.loads(file.read_text("utf-8"))
        return result
    result = Trial(machine, commit).run()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(result, indent=1), "utf-8")
    say(f"{'green' if is_green(result) else 'RED  '}  {machine.name}")
    for step in result["steps"]:
        say(f"       {step['command']}: {_shown(step)}, {step['passed']} passed; {step['log']}")
        for name in step["failures"]:
            say(f"         {name}")
    return result


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """So many processes that only compute, while the context lasts."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="such as 'user, 3.13*'")
    parser.add_argument("--jobs", type=int, default=1, help="machines at once")
    parser.add_argument("--busy", type=int, default=0, help="loops beside them that only compute")
    parser.add_argument("--again", action="store_true", help="run what has a result, too")
    parser.add_argument("--page", action="store_true", help="write docs/machines.md")
    parser.add_argument("--commit", default="HEAD", help="what is tried")
    given = parser.parse_args()
    if os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
        sys.exit("expected to be root and to have mmdebstrap (apt-get install mmdebstrap)")
    words = ["git", "rev-parse", given.commit]
    commit = subprocess.run(words, cwd=HERE, check=True, capture_output=True, text=True).stdout
    patterns = given.patterns or ["*"]
    machines = [m for m in all_machines() if any(fnmatch(m.name, p) for p in patterns)]
    for machine in machines:
        base(machine.suite, machine.kit)
    with ThreadPoolExecutor(given.jobs) as pool, busy(given.busy):
        results = list(
            pool.map(lambda machine: try_machine(machine, commit.strip(), given.again), machines)
        )
    rows = rows_of(results)
    say("\n".join([HEAD, *rows.values()]))
    if given.page:
        PAGE.write_text(with_rows(PAGE.read_text("utf-8"), rows), "utf-8")
    sys.exit(not all(is_green(result) for result in results))


if __name__ == "__main__":
    main()

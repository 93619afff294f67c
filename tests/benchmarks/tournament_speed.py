"""How many matches a tournament plays, behind walls and in process, and where its time goes.

Every row is one `arena tournament run` on the installed program; ratios are between rows of the
same run. `in bots` is the computing the kernel charged to bots, of all that was computed.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bots.sandbox.probe import suggested_jobs
from leagues.storage.handle import open_storage
from tests.benchmarks.figures import keep

ROUNDS = {"in process": 400, "behind walls": 40}


def run(bot: str, how: str, players: str, share: float, folder: str) -> dict[str, float]:
    """Play a tournament of four bots of a kind."""
    db = Path(folder, f"{bot}-{how}-{players}.db".replace(" ", "-"))
    words = ["--in-process"] if how == "in process" else []
    rounds = max(1, round(share * ROUNDS[how]))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(
        [
            *(sys.executable, "-m", "arena", "tournament", "run", *[bot] * 4, "--players", players),
            *("--rounds", str(rounds), "--seed", "1", "--db", str(db), *words),
        ],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open_storage(db, create=False) as store:
        results = [stored.result for stored in store.reader.results.matches()]
    return {
        "matches": len(results),
        "seconds": seconds,
        "computed": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "bots": sum(account.computed for result in results for account in result.accounts),
        "playing": sum(result.seconds for result in results),
    }


def say(text: str) -> None:
    print(text)  # noqa: T201


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--share", type=float, default=1.0, help="of the rounds to play")
    share = parser.parse_args().share
    jobs = suggested_jobs()
    say(f"{jobs} jobs; matches a second, start-up included")
    with tempfile.TemporaryDirectory() as folder:
        for players in ("2", "4"):
            for bot in ("random", "greedy"):
                rows = {how: run(bot, how, players, share, folder) for how in ROUNDS}
                speed = {how: row["matches"] / row["seconds"] for how, row in rows.items()}
                walls = rows["behind walls"]
                busy = jobs * walls["seconds"]
                table = f"{bot}, {players} players, {jobs} jobs"
                keep(f"matches behind walls, {table}", speed["behind walls"], "a second")
                ratio = speed["in process"] / speed["behind walls"]
                keep(f"in process / behind walls, {bot}, {players} players", ratio, "times")
                say(
                    f"{bot}, {players} players: behind walls {speed['behind walls']:.0f}, "
                    f"in process {speed['in process']:.0f}, "
                    f"ratio {ratio:.1f}; of the processors' "
                    f"time {walls['bots'] / busy:.0%} in bots, "
                    f"{walls['playing'] / busy:.0%} in play"
                )


if __name__ == "__main__":
    main()

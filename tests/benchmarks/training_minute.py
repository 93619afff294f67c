"""Does a minute of training reach 70 % against `planner` at 7 Wonders? Fails if it does not.

    python tests/benchmarks/training_minute.py

Sixty seconds of CPU time from nothing, then a match at all tables in turn, on deals that are none
of training's: each in a seating by lot and in its complement. The interval is 95 %, deals are the
units.
"""

import argparse
import sys
import tempfile

from bots.house.planner import Planner
from bots.house.training.__main__ import Training, parse
from bots.house.training.matches import compare

GAME = "seven"
AIM = 0.70


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="of CPU time")
    parser.add_argument("--deals", type=int, default=110, help="two games each")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        words = ["--seconds", str(wanted.seconds), "--folder", folder, "--planner-deals", "2"]
        training = Training(parse([GAME, *words]))
        training.run()
    share = compare(GAME, training.value(), Planner, wanted.deals, 2026, "minute")
    is_met = share.low >= AIM
    sys.stdout.write(
        f"{GAME}: {training.games} games in {training.cpu:.0f} s of CPU time; against planner "
        f"{share} of {2 * share.deals} games (aim {100 * AIM:.0f} %: "
        f"{'met' if is_met else 'not met'})\n"
    )
    sys.exit(0 if is_met else 1)


if __name__ == "__main__":
    main()

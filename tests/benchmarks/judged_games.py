"""Games of Architects with an expansion, as traces, before the judge that shares no code with us.

    python -m tests.benchmarks.judged_games --games 1000

plays so many random games of every number of players with medals, as experts, and with tokens
alone, writes each as a trace, reads it back, and has it judged; one line a set-up, exit code 1
if the judge complains of any.
"""

import argparse
import json
import sys
import time
from collections import Counter
from typing import Any

from engine import COMPILED
from engine.replay import trace, write_trace
from tests.engine.architects.judge import judge
from tests.support.setups import EXPERT, MEDALS, TOKENS, Row, random_match

SETUPS: dict[str, dict[str, Any]] = {"medals": MEDALS, "expert": EXPERT, "tokens": TOKENS}


def judge_games(row: Row, games: int) -> tuple[int, int, list[str]]:
    """How many games and decisions were judged, and the complaints."""
    decisions = 0
    complaints: list[str] = []
    for seed in range(games):
        facts: dict[str, Any] = json.loads(write_trace(trace(random_match(row, seed))))
        decisions += sum("choice" in step for step in facts["steps"])
        complaints += [f"{row.id}, seed {seed}: {found}" for found in judge(facts)]
    return games, decisions, complaints


def main() -> int:
    """Judge all set-ups."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=1000, help="of each set-up")
    asked = parser.parse_args()
    sys.stdout.write(
        f"engine {'compiled' if COMPILED else 'interpreted'}, {asked.games} games a set-up" + "\n"
    )
    total: Counter[str] = Counter()
    for name, options in SETUPS.items():
        for players in range(2, 8):
            began = time.process_time()
            games, decisions, complaints = judge_games(
                Row("architects", players, dict(options)), asked.games
            )
            total.update(games=games, decisions=decisions, complaints=len(complaints))
            took = time.process_time() - began
            found = f"{len(complaints)} complaints"
            sys.stdout.write(
                f"{name:7} {players} players {decisions:8,} decisions  {found}  {took:.0f} s CPU\n"
            )
            for complaint in complaints[:5]:
                sys.stdout.write(f"    {complaint}")
            sys.stdout.flush()
    sys.stdout.write(", ".join(f"{count:,} {what}" for what, count in total.items()))
    return 1 if total["complaints"] else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Record golden games and leaf counts: `make golden`, after a change of rules that was meant."""

import hashlib
import json
from pathlib import Path

from engine.perft import perft
from engine.replay import trace, write_trace
from tests.support.setups import ROWS, Row, random_match, states

GOLDEN = Path(__file__).parents[1] / "engine" / "golden"
SHOWN = {row.game: row for row in ROWS}.values()  # one game in full is enough to read

GAMES = 10
DEPTH = {"architects": 5, "seven": 3}
EVERY = 12


def game_line(row: Row) -> str:
    """One game in full."""
    return write_trace(trace(random_match(row, 7)))


def digest(row: Row) -> str:
    """The fingerprint of several games."""
    lines = "".join(write_trace(trace(random_match(row, seed))) + "\n" for seed in range(GAMES))
    return hashlib.sha256(lines.encode()).hexdigest()


def counts(row: Row) -> list[int]:
    """Leaf counts some decisions deep, from the deal and from further on in a game."""
    starts = [state.clone() for at, state in enumerate(states(row, 7)) if at % EVERY == 0]
    return [perft(start, DEPTH[row.game]) for start in starts]


def main() -> None:
    """Write all of them."""
    GOLDEN.mkdir(exist_ok=True)
    for row in SHOWN:
        (GOLDEN / f"{row.game}.jsonl").write_text(game_line(row) + "\n", encoding="utf-8")
    facts = {row.id: {"digest": digest(row), "perft": counts(row)} for row in ROWS}
    (GOLDEN / "counts.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""What a seat cannot see in Architects, done by hand on a dumped state."""

import json
from typing import Any

from engine.rng import Rng


def scramble(dump: str, seat: int, rng: Rng) -> str:
    """Lay anew everything that is hidden from the seat, and nothing else."""
    facts = json.loads(dump)
    decks = facts["deck"]
    for number, cards in enumerate(decks[:-1]):
        shown = 5 if facts["ask"] == 5 and facts["looking"] == number else 1
        decks[number] = _shuffled(cards[:-shown], rng) + cards[-shown:]
    _scramble_centre(facts, seat, rng)
    facts["stack"] = _shuffled(facts["stack"], rng)
    facts["chance"] = rng.word() + 1
    return json.dumps(facts, separators=(",", ":"))


def _scramble_centre(facts: dict[str, Any], seat: int, rng: Rng) -> None:
    centre = facts["deck"][-1]
    top = [centre.pop()] if centre and facts["peeked"] >> seat & 1 else []
    unknown = [at for at, given in enumerate(facts["given"]) if not given >> (8 + seat) & 1]
    pool = centre + [facts["given"][at] >> 4 & 15 for at in unknown]
    pool = _shuffled(pool, rng)
    for at in unknown:
        facts["given"][at] = facts["given"][at] & ~(15 << 4) | pool.pop() << 4
    facts["deck"][-1] = pool + top


def _shuffled(cards: list[int], rng: Rng) -> list[int]:
    cards = list(cards)
    return [cards.pop(rng.below(len(cards))) for _ in range(len(cards))]

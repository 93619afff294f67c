#!/usr/bin/env python3
"""A bot without our library: reads and writes one JSON object per line.

With --observe it also asks for what others did, and logs it to stderr.
docs/protocol.md describes every field.
"""

import json
import random
import sys

LIKED = ("stage", "free", "build", "study", "revive", "token")  # the best verb first
BLUE = (["civ3"], ["civ2cat"])  # cards of Architects that are points at once
match = {}  # the last start message: which game, which seat


def price(text: str) -> int:
    """The coins an option of 7 Wonders hands to the neighbours: `build baths pay 2+0`."""
    _, _, pay = text.partition(" pay ")
    return sum(map(int, pay.split("+"))) if pay else 0


def points_on_top(text: str, view: dict) -> bool:
    """Whether an option of Architects draws a card that is known, and points."""
    seats, own = view["seats"], match["seat"]
    decks = {
        "take left": seats[own]["deck"],
        "take right": seats[own - 1]["deck"],  # -1 is the last seat: the table is round
        "take centre": view["centre"],
    }
    return text in decks and decks[text]["top"] in BLUE


def choose(prompt: str, options: list[str], view: dict) -> int:
    """The number of the option to take, counted from 0."""
    for verb in LIKED:
        found = [n for n, text in enumerate(options) if text.startswith(verb)]
        if found:
            return min(found, key=lambda n: price(options[n]))
    if prompt == "draw":
        found = [n for n, text in enumerate(options) if points_on_top(text, view)]
        if found:
            return found[0]
    return random.randrange(len(options))


def answer(message: dict) -> dict | None:
    """The reply to a message; None where none is due."""
    kind = message["type"]
    if kind == "decide":
        option = choose(message["prompt"], message["options"], message["view"])
        return {"type": "choice", "id": message["id"], "option": option}
    if kind == "start":
        match.update(message)
        random.seed(message["seed"])  # the same seed, the same game
        return {"type": "ready", "id": message["id"], "observe": "--observe" in sys.argv}
    if kind in ("hello", "finish"):
        return {"type": "ready", "id": message["id"]}
    if kind == "observe":
        points = [seat["points"] for seat in message["view"]["seats"]]
        print("points now:", points, file=sys.stderr)
    return None


def main() -> None:
    """Answer until the arena says bye, or is gone."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            return
        reply = answer(message)
        if reply is not None:
            print(json.dumps(reply), flush=True)  # unflushed, it would wait in a buffer


if __name__ == "__main__":
    main()

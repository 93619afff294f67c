#!/usr/bin/env python3
"""A bot over stdio, without any library: one JSON object a line, in and out.

Any language will do. Print answers to stdout and nothing else; stderr is for your own notes.
"""

import json
import random
import sys


def choose(message: dict) -> int:
    """The number of the option to take, counted from 0."""
    builds = [n for n, text in enumerate(message["options"]) if text.startswith("build")]
    return random.choice(builds or range(len(message["options"])))


def main() -> None:
    """Answer until the arena says bye."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "decide":
            answer = {"type": "choice", "id": message["id"], "option": choose(message)}
        elif message["type"] in ("hello", "start", "finish"):
            if message["type"] == "start":
                random.seed(message["seed"])
            answer = {"type": "ready", "id": message["id"]}
        else:
            return
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()

"""The wire as these programs speak it, without any library of ours."""

import json
import sys


def messages():
    for line in sys.stdin.buffer:
        yield json.loads(line)


def raw(text: bytes) -> None:
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


def line(facts: dict) -> bytes:
    return json.dumps(facts).encode() + b"\n"


def choice(message: dict, option: object = 0) -> dict:
    return {"type": "choice", "id": message["id"], "option": option}


def serve(decide) -> None:
    """Be a good bot, but for what `decide` does."""
    for message in messages():
        if message["type"] == "decide":
            decide(message)
        elif message["type"] == "bye":
            return
        else:
            raw(line({"type": "ready", "id": message["id"]}))

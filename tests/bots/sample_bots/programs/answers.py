"""Answers one decision in a way named on its command line."""

import os
import sys
import time

from talk import choice, line, raw, serve


def flood() -> None:
    while True:
        raw(b"x" * 10_000)


def close() -> None:
    os.close(1)
    time.sleep(600)


def decide(message: dict) -> None:
    good = choice(message)
    answers = {
        "well": line(good),
        "by text": line(choice(message, message["options"][-1])),
        "twice": line(good) * 2,
        "wrong id": line(good | {"id": message["id"] + 1}),
        "old id": line(good | {"id": 1}),
        "failure of another": line({"type": "failure", "id": 1, "error": "mine"}),
        "text id": line(good | {"id": "1"}),
        "no id": line({"type": "choice", "option": 0}),
        "extra field": line(good | {"remark": "hello"}),
        "trailing bytes": line(good)[:-1] + b" x\n",
        "ready": line({"type": "ready", "id": message["id"]}),
        "unknown type": line(good | {"type": "resign"}),
        "no type": line({"id": 1}),
        "empty": b"\n",
        "no object": b"[1]\n",
        "huge": line(choice(message, "x" * 100_000)),
        "bad utf-8": line(choice(message, "@")).replace(b"@", b"\xff\xfe"),
        "lone surrogate": line(choice(message, "\ud800")),
        "deep": b"[" * 10_000 + b"\n",
        "nul": b"\0\0\0\n",
        "nan": line(choice(message, float("nan"))),
        "infinity": line(choice(message, float("inf"))),
        "float": line(choice(message, 0.0)),
        "true": line(choice(message, True)),
        "null": line(choice(message, None)),
        "list": line(choice(message, [0])),
        "below": line(choice(message, -1)),
        "above": line(choice(message, 99)),
        "far above": line(choice(message, 10**30)),
        "digits": line(choice(message, "0")),
        "failure": line({"type": "failure", "id": message["id"], "error": "\x1b[31mI give up"}),
        "silence": b"",
    }
    how = sys.argv[1]
    if how == "flood":
        flood()
    elif how == "close":
        close()
    elif how == "exit":
        sys.exit(5)
    elif how == "vanish":
        os.remove(sys.argv[2])
        sys.exit(6)
    else:
        raw(answers[how])


serve(decide)

"""Answers before it is asked."""

from talk import line, messages, raw

for message in messages():
    if message["type"] == "hello":
        raw(line({"type": "ready"}) + line({"type": "choice", "id": 1, "option": 0}))

"""Answers before it is asked."""

from talk import line, messages, raw

for message in messages():
    if message["type"] == "hello":
        raw(line({"type": "ready", "id": message["id"]}))
    if message["type"] == "start":
        raw(line({"type": "ready", "id": message["id"]}))
        raw(line({"type": "choice", "id": message["id"], "option": 0}))

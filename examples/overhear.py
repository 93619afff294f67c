#!/usr/bin/env python3
"""Records the conversation between the arena and a program: give FILE, then the program.

arena play architects "cmd:python3 overhear.py talk.jsonl python3 stdio_bot.py" greedy --trust-bots
"""

import json
import subprocess
import sys


def main() -> None:
    """Pass every line on, both ways, until the arena says bye, or one of the two is gone."""
    file, *program = sys.argv[1:]
    bot = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with open(file, "wb") as notes, bot:
        for line in sys.stdin.buffer:
            note(notes, b"bot", line)
            bot.stdin.write(line)
            bot.stdin.flush()
            kind = json.loads(line)["type"]
            if kind == "bye":
                break
            if kind != "observe":  # everything else is answered
                reply = bot.stdout.readline()
                if not reply:
                    break
                note(notes, b"arena", reply)
                sys.stdout.buffer.write(reply)
                sys.stdout.buffer.flush()
    sys.exit(bot.returncode)


def note(notes, to: bytes, line: bytes) -> None:
    """One line: to whom, and what."""
    notes.write(b'{"to":"%s","message":%s}\n' % (to, line.strip()))
    notes.flush()


if __name__ == "__main__":
    main()

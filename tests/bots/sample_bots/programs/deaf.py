"""Makes its pipe small, asks to be shown everything, and then reads no more."""

import fcntl
import time

from talk import line, messages, raw

fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
for message in messages():
    raw(line({"type": "ready", "id": message["id"], "observe": True}))
    if message["type"] == "start":
        time.sleep(600)

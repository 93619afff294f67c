"""Never reads: it looks how much lies in its pipe, a small one, and answers that unheard."""

import fcntl
import struct
import termios
import time

from talk import line, raw

fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
waiting = heard = 0
while True:
    now = struct.unpack("i", fcntl.ioctl(0, termios.FIONREAD, b"\0" * 4))[0]
    if now > waiting:
        waiting, heard = now, heard + 1
        if heard <= 2:
            raw(line({"type": "ready"}))
        else:
            raw(line({"type": "choice", "id": heard - 2, "option": 0}))
    time.sleep(0.002)

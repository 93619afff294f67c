"""A program that fills memory and makes it read-only, when it is no data to the kernel any more."""

import ctypes
import json
import os
import sys
import threading

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
STEP = 4 << 20
HOARD = 240 << 20
PRIVATE = 0x22
EXIT = {"x86_64": 60, "aarch64": 93}  # the call that ends one thread, by machine


def hoard() -> None:
    size = ctypes.c_size_t(STEP)
    for _ in range(HOARD // STEP):
        start = libc.mmap(None, size, 3, PRIVATE, -1, ctypes.c_long(0))
        if start == ctypes.c_void_p(-1).value:
            raise MemoryError
        ctypes.memset(start, 1, STEP)
        libc.mprotect(ctypes.c_void_p(start), size, 1)


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        reply = {"type": "ready", "id": message.get("id")}
        if message["type"] == "decide":
            hoard()
            reply = {"type": "choice", "id": message["id"], "option": 0}
        print(json.dumps(reply), flush=True)  # noqa: T201 - so it answers


if __name__ == "__main__":
    if sys.argv[1:] == ["headless"]:  # its first thread ends, and another answers
        threading.Thread(target=main).start()
        libc.syscall(EXIT[os.uname().machine], 0)
    main()

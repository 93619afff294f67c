"""The numbers of a container's processes, which start again from the first before every match.

Who restarts them must be in there, with a capability that nobody else in there has: a child of a
small process of ours, which is outside. That runs this file as a program, so what only the arena
needs is imported where it is: every page that is filled is one more for a fork to copy.
"""

import os
import sys

LAST_NUMBER = "/proc/sys/kernel/ns_last_pid"
NS_GET_USERNS = 0xB701  # ioctl: whose a space of numbers is
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
RESTART = b"?"
DONE = b"!"
FAILED = b"-"


class ProcessNumbers:
    """Restarts the numbers of the container that this zygote is the first process of."""

    def __init__(self, zygote: int) -> None:
        import subprocess

        words = [sys.executable, "-I", "-S", "-B", os.path.abspath(__file__), str(zygote)]
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            bufsize=0,
        )

    def restart(self) -> bool:
        """Let processes be numbered from the first number free; whether that was done."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(RESTART)
            return self.process.stdout.read(1) == DONE
        except OSError:
            return False  # it has ended, as it could not get in

    def close(self) -> None:
        """End the process."""
        from contextlib import suppress

        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(OSError):
            self.process.stdin.close()
        self.process.stdout.close()
        self.process.kill()
        self.process.wait()


def main(zygote: int) -> None:
    """Restart numbers when asked to, until nobody is there to ask."""
    space = os.open(f"/proc/{zygote}/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    enter(space)
    os.close(space)
    while os.read(0, 1):
        os.write(1, DONE if restart() else FAILED)


def restart() -> bool:
    """Do it, by a child that is in there for a moment."""
    try:
        child = os.fork()
    except OSError:  # nobody is in there any more
        return False
    if child == 0:
        code = 1
        try:
            os.write(os.open(LAST_NUMBER, os.O_WRONLY), b"1")
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def enter(space: int) -> None:
    """Have children be in a space of process numbers, with all rights its owner has there."""
    import ctypes
    import fcntl

    libc = ctypes.CDLL(None, use_errno=True)
    owner = fcntl.ioctl(space, NS_GET_USERNS)
    ours = os.stat("/proc/self/ns/user").st_ino
    for fd, kind in ((owner, CLONE_NEWUSER), (space, CLONE_NEWPID)):
        if os.fstat(fd).st_ino != ours and libc.setns(fd, kind) != 0:
            raise OSError(ctypes.get_errno(), "setns")
    os.close(owner)


if __name__ == "__main__":
    main(int(sys.argv[1]))

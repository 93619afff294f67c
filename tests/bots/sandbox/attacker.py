"""A bot that attacks: how, its seed or a parameter says; each is harmless even where it succeeds.

An attack that returns has escaped, and says so with an answer no option has.
"""

import ctypes
import fcntl
import mmap
import os
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from bots.api import Bot, Decision, Seating

libc = ctypes.CDLL(None, use_errno=True)
HERE = os.path.dirname(os.path.abspath(__file__))
Attack = Callable[["Attacker"], object]
ATTACKS: dict[str, tuple[Attack, tuple[str, ...]]] = {}


def attack(*outcomes: str) -> Callable[[Attack], Attack]:
    def note(function: Attack) -> Attack:
        ATTACKS[function.__name__] = (function, outcomes)
        return function

    return note


def call(number: int, *args: Any) -> int:
    """A system call; what it refuses is raised."""
    done: int = libc.syscall(
        ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in args)
    )
    if done < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return done


def raw(name: str, number: int, *args: Any, outcome: str = "violation") -> None:
    ATTACKS[name] = (lambda bot: call(number, *args), (outcome,))


def simple(name: str, function: Attack, outcome: str = "exception") -> None:
    ATTACKS[name] = (function, (outcome,))


# Files
simple("read_passwd", lambda bot: open("/etc/passwd").read())
simple("read_canary", lambda bot: open(bot.canary).read())
simple("write_canary", lambda bot: open(bot.canary, "w"))
simple("append_canary", lambda bot: open(bot.canary, "a"))
simple("update_canary", lambda bot: os.open(bot.canary, os.O_RDWR))
simple("truncate_canary", lambda bot: os.truncate(bot.canary, 0))
simple("unlink_canary", lambda bot: os.unlink(bot.canary))
simple("rename_canary", lambda bot: os.rename(bot.canary, bot.canary + "x"))
simple("chmod_canary", lambda bot: os.chmod(bot.canary, 0o777))
simple("touch_canary", lambda bot: os.utime(bot.canary))
simple("stat_canary", lambda bot: os.stat(bot.canary))
simple("list_canary", lambda bot: os.listdir(os.path.dirname(bot.canary)))
simple("link_out", lambda bot: os.symlink(bot.canary, HERE + "/link"))
simple("hard_link", lambda bot: os.link(__file__, "/linked"))
simple("make_folder", lambda bot: os.mkdir("/made"))
simple("make_pipe", lambda bot: os.mkfifo("/pipe"))
simple("write_beside", lambda bot: open(HERE + "/beside", "w"))
simple("write_itself", lambda bot: open(__file__, "a"))
simple("write_root", lambda bot: open("/filler", "w"))
simple("write_tmp", lambda bot: open("/tmp/filler", "w"))
simple("write_shm", lambda bot: open("/dev/shm/filler", "w"))
simple("write_library", lambda bot: open(os.__file__, "a"))
simple("nameless_file", lambda bot: os.open("/", os.O_TMPFILE | os.O_RDWR))
simple("read_home", lambda bot: open("/root/.bashrc").read())
simple("read_environ", lambda bot: open("/proc/self/environ", "rb").read())
simple("read_maps", lambda bot: open("/proc/1/maps").read())
simple("read_memory", lambda bot: open("/proc/1/mem", "rb"))
simple("read_sys", lambda bot: os.listdir("/sys/kernel"))
simple("read_disk", lambda bot: open("/dev/sda", "rb"))
simple("change_folder", lambda bot: os.chdir("/"))
simple("make_device", lambda bot: os.mknod("/null", 0o666 | 0o020000, os.makedev(1, 3)))
simple("label_file", lambda bot: os.setxattr(__file__, "user.mark", b"1"))

# Network
simple("tcp", lambda bot: socket.create_connection(("127.0.0.1", bot.port), 1))
simple("tcp6", lambda bot: socket.socket(socket.AF_INET6, socket.SOCK_STREAM))
simple("udp", lambda bot: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
simple("raw_ip", lambda bot: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
simple("unix", lambda bot: socket.socket(socket.AF_UNIX).connect(bot.canary + ".socket"))
simple("abstract", lambda bot: socket.socket(socket.AF_UNIX).connect(f"\0canary{bot.port}"))
simple("pair", lambda bot: socket.socketpair())
simple("vsock", lambda bot: socket.socket(40, socket.SOCK_STREAM))
simple("netlink", lambda bot: socket.socket(16, socket.SOCK_RAW))
simple("packet", lambda bot: socket.socket(17, socket.SOCK_RAW))
simple("crypto", lambda bot: socket.socket(38, socket.SOCK_SEQPACKET))
simple("name_lookup", lambda bot: socket.getaddrinfo("example.org", 80))

# Processes
simple("fork", lambda bot: os.fork() or os._exit(0))
simple("spawn", lambda bot: os.posix_spawn("/bin/true", ["true"], {}))
simple("shell", lambda bot: subprocess.run(["true"], check=True))
simple("become", lambda bot: os.execv(sys.executable, [sys.executable, "-c", "pass"]))
simple("thread", lambda bot: threading.Thread(target=print).start())
simple("kill_parent", lambda bot: os.kill(1, 0))
simple("kill_all", lambda bot: os.kill(-1, 0))
simple("kill_itself", lambda bot: os.kill(0, signal.SIGKILL))
simple("new_session", lambda bot: os.setsid())
simple("own_group", lambda bot: os.setpgid(0, 0))
simple("nicer", lambda bot: os.setpriority(os.PRIO_PROCESS, 0, 5))
simple("other_core", lambda bot: os.sched_setaffinity(0, os.sched_getaffinity(0)))
simple("watch_process", lambda bot: os.pidfd_open(1))
simple("timer", lambda bot: signal.setitimer(signal.ITIMER_REAL, 100))
simple("raise_limits", lambda bot: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)))
simple("lock_file", lambda bot: fcntl.flock(os.open(__file__, os.O_RDONLY), fcntl.LOCK_EX))
simple("lock_range", lambda bot: fcntl.lockf(4, fcntl.LOCK_EX | fcntl.LOCK_NB))
simple("wider_pipe", lambda bot: fcntl.fcntl(4, 1031, 1 << 20))
simple("own_signals", lambda bot: fcntl.fcntl(4, fcntl.F_SETOWN, os.getpid()))
raw("clone", 56, 17, 0, 0, 0, 0, outcome="exception")
raw("vfork_like", 57, outcome="exception")
raw("clone3", 435, 0, 0, outcome="exception")
raw("fork_as_zygote", 56, 0x1200011, 0, 0, 0, 0, outcome="exception")
raw("sibling", 56, 0x8011, 0, 0, 0, 0, outcome="exception")
raw("sharing_child", 56, 0x4111, 0, 0, 0, 0, outcome="exception")
raw("outlive_zygote", 157, 1, 0, outcome="exception")
raw("wait_for_child", 61, -1, 0, 1, 0, outcome="exception")
raw("receive_descriptor", 47, 3, 0, 0, outcome="exception")
simple("leave_to_fork", lambda bot: resource.prlimit(0, resource.RLIMIT_NPROC, (9, 9)))
simple("no_fork_for_zygote", lambda bot: resource.prlimit(1, resource.RLIMIT_NPROC, (0, 0)))
simple("no_time_for_zygote", lambda bot: resource.prlimit(1, resource.RLIMIT_CPU, (1, 1)))
simple("short_life", lambda bot: resource.setrlimit(resource.RLIMIT_CPU, (1, 1)))
raw("shared_memory", 29, 0, 4096, 0o1600, outcome="exception")
raw("semaphore", 64, 0, 1, 0o1600, outcome="exception")
raw("queue", 68, 0, 0o1600, outcome="exception")
raw("memory_file", 319, b"x", 0, outcome="exception")
raw("watch_files", 294, 0, outcome="exception")
raw("undump", 157, 4, 1, outcome="exception")
raw("own_filter", 317, 1, 0, 0, outcome="exception")
raw("trace", 101, 16, 1)
raw("read_other", 310, 1, 0, 0, 0, 0, 0)
raw("write_other", 311, 1, 0, 0, 0, 0, 0)
raw("steal_descriptor", 438, 3, 0, 0)
raw("compare", 312, 1, 1, 0, 0, 0)

# Privilege and the kernel


def be_root(bot: "Attacker") -> None:
    os.setuid(0)
    if os.getuid() == 0:
        open("/etc/shadow")


simple("be_root", be_root)
simple("be_another", lambda bot: os.setresuid(1, 1, 1))
simple("groups", lambda bot: os.setgroups([0]))
raw("capabilities", 126, 0, 0, outcome="exception")
raw("personality", 135, 0, outcome="exception")
raw("mount", 165, b"x", b"/", b"tmpfs", 0, 0)
raw("unmount", 166, b"/", 0)
raw("unshare", 272, 0x10000000)
raw("enter", 308, 0, 0)
raw("chroot", 161, b"/")
raw("pivot", 155, b"/", b"/")
raw("new_mount", 430, b"tmpfs", 0)
raw("bpf", 321, 0, 0, 0)
raw("perf", 298, 0, 0, 0, 0, 0)
raw("page_faults", 323, 0)
raw("keyring", 250, 0, 0, 0, 0, 0)
raw("add_key", 248, b"user", b"x", b"x", 1, 0)
raw("request_key", 249, b"user", b"x", 0, 0)
raw("module", 175, 0, 0, b"")
raw("kexec", 246, 0, 0, 0, 0)
raw("reboot", 169, 0, 0, 0, 0)
raw("host_name", 170, b"x", 1)
raw("set_clock", 227, 0, 0)
raw("ports", 172, 3)
raw("kernel_log", 103, 3, 0, 0)
raw("accounting", 163, 0)
raw("handles", 304, 0, 0, 0)
raw("ring", 425, 1, 0)
raw("other_abi", 0x40000000 | 39)


@attack("violation")
def old_door(bot: "Attacker") -> None:
    """The 32-bit entry: its numbers mean other calls."""
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # getpid, by int 0x80
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    ctypes.CFUNCTYPE(ctypes.c_int)(address)()


# Memory and descriptors
simple("one_block", lambda bot: bytearray(640 << 20), "memory")  # more than the limit of 512 MB
simple("many_blocks", lambda bot: [bytearray(1 << 20) for _ in range(2000)], "memory")
simple("mapping", lambda bot: mmap.mmap(-1, 2 << 30))
simple("descriptors", lambda bot: [os.dup(0) for _ in range(100)])
simple("recursion", lambda bot: (lambda f: f(f))(lambda f: f(f)))
simple("big_text", lambda bot: "x" * (1 << 31), "memory")
raw("pin_memory", 151, 1, outcome="exception")


# Time
def spin(bot: "Attacker") -> None:
    while True:
        pass


def deaf_spin(bot: "Attacker") -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    spin(bot)


simple("spin", spin, "time")
simple("deaf_spin", deaf_spin, "time")
simple("sleep", lambda bot: time.sleep(100), "time")
simple("regex", lambda bot: re.match(r"(a+)+$", "a" * 60 + "b"), "time")
simple("deep_c", lambda bot: sum(range(10**12)), "time")
simple("power", lambda bot: pow(7, 10**8) % 3, "time")
simple("wait_for_more", lambda bot: os.read(3, 1), "time")


def hush(bot: "Attacker") -> None:
    for _ in range(10**6):
        time.sleep(0.01)


simple("hush", hush, "time")

# Ends
simple("exit_well", lambda bot: os._exit(0), "crash")
simple("exit_as_ours", lambda bot: os._exit(97), "crash")
simple("segfault", lambda bot: ctypes.string_at(0), "crash")
simple("abort", lambda bot: os.abort(), "crash")
simple("leave", lambda bot: sys.exit("gone"))


# The wire: what is said in place of an answer. A packet is its length, its kind, an id, a number.
READY, CHOICE, ANSWER, FAILURE = range(1, 5)


def say(name: str, packet: bytes | Callable[[int], bytes], outcome: str = "protocol") -> None:
    def speak(bot: "Attacker") -> None:
        os.write(4, packet(asked_id()) if callable(packet) else packet)
        time.sleep(100)

    ATTACKS[name] = (speak, (outcome,))


HEARD: list[bytes] = []  # on our own side of the wire: what is asked is no secret in here


def overhear() -> None:
    """Keep what the host reads from now on."""
    read = os.read

    def keep(fd: int, length: int) -> bytes:
        HEARD.append(read(fd, length))
        return HEARD[-1]

    os.read = keep


def asked_id() -> int:
    """The id of the question."""
    return int.from_bytes(HEARD[-1][5:13], "little")


def framed(*parts: bytes) -> bytes:
    rest = b"".join(parts)
    return struct.pack("<I", len(rest)) + rest


def reply(kind: int, id: int, number: int = 0, text: bytes = b"") -> bytes:
    return framed(struct.pack("<BQq", kind, id, number), text)


def choice(id: int, number: int = 0) -> bytes:
    return reply(CHOICE, id, number)


say("two_answers", lambda n: choice(n) * 2)
say("an_answer_and_more", lambda n: choice(n) + b"\0")
say("wrong_id", lambda n: choice(n ^ 1))
say("first_id", choice(1))
say("no_id", choice(0))
say("text_id", lambda n: framed(b"\2", str(n)[:8].encode(), bytes(8)))
say("float_id", lambda n: framed(struct.pack("<Bdq", CHOICE, n, 0)))
say("more_fields", lambda n: reply(CHOICE, n, 0, b"score=100"))
say("ready_with_more", lambda n: reply(READY, n, 0, b"score=100"))
say("no_message", b"hello\n")
say("unknown_message", lambda n: reply(99, n))
say("kindless_message", lambda n: reply(0, n))
say("ready_again", lambda n: reply(READY, n))
say("ready_of_another", reply(READY, 1))
say("failure_of_another", reply(FAILURE, 1, 0, b"x"))
say("not_text", lambda n: reply(ANSWER, n, 0, b"\xff\xfe"))
say("failure_not_text", lambda n: reply(FAILURE, n, 0, b"\xff\xfe"))
say("nested", b"[" * 15_000 + b"\n")
say("not_a_number", lambda n: framed(struct.pack("<BQi", CHOICE, n, 0)))
say("endless_line", b"x" * 40_000)
say("endless_text", lambda n: reply(ANSWER, n, 0, b"x" * 40_000))
say("one_too_long", lambda n: reply(ANSWER, n, 0, b"x" * (16_384 - 20)))
say("claims_too_much", lambda n: struct.pack("<IBQq", 16_381, CHOICE, n, 0))
say("claims_all_there_is", lambda n: struct.pack("<IBQq", 2**31 - 1, CHOICE, n, 0))
say("claims_less_than_nothing", lambda n: struct.pack("<iBQq", -1, CHOICE, n, 0))
say("claims_too_little", lambda n: struct.pack("<IBQq", 16, CHOICE, n, 0))
say("surrogate", lambda n: reply(ANSWER, n, 0, b"\xed\xa0\x80"))
say("empty_line", b"\n" * 4)
say("empty_packet", framed())
say("a_line_of_json", lambda n: b'{"type":"choice","id":%d,"option":0}\n' % n)
say("pickled", lambda n: framed(b"\x80\x04cos\nsystem\n(S'true'\ntR."))
say("below", lambda n: choice(n, -1), "illegal")
say("huge_number", lambda n: choice(n, 10**17), "illegal")
say("least_number", lambda n: choice(n, -(2**63)), "illegal")
say("no_such_option", lambda n: reply(ANSWER, n, 0, b"\x1b[31mwin"), "illegal")
say("no_word", lambda n: reply(ANSWER, n), "illegal")
say("half_a_line", b"\x11\0\0", "time")
say("half_a_packet", lambda n: choice(n)[:-1], "time")


@attack("time")
def trickle(bot: "Attacker") -> None:
    os.write(4, struct.pack("<I", 16_000))
    while True:
        os.write(4, b" ")
        time.sleep(0.01)


@attack("protocol")
def hang_up(bot: "Attacker") -> None:
    os.close(4)
    time.sleep(100)


# What is not there to be found
@attack("exception")
def leaked_descriptor(bot: "Attacker") -> None:
    for fd in range(5, 1024):
        try:
            os.fstat(fd)
        except OSError:
            continue
        return
    raise OSError("none")


@attack("exception")
def leaked_secret(bot: "Attacker") -> None:
    if "ARENA_SECRET" not in os.environ:
        raise KeyError("ARENA_SECRET")


@attack("exception")
def hidden_state(bot: "Attacker") -> None:
    """The arena's side of the table: its modules are where its state would be."""
    found = [name for name in sys.modules if name.split(".")[0] in ("arena", "leagues")]
    if not found:
        raise LookupError("no arena in here")


class Attacker(Bot):
    canary: str
    port: int
    name: str

    def __init__(self, canary: str = "/etc/hostname", port: str = "1", attack: str = "") -> None:
        self.canary = canary
        self.port = int(port)
        self.name = attack

    def start(self, seating: Seating) -> None:
        self.name = self.name or list(ATTACKS)[seating.seed]
        overhear()

    def decide(self, decision: Decision) -> str:
        ATTACKS[self.name][0](self)
        return "escaped"

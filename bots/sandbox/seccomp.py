"""Which system calls a bot may make: written down here, compiled in the arena by libseccomp."""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import select
import signal
import struct
import tempfile
from contextlib import suppress
from functools import cache
from threading import Thread
from typing import Any, Final

from bots.sandbox.errors import NoThreadsError
from bots.sandbox.lockdown import MAX_THREADS
from bots.sandbox.process_clock import count_threads

# A call's argument by its place, the bits of it that matter, and what they must be.
Condition = tuple[int, int, int]


def same(place: int, value: int) -> Condition:
    """The argument, of which the kernel reads 32 bits, is this."""
    return place, (1 << 32) - 1, value


def equal(place: int, value: int) -> Condition:
    """The argument, of which the kernel reads all bits, is this."""
    return place, (1 << 64) - 1, value


def _names(text: str) -> list[str]:
    return text.split()


# Every bot computes, reads files it is shown, and speaks over pipes it already has.
COMMON: Final = _names("""
    read readv pread64 preadv write writev close fstat newfstatat stat lstat statx lseek
    mprotect munmap mremap brk
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending sigaltstack restart_syscall
    getuid geteuid getgid getegid getgroups getresuid getresgid
    gettimeofday time times getrusage getrandom exit exit_group getcpu
    getcwd readlink readlinkat access faccessat faccessat2 getdents64 dup
    poll ppoll select pselect6 uname getrlimit
    set_robust_list rseq membarrier arch_prctl
""")
# Who has no thread and no child needs no number; it would tell how many matches were before.
NUMBERS: Final = _names("getpid gettid getppid getpgrp")

# A program of any language begins itself, and has what its run-time waits and wakes with.
PROGRAM: Final = _names("""
    execve open openat pwrite64 pwritev getdents chdir fchdir umask
    dup2 dup3 close_range pipe pipe2 wait4 waitid pause
    epoll_create epoll_create1 epoll_ctl epoll_wait epoll_wait_old epoll_pwait epoll_pwait2
    eventfd eventfd2 timerfd_create timerfd_settime timerfd_gettime signalfd signalfd4
    rt_sigtimedwait rt_sigsuspend sched_get_priority_max sched_get_priority_min
""")
# Each takes the next number of a count that all on a core share, and who opened it can read that:
# by opening many, one program would tell another something. So the arena lets some pass.
PIPES: Final = _names("pipe pipe2 socketpair")
# The kernel's limit counts all threads of a user, so without a user of its own a bot's threads are
# counted by the arena.
THREADS: Final = _names("clone")
# To itself alone: another filter, made where its number is known, sees to that.
SIGNALS: Final = _names("kill tgkill rt_sigqueueinfo rt_tgsigqueueinfo")

# What the first process of a container does besides, when its workers inherit its filter: none of
# it leads anywhere without a socket, a child, or leave to have one, and a worker has none of these.
FORKING: Final = _names("recvmsg wait4 dup2 dup3 close_range")

# Nobody calls these by mistake: the process dies, and that is a violation.
TRIPWIRE: Final = _names("""
    ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd process_madvise
    mount umount2 pivot_root chroot unshare setns fsopen fsconfig fsmount fspick move_mount
    open_tree mount_setattr name_to_handle_at open_by_handle_at quotactl swapon swapoff acct
    bpf perf_event_open userfaultfd keyctl add_key request_key
    init_module finit_module delete_module kexec_load kexec_file_load reboot
    settimeofday clock_settime adjtimex clock_adjtime sethostname setdomainname
    iopl ioperm modify_ldt syslog vhangup lookup_dcookie
""")
IO_URING: Final = _names("io_uring_setup io_uring_enter io_uring_register")

# What a program may be told it may not; what is in no list is not there, as in an older kernel.
REFUSED: Final = _names("""
    socket connect bind listen accept accept4 sendto sendmsg sendmmsg recvmsg
    shmget shmat shmctl semget semop msgget msgsnd msgrcv mq_open memfd_create memfd_secret
    flock fanotify_init inotify_init inotify_init1 setsid setpgid fork vfork
    sched_setaffinity sched_setscheduler sched_setparam sched_setattr setpriority ioprio_set
    setuid setgid setreuid setregid setresuid setresgid setgroups capset setrlimit
    truncate ftruncate mknod mknodat mkdir mkdirat rename renameat renameat2 link linkat symlink
    symlinkat unlink unlinkat rmdir chmod fchmod fchmodat chown fchown lchown fchownat
    utime utimes futimesat utimensat sync syncfs
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
    timer_create setitimer alarm tkill
""")

WRITING: Final = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC | os.O_APPEND | 0o20000000  # O_TMPFILE
CLONE_FORK: Final = 0x1200000  # bits of a plain fork: where its number is written and cleared
CLONE_THREAD: Final = 0x10000  # a thread of the same process, not a process
# What a thread shares, in every run-time; one with descriptors of its own has as many once more.
CLONE_SHARED: Final = CLONE_THREAD | 0xF00
# What else a run-time may ask for. Not a descriptor of the thread: its number counts all tasks that
# were ever started on the machine, whoever started them.
CLONE_DETAILS: Final = 0x17C0000
MAP_SHARED: Final = 0x1
MAP_ANONYMOUS: Final = 0x20
MAP_GROWSDOWN: Final = 0x100
# madvise: what concerns a process's own pages, not those of files that others map, nor merging.
ADVICE: Final = (0, 1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 25)
SOMEBODYS_CLOCK: Final = 0xFFFFFFF0  # bits that only the number of a process's own clock has
# futex: wait, wake, move waiters, all in memory of its own; not what writes down its number.
PRIVATE_WAITS: Final = tuple(128 | operation for operation in (0, 1, 3, 4, 5, 9, 10, 256 | 9))
# To join a thread: waits that the end of a thread wakes, and no call.
SHARED_WAITS: Final = (0, 9, 256 | 9)
AF_UNIX: Final = 1
SOCK_STREAM: Final = 1  # and not closed when another program begins, as most ask for
QUERIES: Final = (1, 2, 3, 1030)  # fcntl: descriptor flags, status flags, duplicate
STATUS: Final = (4, 1032)  # fcntl: set status flags, a pipe's size
TERMINAL: Final = (0x5401, 0x541B, 0x5450, 0x5451)  # ioctl: is it a terminal, bytes left, cloexec
WINDOW: Final = (0x5413, 0x5421)  # ioctl: size of a terminal, do not block
PR_SET_PDEATHSIG: Final = 1
# prctl: a thread's name, whether it is dumped, capabilities, privileges, names of mappings
NAMES: Final = (3, 15, 16, 23, 38, 39, 0x53564D41)

MAX_PIPES: Final = 64  # in a match: Node opens four, and one for every worker of its own
MAX_REFUSED: Final = 1000  # calls, after which the arena is not asked any more
RECEIVE: Final = 0xC0502100  # ioctl: who waits, and what for
SEND: Final = 0xC0182101  # ioctl: what becomes of it
WAITING: Final = 80  # bytes
ASKED: Final = struct.Struct("=Q8xi")  # which request this is, and the number of the call
ANSWER: Final = struct.Struct("=QqiI")
CONTINUE: Final = 1  # let it make the call


class NoSeccomp(Exception):  # noqa: N818 - a finding about the machine
    """The policy cannot be compiled here; the text says why."""


class Policy:
    """The rules of one filter, as libseccomp has them."""

    def __init__(self, default: int) -> None:
        try:
            import pyseccomp
        except (ImportError, OSError, RuntimeError, AttributeError) as problem:
            raise NoSeccomp(f"libseccomp cannot be used: {problem}") from None
        self.library: Any = pyseccomp
        action = self.library.ERRNO(default)
        self.rules = self.library.SyscallFilter(action)
        self.rules.set_attr(self.library.Attr.ACT_BADARCH, self.library.KILL_PROCESS)

    def allow(self, names: list[str], *where: Condition) -> None:
        """Allow calls, where all of this is so; said more than once, where any is."""
        self._add(self.library.ALLOW, names, where)

    def refuse(self, code: int, names: list[str], *where: Condition) -> None:
        """Have calls fail with another error than the rest."""
        self._add(self.library.ERRNO(code), names, where)

    def kill(self, names: list[str]) -> None:
        """End a process that makes these calls."""
        self._add(self.library.KILL_PROCESS, names, ())

    def _add(self, action: int, names: list[str], where: tuple[Condition, ...]) -> None:
        args = [
            self.library.Arg(place, self.library.MASKED_EQ, mask, value)
            for place, mask, value in where
        ]
        for name in names:
            if self.number(name) >= 0:
                self.rules.add_rule(action, name, *args)

    def number(self, name: str) -> int:
        """A call's number here; less than 0 if this machine or library knows none."""
        try:
            return int(self.library.resolve_syscall(self.library.Arch.NATIVE, name))
        except (OSError, ValueError):
            return -1  # too new for this library: the default serves

    def compile(self) -> bytes:
        """What the kernel takes."""
        with tempfile.TemporaryFile() as file:
            self.rules.export_bpf(file)
            file.seek(0)
            return file.read()


@cache
def compile_policy(program: bool = False, threads: bool = False, forking: bool = False) -> bytes:
    """The filter for a Python bot, with threads or without, or for a program of any language.

    One that may fork is for a zygote whose workers inherit it: what keeps these from forking is a
    limit of no process at all.
    """
    policy = Policy(errno.ENOSYS if program else errno.EPERM)
    policy.kill(TRIPWIRE)
    _allow_common(policy)
    if program or threads:
        _allow_threads(policy, program)
    else:
        policy.refuse(0, NUMBERS)  # with no error: each is 0
    if program:
        _allow_program(policy)
    else:
        _allow_python(policy)
    if forking:
        _allow_zygote(policy)
    return policy.compile()


def own_signals() -> list[int]:
    """Numbers of the calls that send a signal to the process in their first argument."""
    return _numbers(SIGNALS)


def counted_pipes() -> list[int]:
    """Numbers of the calls that open a pipe or a pair of sockets."""
    return _numbers(PIPES)


def counted_threads() -> list[int]:
    """Numbers of the calls that start a thread."""
    return _numbers(THREADS)


def _numbers(names: list[str]) -> list[int]:
    policy = Policy(errno.EPERM)
    return [number for name in names if (number := policy.number(name)) >= 0]


def _allow_common(policy: Policy) -> None:
    policy.allow(COMMON)
    policy.allow(["prlimit64"], equal(0, 0), equal(2, 0))  # its own, to ask and not to set
    policy.allow(["sched_getaffinity"], same(0, 0))
    policy.allow(["clock_gettime", "clock_getres", "clock_nanosleep"], (0, SOMEBODYS_CLOCK, 0))
    policy.allow(["nanosleep"])
    for operation in PRIVATE_WAITS:
        policy.allow(["futex"], same(1, operation))
    for advice in ADVICE:
        policy.allow(["madvise"], same(2, advice))
    for command in (0, *QUERIES):
        policy.allow(["fcntl"], same(1, command))
    for request in TERMINAL:
        policy.allow(["ioctl"], same(1, request))


def _allow_threads(policy: Policy, join: bool) -> None:
    # Who has one thread has nobody to let go first: it would wait for a processor, in a queue that
    # others fill, and seem to be kept from computing.
    policy.allow([*NUMBERS, "set_tid_address", "sched_yield"])
    policy.allow(["clone"], (0, ~CLONE_DETAILS & (1 << 64) - 1, CLONE_SHARED))
    for operation in SHARED_WAITS:
        if join:
            policy.allow(["futex"], same(1, operation))
        else:  # Python joins a thread that is about to end: it looks again, and is not woken
            policy.refuse(errno.EAGAIN, ["futex"], same(1, operation))


def _allow_python(policy: Policy) -> None:
    policy.kill(IO_URING)
    policy.refuse(errno.ENOSYS, ["clone3"])  # the C library falls back to clone
    policy.allow(["mmap"], (3, MAP_GROWSDOWN, 0))  # the rest counts as its address space
    policy.allow(["open"], (1, WRITING, 0))
    policy.allow(["openat"], (2, WRITING, 0))


def _allow_program(policy: Policy) -> None:
    policy.allow([*PROGRAM, *SIGNALS])
    policy.refuse(errno.EPERM, REFUSED)
    policy.refuse(errno.EPERM, ["clone"], (0, CLONE_THREAD, 0))
    # What is shared, or grows by itself, is not in the limit of its data.
    policy.allow(["mmap"], (3, MAP_SHARED | MAP_GROWSDOWN, 0))
    policy.allow(["mmap"], (3, MAP_ANONYMOUS | MAP_GROWSDOWN, 0))
    # As Java asks for one before it reads a file; only write sends, and nobody is given an end.
    policy.allow(["socketpair"], same(0, AF_UNIX), same(1, SOCK_STREAM))
    policy.allow(["getpgid", "getsid"], same(0, 0))
    policy.allow(["getpriority"], same(0, 0), same(1, 0))
    for command in STATUS:
        policy.allow(["fcntl"], same(1, command))
    for request in WINDOW:
        policy.allow(["ioctl"], same(1, request))
    for option in NAMES:
        policy.allow(["prctl"], same(0, option))


def _allow_zygote(policy: Policy) -> None:
    policy.allow(FORKING)
    policy.allow(["clone"], (0, ~CLONE_FORK & (1 << 64) - 1, signal.SIGCHLD))
    # Its own limit of processes, which only falls. Not that of time: who lets it run out is killed
    # by the kernel, as if the machine had failed.
    policy.allow(["prlimit64"], equal(0, 0), equal(1, resource.RLIMIT_NPROC))
    policy.allow(["prctl"], same(0, PR_SET_PDEATHSIG), same(1, signal.SIGKILL))


class CountedCalls:
    """Answers a worker whose filter asks: some pipes in a match, some threads at a time.

    A thread does so, because a bot may ask while the arena hears another bot, or a person thinks.
    It ends with the worker.
    """

    def __init__(self, fd: int, pidfd: int, pid: int) -> None:
        self.fd = fd
        self.pid = pid
        self.threads = counted_threads()
        self.pipes_left = MAX_PIPES
        self.refusals_left = MAX_REFUSED
        self.answering = Thread(target=self._serve, args=(pidfd,), daemon=True)
        try:
            self.answering.start()
        except RuntimeError:
            raise NoThreadsError from None

    def _serve(self, pidfd: int) -> None:
        """Answer until the worker has ended, or asked too often.

        Once the arena has closed its end, the kernel says that there is no such call.
        """
        poller = select.poll()
        for fd in (self.fd, pidfd):
            poller.register(fd, select.POLLIN)
        try:
            while poller.poll() == [(self.fd, select.POLLIN)]:
                if not self._answer():
                    break
        finally:
            os.close(self.fd)

    def _answer(self) -> bool:
        """Answer the process that waits; whether it may ask again."""
        # A process that was interrupted meanwhile asks again, and its pipe is counted again.
        with suppress(OSError):
            waiting = fcntl.ioctl(self.fd, RECEIVE, bytes(WAITING))
            identity, call = ASKED.unpack_from(waiting)
            error = self._refusal(call)
            self.refusals_left -= bool(error)
            fcntl.ioctl(self.fd, SEND, ANSWER.pack(identity, 0, -error, 0 if error else CONTINUE))
        return self.refusals_left > 0

    def _refusal(self, call: int) -> int:
        """The error that a call fails with; 0 if it may be made."""
        if call in self.threads:  # a count that cannot be read is 0 and allows none
            return 0 if 0 < count_threads(self.pid) < MAX_THREADS else errno.EAGAIN
        self.pipes_left -= 1
        return 0 if self.pipes_left >= 0 else errno.ENOSYS

    def close(self) -> None:
        """Wait for the thread, once the worker was killed."""
        self.answering.join()

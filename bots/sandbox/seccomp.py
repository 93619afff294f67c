"""Which system calls a bot may make: written down here, compiled in the arena by libseccomp."""

from __future__ import annotations

import errno
import os
import resource
import signal
import tempfile
from collections.abc import Callable
from functools import cache
from typing import Any, Final


def _names(text: str) -> list[str]:
    return text.split()


# A Python bot computes, reads files it is shown, and speaks over pipes it already has.
PYTHON: Final = _names("""
    read readv pread64 preadv write writev close fstat newfstatat stat lstat statx lseek
    mmap mprotect munmap mremap madvise brk
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending sigaltstack restart_syscall
    getpid gettid getppid getuid geteuid getgid getegid getgroups getresuid getresgid getpgrp
    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrusage
    getrandom exit exit_group futex sched_yield sched_getaffinity getcpu
    getcwd readlink readlinkat access faccessat faccessat2 getdents64 dup
    poll ppoll select pselect6 uname sysinfo getrlimit
    set_robust_list set_tid_address rseq membarrier arch_prctl
""")

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

# A program of any language may do the rest, but not these: ways to others, or past its end.
REFUSED: Final = _names("""
    socket connect bind listen accept accept4 sendto sendmsg sendmmsg recvmsg
    shmget shmat shmctl semget semop msgget msgsnd msgrcv mq_open memfd_create memfd_secret
    flock fanotify_init inotify_init inotify_init1 setsid setpgid
    sched_setaffinity sched_setscheduler sched_setparam sched_setattr setpriority ioprio_set
    migrate_pages move_pages mbind set_mempolicy personality process_mrelease
    setuid setgid setreuid setregid setresuid setresgid setgroups capset
    truncate ftruncate mknod mknodat mkdir mkdirat rename renameat renameat2 link linkat symlink
    symlinkat unlink unlinkat rmdir chmod fchmod fchmodat chown fchown lchown fchownat
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
""")

WRITING: Final = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC | os.O_APPEND | 0o20000000  # O_TMPFILE
CLONE_NEW: Final = 0x7E020080  # any new namespace
CLONE_FORK: Final = 0x1200000  # bits of a plain fork: where its number is written and cleared
CLONE_THREAD: Final = 0x10000  # a thread of the same process, not a process
QUERIES: Final = (1, 2, 3, 1030)  # fcntl: descriptor flags, status flags, duplicate
TERMINAL: Final = (0x5401, 0x541B, 0x5450, 0x5451)  # ioctl: is it a terminal, bytes left, cloexec
PR_SET_PDEATHSIG: Final = 1
LOCKS: Final = (6, 7, 37, 38, 8, 10, 1024, 1026, 1031)  # fcntl: locks, owners, leases, pipe sizes


class NoSeccomp(Exception):  # noqa: N818 - a finding about the machine
    """The policy cannot be compiled here; the text says why."""


@cache
def compile_policy(program: bool = False, threads: bool = False, forking: bool = False) -> bytes:
    """The filter for a Python bot, with threads or without, or for a program of any language.

    One that may fork is for a zygote whose workers inherit it: what keeps these from forking is a
    limit of no process at all.
    """
    try:
        import pyseccomp as seccomp
    except (ImportError, OSError, RuntimeError, AttributeError) as problem:
        raise NoSeccomp(f"libseccomp cannot be used: {problem}") from None
    default = seccomp.ALLOW if program else seccomp.ERRNO(errno.EPERM)
    rules = seccomp.SyscallFilter(default)
    rules.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)

    def add(action: int, names: list[str], *args: object) -> None:
        for name in names:
            try:
                number = seccomp.resolve_syscall(seccomp.Arch.NATIVE, name)
            except (OSError, ValueError):
                continue  # too new for this library: the default serves
            if number >= 0:
                rules.add_rule(action, name, *args)

    add(seccomp.KILL_PROCESS, TRIPWIRE)
    add(seccomp.ERRNO(errno.ENOSYS), ["clone3"])  # the C library falls back to clone
    if program:
        _refuse_for_program(seccomp, add)
    else:
        _allow_for_python(seccomp, add)
        if threads:
            thread = seccomp.Arg(0, seccomp.MASKED_EQ, CLONE_THREAD, CLONE_THREAD)
            add(seccomp.ALLOW, ["clone"], thread)
        if forking:
            _allow_for_zygote(seccomp, add)
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def _refuse_for_program(seccomp: Any, add: Callable[..., None]) -> None:
    arg = seccomp.Arg
    add(seccomp.ERRNO(errno.EPERM), REFUSED)
    add(seccomp.ERRNO(errno.ENOSYS), IO_URING)  # run-times try it out
    for bit in (1 << shift for shift in range(32) if CLONE_NEW >> shift & 1):
        add(seccomp.ERRNO(errno.EPERM), ["clone"], arg(0, seccomp.MASKED_EQ, bit, bit))
    for command in LOCKS:
        add(seccomp.ERRNO(errno.EPERM), ["fcntl"], arg(1, seccomp.EQ, command))
    # Putting characters into a terminal's input, in both spellings the kernel knows.
    add(seccomp.ERRNO(errno.EPERM), ["ioctl"], arg(1, seccomp.MASKED_EQ, 0xFFFFFFFF, 0x5412))


def _allow_for_python(seccomp: Any, add: Callable[..., None]) -> None:
    arg = seccomp.Arg
    add(seccomp.KILL_PROCESS, IO_URING)
    add(seccomp.ALLOW, PYTHON)
    add(seccomp.ALLOW, ["open"], arg(1, seccomp.MASKED_EQ, WRITING, 0))
    add(seccomp.ALLOW, ["openat"], arg(2, seccomp.MASKED_EQ, WRITING, 0))
    add(seccomp.ALLOW, ["prlimit64"], arg(2, seccomp.EQ, 0))  # to ask, not to set
    for command in (0, *QUERIES):
        add(seccomp.ALLOW, ["fcntl"], arg(1, seccomp.EQ, command))
    for request in TERMINAL:
        add(seccomp.ALLOW, ["ioctl"], arg(1, seccomp.EQ, request))


def _allow_for_zygote(seccomp: Any, add: Callable[..., None]) -> None:
    arg = seccomp.Arg
    add(seccomp.ALLOW, FORKING)
    plain = arg(0, seccomp.MASKED_EQ, ~CLONE_FORK & (1 << 64) - 1, signal.SIGCHLD)
    add(seccomp.ALLOW, ["clone"], plain)
    # Its own limit of processes, which only falls. Not that of time: who lets it run out is killed
    # by the kernel, as if the machine had failed.
    mine = arg(0, seccomp.EQ, 0), arg(1, seccomp.EQ, resource.RLIMIT_NPROC)
    add(seccomp.ALLOW, ["prlimit64"], *mine)
    killed = arg(0, seccomp.EQ, PR_SET_PDEATHSIG), arg(1, seccomp.EQ, signal.SIGKILL)
    add(seccomp.ALLOW, ["prctl"], *killed)

"""The kernel's layers around a worker: own uid, rlimits, seccomp and Landlock, each probed, none assumed.

Trusted code that runs in the worker before any of the student's; standard library alone. Each function
returns None where the layer was obtained and otherwise says why it was not. System call numbers and
structures are those of the Linux headers <asm/unistd.h>, <linux/seccomp.h> and <linux/landlock.h>.
"""

from __future__ import annotations

import ctypes
import os
import pathlib
import platform
import struct
import sys
from collections.abc import Iterable

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38
ADDR_NO_RANDOMIZE = 0x0040000
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
# Landlock's file rights by the ABI that brought them: 13 at first, then refer, truncate, ioctl on devices.
RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
READ_FILE, READ_DIR, WRITE_FILE, REMOVE_FILE, MAKE_REG, TRUNCATE = 1 << 2, 1 << 3, 1 << 1, 1 << 5, 1 << 8, 1 << 14
SCOPED_SINCE = 6
# systemd's range for short-lived services' users, so that no person's account is among them.
UID_FIRST, UID_COUNT = 61184, 4336

ALLOWED = {
    "x86_64": (
        "0 1 3 5 7 8 9 10 11 12 13 14 15 16 17 18 19 20 22 23 24 25 26 27 28 32 33 35 36 38 39 60 63 72 74 75 77 79 "
        "96 97 98 99 100 102 104 107 108 110 111 115 118 120 131 138 158 186 202 204 217 218 219 228 229 230 231 "
        "232 233 270 271 273 281 291 292 293 309 318 324 334 436"
    ),
    "aarch64": (
        "17 20 21 22 23 24 25 29 44 46 57 59 61 62 63 64 65 66 67 68 72 73 80 82 83 93 94 96 98 99 101 102 103 113 "
        "114 115 123 124 128 132 134 135 139 148 150 153 158 160 163 165 168 169 172 173 174 175 176 177 178 179 "
        "214 215 216 222 226 227 232 233 278 283 293 436"
    ),
}
# open, stat, access, unlink, rename, readlink and their kin: left out where Landlock cannot watch them.
FILES = {
    "x86_64": "2 4 6 21 80 82 85 87 89 257 262 263 264 267 269 316 332 439",
    "aarch64": "35 38 48 49 56 78 79 276 291 439",
}
PRLIMIT = {"x86_64": 302, "aarch64": 261}
AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

libc = ctypes.CDLL(None, use_errno=True)


def _failed(what: str) -> str:
    return f"{what}: {os.strerror(ctypes.get_errno())}"


def die_with_parent() -> None:
    """Ask for SIGKILL when the zygote ends; the kernel forgets this at a change of uid."""
    if sys.platform == "linux":
        libc.prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0)


def hide_memory() -> None:
    """Keep this process's memory from others of the same user: a worker could otherwise rewrite the zygote's."""
    if sys.platform == "linux":
        libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def fix_addresses() -> bool:
    """Have the next program's memory at the same addresses each time; True where that is new and takes an exec.

    A set of objects is ordered by their addresses; without this a faulty submission whose gradients hang on
    that order would score differently from one grading to the next.
    """
    if sys.platform != "linux":
        return False
    # Root regains at each exec what it gave up but could have again, and the kernel then resets the personality.
    held = _capabilities("CapPrm")
    for number in range(64):
        if not held >> number & 1:
            libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)
    now = libc.personality(0xFFFFFFFF)
    return not now & ADDR_NO_RANDOMIZE and libc.personality(now | ADDR_NO_RANDOMIZE) != -1


def _capabilities(kind: str) -> int:
    try:
        lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return -1
    return next((int(line.split()[1], 16) for line in lines if line.startswith(kind)), -1)


def adopt_orphans() -> None:
    """Become the parent of any process that a worker starts and abandons, so that none outlives its check."""
    if sys.platform == "linux":
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def no_new_privs() -> str | None:
    if sys.platform != "linux":
        return "only Linux has it"
    return _failed("prctl") if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) else None


def own_uid(scratch: str) -> str | None:
    """Give up root for a uid of the worker's own, which owns `scratch`."""
    if os.getuid() != 0:
        return "not started by root"
    uid = UID_FIRST + os.getpid() % UID_COUNT
    try:
        os.chown(scratch, uid, uid)
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    except OSError as error:
        return str(error)
    return None


def limits(memory: int, seconds: int) -> str | None:
    """Limit address space (bytes), processor time (s), file size, descriptors, processes and core files."""
    if resource is None:
        return "this system has none"
    wanted = {
        resource.RLIMIT_CPU: (seconds, seconds + 1),
        resource.RLIMIT_FSIZE: (1 << 20, 1 << 20),
        resource.RLIMIT_NOFILE: (32, 32),
        resource.RLIMIT_CORE: (0, 0),
    }
    if sys.platform == "linux":
        wanted[resource.RLIMIT_AS] = (memory, memory)
        if os.getuid() >= UID_FIRST:
            wanted[resource.RLIMIT_NPROC] = (1, 1)
    try:
        for which, (soft, hard) in wanted.items():
            ceiling = resource.getrlimit(which)[1]
            hard = hard if ceiling == resource.RLIM_INFINITY else min(hard, ceiling)
            resource.setrlimit(which, (min(soft, hard), hard))
    except (OSError, ValueError) as error:
        return str(error)
    return None


def seccomp(files: bool) -> str | None:
    """Allow the system calls that computing needs, and those on files only where `files` says so.

    Everything else (fork, exec, sockets, signals to others, ptrace, mounts, keys) fails with EPERM, which
    Python turns into an exception in the student's own code.
    """
    machine = platform.machine()
    if sys.platform != "linux" or machine not in ALLOWED:
        return f"no filter for {sys.platform} on {machine}"
    numbers = sorted({int(n) for n in f"{ALLOWED[machine]} {FILES[machine] if files else ''}".split()})
    load, equal, at_least, give, allow, deny = 0x20, 0x15, 0x35, 0x06, 0x7FFF0000, 0x00050001
    program = [(load, 0, 0, 4), (equal, 1, 0, AUDIT_ARCH[machine]), (give, 0, 0, 0x80000000), (load, 0, 0, 0)]
    body: list[tuple[int, int, int, int]] = []
    for at, number in enumerate(numbers):
        body.append((equal, len(numbers) - at + 5, 0, number))
    # prlimit on oneself only: with one uid, a limit of 0 s would kill the grader.
    body += [(equal, 0, 4, PRLIMIT[machine]), (load, 0, 0, 16), (equal, 0, 2, 0), (load, 0, 0, 20), (equal, 1, 0, 0)]
    body += [(give, 0, 0, deny), (give, 0, 0, allow)]
    # The x32 calls share x86-64's architecture number and would pass under other numbers.
    program += [(at_least, 0, 1, 0x40000000), (give, 0, 0, deny), *body]
    code = b"".join(struct.pack("HBBI", *step) for step in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer))
    return _failed("prctl") if libc.prctl(PR_SET_SECCOMP, 2, ctypes.create_string_buffer(head), 0, 0) else None


def landlock_abi() -> int:
    return int(libc.syscall(LANDLOCK_CREATE, None, 0, 1)) if sys.platform == "linux" else -1


def landlock_rules(readable: Iterable[str], writable: str) -> int | str:
    """A rule set's descriptor: files below `readable` can be read, those in `writable` also made and written.

    All else is out of reach, as are TCP ports, other processes' signals and abstract sockets where the kernel
    knows those rights. Returns why not where there is no Landlock.
    """
    abi = landlock_abi()
    if abi < 1:
        return "the kernel has no Landlock"
    rights = (1 << max(count for since, count in RIGHTS.items() if since <= abi)) - 1
    head = struct.pack("QQQ", rights, 0b11 if abi >= 4 else 0, 0b11 if abi >= SCOPED_SINCE else 0)
    rules = int(libc.syscall(LANDLOCK_CREATE, head, len(head), 0))
    if rules < 0:
        return _failed("landlock_create_ruleset")
    full = READ_FILE | READ_DIR | WRITE_FILE | REMOVE_FILE | MAKE_REG | TRUNCATE
    for path, wanted in [*((path, READ_FILE | READ_DIR) for path in readable), (writable, full)]:
        try:
            opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        allowed = wanted & rights & (~0 if os.path.isdir(path) else ~READ_DIR)
        libc.syscall(LANDLOCK_ADD, rules, 1, struct.pack("=Qi", allowed, opened), 0)
        os.close(opened)
    return rules


def landlock(rules: int | str) -> str | None:
    if isinstance(rules, str):
        return rules
    return _failed("landlock_restrict_self") if libc.syscall(LANDLOCK_RESTRICT, rules, 0) else None

"""Runs a command as Docker's default profile would: `python docker_profile.py COMMAND [ARGUMENT...]`.

No container engine is needed. The capabilities left are Docker's default fourteen, and a seccomp filter answers as
moby's default profile does to a process without CAP_SYS_ADMIN: no namespaces, mounts, keys, bpf, and of personality
only the values that it lists (source: moby/profiles/seccomp/default.json). It is a list of refusals where the profile
is a list of permissions, so calls that neither this project nor CPython makes are not told apart. File systems and
process numbers stay the machine's own.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys

PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 22, 24, 38
# chown, dac_override, fowner, fsetid, kill, setgid, setuid, setpcap, net_bind_service, net_raw, sys_chroot, mknod,
# audit_write, setfcap
KEPT = {0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31}
ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026
NAMESPACES = 0x7E020000
PERSONALITIES = (0x0, 0x0008, 0x20000, 0x20008, 0xFFFFFFFF)
# mount, umount2, pivot_root, swapon, swapoff, reboot, sethostname, setdomainname, iopl, ioperm, init_module,
# delete_module, quotactl, add_key, request_key, keyctl, unshare, perf_event_open, open_by_handle_at, setns, kcmp,
# finit_module, kexec_load, bpf, userfaultfd, open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr
REFUSED = {
    "x86_64": (
        "165 166 155 167 168 169 170 171 172 173 175 176 179 248 249 250 272 298 304 308 312 313 246 321 323 428 429 430 431 432 "
        "433 442"
    ),
    "aarch64": "40 39 41 224 225 142 161 162 105 106 60 217 218 219 97 241 265 268 272 273 104 280 282 428 429 430 431 432 433 442",
}
CLONE, CLONE3, PERSONALITY = {"x86_64": 56, "aarch64": 220}, 435, {"x86_64": 135, "aarch64": 92}


def program(machine: str) -> bytes:
    """The filter as an array of struct sock_filter."""
    load, equal, any_bit, give = 0x20, 0x15, 0x45, 0x06
    steps = [(load, 0, 0, 0)]
    for number in REFUSED[machine].split():
        steps += [(equal, 0, 1, int(number)), (give, 0, 0, EPERM)]
    steps += [(equal, 0, 1, CLONE3), (give, 0, 0, ENOSYS)]
    steps += [
        (equal, 0, 4, CLONE[machine]),
        (load, 0, 0, 16),
        (any_bit, 0, 1, NAMESPACES),
        (give, 0, 0, EPERM),
        (give, 0, 0, ALLOW),
    ]
    steps += [(equal, 0, len(PERSONALITIES) + 2, PERSONALITY[machine]), (load, 0, 0, 16)]
    steps += [(equal, len(PERSONALITIES) - at, 0, value) for at, value in enumerate(PERSONALITIES)]
    steps += [(give, 0, 0, EPERM), (give, 0, 0, ALLOW)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def enter() -> None:
    """Put this process, and all that it starts, behind the profile. Raises OSError where the kernel refuses."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = program(platform.machine())
    buffer = ctypes.create_string_buffer(code, len(code))
    head = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(buffer)))
    if os.geteuid() != 0:
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.prctl(PR_SET_SECCOMP, 2, head, 0, 0):
        raise OSError(ctypes.get_errno(), "the filter was refused")
    for number in set(range(64)) - KEPT:
        libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)


if __name__ == "__main__":
    enter()
    os.execvp(sys.argv[1], sys.argv[1:])

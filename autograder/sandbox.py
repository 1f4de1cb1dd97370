"""Starts workers behind the kernel's layers, talks to them under deadlines, and names the layers obtained."""

from __future__ import annotations

import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from .errors import GraderError, InputError
from .protocol import REPLY_LIMIT, ProtocolError, parse

LAYERS = ("uid", "rlimits", "seccomp", "landlock", "bubblewrap")
SCRATCH_LIMIT = 16 << 20
START_SECONDS = 20.0
HERE = Path(__file__).parent


class WorkerDied(Exception):
    """The worker's process ended before it answered."""


class WorkerLate(Exception):
    """The worker did not answer before the deadline and was killed."""


@dataclass(frozen=True)
class Policy:
    """How workers are confined: address space in bytes, processor seconds of a whole life, layers left out.

    `required` refuses where nothing confines; `fixed_addresses` makes the order of a set of objects the same in
    every worker, and is for proofs to switch off.
    """

    memory: int = 512 << 20
    cpu: int = 120
    without: frozenset[str] = frozenset()
    required: bool = True
    fixed_addresses: bool = True


@dataclass
class Obtained:
    """Which layers a worker stands behind, and why the others are missing."""

    layers: tuple[str, ...]
    missing: dict[str, str] = field(default_factory=dict)

    @property
    def confines(self) -> bool:
        """Whether the worker can neither read the grader's files nor reach its process."""
        held = set(self.layers)
        return bool({"seccomp", "bubblewrap"} & held) or {"landlock", "uid"} <= held


class Zygote:
    """The fork server's process; `spawn` gives a fresh confined worker in a few milliseconds.

    Raises GraderError where it cannot be started.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.scratch = tempfile.mkdtemp(prefix="autograder-")
        os.chmod(self.scratch, 0o711)
        self.boxed = False
        self.no_box = "switched off" if "bubblewrap" in policy.without else ""
        if not self.no_box:
            self.no_box = "bwrap is not installed" if not shutil.which("bwrap") else ""
        if not self.no_box:
            self.boxed = self._start(box=True)
            self.no_box = "" if self.boxed else "bwrap cannot make namespaces here"
        if not self.boxed and not self._start(box=False):
            self._remove()
            raise GraderError("the worker process could not be started: is this Python's standard library complete?")

    def _start(self, box: bool) -> bool:
        ours, theirs = socket.socketpair()
        place = "/grader" if box else str(HERE)
        config = {
            "confine": f"{place}/confine.py",
            "worker": f"{place}/worker.py",
            "scratch": "/tmp" if box else self.scratch,
            "memory": self.policy.memory,
            "cpu": self.policy.cpu,
            "without": sorted(self.policy.without),
            "fixed_addresses": self.policy.fixed_addresses,
            "boxed": box,
        }
        command = [sys.executable, "-s", "-S", "-B", f"{place}/zygote.py", str(theirs.fileno()), json.dumps(config)]
        command = _bubblewrap() + command if box else command
        # The real interpreter, not a virtual environment's link to it: -S leaves the environment out anyway.
        command[command.index(sys.executable)] = os.path.realpath(sys.executable)
        self.process = subprocess.Popen(
            command,
            pass_fds=[theirs.fileno()],
            # Workers empty this too; the hash seed makes the order of a set of strings the same each time.
            env={"PYTHONHASHSEED": "0"},
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        theirs.close()
        ours.settimeout(START_SECONDS)
        self.control = ours
        try:
            return self._control_line().get("ready") is True
        except GraderError:
            self._stop()
            return False

    def _control_line(self) -> dict[str, Any]:
        data = b""
        while not data.endswith(b"\n"):
            try:
                more = self.control.recv(4096)
            except OSError as error:
                raise GraderError(f"the fork server does not answer: {error}") from None
            if not more:
                raise GraderError("the fork server has ended")
            data += more
        reply: dict[str, Any] = json.loads(data)
        return reply

    def spawn(self, modules: dict[str, str], name: str, seed: int) -> Worker:
        """A fresh worker whose student module is called `name` and can import `modules` (name to source).

        `seed` is what `random` starts from in each of its tests.

        Raises InputError where nothing confines it and the policy requires that something does.
        """
        ours, theirs = socket.socketpair()
        job = json.dumps({"modules": modules, "name": name, "seed": seed}).encode() + b"\n"
        try:
            sent = socket.send_fds(self.control, [job], [theirs.fileno()])
            self.control.sendall(job[sent:])
            pid = int(self._control_line()["pid"])
        except (OSError, GraderError) as error:
            ours.close()
            raise GraderError(f"the fork server does not answer: {error}") from None
        finally:
            theirs.close()
        worker = Worker(self, pid, ours)
        try:
            report = worker.receive(START_SECONDS)["layers"]
        except (WorkerDied, WorkerLate, ProtocolError, KeyError) as error:
            worker.close()
            raise GraderError(f"a worker did not start: {error}") from None
        report["bubblewrap"] = self.no_box or None
        gained = tuple(layer for layer in LAYERS if report[layer] is None)
        worker.obtained = Obtained(gained, {layer: report[layer] for layer in LAYERS if report[layer] is not None})
        if self.policy.required and not worker.obtained.confines:
            worker.close()
            reasons = "; ".join(f"{layer}: {why}" for layer, why in worker.obtained.missing.items())
            raise InputError(
                f"nothing here confines the submitted code ({reasons}); "
                "use Linux with seccomp, or add --no-sandbox for code you trust"
            )
        return worker

    def end(self, pid: int) -> None:
        """Kill one worker and what it left; returns when it is gone."""
        try:
            self.control.sendall(json.dumps({"end": pid}).encode() + b"\n")
        except OSError as error:
            raise GraderError(f"the fork server does not answer: {error}") from None
        self._control_line()

    def too_much_written(self, pid: int) -> bool:
        """Whether a worker has filled its scratch folder; inside bubblewrap the file system itself is small."""
        try:
            entries = os.scandir(os.path.join(self.scratch, str(pid)))
            return sum(entry.stat(follow_symlinks=False).st_size for entry in entries) > SCRATCH_LIMIT
        except OSError:
            return False

    def _stop(self) -> None:
        self.control.close()
        try:
            self.process.wait(START_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _remove(self) -> None:
        shutil.rmtree(self.scratch, ignore_errors=True)

    def close(self) -> None:
        self._stop()
        self._remove()

    def __enter__(self) -> Zygote:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class Worker:
    """One worker process: a request goes out, one reply line comes back before a deadline."""

    def __init__(self, zygote: Zygote, pid: int, channel: socket.socket) -> None:
        self.zygote, self.pid, self.channel = zygote, pid, channel
        self.obtained = Obtained(())
        self.asked = 0

    def ask(self, request: dict[str, Any], wall: float) -> dict[str, Any]:
        """The reply to one request.

        Raises WorkerDied, WorkerLate (after `wall` seconds) or ProtocolError; after each, close this worker.
        """
        self.asked += 1
        if select.select([self.channel], [], [], 0)[0]:
            raise self._unasked()
        try:
            self.channel.settimeout(wall)
            self.channel.sendall(json.dumps({"id": self.asked, **request}).encode() + b"\n")
        except TimeoutError:
            raise WorkerLate from None
        except OSError:
            raise WorkerDied from None
        reply = self.receive(wall)
        if reply.get("id") != self.asked:
            raise ProtocolError("a reply to something that was not asked")
        return reply

    def _unasked(self) -> Exception:
        self.channel.settimeout(1)
        try:
            return ProtocolError("bytes that were not asked for") if self.channel.recv(1) else WorkerDied()
        except OSError:
            return WorkerDied()

    def receive(self, wall: float) -> dict[str, Any]:
        deadline = time.monotonic() + wall
        parts: list[bytes] = []
        size = 0
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise WorkerLate
            if not select.select([self.channel], [], [], min(left, 0.25))[0]:
                if self.zygote.too_much_written(self.pid):
                    raise WorkerDied
                continue
            try:
                data = self.channel.recv(1 << 16)
            except OSError:
                data = b""
            if not data:
                raise WorkerDied
            parts.append(data)
            size += len(data)
            if size > REPLY_LIMIT:
                raise ProtocolError("the reply is too long")
            if b"\n" in data:
                line, rest = b"".join(parts).split(b"\n", 1)
                if rest:
                    raise ProtocolError("more than one reply")
                return parse(line)

    def close(self) -> None:
        self.channel.close()
        self.zygote.end(self.pid)


def _bubblewrap() -> list[str]:
    """bwrap's command line: namespaces, this interpreter and its library, three files of ours, a small /tmp."""
    root = os.path.realpath(sys.base_prefix)
    libraries = ["/usr/lib", "/usr/lib64", "/lib", "/lib64", f"{root}/lib", f"{root}/lib64"]
    shown = [path for path in libraries if os.path.exists(path)] + [os.path.realpath(sys.executable)]
    # What is installed beside the standard library stays out, this package among it, solutions too where they are there.
    hidden = [str(path) for library in libraries for path in Path(library).glob("python3*/*-packages") if path.is_dir()]
    hidden += [str(HERE)] if any(HERE.is_relative_to(path) for path in shown) else []
    command = ["bwrap", "--die-with-parent", "--new-session", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    command += ["--unshare-cgroup-try"]
    if os.getuid() == 0:
        # Root keeps every capability inside unless they are dropped; changing uid needs these three.
        command += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_CHOWN"]
        command += ["--cap-add", "CAP_KILL", "--cap-add", "CAP_SETPCAP"]
        # The zygote removes what a worker wrote as another user.
        command += ["--cap-add", "CAP_DAC_OVERRIDE"]
    else:
        command += ["--unshare-user"]
    command += ["--proc", "/proc", "--dev", "/dev", "--size", str(SCRATCH_LIMIT), "--tmpfs", "/tmp"]
    command += _pairs("--ro-bind", shown)
    command += [word for path in hidden for word in ("--tmpfs", path)]
    for name in ("zygote.py", "worker.py", "confine.py"):
        command += ["--ro-bind", str(HERE / name), f"/grader/{name}"]
    # An ordinary user owns these inside, and a file made there would be the next submission's to read.
    return [*command, "--remount-ro", "/dev", "--remount-ro", "/", "--"]


def _pairs(option: str, paths: Iterable[str]) -> list[str]:
    return [word for path in paths for word in (option, path, path)]

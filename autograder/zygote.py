"""The fork server: an isolated interpreter that starts one confined worker for each request.

Run as `python -s -S -B zygote.py CONTROL CONFIG`: CONTROL is the number of an inherited socket, CONFIG a JSON
object (see `sandbox.Zygote`). It holds no expected answer and runs no student code itself; it outlives
every worker, ends them on request, and ends all of them when the control socket closes.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import socket
import sys
import types
from typing import Any

# What students import, loaded once here: after the change of uid, or under a filter that forbids open,
# a worker may not be able to read the standard library any more.
PRELOADED = (
    "abc array ast base64 bisect cmath collections.abc contextlib copy csv dataclasses datetime decimal enum fractions "
    "functools graphlib hashlib heapq inspect itertools json linecache logging math numbers operator pathlib pprint "
    "queue random re statistics string struct tempfile textwrap threading time timeit traceback types typing "
    "unicodedata unittest.mock uuid warnings weakref"
)

GENERATIONS = 1_000


def load(path: str) -> types.ModuleType:
    """Import one of our files by its path; the package itself stays out of this process."""
    name = os.path.basename(path).removesuffix(".py")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def preload() -> None:
    for name in PRELOADED.split():
        try:
            importlib.import_module(name)
        except ImportError:
            continue


def readable() -> list[str]:
    """The standard library, entry by entry, so that installed packages inside its folder stay out."""
    library = os.path.dirname(os.__file__)
    entries = [os.path.join(library, name) for name in os.listdir(library)]
    own = [path for path in entries if not path.endswith(("site-packages", "dist-packages"))]
    return [*own, "/dev/null", "/dev/urandom"]


def confine(layers: types.ModuleType, config: dict[str, Any], rules: int | str, scratch: str) -> dict[str, str | None]:
    """Put this process behind every layer that is wanted; each layer's name with None, or why it is missing."""
    skip, gained = set(config["without"]), dict[str, str | None]()

    def put(name: str, reason: str | None) -> None:
        gained[name] = reason

    put("uid", "switched off" if "uid" in skip else layers.own_uid(scratch))
    layers.die_with_parent()
    put("rlimits", "switched off" if "rlimits" in skip else layers.limits(config["memory"], config["cpu"]))
    privileges = layers.no_new_privs()
    put("landlock", "switched off" if "landlock" in skip else privileges or layers.landlock(rules))
    files = gained["landlock"] is None or config["boxed"]
    put("seccomp", "switched off" if "seccomp" in skip else privileges or layers.seccomp(files))
    return gained


def run_worker(
    channel: int, modules: tuple[types.ModuleType, types.ModuleType], config: dict[str, Any], rules: int | str, job: dict[str, Any]
) -> None:
    """The child's whole life: descriptors, layers, then the student's code until the channel closes."""
    layers, worker = modules
    os.setsid()
    os.environ.clear()
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    scratch = os.path.join(config["scratch"], str(os.getpid()))
    os.mkdir(scratch, 0o700)
    os.chdir(scratch)
    gained = confine(layers, config, rules, scratch)
    kept = os.dup2(channel, 3)
    os.closerange(4, 4096)
    os.write(kept, json.dumps({"layers": gained}).encode() + b"\n")
    sys.argv = [""]
    sys.setrecursionlimit(sys.getrecursionlimit() + 50)
    worker.serve(kept, job)


def end(pid: int, alive: set[int], scratch: str) -> None:
    """Kill one worker and what it started, wait for them, and remove what they wrote, wherever in `scratch` it is."""
    alive.discard(pid)
    kill(pid)
    # A process whose parent has just been killed is handed to this one only then.
    for _ in range(GENERATIONS):
        strays = set(children()) - alive
        if not strays:
            break
        for stray in strays:
            kill(stray)
    for name in set(os.listdir(scratch)) - {str(other) for other in alive}:
        path = os.path.join(scratch, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                os.unlink(path)


def kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    except (ProcessLookupError, ChildProcessError):
        pass


def children() -> list[int]:
    """Processes that a worker left behind and the kernel handed to this subreaper."""
    try:
        listing = pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text()
        return [int(pid) for pid in listing.split()]
    except OSError:
        return []


def main() -> None:
    # This file's folder is on the path because it is a script; the package is not the students' to import.
    sys.path = [place for place in sys.path if place != os.path.dirname(os.path.abspath(__file__))]
    config = json.loads(sys.argv[2])
    layers = load(config["confine"])
    # Once only: there are kernels and boxes that forget the setting at every exec.
    if config["fixed_addresses"] and len(sys.argv) == 3 and layers.fix_addresses():
        os.execv(sys.executable, [*sys.orig_argv, "again"])
    control = socket.socket(fileno=int(sys.argv[1]))
    modules = layers, load(config["worker"])
    preload()
    layers.adopt_orphans()
    layers.hide_memory()
    rules = layers.landlock_rules(readable(), config["scratch"])
    control.sendall(b'{"ready": true}\n')
    alive: set[int] = set()
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, 1 << 24, 1)
        if not data:
            break
        while not data.endswith(b"\n"):
            data += control.recv(1 << 24)
        request = json.loads(data)
        if "end" in request:
            end(request["end"], alive, config["scratch"])
            control.sendall(b'{"ended": true}\n')
            continue
        pid = os.fork()
        if pid == 0:
            control.close()
            try:
                run_worker(descriptors[0], modules, config, rules, request)
            finally:
                os._exit(0)
        os.close(descriptors[0])
        alive.add(pid)
        control.sendall(json.dumps({"pid": pid}).encode() + b"\n")
    for pid in list(alive):
        end(pid, alive, config["scratch"])


if __name__ == "__main__":
    main()

"""Workers are confined by every layer that is named, by each without the others, and leave nothing behind."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.errors import GraderError
from autograder.sandbox import LAYERS, Policy, Worker, WorkerDied, WorkerLate, Zygote

ROOT_ONLY = pytest.mark.skipif(os.getuid() != 0, reason="changing uid takes root")
SECRET = Path(__file__).parent.parent / "autograder" / "hidden" / "03_mul" / "test_03_mul.py"


def run(worker: Worker, source: str) -> str:
    """The name of the exception that the cell ended with, or what it printed."""
    reply: dict[str, Any] = worker.ask({"cell": {"index": 1, "file": "cell 1", "source": source}}, 20)
    return reply["failed"]["type"] if reply["failed"] else reply["printed"].strip()


@pytest.fixture(
    params=[(), ("bubblewrap",), ("bubblewrap", "landlock"), ("bubblewrap", "seccomp")], ids=lambda left: "+".join(left) or "all"
)
def worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    with Zygote(Policy(without=frozenset(request.param))) as zygote:
        worker = zygote.spawn({}, "m", 1)
        assert set(request.param) <= set(worker.obtained.missing)
        yield worker
        worker.close()


@pytest.mark.parametrize(
    "attempt",
    [
        f"print(open({str(SECRET)!r}).read())",
        "print(open('/proc/self/environ').read(1) or 'empty', open('/proc/1/environ').read())",
        f"import os; print(os.listdir({str(SECRET.parent)!r}))",
        "import os; os.kill(os.getppid(), 0); raise SystemError",
        "import resource, os; resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (0, 0))",
    ],
)
def test_files_and_processes_are_out_of_reach(worker: Worker, attempt: str) -> None:
    assert run(worker, attempt) in ("PermissionError", "FileNotFoundError", "ProcessLookupError", "ImportError")


def test_the_environment_is_empty_and_descriptors_are_few(worker: Worker) -> None:
    assert run(worker, "import os; print(dict(os.environ))") == "{}"
    probe = "import os\nfor n in range(4, 200):\n    try:\n        os.fstat(n); print(n)\n    except OSError:\n        pass"
    assert run(worker, probe) == ""


def test_memory_is_limited(worker: Worker) -> None:
    assert run(worker, "x = bytearray(1 << 30)") == "MemoryError"


@pytest.mark.parametrize(
    "attempt", ["import os; os.fork()", "import os; os.execv('/bin/ls', ['ls'])", "import socket; socket.socket()"]
)
def test_seccomp_refuses_processes_and_sockets(attempt: str) -> None:
    for without in ((), ("bubblewrap", "landlock", "uid", "rlimits")):
        with Zygote(Policy(without=frozenset(without))) as zygote:
            worker = zygote.spawn({}, "m", 1)
            assert run(worker, attempt) == "PermissionError"
            worker.close()


def test_what_is_written_is_removed() -> None:
    with Zygote(Policy(without=frozenset({"bubblewrap"}))) as zygote:
        worker = zygote.spawn({}, "m", 1)
        assert run(worker, "open('notes.txt', 'w').write('x' * 1000); print(len(open('notes.txt').read()))") == "1000"
        scratch = Path(zygote.scratch)
        assert list(scratch.iterdir())
        worker.close()
        assert not list(scratch.iterdir())
    assert not scratch.exists()


@pytest.mark.parametrize("left", [(), ("landlock",), ("bubblewrap",)], ids=lambda left: "+".join(left) or "all")
def test_nothing_written_is_there_for_the_next_worker(left: tuple[str, ...]) -> None:
    look = "import os\ntry:\n    print(len(os.listdir('..')))\nexcept OSError:\n    print(1)"
    with Zygote(Policy(without=frozenset(left))) as zygote:
        for _ in range(2):
            worker = zygote.spawn({}, "m", 1)
            assert run(worker, f"open('notes.txt', 'w').write('x')\n{look}") == "1"
            worker.close()


def test_installed_packages_are_not_to_be_had() -> None:
    places = [*sys.path, *(str(path) for path in Path(os.path.realpath(sys.base_prefix)).glob("lib/python3*/site-packages"))]
    attempt = f"import sys\nsys.path += {places!r}\ntry:\n    import pytest\nexcept ImportError:\n    raise"
    for without in ((), ("landlock",), ("bubblewrap",), ("bubblewrap", "landlock")):
        with Zygote(Policy(without=frozenset(without))) as zygote:
            worker = zygote.spawn({}, "m", 1)
            assert run(worker, attempt) in ("ModuleNotFoundError", "PermissionError")
            worker.close()


def test_a_full_disk_ends_the_worker() -> None:
    fill = "import itertools\nfor n in itertools.count():\n    open(str(n), 'w').write('x' * 500_000)"
    for without in ((), ("bubblewrap",)):
        with Zygote(Policy(without=frozenset(without))) as zygote:
            worker = zygote.spawn({}, "m", 1)
            with contextlib.suppress(WorkerDied):
                assert run(worker, fill) == "OSError"
            worker.close()
            assert not list(Path(zygote.scratch).iterdir())


def test_deadlines_kill_from_outside() -> None:
    deaf = "import signal, time\nfor s in (signal.SIGTERM, signal.SIGPROF): signal.signal(s, signal.SIG_IGN)\ntime.sleep(600)"
    with Zygote(Policy()) as zygote:
        worker = zygote.spawn({}, "m", 1)
        with pytest.raises(WorkerLate):
            worker.ask({"cell": {"index": 1, "file": "cell 1", "source": deaf}}, 0.5)
        worker.close()
        again = zygote.spawn({}, "m", 1)
        assert run(again, "print(1)") == "1"
        again.close()


def test_unsolicited_and_doubled_replies_are_refused() -> None:
    from autograder.protocol import ProtocolError

    with Zygote(Policy()) as zygote:
        for source in ("import os; os.write(3, b'{}\\n')", "import os; os.write(3, b'x' * 5_000_000)"):
            worker = zygote.spawn({}, "m", 1)
            with pytest.raises(ProtocolError):
                run(worker, source)
            worker.close()


@ROOT_ONLY
def test_orphans_die_with_their_worker() -> None:
    with Zygote(Policy(without=frozenset({"seccomp", "rlimits", "bubblewrap"}))) as zygote:
        worker = zygote.spawn({}, "m", 1)
        daemon = (
            "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(600)\n    os._exit(0)"
        )
        assert run(worker, daemon) == ""
        deadline = time.monotonic() + 10
        while len(_children(zygote.process.pid)) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(_children(zygote.process.pid)) == 2
        worker.close()
        assert _children(zygote.process.pid) == []


def _children(pid: int) -> list[str]:
    listing = Path("/proc").glob("[0-9]*/stat")
    found = []
    for stat in listing:
        try:
            parent = stat.read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if parent == str(pid):
            found.append(stat.parent.name)
    return found


def test_the_zygote_ends_with_its_parent_and_says_so() -> None:
    zygote = Zygote(Policy())
    zygote.process.kill()
    zygote.process.wait()
    assert zygote.control.recv(1) == b""
    with pytest.raises(GraderError):
        zygote.spawn({}, "m", 1)
    zygote.close()
    assert not Path(zygote.scratch).exists()


def test_every_layer_is_named() -> None:
    with Zygote(Policy()) as zygote:
        worker = zygote.spawn({}, "m", 1)
        assert set(worker.obtained.layers) | set(worker.obtained.missing) == set(LAYERS)
        worker.close()

"""Where a class is graded: processes of this machine, or the workers of a Dask scheduler."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from .errors import GraderError, InputError
from .exercise import Exercise
from .grading import grade_submission
from .sandbox import Policy, Zygote
from .score import Score
from .store import digest_files
from .submission import Submission
from .suite import hidden_suite

CONNECT_SECONDS = 20


@dataclass(frozen=True)
class Job:
    """All that another process, or another machine, needs to grade one submission; `suite` is its fingerprint."""

    student: str
    submission: Submission
    exercise: Exercise
    policy: Policy
    seed: int
    suite: str


class Grader:
    """One process's grading: one submission at a time, each with a fork server of its own.

    A worker's addresses, and so the order of its sets, come from all that its fork server did before. With a fresh
    one, what a submission gets depends on nobody else's.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._zygote: Zygote | None = None

    def grade(self, job: Job) -> Score:
        """The submission's grade. Raises what `grade_submission` does, and GraderError where the suite is another one."""
        # A Dask worker may have several threads, and one pytest at a time is all that a process can run.
        with self._lock:
            if digest_files([hidden_suite(job.exercise.slug)]) != job.suite:
                raise GraderError(f"a worker has another suite of {job.exercise.slug} than the one that sent the work")
            try:
                return self._grade(job)
            except GraderError:
                # A fork server can be killed like any process; that is no reason to leave a submission out.
                return self._grade(job)

    def _grade(self, job: Job) -> Score:
        with Zygote(job.policy) as self._zygote:
            return grade_submission(job.submission, job.exercise, self._zygote, job.seed)

    def abandon(self) -> None:
        """End what is under way and remove what it wrote, as this process is about to end."""
        if self._zygote is not None:
            self._zygote.close()


HERE = Grader()


def grade_job(job: Job) -> Score:
    """Grade in whatever process this is."""
    return HERE.grade(job)


@dataclass(frozen=True)
class Workers:
    """How to open an Executor, again if need be, and how many submissions it should hold at a time."""

    open: Callable[[], AbstractContextManager[Executor]]
    width: int


def processes(jobs: int) -> Workers:
    """So many processes of this machine."""
    return Workers(lambda: _processes(jobs), 2 * jobs)


@contextlib.contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    context = multiprocessing.get_context("spawn")
    held, leash = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(jobs, context, _begin, (held,))
    try:
        yield executor
    except BaseException:
        # Whoever is in the middle of a submission stops at once; waiting could take minutes.
        leash.close()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
        leash.close()
        held.close()


def _begin(held: Connection) -> None:
    """A process's start: out of the terminal's reach, so that Ctrl-C is the parent's to handle, and on its leash."""
    os.setsid()
    threading.Thread(target=_end_with, args=(held,), daemon=True).start()


def _end_with(held: Connection) -> None:
    """End this process when the other end of the pipe closes, as it does when the parent is killed."""
    with contextlib.suppress(EOFError, OSError):
        held.recv_bytes()
    HERE.abandon()
    os._exit(1)


def dask_workers(address: str) -> Workers:
    """The workers of the Dask scheduler at `address`. Raises InputError where there is no such scheduler."""
    try:
        from distributed import Client
    except ImportError:
        raise InputError("--scheduler needs Dask: python -m pip install 'autograder[course]'") from None

    @contextlib.contextmanager
    def opened() -> Iterator[Executor]:
        with _client(Client, address) as client:
            yield client.get_executor(pure=False)

    with _client(Client, address) as client:
        threads = sum(client.nthreads().values())
    if not threads:
        raise InputError(f"the scheduler at {address} has no workers; start some with: dask worker {address}")
    return Workers(opened, 2 * threads)


def _client(client: Callable[..., AbstractContextManager[Any]], address: str) -> AbstractContextManager[Any]:
    try:
        return client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(
            f"no Dask scheduler answers at {address} ({type(error).__name__}); start one with: dask scheduler"
        ) from None

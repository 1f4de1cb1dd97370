"""A class of submissions, graded through an Executor; each result is kept as it comes, and nobody's failure stops another."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from . import __version__
from .errors import CourseError, GraderError, InputError
from .executors import Job, Workers, grade_job
from .exercise import Exercise
from .report.json import score_table
from .roster import Entry
from .sandbox import Policy
from .score import Score
from .store import Made, Outcome, Record, Store, digest_files
from .submission import Submission, read_submission
from .suite import hidden_suite

# A submission that ends this many worker processes is the reason, and is listed instead of tried again.
DEATHS = 3


@dataclass(frozen=True)
class Plan:
    """Who is graded in this run, and how many results stand as they are."""

    entries: tuple[tuple[Entry, Made], ...]
    unchanged: int


def suite_digest(exercise: Exercise) -> str:
    """What a grade depends on beside the submission: suite, points, limits, and the grader's version."""
    return digest_files([hidden_suite(exercise.slug)], f"{__version__} {exercise}")


def plan(entries: Iterable[Entry], store: Store, exercise: Exercise, seed: int, only: str = "") -> Plan:
    """Whose submission has to be graded: it is new, or its bytes, the suite or the seed changed, or the grader failed.

    `only` narrows that: "failed" to all without a grade, graded again; "changed" to results that are out of date; a
    student to that one, graded again. Raises InputError where `only` is nobody in the class.
    """
    entries = list(entries)
    if only not in ("", "failed", "changed") and only not in {entry.student for entry in entries}:
        raise InputError(f"--only {only}: nobody in the class is called that; give failed, changed or a student as listed")
    suite, before = suite_digest(exercise), store.made(exercise.slug)
    chosen: list[tuple[Entry, Made]] = []
    for entry in entries:
        made = Made(_digest(entry), suite, seed)
        if _wanted(entry.student, made, before.get(entry.student), only):
            chosen.append((entry, made))
    return Plan(tuple(chosen), len(entries) - len(chosen))


def _wanted(student: str, made: Made, kept: tuple[Outcome, Made] | None, only: str) -> bool:
    if only not in ("", "failed", "changed"):
        return student == only
    if only == "failed":
        return kept is not None and kept[0] != "graded"
    if kept is None:
        return only == ""
    return kept[1] != made or (only == "" and kept[0] == "failed")


def _digest(entry: Entry) -> str:
    try:
        return digest_files([entry.path], entry.problem)
    except InputError as error:
        return str(error)


class Batch:
    """One run over a class. `told` hears of every result once it is kept; `course` is an nbgrader course to write to.

    Raises CourseError and InputError where nobody can be graded: a faulty suite, nothing that confines.
    """

    def __init__(
        self, exercise: Exercise, store: Store, policy: Policy, told: Callable[[Record], None], course: Path | None = None
    ) -> None:
        self.exercise, self.store, self.policy, self.told, self.course = exercise, store, policy, told, course
        self.plans: dict[str, tuple[Entry, Made]] = {}

    def run(self, plan: Plan, workers: Workers) -> None:
        self.plans = {entry.student: (entry, made) for entry, made in plan.entries}
        for job, outcome in grade_all(self._jobs(), workers):
            if isinstance(outcome, Score):
                self._graded(job, outcome)
            else:
                words = f"{type(outcome).__name__}: {outcome}" if not isinstance(outcome, GraderError) else str(outcome)
                self._ungraded(job.student, "failed", words, _code(job.submission))

    def _jobs(self) -> Iterator[Job]:
        """Each submission as it is read, which is when there is room for it."""
        suite = digest_files([hidden_suite(self.exercise.slug)])
        for student, (entry, made) in self.plans.items():
            try:
                if entry.problem:
                    raise InputError(entry.problem)
                submission = read_submission(entry.path, self.exercise.slug)
            except InputError as error:
                self._ungraded(student, "unusable", str(error))
                continue
            yield Job(student, submission, self.exercise, self.policy, made.seed, suite)

    def _graded(self, job: Job, score: Score) -> None:
        entry, made = self.plans[job.student]
        # The gradebook first: if this process dies between the two, the next run writes both again.
        if self.course is not None and job.submission.name.endswith(".ipynb"):
            notebook = min(entry.path.rglob(job.submission.name), key=lambda path: (len(path.parts), path))
            _gradebook().record(self.course, job.student, notebook, score)
        self._keep(Record(job.student, entry.name, made, "graded", "", score_table(score), _code(job.submission)))

    def _ungraded(self, student: str, outcome: Outcome, message: str, code: str = "") -> None:
        entry, made = self.plans[student]
        if self.course is not None and entry.path.is_dir():
            _gradebook().withdraw(self.course, student, self.exercise.slug)
        self._keep(Record(student, entry.name, made, outcome, message, None, code))

    def _keep(self, record: Record) -> None:
        self.store.keep(self.exercise.slug, record)
        self.told(record)


def _gradebook() -> ModuleType:
    # nbgrader takes a second to import, and only its own courses need it.
    from .report import gradebook

    return gradebook


def _code(submission: Submission) -> str:
    cells = [cell.source for cell in submission.cells if not cell.whole]
    return "\n\n".join([*cells, *submission.modules.values()])


def grade_all(jobs: Iterator[Job], workers: Workers) -> Iterator[tuple[Job, Score | Exception]]:
    """Every job with its score, or with why the grader has none, in the order in which they end.

    Where a worker process dies, all that was under way is graded again, one at a time, until it is known whose
    submission ends them. Raises CourseError and InputError, which would meet everybody.
    """
    again: deque[Job] = deque()
    deaths: Counter[str] = Counter()
    while True:
        running: dict[Future[Score], Job] = {}
        try:
            with workers.open() as executor:
                while True:
                    suspected = bool(again) or any(deaths[job.student] for job in running.values())
                    while len(running) < (1 if suspected else workers.width):
                        job = again.popleft() if again else next(jobs, None)
                        if job is None:
                            break
                        # In the table before it is sent, so that an executor that breaks here loses nothing.
                        running[Future()] = job
                        sent = executor.submit(grade_job, job)
                        running.popitem()
                        running[sent] = job
                        suspected = suspected or deaths[job.student] > 0
                    if not running:
                        return
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        outcome = _outcome(future)
                        yield running.pop(future), outcome
        except BrokenExecutor:
            for job in running.values():
                deaths[job.student] += 1
                if deaths[job.student] < DEATHS:
                    again.append(job)
                else:
                    yield job, GraderError(f"its grader's process died {DEATHS} times: too little memory, or killed from outside")


def _outcome(future: Future[Score]) -> Score | Exception:
    try:
        error = future.exception()
    except CancelledError:
        raise GraderError("the scheduler dropped the work: is it still running? What is graded is kept") from None
    if isinstance(error, (BrokenExecutor, CourseError, InputError)):
        raise error
    if error is None:
        return future.result()
    if isinstance(error, Exception):
        return error
    raise error

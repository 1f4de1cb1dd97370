"""The pytest plugin: the `student` fixture and the `grade` marker; what each graded test came to.

A suite's tests know neither where student code runs nor how many points the parts have.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest

from .discover import Network, find_names, find_network
from .errors import CourseError, Crashed, GraderError, InputError, NotAttempted, StudentFault, TimedOut
from .exercise import Exercise
from .finding import Finding
from .gradcheck import Observation
from .misconceptions import name_mistakes, says_all, smallest
from .student import Names, Student, Transport

Test = TypeVar("Test", bound=Callable[..., Any])
TRANSPORT = pytest.StashKey[Transport]()
STATUSES = ("passed", "failed", "crashed", "timed-out", "not-attempted", "not-run")


@dataclass
class Outcome:
    """One graded test: its part, its share of the part's points, and what came of it.

    `status` starts as not-run: a test of which nothing is heard again keeps that, and scores nothing.
    """

    name: str
    title: str
    part: str
    points: float
    status: str = "not-run"
    message: str = "This check did not run to its end."
    fault: BaseException | None = field(default=None, repr=False)
    finding: Finding | None = None
    smallest: Observation | None = field(default=None, repr=False)


def grade(part: str, points: float = 1) -> Callable[[Test], Test]:
    """Count a test towards a part. `points` are shared evenly by the cases of a parametrized test."""

    def mark(test: Test) -> Test:
        marked: Test = pytest.mark.grade(part=part, points=points)(test)
        return marked

    return mark


@pytest.fixture(scope="session")
def names(pytestconfig: pytest.Config) -> Names:
    """What the graded code calls things, found by what they do; for a suite that prescribes no names."""
    return find_names(pytestconfig.stash[TRANSPORT])


@pytest.fixture(scope="session")
def network(pytestconfig: pytest.Config, names: Names) -> Network:
    """How the graded code's network is made and used, found by what it does."""
    return find_network(pytestconfig.stash[TRANSPORT], names)


class Grading:
    """Collects the outcomes of one run of a suite; registered as a plugin object for that run only."""

    def __init__(self, exercise: Exercise, transport: Transport, seed: int) -> None:
        self.exercise, self.transport, self.seed = exercise, transport, seed
        self.outcomes: dict[str, Outcome] = {}
        self.faults: list[str] = []
        self.called = Names()

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[TRANSPORT] = self.transport

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        cases = Counter(getattr(item, "originalname", item.name) for item in items)
        for item in items:
            mark = item.get_closest_marker("grade")
            if mark is None:
                raise CourseError(f"{item.nodeid}: put @grade(part, points) on every test of a graded suite")
            part, points = str(mark.kwargs["part"]), float(mark.kwargs["points"])
            if part not in {known.id for known in self.exercise.parts}:
                raise CourseError(f"{item.nodeid}: exercise.toml has no part {part!r}")
            share = points / cases[getattr(item, "originalname", item.name)]
            self.outcomes[item.nodeid] = Outcome(item.name, _sentence(item), part, share)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.faults.append(f"{report.nodeid}: {report.longreprtext.splitlines()[-1]}")

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        outcome = self.outcomes[item.nodeid]
        for need in self.exercise.part(outcome.part).needs:
            before = [other.status for other in self.outcomes.values() if other.part == need]
            if before and all(status in ("not-attempted", "not-run") for status in before):
                pytest.skip(f"This builds on {self.exercise.part(need).title!r}, which is not attempted yet.")

    @pytest.fixture
    def student(self) -> Student:
        """The trusted handle on the graded code, fresh for each test."""
        return Student(self.transport)

    @pytest.fixture
    def rng(self, request: pytest.FixtureRequest) -> random.Random:
        """Random numbers that are the same for the same seed and test."""
        return random.Random(f"{self.seed}:{request.node.name}")

    def pytest_sessionfinish(self) -> None:
        """Name the mistakes of a submission that lost points; one that lost none is asked nothing more."""
        counted = [outcome for outcome in self.outcomes.values() if outcome.points]
        failed = [outcome for outcome in counted if outcome.status in ("failed", "crashed") and not says_all(outcome.fault)]
        if not failed:
            return
        diagnosis, findings = name_mistakes(self._again, failed)
        shown = smallest(self._again, diagnosis, findings, failed)
        for outcome, finding, seen in zip(failed, findings, shown, strict=True):
            outcome.finding, outcome.smallest = finding, seen

    def _again(self) -> Student:
        return Student(self.transport, self.called)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
        report = yield
        error = call.excinfo.value if call.excinfo else None
        outcome = self.outcomes[item.nodeid]
        if call.when == "teardown":
            return report
        student = getattr(item, "funcargs", {}).get("student")
        self.called = student.names if isinstance(student, Student) else self.called
        if error is not None:
            self._failed(outcome, error, str(call.when), item.nodeid)
        elif call.when == "call":
            outcome.status, outcome.message = "passed", ""
        return report

    def _failed(self, outcome: Outcome, error: BaseException, when: str, nodeid: str) -> None:
        outcome.fault = error
        if isinstance(error, (GraderError, InputError)):
            raise error
        if isinstance(error, pytest.skip.Exception):
            outcome.message = str(error.msg)
        elif isinstance(error, (StudentFault, AssertionError)):
            outcome.status = status_of(error)
            # pytest may have added its own view of the comparison, which shows what the suite holds.
            outcome.message = str(error).partition("\nassert ")[0] or outcome.title
        elif when == "setup":
            outcome.message = f"This check could not be set up ({type(error).__name__}: {error}); tell your instructor."
        else:
            self.faults.append(f"{nodeid}: {type(error).__name__}: {error}")


def status_of(error: BaseException) -> str:
    """The JSON status that a student's fault is listed under."""
    for kind, status in ((NotAttempted, "not-attempted"), (Crashed, "crashed"), (TimedOut, "timed-out")):
        if isinstance(error, kind):
            return status
    return "failed"


def _sentence(item: pytest.Item) -> str:
    """The first paragraph of the test's docstring, which is what the student reads."""
    text = getattr(getattr(item, "function", None), "__doc__", None) or ""
    return " ".join(text.strip().split("\n\n")[0].split()) or item.name


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "grade(part, points): count this test towards a part of the assignment")

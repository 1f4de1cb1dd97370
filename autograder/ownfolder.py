"""The pytest plugin of a student's own folder: plain `pytest` there runs the public tests on the work beside them.

Loaded by every pytest where the package is installed, so it imports little and acts on graded tests alone.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .discover import Network
    from .student import Names, Student, Transport


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "grade(part, points): count this test towards a part of the assignment")


@pytest.fixture(scope="module")
def own_code(request: pytest.FixtureRequest) -> Iterator[Transport]:
    """The work in the folder of the test's file, run in a worker process."""
    from .submission import read_submission
    from .workspace import answering, assignment_of

    exercise = assignment_of(request.path)
    with answering(read_submission(request.path.parent, exercise.slug), exercise) as transport:
        yield transport


@pytest.fixture
def student(own_code: Transport) -> Student:
    """The handle on your code, fresh for each test."""
    from .student import Student

    return Student(own_code)


@pytest.fixture(scope="module")
def names(own_code: Transport) -> Names:
    """What your code calls things, found by what they do."""
    from .discover import find_names

    return find_names(own_code)


@pytest.fixture(scope="module")
def network(own_code: Transport, names: Names) -> Network:
    """How your network is made and used, found by what it does."""
    from .discover import find_network

    return find_network(own_code, names)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Random numbers that are the same for the same assignment and test."""
    from .workspace import assignment_of

    return random.Random(f"{assignment_of(request.path).seed}:{request.node.name}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """What failed in the words of the course, without pytest's own way to it."""
    report = yield
    if call.excinfo is None or not report.failed or item.get_closest_marker("grade") is None:
        return report
    from .errors import InputError, NotAttempted, StudentFault
    from .report.terminal import visible

    error = call.excinfo.value
    if isinstance(error, (StudentFault, InputError)):
        told = "not attempted yet" if isinstance(error, NotAttempted) else visible(str(error))
        sentence = inspect.getdoc(getattr(item, "function", None)) or item.name
        report.longrepr = f"{told}\n\n{sentence}"
    return report

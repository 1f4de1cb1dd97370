"""Runs one suite of tests against one transport, in this trusted process."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import pytest

from . import plugin
from .errors import CourseError, GraderError
from .exercise import HIDDEN, Exercise
from .plugin import Grading, Outcome
from .student import Transport

UNUSED = ("faulthandler", "logging", "threadexception", "unraisableexception", "warnings")


def hidden_suite(slug: str) -> Path:
    """The folder of an assignment's hidden suite. Raises CourseError where this installation has none."""
    folder = HIDDEN / slug
    if not any(folder.glob("test_*.py")):
        raise CourseError(f"{slug} has no hidden suite here: grading needs the course's clone, not a student's installation")
    return folder


def run_suite(suite: Path, exercise: Exercise, transport: Transport, seed: int, select: Sequence[str] = ()) -> list[Outcome]:
    """What every test of the suite came to, in the order of the file; `select` limits it to parts.

    Raises CourseError where the suite itself is at fault, GraderError where pytest is.
    """
    grading = Grading(exercise, transport, seed)
    arguments = ["--disable-plugin-autoload", "-p", "no:cacheprovider", "-p", "no:terminal", "--assert=plain", "--noconftest"]
    # A notebook's kernel keeps its descriptors, its crash handler and its hooks; nothing here needs pytest's.
    arguments += ["--capture=no", *(word for name in UNUSED for word in ("-p", f"no:{name}"))]
    arguments += ["--import-mode=importlib", "-c", str(Path(__file__).parent / "suite.ini"), f"--rootdir={suite}", str(suite)]
    plugins: list[object] = [plugin, grading, *([Selected(select)] if select else [])]
    # pytest writes what goes wrong to stdout when its terminal is off; none of it is for the caller's screen.
    said, before = io.StringIO(), set(sys.modules)
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), mock.patch.dict(os.environ):
        # What a user sets for their own runs of pytest is not for a graded one.
        for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
            os.environ.pop(name, None)
        code = pytest.main(arguments, plugins)
    # By importlib's rules two suites of one name would be one module, and a changed one would stay as it was.
    for name in set(sys.modules) - before:
        if _inside(sys.modules[name], suite):
            del sys.modules[name]
    if grading.faults:
        raise CourseError(f"the suite of {exercise.slug} is at fault: {grading.faults[0]}")
    if code is pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        lines = said.getvalue().strip().splitlines() or ["no word of why"]
        raise GraderError(f"the suite of {exercise.slug} ended with {code!r}: {lines[-1]}")
    return list(grading.outcomes.values())


def _inside(module: object, suite: Path) -> bool:
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and Path(file).parent == suite


class Selected:
    """Keeps only the tests of some parts."""

    def __init__(self, parts: Sequence[str]) -> None:
        self.parts = parts

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        marks = [(item, item.get_closest_marker("grade")) for item in items]
        items[:] = [item for item, mark in marks if mark is not None and mark.kwargs["part"] in self.parts]

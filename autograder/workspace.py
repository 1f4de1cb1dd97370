"""A student's own folder: which assignment it answers, and a transport to the code in it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import InputError, StudentFault
from .exercise import COURSE, Exercise, assignments, load_exercise
from .grading import policy
from .inprocess import InProcess, undisturbed
from .sandbox import Zygote
from .session import Session
from .student import Transport
from .submission import Submission


def slug_of(path: Path, course: Path = COURSE) -> str:
    """The assignment that a folder or file answers, by its name, its folder's, or the public suite beside it; or ""."""
    known = assignments(course)
    place = path.resolve()
    folder = place if place.is_dir() else place.parent
    named = [place.stem, folder.name, *(suite.stem.removeprefix("test_") for suite in sorted(folder.glob("test_*.py")))]
    return next((name for name in named if name in known), "")


def assignment_of(path: Path, named: str = "", course: Path = COURSE) -> Exercise:
    """The assignment called `named`, else the one that `path` answers. Raises InputError where none can be told."""
    if not path.exists():
        raise InputError(f"{path} does not exist; make a folder to work in with: autograder new 02_value")
    slug = named or slug_of(path, course)
    if not slug:
        known = ", ".join(assignments(course))
        raise InputError(f"which assignment is in {path}? Add --assignment NAME; there are {known}")
    return load_exercise(slug, course)


@contextmanager
def answering(work: Submission, exercise: Exercise) -> Iterator[Transport]:
    """The student's code, run and ready to answer: in a worker process, or in this one where there is no fork."""
    if hasattr(os, "fork"):
        with Zygote(policy(exercise, required=False)) as zygote:
            session = Session(work, zygote, exercise.limits, exercise.seed)
            try:
                # Where the cells leave no worker to ask, each test says so again.
                with suppress(StudentFault):
                    session.start()
                yield session
            finally:
                session.close()
        return
    namespace = {"__name__": work.module}
    here = InProcess(namespace, exercise.limits.seconds, exercise.seed, work.modules)
    sys.meta_path.append(here.interpreter.imports)
    try:
        with undisturbed(namespace):
            for cell in work.cells:
                here.run(cell)
            yield here
    finally:
        sys.meta_path.remove(here.interpreter.imports)
        for name in [name for name in work.modules if name in sys.modules]:
            del sys.modules[name]

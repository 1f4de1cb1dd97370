"""One grade written where nbgrader keeps it: gradebook.db and autograded/, as `nbgrader autograde` would leave them."""

from __future__ import annotations

from pathlib import Path

from ..score import Score


def record(course: Path, student: str, notebook: Path, score: Score) -> None:
    """Write `score` of `student` into the nbgrader course at `course`.

    `course` is the folder of nbgrader_config.py, gradebook.db and submitted/; the assignment is `score.assignment`.
    `notebook` is the file in submitted/STUDENT/ASSIGNMENT/ that was graded, whatever its name. It is read again, never
    run; `score.cells` must number its code cells as `read_submission` does. autograded/STUDENT/ASSIGNMENT/ is made anew.
    Manual scores, extra credit and comments stay. Call it from one process at a time.

    Raises InputError where the course has no gradebook or the assignment is not in it.
    """
    raise NotImplementedError


def withdraw(course: Path, student: str, assignment: str) -> None:
    """Take away autograded/STUDENT/ASSIGNMENT/ of a submission that could not be graded, as nbgrader does.

    `nbgrader export` then lists it as not graded, without a score, whatever an earlier version got.
    """
    raise NotImplementedError

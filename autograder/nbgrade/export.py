"""`nbgrader export` as a CSV that says what was graded, and that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry  # type: ignore[import-untyped]
from nbgrader.plugins import ExportPlugin  # type: ignore[import-untyped]

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")
COLUMNS = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "status",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
)


def safe(value: object) -> object:
    """A text that a spreadsheet shows as it is: an apostrophe stands before what would begin a formula."""
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        return value
    text = str(value)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULAS) else text


class SafeExport(ExportPlugin):  # type: ignore[misc]
    """Writes grades.csv, or what --to names; --assignment and --student choose as in nbgrader's own.

    `status` is graded, needs manual grade, missing (nothing handed in: 0 points, as nbgrader has it), or not graded
    (handed in, and no score: its score is left empty).
    """

    def export(self, gradebook: Gradebook) -> None:
        destination = Path(self.to or "grades.csv")
        students = list(map(str, self.student))
        assignments = list(map(str, self.assignment))
        coursedir = self.parent.coursedir
        with destination.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            for assignment in gradebook.assignments:
                if assignments and assignment.name not in assignments:
                    continue
                for student in gradebook.students:
                    if not students or student.id in students:
                        row = _row(gradebook, coursedir, assignment, student)
                        writer.writerow([safe(row.get(column)) for column in COLUMNS])
        self.log.info("Exported grades to %s", destination)


def _row(gradebook: Gradebook, coursedir: Any, assignment: Any, student: Any) -> dict[str, Any]:
    def folder(step: str) -> Path:
        return Path(coursedir.format_path(step, student.id, assignment.name))

    row = {
        "assignment": assignment.name,
        "duedate": assignment.duedate,
        "student_id": student.id,
        "last_name": student.last_name,
        "first_name": student.first_name,
        "email": student.email,
        "max_score": assignment.max_score,
    }
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        submission = None
    # nbgrader takes autograded/ away where grading failed, and leaves the gradebook with no score or an older one.
    if not folder(coursedir.autograded_directory).is_dir():
        if submission is not None or folder(coursedir.submitted_directory).is_dir():
            return {**row, "timestamp": submission and submission.timestamp, "status": "not graded"}
        return {**row, "status": "missing", "raw_score": 0.0, "late_submission_penalty": 0.0, "score": 0.0}
    if submission is None:
        return {**row, "status": "not graded"}
    penalty = submission.late_submission_penalty
    return {
        **row,
        "timestamp": submission.timestamp,
        "status": "needs manual grade" if submission.needs_manual_grade else "graded",
        "raw_score": submission.score,
        "late_submission_penalty": penalty,
        "score": max(0.0, submission.score - penalty),
    }

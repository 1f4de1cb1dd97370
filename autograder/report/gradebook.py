"""One grade written where nbgrader keeps it: gradebook.db and autograded/, as `nbgrader autograde` would leave them.

nbgrader itself takes seconds to import, so its tables are written as they are, and only in the version known here.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import shutil
import sqlite3
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dateutil import parser, tz  # type: ignore[import-untyped]

from ..errors import InputError
from ..nbgrade.marking import Node, SourceCell, agreed, checksum, code_cells, grade_id, keep_pictures, mark, restore, show_printed
from ..notebook import read_notebook
from ..score import Score

# What `alembic heads` says in nbgrader 0.9; another number means other tables.
VERSION = "e43177bfe90b"
READ_ONLY = 0o444
NO_RESPONSE = "No response."


def record(course: Path, student: str, notebook: Path, score: Score) -> None:
    """Write `score` of `student` into the nbgrader course at `course`.

    `course` is the folder of nbgrader_config.py, gradebook.db and submitted/; the assignment is `score.assignment`.
    `notebook` is the file in submitted/STUDENT/ASSIGNMENT/ that was graded, whatever its name. It is read again, never
    run; `score.cells` must number its code cells as `read_submission` does. autograded/STUDENT/ASSIGNMENT/ is made anew.
    Manual scores, extra credit and comments stay. Call it from one process at a time.

    Raises InputError where the course has no gradebook or the assignment is not in it, CourseError where the
    gradebook's parts are not the exercise's.
    """
    table = read_notebook(notebook.name, notebook.read_text(encoding="utf-8-sig"))
    with _gradebook(course) as database:
        known = _notebook(database, score.assignment)
        sources = _sources(database, known["id"])
        numbered = code_cells(table)
        keep_pictures(table)
        show_printed(numbered, score.cells)
        restore(table, sources)
        mark(table, score, sources)
        if known["kernelspec"]:
            table.setdefault("metadata", {})["kernelspec"] = json.loads(known["kernelspec"])
        handed_in = _timestamp(notebook.parent)
        submitted = _submission(database, known, student, handed_in)
        _save(database, submitted, table, score, sources)
        database.execute("UPDATE submitted_notebook SET late_submission_penalty = NULL WHERE id = ?", [submitted])
        _write(course, student, notebook.parent, score.assignment, known["name"], table)
    if handed_in and known["duedate"] and handed_in > datetime.datetime.fromisoformat(known["duedate"]):
        _penalise(course, student, score.assignment, known["name"])


def withdraw(course: Path, student: str, assignment: str) -> None:
    """Take away autograded/STUDENT/ASSIGNMENT/ of a submission that could not be graded, as nbgrader does.

    `nbgrader export` then lists it as not graded, without a score, whatever an earlier version got.
    """
    folder = course / "autograded" / student / assignment
    if folder.is_dir():
        shutil.rmtree(folder)


@contextlib.contextmanager
def _gradebook(course: Path) -> Iterator[sqlite3.Connection]:
    """The gradebook in one transaction, which is undone where anything is raised."""
    path = course / "gradebook.db"
    if not path.is_file():
        raise InputError(f"{course} has no gradebook.db; run nbgrader generate_assignment there")
    with contextlib.closing(sqlite3.connect(path, timeout=30)) as database, database:
        database.row_factory = sqlite3.Row
        try:
            version = database.execute("SELECT version_num FROM alembic_version").fetchone()
        except sqlite3.DatabaseError as error:
            raise InputError(f"{path} is not nbgrader's gradebook ({error}); restore it from a copy") from None
        if version is None or version[0] != VERSION:
            raise InputError(f"{path} is of another version of nbgrader; grade with `nbgrader autograde`")
        yield database


def _notebook(database: sqlite3.Connection, assignment: str) -> sqlite3.Row:
    """The assignment's notebook, with the assignment's id and due date."""
    rows = database.execute(
        "SELECT notebook.id, notebook.name, notebook.kernelspec, assignment.id AS assignment, assignment.duedate "
        "FROM notebook JOIN assignment ON assignment.id = notebook.assignment_id WHERE assignment.name = ?",
        [assignment],
    ).fetchall()
    if len(rows) != 1:
        raise InputError(f"the gradebook has {len(rows)} notebooks of {assignment}, not 1; run nbgrader generate_assignment")
    found: sqlite3.Row = rows[0]
    return found


def _sources(database: sqlite3.Connection, notebook: str) -> list[SourceCell]:
    rows = database.execute(
        "SELECT name, cell_type, source, checksum, locked, "
        "EXISTS(SELECT 1 FROM base_cell b WHERE b.notebook_id = s.notebook_id AND b.name = s.name AND b.type = 'SolutionCell'), "
        "EXISTS(SELECT 1 FROM base_cell b WHERE b.notebook_id = s.notebook_id AND b.name = s.name AND b.type = 'TaskCell'), "
        "(SELECT max_score FROM (SELECT id, max_score FROM grade_cells UNION SELECT id, max_score FROM task_cells) m "
        " JOIN base_cell b ON b.id = m.id WHERE b.notebook_id = s.notebook_id AND b.name = s.name) "
        "FROM source_cell s WHERE notebook_id = ? ORDER BY s.rowid",
        [notebook],
    )
    return [
        SourceCell(name, kind, source, mark, bool(locked), bool(solution), bool(task), points)
        for name, kind, source, mark, locked, solution, task, points in rows
    ]


def _timestamp(folder: Path) -> datetime.datetime | None:
    """When the exchange took the submission, in UTC without saying so, which is how nbgrader keeps it."""
    file = folder / "timestamp.txt"
    if not file.is_file():
        return None
    try:
        found: datetime.datetime = parser.parse(file.read_text().strip(), tzinfos=lambda name, _: tz.gettz(name))
    except (ValueError, OverflowError):
        raise InputError(f"{file} holds no date; write one, as in 2026-12-01 10:00:00 UTC") from None
    return found.astimezone(datetime.timezone.utc).replace(tzinfo=None) if found.tzinfo else found


def _submission(database: sqlite3.Connection, known: sqlite3.Row, student: str, handed_in: datetime.datetime | None) -> str:
    """The id of the student's copy of the notebook; student, submission, grades and comments are made where they are not."""
    database.execute("INSERT OR IGNORE INTO student (id) VALUES (?)", [student])
    keys = [known["assignment"], student]
    database.execute("INSERT OR IGNORE INTO submitted_assignment (id, assignment_id, student_id) VALUES (?, ?, ?)", [_id(), *keys])
    if handed_in:
        database.execute(
            "UPDATE submitted_assignment SET timestamp = ? WHERE assignment_id = ? AND student_id = ?",
            [handed_in.isoformat(" ", "microseconds"), *keys],
        )
    (assignment,) = database.execute(
        "SELECT id FROM submitted_assignment WHERE assignment_id = ? AND student_id = ?", keys
    ).fetchone()
    database.execute(
        "INSERT OR IGNORE INTO submitted_notebook (id, assignment_id, notebook_id, flagged) VALUES (?, ?, ?, 0)",
        [_id(), assignment, known["id"]],
    )
    (submitted,) = database.execute(
        "SELECT id FROM submitted_notebook WHERE assignment_id = ? AND notebook_id = ?", [assignment, known["id"]]
    ).fetchone()
    for cell, kind in database.execute("SELECT id, type FROM base_cell WHERE notebook_id = ?", [known["id"]]).fetchall():
        if kind != "SolutionCell":
            database.execute(
                "INSERT OR IGNORE INTO grade (id, notebook_id, cell_id, needs_manual_grade) VALUES (?, ?, ?, 1)",
                [_id(), submitted, cell],
            )
        if kind != "GradeCell":
            database.execute("INSERT OR IGNORE INTO comment (id, notebook_id, cell_id) VALUES (?, ?, ?)", [_id(), submitted, cell])
    return str(submitted)


def _save(database: sqlite3.Connection, submitted: str, table: Node, score: Score, sources: list[SourceCell]) -> None:
    """The automatic scores and comments, by the rules of nbgrader's SaveAutoGrades."""
    parts = agreed(score, sources)
    cells = {grade_id(cell): cell for cell in table["cells"]}
    for source in sources:
        cell = cells.get(source.name)
        if cell is None:
            continue
        empty = checksum(cell, source) == source.checksum
        if source.grade:
            # An unanswered question has no points; an answered one has none yet, until a person gives them.
            points = parts[source.name].score if source.automatic else 0.0 if empty else None
            database.execute(
                "UPDATE grade SET auto_score = ?, needs_manual_grade = (manual_score IS NOT NULL OR ?) "
                "WHERE notebook_id = ? AND cell_id IN (SELECT id FROM base_cell WHERE name = ? AND type = 'GradeCell')",
                [points, points is None, submitted, source.name],
            )
        if source.solution or source.task:
            database.execute(
                "UPDATE comment SET auto_comment = ? "
                "WHERE notebook_id = ? AND cell_id IN (SELECT id FROM base_cell WHERE name = ? AND type != 'GradeCell')",
                [NO_RESPONSE if empty and not source.task else None, submitted, source.name],
            )


def _write(course: Path, student: str, folder: Path, assignment: str, name: str, table: Node) -> None:
    withdraw(course, student, assignment)
    target = course / "autograded" / student / assignment
    target.mkdir(parents=True)
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.is_symlink() and file.suffix != ".ipynb" and ".ipynb_checkpoints" not in file.parts:
            copy = target / file.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
            copy.chmod(READ_ONLY)
    graded = target / f"{name}.ipynb"
    text = json.dumps(table, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    graded.write_bytes(text.encode("utf-8", "replace"))
    graded.chmod(READ_ONLY)


def _penalise(course: Path, student: str, assignment: str, notebook: str) -> None:
    """Have nbgrader itself judge what is late, by the course's own plugin; few submissions are."""
    from nbgrader.preprocessors import AssignLatePenalties  # type: ignore[import-untyped]
    from traitlets.config.loader import PyFileConfigLoader

    file = course / "nbgrader_config.py"
    config: Any = PyFileConfigLoader(file.name, str(course)).load_config() if file.is_file() else None
    names = {
        "notebook": notebook,
        "assignment": assignment,
        "student": student,
        "db_url": f"sqlite:///{course.resolve()}/gradebook.db",
    }
    AssignLatePenalties(config=config).preprocess(_Empty(), {"nbgrader": names})


class _Empty:
    """A notebook without cells, which is all that the late penalty looks at."""

    cells: tuple[()] = ()


def _id() -> str:
    return uuid.uuid4().hex

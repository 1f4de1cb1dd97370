"""A lesson as notebooks: nbgrader's source version, and the release version that nbgrader makes of it."""

from __future__ import annotations

import ast
import io
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode, v4

from .errors import GraderError
from .lesson import ANSWER, BEGIN, STUB, Lesson, LessonCell

WRITE_HERE = "*Write your answer here.*"
HELPERS = ("draw_dot", "show")
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}
SETUP = """\
try:
    from autograder import {names}
except ImportError:
    print("The course's checks are missing. Run this in a cell of its own, then restart the kernel:")
    print('    %pip install "{install}"')
"""


def source_notebook(lesson: Lesson, install: str) -> str:
    """The instructor's notebook, nbformat 4.5 and nbgrader schema 3; `install` is what pip is told to fetch."""
    setup = LessonCell("module", "setup", SETUP.format(names=", ".join(imports(lesson)), install=install).strip())
    given = 0
    cells: list[NotebookNode] = []
    # After the title, if there is one: what a student sees first is the lesson's name.
    first = 1 if lesson.cells and lesson.cells[0].kind == "prose" else 0
    for position, cell in enumerate((*lesson.cells[:first], setup, *lesson.cells[first:])):
        given += cell.kind == "module" and cell is not setup
        cells.append(_node(lesson, cell, position, cell.mark or f"given-{given}"))
        if cell.kind == "module" and cell is not setup:
            cells[-1].metadata["tags"] = ["module"]
    notebook = v4.new_notebook(cells=cells, metadata=METADATA)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    return str(nbformat.writes(notebook)) + "\n"  # type: ignore[no-untyped-call]


def _node(lesson: Lesson, cell: LessonCell, position: int, grade_id: str) -> NotebookNode:
    # Ids of our own: random ones would differ from one build to the next.
    own = f"{lesson.slug}-{cell.mark or f'{position:03d}'}"
    source = cell.source
    if cell.kind == "written" and BEGIN not in source:
        source = f"{source}\n\n{ANSWER}"
    make: Callable[..., NotebookNode] = v4.new_code_cell if cell.is_code else v4.new_markdown_cell
    metadata = {"nbgrader": _nbgrader(lesson, cell, grade_id)} if cell.kind in ("module", "solution", "check", "written") else {}
    return make(source=source, metadata=metadata, id=own)


def _nbgrader(lesson: Lesson, cell: LessonCell, grade_id: str) -> dict[str, Any]:
    points = {part.id: part.points for part in lesson.exercise.parts}
    points |= {one.id: one.points for one in lesson.exercise.written}
    graded = cell.kind in ("check", "written")
    answered = cell.kind in ("solution", "written")
    table = {
        "grade": graded,
        "grade_id": grade_id,
        "locked": not answered,
        "schema_version": 3,
        "solution": answered,
        "task": False,
    }
    return {**table, "points": points[cell.mark]} if graded else table


def imports(lesson: Lesson) -> list[str]:
    """What the first cell imports: `check`, `hint`, and the drawing helpers that the lesson uses but does not define."""
    used: set[str] = set()
    bound: set[str] = set()
    for node in (node for cell in lesson.cells if cell.is_code for node in ast.walk(ast.parse(cell.source))):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
    return sorted({"check", "hint", *(name for name in HELPERS if name in used - bound)})


def release(course: Path, slugs: Sequence[str]) -> None:
    """Run nbgrader's generate_assignment, without its database, on `course`/source into `course`/release.

    Raises GraderError with nbgrader's own words where it fails.
    """
    from nbgrader.converters import GenerateAssignment, NbGraderException  # type: ignore[import-untyped]
    from nbgrader.coursedir import CourseDirectory  # type: ignore[import-untyped]
    from traitlets.config import Config

    config = Config()
    config.SaveCells.enabled = False
    config.ClearSolutions.code_stub = {"python": STUB}
    config.ClearSolutions.text_stub = WRITE_HERE
    said = io.StringIO()
    log = logging.Logger("nbgrader", logging.ERROR)
    log.addHandler(logging.StreamHandler(said))
    for slug in slugs:
        place = CourseDirectory(root=str(course.resolve()), assignment_id=slug, config=config, log=log)
        try:
            GenerateAssignment(coursedir=place, no_database=True, config=config, log=log).start()
        except NbGraderException as error:
            lines = said.getvalue().strip().splitlines()
            raise GraderError(f"nbgrader made no release of {slug}: {error} {' '.join(lines)}") from None

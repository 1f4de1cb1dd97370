"""What stands in nbgrader's lists in place of the classes that run student code; nbgrader_config.py names them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import Gradebook  # type: ignore[import-untyped]
from nbgrader.preprocessors import NbGraderPreprocessor  # type: ignore[import-untyped]

from ..exercise import load_exercise
from ..grading import grade_submission, policy
from ..sandbox import Zygote
from ..submission import read_submission
from .marking import Node, SourceCell, code_cells, keep_pictures, mark, restore, show_printed


class Restore(NbGraderPreprocessor):  # type: ignore[misc]
    """Sanitizes in place of ClearOutput, DeduplicateIds and OverwriteCells, which give up on edited metadata."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        keep_pictures(nb)
        for change in restore(nb, source_cells(resources["nbgrader"])):
            self.log.warning("%s: %s", resources["nbgrader"]["student"], change)
        return nbformat.from_dict(nb), resources  # type: ignore[no-untyped-call]


class Grade(NbGraderPreprocessor):  # type: ignore[misc]
    """Grades in place of Execute, through the confined worker and the hidden suite. No kernel is started."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Raises InputError, CourseError or GraderError where there is no grade; nbgrader lists the submission as failed."""
        exercise = load_exercise(resources["nbgrader"]["assignment"])
        # What was sanitized stands on disk, by nbgrader's own order of steps.
        path = Path(resources["metadata"]["path"]) / f"{resources['metadata']['name']}.ipynb"
        # A fork server of its own, so that no submission's order of sets depends on the ones before it.
        with Zygote(policy(exercise)) as zygote:
            score = grade_submission(read_submission(path), exercise, zygote)
        show_printed(code_cells(nb), score.cells)
        mark(nb, score, source_cells(resources["nbgrader"]))
        self.log.info("%s: %g of %g points", resources["nbgrader"]["student"], score.score, score.max_score)
        return nbformat.from_dict(nb), resources  # type: ignore[no-untyped-call]


def source_cells(names: Node) -> list[SourceCell]:
    """The assignment's cells in the gradebook, in their order."""
    with Gradebook(names["db_url"]) as gradebook:
        notebook = gradebook.find_notebook(names["notebook"], names["assignment"])
        points = {cell.name: cell.max_score for cell in [*notebook.grade_cells, *notebook.task_cells]}
        solutions = {cell.name for cell in notebook.solution_cells}
        tasks = {cell.name for cell in notebook.task_cells}
        return [
            SourceCell(
                cell.name,
                cell.cell_type,
                cell.source,
                cell.checksum,
                cell.locked,
                cell.name in solutions,
                cell.name in tasks,
                points.get(cell.name),
            )
            for cell in notebook.source_cells
        ]


def find_renamed(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's hook before a submission: the only notebook is the assignment's, whatever its student called it.

    nbgrader hands over its own list, and patterns where one would expect names.
    """
    paths = [Path(notebook) for notebook in notebooks]
    if len(paths) == 1 and paths[0].stem != paths[0].parent.name:
        named = paths[0].with_name(f"{paths[0].parent.name}.ipynb")
        shutil.copyfile(paths[0], named)
        notebooks[:] = [str(named)]

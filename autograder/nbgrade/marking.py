"""A submitted notebook made safe, made whole again and marked: plain JSON in and out, nothing is run.

A notebook is the JSON of nbformat 4, as dicts and lists; nbformat's own nodes are such dicts too.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import CourseError
from ..report.terminal import MARKS, visible
from ..score import PartScore, Score, TestScore
from ..session import CellReport

PICTURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
PICTURE_LIMIT = 4 << 20
SCHEMA = 3
PUT_BACK = "This cell (id: {name}) was missing from the submission; it was put back.\n\n"

Node = dict[str, Any]


@dataclass(frozen=True)
class SourceCell:
    """A cell as the gradebook knows it from generate_assignment; `points` is None where it is not graded."""

    name: str
    cell_type: str
    source: str
    checksum: str
    locked: bool
    solution: bool
    task: bool = False
    points: float | None = None

    @property
    def grade(self) -> bool:
        return self.points is not None and not self.task

    @property
    def automatic(self) -> bool:
        """Whether the grader gives its points, and no person."""
        return self.grade and not self.solution

    def metadata(self) -> Node:
        """What nbgrader keeps in a cell's metadata."""
        table: Node = {
            "grade_id": self.name,
            "grade": self.grade,
            "solution": self.solution,
            "locked": self.locked,
            "task": self.task,
            "cell_type": self.cell_type,
            "checksum": self.checksum,
            "schema_version": SCHEMA,
        }
        return table if self.points is None else {**table, "points": self.points}


def code_cells(notebook: Node) -> list[Node]:
    return [cell for cell in notebook["cells"] if cell.get("cell_type") == "code"]


def grade_id(cell: Node) -> str:
    """The cell's name for nbgrader, or nothing: a student can have written anything there."""
    metadata = cell.get("metadata")
    table = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = table.get("grade_id") if isinstance(table, dict) else None
    return name if isinstance(name, str) else ""


def keep_pictures(notebook: Node) -> None:
    """Take out all outputs but the pictures that a student's plots left: no HTML, no script, no claimed result."""
    for cell in code_cells(notebook):
        pictures = [picture for output in cell.get("outputs") or () for picture in _pictures(output)]
        cell["outputs"] = [{"output_type": "display_data", "metadata": {}, "data": {kind: data}} for kind, data in pictures]
        cell["execution_count"] = None


def _pictures(output: Any) -> list[tuple[str, str]]:
    found = output.get("data") if isinstance(output, dict) else None
    if not isinstance(found, dict):
        return []
    kept = []
    for kind, begin in PICTURES.items():
        data = found.get(kind)
        text = "".join(map(str, data)) if isinstance(data, list) else str(data or "")
        try:
            decoded = base64.b64decode("".join(text.split()), validate=True) if len(text) < PICTURE_LIMIT else b""
        except (binascii.Error, ValueError):
            continue
        # What is written is encoded anew: nothing of the student's own spelling reaches a page.
        if decoded.startswith(begin):
            kept.append((kind, base64.b64encode(decoded).decode()))
    return kept


def restore(notebook: Node, sources: Sequence[SourceCell]) -> list[str]:
    """Give nbgrader's cells back their names, points, kinds and, where locked, text; a line for each that had changed.

    All other metadata goes. Of copies one keeps the name. A graded cell that is missing is put back after what stands before it.
    """
    known = {source.name: source for source in sources}
    named: dict[str, list[Node]] = {}
    changes = []
    for cell in notebook["cells"]:
        name = grade_id(cell)
        # Pages put some of the rest into their HTML as it stands.
        cell["metadata"] = {}
        if name in known:
            named.setdefault(name, []).append(cell)
        elif name:
            changes.append(f"the assignment has no cell {name}")
    notebook["metadata"] = {"language_info": {"name": "python"}}
    before: Node | None = None
    for source in sources:
        copies = named.get(source.name, [])
        if len(copies) > 1:
            changes.append(f"cell {source.name} stood there {len(copies)} times")
        cell = _answered(copies, source)
        if cell is None:
            changes.append(f"cell {source.name} was missing")
            if not source.grade and not source.task:
                continue
            cell = _put_back(notebook, source, before)
        elif _repair(cell, source):
            changes.append(f"cell {source.name} was changed")
        cell["metadata"]["nbgrader"] = source.metadata()
        before = cell
    return changes


def _answered(copies: Sequence[Node], source: SourceCell) -> Node | None:
    """Of several cells of one name the last that was worked on."""
    worked = [cell for cell in copies if cell["source"] != source.source]
    return next(iter([*worked[::-1], *copies[::-1]]), None)


def _repair(cell: Node, source: SourceCell) -> bool:
    changed = bool(cell["cell_type"] != source.cell_type)
    if changed:
        cell["cell_type"] = source.cell_type
        for key in ("outputs", "execution_count"):
            cell.pop(key, None)
        if source.cell_type == "code":
            cell |= {"outputs": [], "execution_count": None}
            cell.pop("attachments", None)
    if source.locked and cell["source"] != source.source:
        cell["source"] = source.source
        changed = True
    return changed


def _put_back(notebook: Node, source: SourceCell, before: Node | None) -> Node:
    cell: Node = {"cell_type": source.cell_type, "metadata": {}, "source": source.source}
    if not source.locked:
        # With other words than the skeleton's it counts as answered, so that a person looks at the rest of the notebook.
        cell["source"] = PUT_BACK.format(name=source.name) + source.source
    if source.cell_type == "code":
        cell |= {"outputs": [], "execution_count": None}
    if notebook.get("nbformat_minor", 0) >= 5:
        cell["id"] = hashlib.sha256(source.name.encode()).hexdigest()[:16]
    cells = notebook["cells"]
    cells.insert(next((at + 1 for at, one in enumerate(cells) if one is before), 0), cell)
    return cell


def show_printed(cells: Sequence[Node], reports: Iterable[CellReport]) -> None:
    """Put what the worker caught of each code cell above its pictures; `cells` are numbered as the reports are."""
    for report in reports:
        outputs = []
        if report.printed:
            outputs.append(_stream(report.printed))
        if report.error:
            kind, _, words = report.error.partition(": ")
            error = visible(f"{report.place} stopped with {report.error}")
            outputs.append({"output_type": "error", "ename": kind, "evalue": words, "traceback": error.splitlines()})
        cells[report.index - 1]["outputs"][:0] = outputs


def mark(notebook: Node, score: Score, sources: Sequence[SourceCell]) -> None:
    """Write each part's words and points into its cell, as nbgrader reads them: a number for a result.

    Raises CourseError where the gradebook and the exercise do not agree on the parts.
    """
    parts = agreed(score, sources)
    for cell in notebook["cells"]:
        part = parts.get(grade_id(cell))
        if part is not None:
            tests = [test for test in score.tests if test.part == part.part]
            result: Node = {"output_type": "execute_result", "metadata": {}, "execution_count": None}
            cell["outputs"] = [_stream(words(part, tests)), {**result, "data": {"text/plain": repr(part.score)}}]


def agreed(score: Score, sources: Sequence[SourceCell]) -> dict[str, PartScore]:
    """The parts by name, which are the automatic cells. Raises CourseError where they are others, or worth something else."""
    parts = {part.part: part for part in score.parts}
    built = {part.part: part.max_score for part in score.parts}
    kept = {source.name: source.points for source in sources if source.automatic}
    if built != kept:
        raise CourseError(
            f"{score.assignment}: the gradebook has {kept}, exercise.toml {built}; run nbgrader generate_assignment again"
        )
    return parts


def words(part: PartScore, tests: Sequence[TestScore]) -> str:
    """What the student reads in the part's cell."""
    lines = [f"{part.title}: {part.score:g} / {part.max_score:g}"]
    for test in tests:
        lines.append(f"{MARKS[test.status][0]} {test.title} ({test.status}, {test.score:g} / {test.max_score:g})")
        if test.status != "passed" and test.words:
            lines += [f"    {line}" for line in test.words.splitlines()]
    return "\n".join(lines) + "\n"


def _stream(text: str) -> Node:
    return {"output_type": "stream", "name": "stdout", "text": visible(text.expandtabs())}


def checksum(cell: Node, source: SourceCell) -> str:
    """nbgrader's fingerprint of a cell (nbgrader.utils.compute_checksum): equal to the source's where nothing was written."""
    facts = [cell["source"], cell["cell_type"], str(source.grade), str(source.solution), str(_locked(source)), source.name]
    if source.grade and source.points is not None:
        facts.append(str(float(source.points)))
    return hashlib.md5("".join(facts).encode(), usedforsecurity=False).hexdigest()


def _locked(source: SourceCell) -> bool:
    return not source.solution and (source.grade or source.locked)

"""A class's report: one HTML file that needs no network, a page for each student, and CSV and JSON beside them."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jinja2

from ..copies import Pair
from ..errors import InputError
from ..exercise import Exercise
from ..store import Record
from .charts import parts_chart, scores_chart
from .terminal import MARKS, visible

SCHEMA = 1
PAIRS_SHOWN = 200
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
STUDENTS = "students"


@dataclass(frozen=True)
class PartRow:
    """How the class did in one part: points on average, and students with all, some and none of them."""

    title: str
    points: float
    mean: float
    all: int
    some: int
    none: int


@dataclass(frozen=True)
class Mistake:
    """A mistake of the catalogue and who made it."""

    id: str
    op: str
    hint: str
    students: tuple[Record, ...]


def write_report(folder: Path, exercise: Exercise, records: Sequence[Record], pairs: Sequence[Pair]) -> Path:
    """Write class.html, students/, grades.csv and grades.json into `folder`; the path of the first.

    Raises InputError where the folder cannot be written.
    """
    templates = _templates()
    try:
        (folder / STUDENTS).mkdir(parents=True, exist_ok=True)
        for record in records:
            page = templates.get_template("student.html").render(exercise=exercise, record=record, grade=record.grade)
            _write(folder / STUDENTS / page_name(record.student), page)
        index = folder / "class.html"
        _write(index, templates.get_template("class.html").render(_class(exercise, records, pairs)))
        _write_csv(folder / "grades.csv", exercise, records)
        _write(folder / "grades.json", json.dumps(class_table(exercise, records, pairs), indent=1, allow_nan=False) + "\n")
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}; name another folder with --output") from None
    return index


def page_name(student: str) -> str:
    """A file name for anybody's identifier, on any file system, and no two alike."""
    mark = hashlib.sha256(student.encode("utf-8", "backslashreplace")).hexdigest()[:10]
    return f"{re.sub('[^A-Za-z0-9-]+', '_', student)[:60]}-{mark}.html"


def class_table(exercise: Exercise, records: Sequence[Record], pairs: Sequence[Pair]) -> dict[str, Any]:
    """The class's results as JSON's types; each grade is what `autograder grade --json` gives."""
    students = [
        {"student": one.student, "name": one.name, "outcome": one.outcome, "message": one.message, "grade": one.grade}
        for one in records
    ]
    return {"schema": SCHEMA, "assignment": exercise.slug, "students": students, "alike": [asdict(pair) for pair in pairs]}


def mistakes(records: Sequence[Record]) -> list[Mistake]:
    """The mistakes of the catalogue that were found, most common first."""
    hints: dict[tuple[str, str], str] = {}
    made: dict[tuple[str, str], dict[str, Record]] = defaultdict(dict)
    for record in records:
        for test in record.grade["tests"] if record.grade else ():
            found = test["misconception"]
            if found:
                hints[found["id"], found["op"]] = found["hint"]
                made[found["id"], found["op"]][record.student] = record
    found_out = [Mistake(*key, hints[key], tuple(who.values())) for key, who in made.items()]
    return sorted(found_out, key=lambda mistake: (-len(mistake.students), mistake.id, mistake.op))


def _class(exercise: Exercise, records: Sequence[Record], pairs: Sequence[Pair]) -> dict[str, Any]:
    """What the class's page is made from."""
    graded = [record for record in records if record.grade is not None]
    scores = [float(record.grade["score"]) for record in graded if record.grade]
    parts = _parts(exercise, [record.grade for record in graded if record.grade])
    statuses: Counter[str] = Counter()
    for record in graded:
        statuses.update({test["status"] for test in record.grade["tests"]} if record.grade else ())
    return {
        "exercise": exercise,
        "records": records,
        "graded": graded,
        "ungraded": [record for record in records if record.grade is None],
        "mean": statistics.fmean(scores) if scores else 0.0,
        "median": statistics.median(scores) if scores else 0.0,
        "lowest": min(scores, default=0.0),
        "highest": max(scores, default=0.0),
        "parts": parts,
        "scores_chart": scores_chart(scores, exercise.max_score) if scores else "",
        "parts_chart": parts_chart([(part.title, part.all, part.some, part.none) for part in parts]) if scores else "",
        "mistakes": mistakes(records),
        "statuses": [(status, statuses[status]) for status in MARKS if statuses[status] and status != "passed"],
        "pairs": pairs[:PAIRS_SHOWN],
        "pairs_found": len(pairs),
        "by_student": {record.student: record for record in records},
    }


def _parts(exercise: Exercise, grades: Sequence[dict[str, Any]]) -> list[PartRow]:
    rows = []
    for part in exercise.parts:
        got = [one["score"] for grade in grades for one in grade["parts"] if one["part"] == part.id]
        whole = sum(score >= part.points for score in got)
        none = sum(score <= 0 < part.points for score in got)
        mean = statistics.fmean(got) if got else 0.0
        rows.append(PartRow(part.title, part.points, mean, whole, len(got) - whole - none, none))
    return rows


def _write_csv(path: Path, exercise: Exercise, records: Sequence[Record]) -> None:
    parts = [part.id for part in exercise.parts]
    # With a byte order mark, a spreadsheet takes the names for what they are.
    with path.open("w", encoding="utf-8-sig", errors="backslashreplace", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["student", "name", "outcome", "score", "max_score", *parts, "mistakes", "message"])
        for record in records:
            grade = record.grade or {"score": "", "max_score": "", "parts": []}
            got = {one["part"]: one["score"] for one in grade["parts"]}
            known = "; ".join(f"{mistake.id} {mistake.op}".strip() for mistake in mistakes([record]))
            row = [record.student, record.name, record.outcome, grade["score"], grade["max_score"]]
            row += [*(got.get(part, "") for part in parts), known, " ".join(record.message.split())]
            writer.writerow([safe_cell(cell) for cell in row])


def safe_cell(cell: Any) -> Any:
    """A text that no spreadsheet takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


def _templates() -> jinja2.Environment:
    """Templates in which all text is escaped, and marks that cannot be seen are shown."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    environment.globals.update(page_name=page_name, folder=STUDENTS, marks=MARKS)
    environment.filters["points"] = lambda number: f"{number:.4g}"
    return environment

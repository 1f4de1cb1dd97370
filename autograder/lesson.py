"""One authored lesson, a py:percent script, read into cells whose kinds are known and whose marks are right."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import CourseError
from .exercise import Exercise, read_exercise

BEGIN, END = "BEGIN SOLUTION", "END SOLUTION"
STUB = "raise NotImplementedError"
LONGEST = 30
# The build gives ids like these to cells of its own.
MARK = re.compile(r"(?!setup$|given-)[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
# nbgrader looks for these words anywhere in a line; on other lines they would cut the cell in the wrong place.
WORKED = {"code": (re.compile(rf"\s*### {BEGIN}"), re.compile(rf"\s*### {END}"))}
WORKED["markdown"] = re.compile(rf"<!-- {BEGIN} -->"), re.compile(rf"<!-- {END} -->")
ANSWER = f"<!-- {BEGIN} -->\n<!-- {END} -->"
KINDS = ("solution", "check", "written")


@dataclass(frozen=True)
class LessonCell:
    """`kind` is prose, demo, module, solution, check or written; `mark` is the id that the last three carry."""

    kind: str
    mark: str
    source: str

    @property
    def is_code(self) -> bool:
        return self.kind not in ("prose", "written")


@dataclass(frozen=True)
class Lesson:
    """An assignment as its author wrote it: the cells in order, and exercise.toml."""

    exercise: Exercise
    cells: tuple[LessonCell, ...]

    @property
    def slug(self) -> str:
        return self.exercise.slug


def read_lesson(folder: Path) -> Lesson:
    """The lesson in solutions/NN_slug/. Raises CourseError, one line that names the file and the mend."""
    # jupytext takes most of a second to import.
    import jupytext  # type: ignore[import-untyped]

    slug = folder.name
    path = folder / f"{slug}.py"
    for needed in (folder / "exercise.toml", path, folder / f"test_{slug}.py"):
        if not needed.is_file():
            raise CourseError(f"{needed} is missing: write it, as docs/authoring.md says")
    exercise = read_exercise(folder / "exercise.toml")
    try:
        notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="py:percent")
    except (UnicodeDecodeError, ValueError) as error:
        raise CourseError(f"{path}: not a py:percent script in UTF-8: {error}") from None
    cells = tuple(
        _cell(f"{path}: cell {number}", raw.cell_type, raw.metadata, raw.source) for number, raw in enumerate(notebook.cells, 1)
    )
    _complete(path, exercise, cells)
    return Lesson(exercise, cells)


def _cell(where: str, cell_type: str, metadata: dict[str, object], source: str) -> LessonCell:
    # jupytext notes here where the blank lines between two cells are not as it would write them.
    given = {
        key: value for key, value in metadata.items() if key not in ("tags", "lines_to_next_cell", "lines_to_end_of_cell_marker")
    }
    tags = metadata.get("tags", [])
    words = " ".join(f"{key}={value!r}" for key, value in (*given.items(), *([("tags", tags)] if tags else [])))
    if len(given) > 1 or (given and tags) or not set(given) <= set(KINDS) or tags not in ([], ["module"]):
        raise CourseError(f'{where}: {words} is no mark of a cell; give one of solution="", check="", written="", tags=["module"]')
    kind, mark = next(((key, str(value)) for key, value in given.items()), ("module" if tags else "demo", ""))
    if (cell_type == "markdown") != (kind == "written") and not (cell_type == "markdown" and kind == "demo"):
        raise CourseError(f"{where}: {words} cannot stand on a {cell_type} cell; written goes with [markdown], the others without")
    if given and not MARK.fullmatch(mark):
        raise CourseError(f"{where}: {words}: a mark is at most 40 letters, digits, _ and -, and neither setup nor given-...")
    cell = LessonCell("prose" if cell_type == "markdown" and kind == "demo" else kind, mark, source)
    where = f'{where} ({kind}="{mark}")' if mark else where
    _sized(where, cell)
    _marked(where, cell)
    if cell.kind == "check" and source != f'check("{mark}")':
        raise CourseError(f'{where}: a check cell holds nothing but check("{mark}")')
    if cell.is_code:
        _python(where, source)
        _python(f"{where}, as it is released", released(source))
    return cell


def _sized(where: str, cell: LessonCell) -> None:
    lines = [line for line in cell.source.split("\n") if BEGIN not in line and END not in line]
    if len(lines) > LONGEST:
        raise CourseError(f"{where}: {len(lines)} lines; cells have at most {LONGEST}, so make two of it")


def _marked(where: str, cell: LessonCell) -> None:
    """Regions open and close by turns, in the spelling of their kind of cell, and only where there may be one."""
    begin, end = WORKED["code" if cell.is_code else "markdown"]
    turns: list[str] = []
    for line in cell.source.split("\n"):
        if BEGIN not in line and END not in line:
            continue
        if cell.kind not in ("solution", "written"):
            raise CourseError(f'{where}: {line.strip()!r} stands outside of a solution cell; give the cell solution="..."')
        if not begin.fullmatch(line) and not end.fullmatch(line):
            raise CourseError(f"{where}: {line.strip()!r} is no mark of a worked region; docs/authoring.md has their spelling")
        turns.append("b" if begin.fullmatch(line) else "e")
    if "".join(turns) != "be" * (len(turns) // 2):
        raise CourseError(f"{where}: {BEGIN} and {END} do not pair up; close each region before the next one opens")
    if cell.kind == "solution" and not turns:
        raise CourseError(f"{where}: a solution cell needs a worked region, from ### {BEGIN} to ### {END}")


def _python(where: str, source: str) -> None:
    try:
        ast.parse(source)
    except SyntaxError as error:
        raise CourseError(f"{where}: not Python: {error.msg} in its line {error.lineno}") from None


def _complete(path: Path, exercise: Exercise, cells: Sequence[LessonCell]) -> None:
    """Every part has its check, every written question its cell, and no id names two cells."""
    marks = [cell.mark for cell in cells if cell.mark]
    twice = next((mark for mark in marks if marks.count(mark) > 1), None)
    if twice:
        raise CourseError(f"{path}: two cells are marked {twice!r}; nbgrader wants an id for each, so rename one")
    parts, written = {part.id for part in exercise.parts}, {one.id for one in exercise.written}
    for kind, table, ids in (("check", "part", parts), ("written", "written", written)):
        found = {cell.mark for cell in cells if cell.kind == kind}
        for name in sorted(ids - found):
            raise CourseError(f'{path}: {name} of exercise.toml has no cell; add one with {kind}="{name}"')
        for name in sorted(found - ids):
            raise CourseError(f'{path}: {kind}="{name}" is not in exercise.toml; add a [[{table}]] with this id')


def released(source: str) -> str:
    """The source with one stub for each worked region, as nbgrader releases it."""
    lines: list[str] = []
    inside = False
    for line in source.split("\n"):
        if BEGIN in line:
            lines.append(line[: len(line) - len(line.lstrip())] + STUB)
        if not inside and BEGIN not in line:
            lines.append(line)
        inside = (inside or BEGIN in line) and END not in line
    return "\n".join(lines)


def regions(cell: LessonCell) -> list[str]:
    """What is worked in this cell: the lines of each region, without its two marks."""
    found: list[list[str]] = []
    inside = False
    for line in cell.source.split("\n"):
        if BEGIN in line or END in line:
            inside = BEGIN in line
            found += [[]] if inside else []
        elif inside:
            found[-1].append(line)
    return ["\n".join(lines) for lines in found]

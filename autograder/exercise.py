"""One assignment's exercise.toml, read into a frozen `Exercise`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import CourseError, InputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PACKAGE = Path(__file__).parent
# An installed package carries the built assignments inside itself; a clone has them beside it.
COURSE = PACKAGE / "assignments" if (PACKAGE / "assignments").is_dir() else PACKAGE.parent / "assignments"
HIDDEN = PACKAGE / "hidden"


@dataclass(frozen=True)
class Part:
    """A graded part: its points, the hints in the order they are given, and the parts it builds on."""

    id: str
    title: str
    points: float
    hints: tuple[str, ...]
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Written:
    """A question answered in words and graded by a person; its points are no part of the automatic score."""

    id: str
    title: str
    points: float


@dataclass(frozen=True)
class Limits:
    """Processor seconds for one message and one cell, wall seconds for a whole submission, memory in bytes."""

    seconds: float = 2.0
    cell_seconds: float = 5.0
    total_seconds: float = 100.0
    memory: int = 512 << 20


@dataclass(frozen=True)
class Exercise:
    """What the course's author says of one assignment; `minutes` is how long a student will need."""

    slug: str
    title: str
    minutes: int
    seed: int
    parts: tuple[Part, ...]
    limits: Limits
    written: tuple[Written, ...] = ()

    @property
    def max_score(self) -> float:
        return sum(part.points for part in self.parts)

    def part(self, name: str) -> Part:
        for part in self.parts:
            if part.id == name:
                return part
        known = ", ".join(part.id for part in self.parts)
        raise InputError(f"{self.slug} has no part called {name}; its parts are {known}")


def assignments(course: Path = COURSE) -> list[str]:
    """The course's assignments, in teaching order."""
    return sorted(path.parent.name for path in course.glob("*/exercise.toml"))


def load_exercise(slug: str, course: Path = COURSE) -> Exercise:
    """The exercise called `slug`. Raises InputError where there is none, CourseError where its file is wrong."""
    if slug not in assignments(course):
        known = ", ".join(assignments(course)) or f"none; is {course} the course?"
        raise InputError(f"there is no assignment {slug!r}; the course has {known}")
    return read_exercise(course / slug / "exercise.toml")


def read_exercise(path: Path) -> Exercise:
    """One exercise.toml. Raises CourseError naming the file and what to mend."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"{path}: not TOML: {error}") from None
    _known(path, table, "", {"title", "minutes", "seed", "limits", "part", "written"})
    parts = tuple(_part(path, entry) for entry in table.get("part", []))
    written = tuple(_written(path, entry) for entry in table.get("written", []))
    names = [part.id for part in parts]
    if not parts or len({*names, *(one.id for one in written)}) != len(names) + len(written):
        raise CourseError(f"{path}: give at least one [[part]], and each part and each [[written]] an id of its own")
    for part in parts:
        for need in part.needs:
            if need not in names[: names.index(part.id)]:
                raise CourseError(f"{path}: part {part.id} needs {need}, which is no part before it")
    limits = table.get("limits", {})
    _known(path, limits, "limits.", set(Limits.__dataclass_fields__))
    return Exercise(
        slug=path.parent.name,
        title=_take(path, table, "title", str),
        minutes=_take(path, table, "minutes", int),
        seed=_take(path, table, "seed", int),
        parts=parts,
        limits=Limits(**limits),
        written=written,
    )


def _part(path: Path, entry: dict[str, Any]) -> Part:
    _known(path, entry, "part.", {"id", "title", "points", "hints", "needs"})
    return Part(
        id=_take(path, entry, "id", str),
        title=_take(path, entry, "title", str),
        points=_points(path, entry),
        hints=tuple(_take(path, entry, "hints", list)),
        needs=tuple(entry.get("needs", ())),
    )


def _written(path: Path, entry: dict[str, Any]) -> Written:
    _known(path, entry, "written.", {"id", "title", "points"})
    return Written(_take(path, entry, "id", str), _take(path, entry, "title", str), _points(path, entry))


def _points(path: Path, entry: dict[str, Any]) -> float:
    points = entry.get("points")
    if isinstance(points, bool) or not isinstance(points, (int, float)) or points < 0:
        raise CourseError(f"{path}: {entry.get('id')}: points must be a number, and not below 0")
    return float(points)


def _take(path: Path, table: dict[str, Any], key: str, kind: type) -> Any:
    if type(table.get(key)) is not kind:
        raise CourseError(f"{path}: {key} must be given, as a {kind.__name__}")
    return table[key]


def _known(path: Path, table: dict[str, Any], where: str, allowed: set[str]) -> None:
    for key in table:
        if key not in allowed:
            raise CourseError(f"{path}: {where}{key} is not a setting; these are: {', '.join(sorted(allowed))}")

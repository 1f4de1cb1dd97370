"""Everything that is built from the authored files, and how it differs from what is committed."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat

from .book import release, source_notebook
from .errors import CourseError
from .exercise import Exercise
from .lesson import Lesson, read_lesson

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

BUILT = ("source", "release", "assignments")
# What Python, Jupyter and pytest leave behind is nobody's file, and git ignores it.
LEFT_BEHIND = {"__pycache__", ".ipynb_checkpoints", ".pytest_cache"}
SKELETON = '''\
"""{slug}: {title}.

Write your code where NotImplementedError is raised, then run `autograder check` in this folder.
Each `# %%` begins a cell, which is run on its own: a mistake in one does not stop the others.
"""
'''
README = """\
# {slug}: {title}

About {minutes} minutes, {points:g} points.

| part | what you write | points |
|---|---|---|
{parts}
{written}
Write your code in `micrograd.py`, where `NotImplementedError` is raised; the lesson itself is the notebook
`release/{slug}/{slug}.ipynb` of <{repository}>. Then, in this folder:

    pip install "{install}"     # once
    autograder check            # what passes, what does not, and where
    autograder hint {first}

`test_{slug}.py` holds the checks that you can read. Others of the same kind, on other numbers, decide the score.
"""
WRITTEN = """
A person grades these, in the notebook:

| question | what about | points |
|---|---|---|
{rows}
"""


@dataclass(frozen=True)
class Course:
    """What solutions/course.toml says: the course's title, where it is published, what pip installs."""

    title: str
    repository: str
    install: str


def read_course(root: Path) -> Course:
    """The course at `root`. Raises CourseError naming the file and what to mend."""
    path = root / "solutions" / "course.toml"
    keys = tuple(Course.__dataclass_fields__)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CourseError(f"{path} is missing: write it, with {', '.join(keys)}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"{path}: not TOML: {error}") from None
    if set(table) != set(keys) or not all(isinstance(value, str) and '"' not in value for value in table.values()):
        raise CourseError(f"{path}: give {', '.join(keys)}, each as text without quotes inside, and nothing else")
    return Course(**table)


def authored(root: Path) -> list[str]:
    """The slugs of the assignments that have a folder in solutions/, in teaching order."""
    folders = (path for path in (root / "solutions").glob("*/") if path.name not in LEFT_BEHIND)
    return sorted(path.name for path in folders if path.is_dir())


def build(root: Path, slugs: Sequence[str]) -> dict[str, bytes]:
    """The built files of these assignments: path below `root` to content. Nothing below `root` is written.

    Raises CourseError, one line that names the author's file and the mend.
    """
    course = read_course(root)
    lessons = [read_lesson(root / "solutions" / slug) for slug in slugs]
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        for lesson in lessons:
            write(place, {_notebook("source", lesson.slug): source_notebook(lesson, course.install).encode()})
        release(place, slugs)
        for lesson in lessons:
            handout = _handout(course, lesson, root, place / _notebook("release", lesson.slug))
            write(place, {f"assignments/{lesson.slug}/{name}": content for name, content in handout.items()})
        return {path.relative_to(place).as_posix(): path.read_bytes() for path in _files(place, BUILT)}


def _notebook(kind: str, slug: str) -> str:
    return f"{kind}/{slug}/{slug}.ipynb"


def _handout(course: Course, lesson: Lesson, root: Path, released: Path) -> dict[str, bytes]:
    """The files of assignments/NN_slug/: what a student works in, without a notebook."""
    authored = root / "solutions" / lesson.slug
    suite = f"test_{lesson.slug}.py"
    return {
        "micrograd.py": skeleton(lesson.exercise, released).encode(),
        "README.md": readme(course, lesson.exercise).encode(),
        suite: (authored / suite).read_bytes(),
        "exercise.toml": (authored / "exercise.toml").read_bytes(),
    }


def skeleton(exercise: Exercise, released: Path) -> str:
    """micrograd.py: the given and the unworked cells of the release notebook, in order."""
    parts = [SKELETON.format(slug=exercise.slug, title=exercise.title)]
    for cell in nbformat.read(released, as_version=4).cells:  # type: ignore[no-untyped-call]
        if cell.cell_type != "code":
            continue
        if cell.metadata.get("nbgrader", {}).get("solution"):
            parts.append(f"# %% {cell.metadata.nbgrader.grade_id}\n{cell.source}\n")
        elif "module" in cell.metadata.get("tags", []):
            parts.append(f"# %%\n{cell.source}\n")
    return "\n\n".join(parts)


def readme(course: Course, exercise: Exercise) -> str:
    written = "\n".join(f"| {one.id} | {one.title} | {one.points:g} |" for one in exercise.written)
    return README.format(
        slug=exercise.slug,
        title=exercise.title,
        minutes=exercise.minutes,
        points=exercise.max_score,
        parts="\n".join(f"| {part.id} | {part.title} | {part.points:g} |" for part in exercise.parts),
        written=WRITTEN.format(rows=written) if written else "",
        repository=course.repository,
        install=course.install,
        first=exercise.parts[0].id,
    )


def write(root: Path, files: dict[str, bytes]) -> list[str]:
    """Write what differs; the paths written."""
    changed = [name for name, content in files.items() if not (root / name).is_file() or (root / name).read_bytes() != content]
    for name in changed:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(files[name])
    return changed


def differences(root: Path, slugs: Sequence[str], files: dict[str, bytes]) -> list[str]:
    """A line for each committed file that is missing, differs, or that nothing accounts for.

    Strays are looked for in the folders of `slugs`, and everywhere where these are all assignments.
    """
    lines = [f"missing: {name}" for name in files if not (root / name).is_file()]
    lines += [f"differs: {name}" for name in files if (root / name).is_file() and (root / name).read_bytes() != files[name]]
    known = {*files, "solutions/course.toml"}
    for slug in slugs:
        known |= {f"solutions/{slug}/{name}" for name in (f"{slug}.py", "exercise.toml", f"test_{slug}.py")}
        known.add(f"autograder/hidden/{slug}/test_{slug}.py")
    everything = list(slugs) == authored(root)
    for path in _files(root, (*BUILT, "solutions", "autograder/hidden")):
        name = path.relative_to(root).as_posix()
        if name not in known and (everything or path.parent.name in slugs):
            lines.append(f"stray: {name}")
    return sorted(lines)


def _files(root: Path, folders: Sequence[str]) -> list[Path]:
    found = (path for folder in folders for path in sorted((root / folder).rglob("*")) if path.is_file())
    return [path for path in found if not LEFT_BEHIND & set(path.relative_to(root).parts)]

"""Who handed in what: submissions and names in nbgrader's, Gradescope's, Canvas's and Moodle's folders, and in plain ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import InputError

SUFFIXES = (".py", ".ipynb", ".zip")
GRADESCOPE = "submission_metadata.yml"
# doejane_12345_67890_work.py, doejane_LATE_12345_67890_work-1.py
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_(?P<file>.+)")
# "Jane Doe_12345_assignsubmission_file_/work.py"; the file's name follows at once where all are in one folder
MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_file_?(?P<file>.*)")


@dataclass(frozen=True)
class Entry:
    """One student's work: an identifier that nobody else has, a name for people, and where the work is.

    `problem` says why there is nothing to grade, where that is so.
    """

    student: str
    name: str
    path: Path
    problem: str = ""


def find_submissions(folder: Path, slug: str) -> list[Entry]:
    """Everybody's work for one assignment, by student. Raises InputError where the folder holds none."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; give the folder with the class's submissions (unpack an archive first)")
    try:
        inside = sorted(path for path in folder.iterdir() if not path.name.startswith((".", "__")))
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {error.strerror}; check its permissions") from None
    if (folder / GRADESCOPE).is_file():
        found = list(_gradescope(folder))
    elif any((path / slug).is_dir() for path in inside):
        found = [_nbgrader(path, slug) for path in inside if path.is_dir()]
    else:
        found = list(_named(inside, slug))
    if not found:
        raise InputError(f"{folder} holds no submission for {slug}; give nbgrader's submitted/, an export, or a folder of files")
    return sorted(found, key=lambda entry: entry.student)


def is_nbgrader(folder: Path, slug: str) -> bool:
    """Whether the folder is the submitted/ of an nbgrader course."""
    return (folder.parent / "nbgrader_config.py").is_file() and any(folder.glob(f"*/{slug}"))


def _nbgrader(path: Path, slug: str) -> Entry:
    missing = "" if (path / slug).is_dir() else f"nothing was handed in for {slug}"
    return Entry(path.name, path.name, path / slug, missing)


def _gradescope(folder: Path) -> Iterator[Entry]:
    """One entry for each submitter: those of a group share one submission."""
    try:
        import yaml  # type: ignore[import-untyped]
    except ImportError:
        raise InputError("reading a Gradescope export needs PyYAML: python -m pip install 'autograder[course]'") from None
    try:
        table = yaml.load((folder / GRADESCOPE).read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"{GRADESCOPE} cannot be read: {str(error).splitlines()[0]}; export the submissions again") from None
    latest: dict[str, Entry] = {}
    for place, submission in table.items() if isinstance(table, dict) else ():
        path = folder / Path(str(place)).name
        missing = "" if path.is_dir() else f"the export names {path.name} and does not hold it"
        for person in _submitters(submission):
            name = str(person.get(":name") or "").strip()
            student = str(person.get(":sid") or person.get(":email") or name or path.name)
            latest[student] = Entry(student, name or student, path, missing)
    yield from latest.values()


def _submitters(submission: Any) -> list[dict[str, Any]]:
    people = submission.get(":submitters") if isinstance(submission, dict) else None
    return [person for person in people if isinstance(person, dict)] if isinstance(people, list) else []


def _named(inside: Iterable[Path], slug: str) -> Iterator[Entry]:
    """Files and folders whose names say whose they are: Canvas's and Moodle's forms, else the name itself."""
    works: dict[tuple[str, str], list[tuple[str, Path]]] = {}
    for path in inside:
        if not path.is_dir() and path.suffix not in SUFFIXES:
            continue
        match = MOODLE.fullmatch(path.name) or (None if path.is_dir() else CANVAS.fullmatch(path.name))
        own = path.name if path.is_dir() else path.stem
        student, name = (f"{match['name']}_{match['id']}", match["name"]) if match else (own, own)
        works.setdefault((student, name), []).append((match["file"] if match else path.name, path))
    for (student, name), files in works.items():
        yield _one_of(student, name, files, slug)


def _one_of(student: str, name: str, files: list[tuple[str, Path]], slug: str) -> Entry:
    """The one file, or the one that has the assignment's name; which of several counts is not ours to guess."""
    named = [path for file, path in files if file.startswith(slug)]
    paths = named if len(named) == 1 else [path for _, path in files]
    several = ", ".join(file for file, _ in files)
    return Entry(student, name, paths[0], "" if len(paths) == 1 else f"handed in {several}; keep the one to be graded")

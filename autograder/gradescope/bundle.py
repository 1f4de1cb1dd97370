"""One assignment's zip for Gradescope: what grading imports and no more, equal to the byte whenever it is made."""

from __future__ import annotations

import ast
import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from ..exercise import COURSE, PACKAGE, Exercise
from ..report.gradescope import Display, not_graded
from ..suite import hidden_suite
from .container import SETTINGS

HERE = Path(__file__).parent
# What a grader starts from: its module, the packages around it, and three files that are run by their path.
START = ("__init__.py", "gradescope/__init__.py", "gradescope/container.py", "zygote.py", "worker.py", "confine.py")
DATA = ("suite.ini",)
EARLIEST = (1980, 1, 1, 0, 0, 0)
SCRIPTS = ("setup.sh", "run_autograder")


def bundle(exercise: Exercise, display: Display) -> bytes:
    """The zip. Raises CourseError where this installation has no hidden suite for the assignment."""
    files = dict(sorted({**_scripts(exercise), **_grader(exercise, display)}.items()))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100755 if name in SCRIPTS else 0o100644) << 16
            archive.writestr(entry, data)
    return stream.getvalue()


def _scripts(exercise: Exercise) -> dict[str, bytes]:
    requirements = (HERE / "requirements.txt").read_text(encoding="utf-8").strip()
    results = json.dumps(not_graded(exercise), indent=2, allow_nan=False)
    filled = {"setup.sh": ("@REQUIREMENTS@", requirements), "run_autograder": ("@RESULTS@", results)}
    return {name: (HERE / name).read_text(encoding="utf-8").replace(*filled[name]).encode() for name in SCRIPTS}


def _grader(exercise: Exercise, display: Display) -> dict[str, bytes]:
    suite = sorted(hidden_suite(exercise.slug).glob("*.py"))
    modules = needed([*(PACKAGE / name for name in START), *suite])
    files = {
        path.relative_to(PACKAGE.parent).as_posix(): path.read_bytes() for path in {*modules, *(PACKAGE / name for name in DATA)}
    }
    files[f"autograder/assignments/{exercise.slug}/exercise.toml"] = (COURSE / exercise.slug / "exercise.toml").read_bytes()
    files[SETTINGS] = (json.dumps({"assignment": exercise.slug, **asdict(display)}, indent=2) + "\n").encode()
    return files


def needed(files: Iterable[Path]) -> set[Path]:
    """These files and all of the package that they import, early or late."""
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += _imported(file)
    return found


def _imported(file: Path) -> Iterator[Path]:
    package = file.relative_to(PACKAGE.parent).parent.parts
    for node in _imports(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names = [tuple(alias.name.split(".")) for alias in node.names]
        else:
            above = package[: len(package) - node.level + 1] if node.level else ()
            origin = above + tuple((node.module or "").split(".") if node.module else ())
            names = [origin, *((*origin, alias.name) for alias in node.names)]
        for name in names:
            yield from _files(name)


def _imports(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements; those for a type checker alone are never run."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child
        elif not (isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING"):
            yield from _imports(child)


def _files(name: tuple[str, ...]) -> Iterator[Path]:
    """The package's files that importing a dotted name runs."""
    if name[:1] != (PACKAGE.name,):
        return
    for length in range(1, len(name) + 1):
        place = PACKAGE.parent.joinpath(*name[:length])
        yield from (path for path in (place / "__init__.py", place.with_suffix(".py")) if path.is_file())

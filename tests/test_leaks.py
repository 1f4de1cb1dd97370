"""No solved region and no hidden test in anything that students get: release/, assignments/, a real wheel.

Compared line by line, without comments, blank lines and the lines' indentation. A region or a test's body that is
shorter than 40 characters is too common to look for alone (`return out`); whole hidden tests are looked for always.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_course import SLUG, small_course
from support import ROOT

from autograder.build import authored
from autograder.lesson import read_lesson, regions

SHORTEST = 40


def code_lines(text: str) -> list[str]:
    """The lines without comments and with single blanks; what is inside of a string stays comparable all the same."""
    bare = (" ".join(line.partition("#")[0].split()) for line in text.splitlines())
    return [line for line in bare if line]


def normal(text: str) -> str:
    return "\n" + "\n".join(code_lines(text)) + "\n"


def solved(root: Path) -> dict[str, str]:
    """Every solved region of every lesson that is long enough to be recognised."""
    found: dict[str, str] = {}
    for slug in authored(root):
        for cell in read_lesson(root / "solutions" / slug).cells:
            for number, region in enumerate(regions(cell), 1):
                if len(normal(region)) >= SHORTEST:
                    found[f"{slug}: region {number} of {cell.mark}"] = normal(region)
    return found


def hidden_tests(root: Path) -> dict[str, str]:
    """Every function of the hidden suites: tests whole, and their bodies where they are long enough."""
    found: dict[str, str] = {}
    for path in sorted((root / "autograder" / "hidden").rglob("*.py")):
        text = path.read_text()
        lines = text.splitlines()
        for node in ast.parse(text).body:
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found[f"{path.parent.name}: {node.name}"] = normal("\n".join(lines[first - 1 : node.end_lineno]))
            statements = node.body[1:] if ast.get_docstring(node) else node.body
            body = normal("\n".join(lines[statements[0].lineno - 1 : node.end_lineno])) if statements else ""
            if len(body) >= SHORTEST:
                found[f"{path.parent.name}: body of {node.name}"] = body
    return found


def given(name: str, data: bytes) -> str:
    """A file's code as a student reads it: a notebook's cells one after the other."""
    text = data.decode("utf-8", "replace")
    if name.endswith(".ipynb"):
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    return normal(text)


def files(*folders: Path) -> Iterator[tuple[str, bytes]]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path.as_posix(), path.read_bytes()


def leaks(secrets: dict[str, str], handed_out: Iterator[tuple[str, bytes]]) -> list[str]:
    return [f"{name} holds {what}" for name, data in handed_out for what, secret in secrets.items() if secret in given(name, data)]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", str(ROOT), "--no-deps", "--no-build-isolation", "--quiet", "-w", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def secrets() -> dict[str, str]:
    found = {**solved(ROOT), **hidden_tests(ROOT)}
    assert {what.partition(":")[0] for what in found} == set(authored(ROOT)), "an assignment has nothing to look for"
    return found


def test_nothing_solved_or_hidden_is_handed_out(secrets: dict[str, str]) -> None:
    assert leaks(secrets, files(ROOT / "release", ROOT / "assignments")) == []


def test_nothing_solved_or_hidden_is_in_the_wheel(secrets: dict[str, str], wheel: zipfile.ZipFile) -> None:
    assert leaks(secrets, ((name, wheel.read(name)) for name in wheel.namelist() if not name.endswith("/"))) == []


def test_the_wheel_holds_the_assignments_and_no_folder_of_ours(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    parts = {part for name in names for part in Path(name).parts}
    assert not parts & {"hidden", "solutions", "source", "release", "tests", "bench"}
    for slug in authored(ROOT):
        for name in ("micrograd.py", "README.md", "exercise.toml", f"test_{slug}.py"):
            assert f"autograder/assignments/{slug}/{name}" in names


PLANTED = {
    "a region, indented and commented": (
        "notes.py",
        "class A:\n    def f(self):\n        number =  self.data # so\n\n        return Value(number + number)\n",
    ),
    "a region in a notebook": (
        "a.ipynb",
        json.dumps({"cells": [{"source": ["x = 1\n", "number = self.data\n", "return Value(number + number)"]}]}),
    ),
    "a hidden test": (
        "test_a.py",
        'def test_other(student):\n    (a,) = student.values(3.0)\n    assert_number(student, a.double().data, 6.0, "a=3")\n',
    ),
}


@pytest.mark.parametrize(("name", "text"), PLANTED.values(), ids=list(PLANTED))
def test_a_planted_leak_is_found(tmp_path: Path, name: str, text: str) -> None:
    small_course(tmp_path)
    handout = tmp_path / "assignments" / SLUG
    handout.mkdir(parents=True)
    found = {**solved(tmp_path), **hidden_tests(tmp_path)}
    (handout / name).write_text("x = 1\n" if name.endswith(".py") else '{"cells": []}')
    assert leaks(found, files(handout)) == []
    (handout / name).write_text(text)
    assert len(leaks(found, files(handout))) == 1

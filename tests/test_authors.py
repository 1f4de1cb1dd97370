"""`autograder build --prove`: a lesson that keeps its promises passes, and each broken promise is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_course import SLUG, replace, small_course
from support import autograder

from autograder import authors
from autograder.build import build, write


def prove(root: Path, built: Path, runs: int = 1) -> list[str]:
    write(built, build(root, [SLUG]))
    return authors.prove(root, built, [SLUG], runs)


def test_a_lesson_that_keeps_its_promises(tmp_path: Path) -> None:
    small_course(tmp_path)
    done = autograder("build", "--prove", "--runs", 2, "--course", tmp_path)
    assert done.returncode == 0 and "in 2 fresh processes" in done.stdout, done.stdout + done.stderr
    assert not (tmp_path / "source").exists(), "--prove wrote something"


def test_a_broken_promise_ends_the_command_with_1(tmp_path: Path) -> None:
    replace(small_course(tmp_path) / "exercise.toml", ', "Add it to itself."', "")
    done = autograder("build", "--prove", "--runs", 1, "--course", tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == f"{SLUG}: twice has 1 hints; give at least 2 in exercise.toml\n"


BROKEN = {
    "worked lesson is wrong": (
        "lesson",
        "number + number",
        "number + 1.5",
        "the worked lesson: test_twice of the hidden suite failed",
    ),
    "skeleton gets points": (
        "lesson",
        "    ### BEGIN SOLUTION\n    number = self.data\n",
        "    number = self.data\n    return Value(number + number)\n    ### BEGIN SOLUTION\n",
        "the skeleton: test_twice of the hidden suite passed where nothing is written",
    ),
    "skeleton crashes": (
        "lesson",
        "    ### BEGIN SOLUTION\n    number = self.data\n",
        "    self.number\n    ### BEGIN SOLUTION\n",
        "the release notebook: test_twice of the public suite crashed",
    ),
    "a demonstration stops": (
        "lesson",
        "print(Value(3.0)",
        "print(missing, Value(3.0)",
        "NameError: name 'missing' is not defined",
    ),
    "points that nobody checks": ("hidden", "points=2", "points=1", "twice (missing) of the hidden suite"),
    "luck": (
        "hidden",
        "    (a,)",
        "    import random\n    assert student is None, str(random.random())\n    (a,)",
        "differs by luck",
    ),
}


@pytest.mark.parametrize(("where", "old", "new", "words"), BROKEN.values(), ids=list(BROKEN))
def test_a_broken_promise_is_named(tmp_path: Path, where: str, old: str, new: str, words: str) -> None:
    folder = small_course(tmp_path)
    hidden = tmp_path / "autograder" / "hidden" / SLUG / f"test_{SLUG}.py"
    replace({"lesson": folder / f"{SLUG}.py", "exercise": folder / "exercise.toml", "hidden": hidden}[where], old, new)
    said = prove(tmp_path, tmp_path / "built", runs=2 if words == "differs by luck" else 1)
    assert any(words in line for line in said), said


def test_a_missing_hidden_suite_is_named(tmp_path: Path) -> None:
    small_course(tmp_path)
    (tmp_path / "autograder" / "hidden" / SLUG / f"test_{SLUG}.py").unlink()
    assert any("there is no hidden suite" in line for line in prove(tmp_path, tmp_path / "built"))

"""`autograder build`: what comes out, twice the same, and one line for each way to write a lesson wrong."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from small_course import SLUG, replace, small_course
from support import ROOT, autograder

from autograder.book import imports
from autograder.build import authored
from autograder.errors import CourseError
from autograder.lesson import read_lesson


def notebook(path: Path) -> Any:
    read = nbformat.read(path, as_version=4)
    nbformat.validate(read)
    return read


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("course")
    small_course(root)
    done = autograder("build", "--course", root)
    assert done.returncode == 0, done.stderr
    return root


def test_the_source_notebook_is_nbgraders(built: Path) -> None:
    source = notebook(built / "source" / SLUG / f"{SLUG}.ipynb")
    assert (source.nbformat, source.nbformat_minor) == (4, 5)
    marks = {cell.metadata.nbgrader.grade_id: cell for cell in source.cells if "nbgrader" in cell.metadata}
    assert list(marks) == ["setup", "given-1", "double", "twice", "why"]
    table = {
        name: (cell.cell_type, *(cell.metadata.nbgrader[key] for key in ("grade", "solution", "locked")))
        for name, cell in marks.items()
    }
    assert table == {
        "setup": ("code", False, False, True),
        "given-1": ("code", False, False, True),
        "double": ("code", False, True, False),
        "twice": ("code", True, False, True),
        "why": ("markdown", True, True, False),
    }
    assert (marks["twice"].metadata.nbgrader.points, marks["why"].metadata.nbgrader.points) == (2.0, 1.0)
    assert "number + number" in marks["double"].source
    assert all(cell.id.startswith(SLUG) for cell in source.cells)
    assert '%pip install "autograder @ git+https://example.org/t"' in marks["setup"].source


def test_the_release_has_stubs_in_place_of_regions(built: Path) -> None:
    release = notebook(built / "release" / SLUG / f"{SLUG}.ipynb")
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in release.cells if "nbgrader" in cell.metadata}
    lines = cells["double"].source.split("\n")
    assert "    raise NotImplementedError" in lines and "        raise NotImplementedError" in lines
    assert cells["double"].source.count("NotImplementedError") == 2
    assert "SOLUTION" not in str(release) and "number + number" not in str(release)
    assert cells["why"].source.endswith("*Write your answer here.*") and cells["why"].source.startswith("Why is twice")
    assert cells["twice"].metadata.editable is False
    assert all("checksum" in cell.metadata.nbgrader for cell in cells.values())
    source = notebook(built / "source" / SLUG / f"{SLUG}.ipynb")
    assert [cell.id for cell in release.cells] == [cell.id for cell in source.cells]


def test_the_handout(built: Path) -> None:
    folder, authored_folder = built / "assignments" / SLUG, built / "solutions" / SLUG
    assert {path.name for path in folder.iterdir()} == {"micrograd.py", "README.md", "exercise.toml", f"test_{SLUG}.py"}
    for name in ("exercise.toml", f"test_{SLUG}.py"):
        assert (folder / name).read_bytes() == (authored_folder / name).read_bytes()
    names: dict[str, Any] = {}
    skeleton = (folder / "micrograd.py").read_text()
    exec(compile(skeleton, "micrograd.py", "exec"), names)
    with pytest.raises(NotImplementedError):
        names["Value"](1.0).double()
    assert names["half"](names["Value"](0.0)).data == 0.0
    assert "print(" not in skeleton and "check(" not in skeleton
    readme = (folder / "README.md").read_text()
    assert "| twice | Twice the data | 2 |" in readme and "| why | Why it is even | 1 |" in readme


def test_two_builds_give_the_same_bytes(built: Path, tmp_path: Path) -> None:
    small_course(tmp_path)
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "TZ": "Asia/Tokyo"}
    assert autograder("build", "--course", tmp_path, env=environment).returncode == 0
    for path in (path for path in built.rglob("*") if path.is_file()):
        assert path.read_bytes() == (tmp_path / path.relative_to(built)).read_bytes(), path


def test_check_lists_what_differs_is_missing_and_stray(tmp_path: Path) -> None:
    small_course(tmp_path)
    assert autograder("build", "--course", tmp_path).returncode == 0
    clean = autograder("build", "--check", "--course", tmp_path)
    assert (clean.returncode, clean.stdout.count("\n")) == (0, 1), clean.stdout
    replace(tmp_path / "assignments" / SLUG / "micrograd.py", "NotImplementedError", "NotImplementedError()")
    (tmp_path / "release" / SLUG / f"{SLUG}.ipynb").unlink()
    strays = [
        f"assignments/{SLUG}/notes.txt",
        f"autograder/hidden/{SLUG}/old.py",
        f"release/{SLUG}/data.csv",
        f"solutions/{SLUG}/draft.py",
        "source/02_gone/02_gone.ipynb",
    ]
    for name in strays:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    done = autograder("build", "--check", "--course", tmp_path)
    assert done.returncode == 1
    wanted = [
        f"differs: assignments/{SLUG}/micrograd.py",
        f"missing: release/{SLUG}/{SLUG}.ipynb",
        *(f"stray: {name}" for name in strays),
    ]
    assert done.stdout.splitlines()[:-1] == wanted
    assert not (tmp_path / "release" / SLUG / f"{SLUG}.ipynb").exists(), "--check wrote something"


WRONG = {
    "syntax": ("number = self.data", "number = = self.data", "not Python: invalid syntax in its line 4"),
    "no end": ("    return Value(number + number)\n    ### END SOLUTION\n", "    return 1\n", "do not pair up"),
    "nested": ("    number = self.data\n", "    ### BEGIN SOLUTION\n", "do not pair up"),
    "spelling": ("    ### BEGIN SOLUTION\n    number", "    # BEGIN SOLUTION\n    number", "no mark of a worked region"),
    "no region": ('solution="double"', 'solution="double"\npass\n\n# %% solution="none"', "needs a worked region"),
    "region elsewhere": ('# %% solution="double"', "# %%", "stands outside of a solution cell"),
    "unknown mark": ('solution="double"', 'answer="double"', "is no mark of a cell"),
    "unknown tag": ('tags=["module"]', 'tags=["given"]', "is no mark of a cell"),
    "bad mark": ('solution="double"', 'solution="a b"', "at most 40 letters"),
    "reserved mark": ('solution="double"', 'solution="setup"', "neither setup nor given"),
    "same mark": ('solution="double"', 'solution="twice"', "two cells are marked 'twice'"),
    "check with more": ('check("twice")', 'check("twice", 1)', 'nothing but check("twice")'),
    "no check": ('# %% check="twice"\ncheck("twice")', "", 'add one with check="twice"'),
    "unknown check": (
        "# %%\nprint(",
        '# %% check="thrice"\ncheck("thrice")\n# %%\nprint(',
        'check="thrice" is not in exercise.toml',
    ),
    "no question": ('[markdown] written="why"', "[markdown]", 'add one with written="why"'),
    "written code": ('[markdown] written="why"', 'written="why"', "written goes with [markdown]"),
    "long cell": ("print(Value", "x = 1\n" * 30 + "print(Value", "31 lines; cells have at most 30"),
}


@pytest.mark.parametrize(("old", "new", "words"), WRONG.values(), ids=list(WRONG))
def test_a_wrong_lesson_is_named_with_the_mend(tmp_path: Path, old: str, new: str, words: str) -> None:
    folder = small_course(tmp_path)
    replace(folder / f"{SLUG}.py", old, new)
    with pytest.raises(CourseError, match=f"{SLUG}.py") as caught:
        read_lesson(folder)
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("name", [f"{SLUG}.py", "exercise.toml", f"test_{SLUG}.py", "../course.toml"])
def test_a_missing_file_is_one_line(tmp_path: Path, name: str) -> None:
    folder = small_course(tmp_path)
    (folder / name).unlink()
    done = autograder("build", "--course", tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    assert Path(name).name in done.stderr and "missing: write it" in done.stderr
    assert not (tmp_path / "source").exists()


def test_an_unknown_assignment_is_one_line(tmp_path: Path) -> None:
    small_course(tmp_path)
    done = autograder("build", "09_none", "--course", tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert SLUG in done.stderr


def test_the_first_cell_imports_what_the_lesson_uses_and_does_not_define(tmp_path: Path) -> None:
    folder = small_course(tmp_path)
    assert imports(read_lesson(folder)) == ["check", "hint"]
    replace(folder / f"{SLUG}.py", "print(Value(3.0).double().data)", "show(Value(3.0))\ndraw_dot(Value(3.0))")
    assert imports(read_lesson(folder)) == ["check", "draw_dot", "hint", "show"]
    replace(folder / f"{SLUG}.py", "# %% solution", "def show(value):\n    pass\n\n\n# %% solution")
    assert imports(read_lesson(folder)) == ["check", "draw_dot", "hint"]


def test_teaching_order_has_the_capstone_last() -> None:
    slugs = authored(ROOT)
    assert slugs == sorted(slugs, key=lambda slug: (not slug[:1].isdigit(), slug))


@pytest.mark.parametrize("slug", authored(ROOT))
def test_the_courses_notebooks_are_valid_and_hold_no_output(slug: str) -> None:
    for kind in ("source", "release"):
        path = ROOT / kind / slug / f"{slug}.ipynb"
        notebook(path)
        assert not any(cell.get("outputs") for cell in json.loads(path.read_text())["cells"])

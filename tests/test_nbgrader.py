"""Real nbgrader on a copy of the course: the documented commands with two users, hostile and odd work, forgeries, the export."""

from __future__ import annotations

import base64
import csv
import json
import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from nbgrader_course import (
    ASSIGNMENT,
    COMMENTS,
    GRADES,
    SUBMISSIONS,
    code_cell,
    environment,
    hand_in,
    make_course,
    named,
    points,
    query,
    read,
    run,
    solved,
)
from support import ROOT

Notebook = dict[str, Any]
FULL = {"holds": 2, "prints": 1, "sum": 2, "memory": 2, "plain": 1, "again": 2, "why-zero": None}
PICTURE = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(40)).decode()
COURSE_TABLES = ("course", "assignment", "notebook", "base_cell", "source_cell", "grade_cells", "solution_cells", "task_cells")


# --- the commands of docs/instructors.md -------------------------------------------------------------------------------


def documented() -> list[tuple[str, list[str]]]:
    """The command blocks of the page: who gives them, and the lines."""
    page = (ROOT / "docs" / "instructors.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh (.+?)\n(.+?)^```$", page, re.M | re.S)
    return [(who, lines.strip().splitlines()) for who, lines in blocks]


def test_each_documented_command_as_written_with_two_users_and_an_exchange(tmp_path: Path) -> None:
    exchange = tmp_path / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    course = make_course(tmp_path / "teacher" / "course")
    for name in ("ana", "bob"):
        (tmp_path / name / "desk").mkdir(parents=True)
    people = {name: (tmp_path / name / "desk", environment(tmp_path / name, name, exchange)) for name in ("ana", "bob")}
    teacher = environment(tmp_path / "teacher", "teacher", exchange)
    said = ""
    for who, lines in documented():
        places = list(people.values()) if who.startswith("student") else [(course, teacher)]
        with ThreadPoolExecutor() as pool:
            said += "".join(pool.map(lambda place, block=lines: "".join(run(line, *place) for line in block), places))
        if who == "student fetches":
            for name, wrong in (("ana", ""), ("bob", 'return f"Value(data={self.data})"')):
                work = people[name][0] / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
                before = read(work)
                assert "NotImplementedError" in json.dumps(before) and "BEGIN SOLUTION" not in json.dumps(before)
                text = json.dumps(solved())
                assert json.dumps(wrong)[1:-1] in text
                work.write_text(text.replace(json.dumps(wrong)[1:-1], "return 7") if wrong else text)
    assert points(course, "ana") == FULL
    assert points(course, "bob") == FULL | {"prints": 0}
    with (course / "grades.csv").open(newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert rows["bob"]["score"] == "9.0" and rows["bob"]["status"] == "needs manual grade"
    # Each reads their own, and reads no line of a hidden test.
    hidden = (ROOT / "autograder" / "hidden" / ASSIGNMENT / f"test_{ASSIGNMENT}.py").read_text()
    for name, (desk, _) in people.items():
        (page,) = desk.glob(f"{ASSIGNMENT}/feedback/*/{ASSIGNMENT}.html")
        html = page.read_text(encoding="utf-8")
        assert ("How it prints itself: 1 / 1" in html) == (name == "ana")
        assert ("How it prints itself: 0 / 1" in html) == (name == "bob")
        shown = [line for line in hidden.splitlines() if len(line.strip()) > 25 and '"""' not in line and line.strip() in html]
        assert not shown, shown
    assert "Traceback" not in said


# --- one class of odd and hostile submissions, by nbgrader and by batch --------------------------------------------------


def add(*sources: str) -> Callable[[Notebook], None]:
    return lambda notebook: notebook["cells"].extend(map(code_cell, sources))


def replace(name: str, old: str, new: str) -> Callable[[Notebook], None]:
    def change(notebook: Notebook) -> None:
        cell = named(notebook, name)
        assert old in cell["source"]
        cell["source"] = cell["source"].replace(old, new)

    return change


def duplicated(notebook: Notebook) -> None:
    notebook["cells"].append(deepcopy(named(notebook, "sum")) | {"id": "copy"})
    notebook["cells"].insert(0, deepcopy(named(notebook, "why-zero")) | {"id": "early", "source": "my answer stands in the copy"})


def deleted(notebook: Notebook) -> None:
    for name in ("sum", "why-zero", "setup"):
        notebook["cells"].remove(named(notebook, name))


def other_points(notebook: Notebook) -> None:
    named(notebook, "holds")["metadata"]["nbgrader"]["points"] = 1000
    named(notebook, "prints")["metadata"]["nbgrader"]["points"] = "many"


def other_ids(notebook: Notebook) -> None:
    named(notebook, "holds")["metadata"]["nbgrader"]["grade_id"] = "mine"
    named(notebook, "memory")["metadata"]["nbgrader"]["grade_id"] = "sum"
    named(notebook, "class")["metadata"]["nbgrader"] = {"grade_id": ["no", "text"]}


def other_metadata(notebook: Notebook) -> None:
    named(notebook, "holds")["metadata"]["nbgrader"] |= {"schema_version": 99, "grade": False, "solution": True, "locked": False}
    del named(notebook, "prints")["metadata"]["nbgrader"]["schema_version"]
    kind, bare = named(notebook, "memory"), named(notebook, "sum")
    bare["metadata"]["nbgrader"] = "none of it"
    kind["cell_type"] = "markdown"
    del kind["outputs"], kind["execution_count"]


def edited_tests(notebook: Notebook) -> None:
    for name in ("holds", "prints", "sum", "memory", "plain", "again"):
        named(notebook, name)["source"] = "2.0"


def outputs(notebook: Notebook) -> None:
    display = {"output_type": "display_data", "metadata": {}}
    rich = {"image/png": PICTURE, "text/html": "<script>evil()</script>", "application/javascript": "evil()"}
    rich |= {"image/svg+xml": "<svg onload='evil()'/>"}
    liar = {"image/png": base64.b64encode(b"<script>evil()</script>").decode()}
    claimed = {"output_type": "execute_result", "metadata": {}, "execution_count": 1, "data": {"text/plain": "2.0"}}
    notebook["cells"].append(
        code_cell('print("drawn", 6 * 7)', outputs=[display | {"data": rich}, display | {"data": liar}, claimed])
    )
    notebook["cells"].append({"cell_type": "markdown", "metadata": {}, "source": "<script>evil()</script>read me", "id": "md"})
    notebook["cells"].append(code_cell(r'print("\x1b[31m<b>red</b>\x07")'))


LYING_EQ = """
class Liar(float):
    def __eq__(self, other):
        return True
    def __ne__(self, other):
        return False
    def __repr__(self):
        return "Liar"
    __lt__ = __gt__ = __le__ = __ge__ = __eq__
    __hash__ = float.__hash__
_init = Value.__init__
def __init__(self, *arguments, **more):
    _init(self, *arguments, **more)
    self.data = Liar(0)
Value.__init__ = __init__
"""
HOOK = """
from IPython import get_ipython
get_ipython().input_transformers_cleanup.append(lambda lines: ["2.0"] if "check(" in lines[0] or "assert" in lines[0] else lines)
"""
WRITE = """
import sqlite3
database = sqlite3.connect({path!r})
database.execute("UPDATE grade SET manual_score = 2")
database.commit()
"""
LOOP = "while True: pass"
FORGERS = ("lying_eq", "hook", "write")

# Who handed in what, and what it deserves.
CASES: dict[str, tuple[Callable[[Notebook], None], dict[str, float | None]]] = {
    "right": (lambda notebook: None, FULL),
    "late": (lambda notebook: None, FULL),
    "partial": (replace("class", "self.label = label", "self.label = ''"), FULL | {"holds": 1}),
    "duplicated": (duplicated, FULL),
    "deleted": (deleted, FULL),
    "other_points": (other_points, FULL),
    "other_ids": (other_ids, FULL),
    "other_metadata": (other_metadata, FULL),
    "edited_tests": (edited_tests, FULL),
    "loop": (replace("class", 'return f"Value(data={self.data})"', LOOP), FULL | {"prints": 0}),
    "exits": (add("import os\nos._exit(0)", "kept = 1"), FULL),
    "killed": (add("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"), FULL),
    "warns": (replace("add", "def __add__(self, other):", "def __add__(self, other):\n    import sys, warnings\n    warnings.warn('look')\n    print('look', file=sys.stderr)"), FULL),
    "broken_cell": (add("def broken(:"), FULL),
    "outputs": (outputs, FULL),
}  # fmt: skip


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return environment(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory, desk: dict[str, str]) -> Path:
    """A course whose gradebook knows the assignment; copied, never written to."""
    course = make_course(tmp_path_factory.mktemp("released") / "course")
    run(f"nbgrader generate_assignment {ASSIGNMENT} --force", course, desk)
    query(course, "UPDATE assignment SET duedate = '2026-11-30 00:00:00.000000'")
    with (course / "nbgrader_config.py").open("a") as config:
        config.write('\nc.LateSubmissionPlugin.penalty_method = "zero"\n')
    return course


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory: pytest.TempPathFactory, released: Path) -> Path:
    course = shutil.copytree(released, tmp_path_factory.mktemp("class") / "course")
    for student, (change, _) in CASES.items():
        notebook = solved()
        change(notebook)
        at = {"at": "2026-12-01 10:00:00.000000 UTC"} if student == "late" else {}
        hand_in(course, student, notebook, **at)
    hand_in(course, "renamed", solved(), name="my work (final)")
    hand_in(course, "damaged", json.dumps(solved())[:-100])
    forge(course, "lying_eq", LYING_EQ)
    forge(course, "hook", HOOK, unworked=True)
    forge(course, "write", WRITE.format(path="../../../gradebook.db"), unworked=True)
    forge(course, "write_absolutely", WRITE.format(path=str(course / "gradebook.db")), unworked=True)
    return course


def forge(course: Path, student: str, code: str, unworked: bool = False) -> None:
    notebook = read(course / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb") if unworked else solved()
    at = next(at for at, cell in enumerate(notebook["cells"]) if cell["source"] == 'check("holds")')
    notebook["cells"].insert(at, code_cell(code))
    hand_in(course, student, notebook)


@pytest.fixture(scope="module")
def autograded(handed_in: Path, desk: dict[str, str]) -> tuple[Path, str]:
    """The class by `nbgrader autograde`, which ends with 1 as one submission is no notebook, and what it said."""
    return handed_in, run(f"nbgrader autograde {ASSIGNMENT}", handed_in, desk, code=1)


@pytest.fixture(scope="module")
def batched(tmp_path_factory: pytest.TempPathFactory, handed_in: Path, released: Path, desk: dict[str, str]) -> Path:
    """The same class by `autograder batch`, from submitted/ as it was collected."""
    course = tmp_path_factory.mktemp("batch") / "course"
    shutil.copytree(handed_in, course, ignore=shutil.ignore_patterns("autograded", "gradebook.db"))
    (course / "submitted" / "renamed" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").unlink(missing_ok=True)
    shutil.copy(released / "gradebook.db", course)
    run(f"autograder batch submitted --assignment {ASSIGNMENT}", course, desk)
    return course


@pytest.mark.parametrize("student", CASES)
def test_each_gets_what_the_work_deserves(student: str, autograded: tuple[Path, str]) -> None:
    assert points(autograded[0], student) == CASES[student][1]


def test_what_was_changed_is_put_right_and_named(autograded: tuple[Path, str]) -> None:
    course, said = autograded
    assert "duplicated: cell sum stood there 2 times" in said
    assert "deleted: cell sum was missing" in said
    graded = {
        name: read(course / "autograded" / name / ASSIGNMENT / f"{ASSIGNMENT}.ipynb")
        for name in ("duplicated", "deleted", "edited_tests")
    }
    for notebook in graded.values():
        ids = [c["metadata"]["nbgrader"]["grade_id"] for c in notebook["cells"] if "nbgrader" in c["metadata"]]
        assert len(ids) == len(set(ids)) and set(FULL) <= set(ids)
    assert "missing" in named(graded["deleted"], "why-zero")["source"]
    assert named(graded["edited_tests"], "sum")["source"] == 'check("sum")'


def test_a_renamed_notebook_is_graded_and_a_damaged_one_is_listed(autograded: tuple[Path, str]) -> None:
    course, said = autograded
    assert points(course, "renamed") == FULL
    assert "error processing assignment '02_value' for student 'damaged'" in said
    assert not (course / "autograded" / "damaged").joinpath(ASSIGNMENT).exists()


def test_other_cells_keep_text_and_pictures_and_lose_what_could_run(autograded: tuple[Path, str]) -> None:
    notebook = read(autograded[0] / "autograded" / "outputs" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb")
    drawn = next(cell for cell in notebook["cells"] if "drawn" in cell["source"])
    first, *rest = drawn["outputs"]
    assert "".join(first["text"]) == "drawn 42\n"
    assert [set(output["data"]) for output in rest] == [{"image/png"}]
    assert "evil" not in json.dumps([cell.get("outputs") for cell in notebook["cells"]])
    assert r"\x1b" not in json.dumps(notebook["cells"][-1]["outputs"])
    assert r"\u001b" in "".join(notebook["cells"][-1]["outputs"][0]["text"])


def test_no_forgery_pays_and_the_gradebook_has_nothing_else_changed(autograded: tuple[Path, str], released: Path) -> None:
    course, _ = autograded
    nothing = dict.fromkeys(FULL, 0)
    assert points(course, "hook") == points(course, "write") == points(course, "write_absolutely") == nothing
    lying = points(course, "lying_eq")
    assert lying["sum"] == 0 and lying["plain"] == 0 and lying["holds"] < 2
    assert not [row for row in query(course, GRADES) if row[3] is not None or row[4] is not None]
    assert not [row for row in query(course, COMMENTS) if row[3] is not None]
    for table in COURSE_TABLES:
        assert query(course, f"SELECT * FROM {table}") == query(released, f"SELECT * FROM {table}")


def test_batch_writes_the_same_gradebook_and_the_same_notebooks(autograded: tuple[Path, str], batched: Path) -> None:
    course, _ = autograded
    graded = {student for student, *_ in query(batched, SUBMISSIONS)}
    assert graded == {student for student, *_ in query(course, SUBMISSIONS)} - {"damaged"}
    for sql in (GRADES, COMMENTS, SUBMISSIONS):
        assert [row for row in query(course, sql) if row[0] != "damaged"] == query(batched, sql)
    late = {student: penalty for student, *_, penalty in query(batched, SUBMISSIONS)}
    assert late["late"] == 10 and late["right"] is None
    for name in ("right", "partial", "outputs", "duplicated"):
        one, other = (read(place / "autograded" / name / ASSIGNMENT / f"{ASSIGNMENT}.ipynb") for place in (course, batched))
        assert [lines(cell) for cell in one["cells"]] == [lines(cell) for cell in other["cells"]]


def lines(cell: Any) -> Any:
    """A cell with its texts as one piece, which nbformat writes in lines."""
    for output in cell.get("outputs", ()):
        for table, key in [(output, "text"), *((output.get("data", {}), kind) for kind in output.get("data", {}))]:
            if key in table:
                table[key] = "".join(table[key])
    return cell


def test_a_persons_points_and_comments_stay_when_it_is_graded_again(batched: Path, desk: dict[str, str]) -> None:
    query(batched, "UPDATE grade SET manual_score = 0.5, extra_credit = 0.25, needs_manual_grade = 0")
    query(batched, "UPDATE comment SET manual_comment = 'by hand'")
    before = query(batched, GRADES)
    work = batched / "submitted" / "right" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    work.write_text(work.read_text().replace("Value(data=", "Wrong("))
    run(f"autograder batch submitted --assignment {ASSIGNMENT} --only changed", batched, desk)
    assert points(batched, "right")["prints"] == 0.5
    after = query(batched, GRADES)
    assert [row[3:5] for row in after] == [(0.5, 0.25)] * len(after)
    assert {comment for *_, comment in query(batched, COMMENTS)} == {"by hand"}
    # Only the one that changed was looked at; it is to be looked at by a person again.
    assert [row for row in after if row[0] != "right"] == [row for row in before if row[0] != "right"]
    assert all(row[5] for row in after if row[0] == "right")


def test_the_export_is_safe_in_a_spreadsheet_and_gives_no_score_where_there_is_none(
    autograded: tuple[Path, str], desk: dict[str, str], tmp_path: Path
) -> None:
    course, _ = autograded
    query(
        course,
        """UPDATE student SET last_name = '=HYPERLINK("http://x","y")', first_name = '-1+1', email = '@SUM(A1),"q"' WHERE id = 'right'""",
    )
    run(f"nbgrader export --to {tmp_path / 'out.csv'}", course, desk)
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    right = rows["right"]
    assert (right["last_name"], right["first_name"], right["email"]) == ('\'=HYPERLINK("http://x","y")', "'-1+1", '\'@SUM(A1),"q"')
    assert (right["score"], right["max_score"], right["status"]) == ("10.0", "11.0", "needs manual grade")
    assert (rows["damaged"]["status"], rows["damaged"]["score"]) == ("not graded", "")
    assert (rows["hook"]["status"], rows["hook"]["score"]) == ("graded", "0.0")
    assert (rows["late"]["late_submission_penalty"], rows["late"]["score"]) == ("10.0", "0.0")


# --- stock nbgrader, which the same forgeries deceive ---------------------------------------------------------------------

STOCK = """
class Value:
    def __init__(self, data):
        ### BEGIN SOLUTION
        self.data = data
        ### END SOLUTION
"""


def test_the_forgeries_earn_full_marks_in_stock_nbgrader(tmp_path: Path) -> None:
    own = environment(tmp_path / "home")
    course = tmp_path / "course"
    (course / "source" / ASSIGNMENT).mkdir(parents=True)
    table = {"grade": False, "grade_id": "class", "locked": False, "schema_version": 3, "solution": True, "task": False}
    tested = table | {"grade": True, "grade_id": "test", "locked": True, "points": 2, "solution": False}
    check = code_cell("assert Value(2).data == 2 and (Value(3).data + 1) == 4", metadata={"nbgrader": tested})
    notebook = {
        "cells": [code_cell(STOCK, metadata={"nbgrader": table}), check],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (course / "source" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").write_text(json.dumps(notebook))
    run(f"nbgrader generate_assignment {ASSIGNMENT}", course, own)
    empty = "class Value:\n    def __init__(self, data):\n        pass\n"
    lying = empty.replace("pass", "self.data = Liar()") + LYING_EQ.split("_init =")[0] + "    __add__ = lambda self, other: self\n"
    for student, code in {
        "lying_eq": lying,
        "hook": empty + HOOK,
        "write": empty + WRITE.format(path="../../../gradebook.db"),
    }.items():
        hand_in(course, student, notebook | {"cells": [code_cell(code), check]})
    run(f"nbgrader autograde {ASSIGNMENT}", course, own)
    got = dict(
        query(
            course,
            "SELECT s.student_id, coalesce(g.manual_score, g.auto_score) FROM grade g JOIN submitted_notebook n ON n.id = g.notebook_id JOIN submitted_assignment s ON s.id = n.assignment_id",
        )
    )
    assert got == dict.fromkeys(FORGERS, 2.0)

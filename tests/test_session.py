"""One submission in its workers: cells that fail, hang or kill cost no more than they must."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.errors import Crashed, TimedOut
from autograder.exercise import Limits
from autograder.notebook import Cell, script_cells
from autograder.sandbox import Policy, Zygote
from autograder.session import Session
from autograder.student import Student
from autograder.submission import Submission


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    with Zygote(Policy()) as zygote:
        yield zygote


def cells(*sources: str) -> Submission:
    return Submission("x.ipynb", tuple(Cell(at, f"cell {at}", source) for at, source in enumerate(sources, 1)))


def session(zygote: Zygote, *sources: str, **limits: float) -> Session:
    return Session(cells(*sources), zygote, Limits(**{"cell_seconds": 0.3, "seconds": 0.3, **limits}), seed=1)  # type: ignore[arg-type]


def number(session: Session, name: str) -> float:
    student = Student(session)
    return student.number(student.name(name))


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("x = (", "SyntaxError"),
        ("while True: pass", "TimeoutError"),
        ("while True:\n    try:\n        while True: pass\n    except BaseException: pass", "TimeoutError"),
        ("import os; os._exit(0)", "SystemExit"),
        ("raise SystemExit", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("import time; time.sleep(60)", "TimeoutError"),
        ("import os; os.write(3, b'{}\\n')", "SystemExit"),
        ("def f(): f()\nf()", "RecursionError"),
        ("input()", "EOFError"),
        ("import ctypes; ctypes.string_at(0)", "SystemExit"),
    ],
)
def test_the_cells_around_a_bad_one_count(zygote: Zygote, bad: str, error: str) -> None:
    work = session(zygote, "a = 1", bad, "b = a + 1")
    try:
        assert number(work, "b") == 2
        assert {at for at, report in work.reports.items() if report.error} == {2}
        assert work.reports[2].error.startswith(error)
    finally:
        work.close()


def test_a_worker_that_dies_in_a_test_is_replaced(zygote: Zygote) -> None:
    work = session(zygote, "import os\ndef die(): os._exit(0)\nx = 5")
    try:
        student = Student(work)
        with pytest.raises(Crashed, match="ended"):
            student.read(student.name("die")())
        assert number(work, "x") == 5
    finally:
        work.close()


def test_patience_halves_and_the_whole_is_bounded(zygote: Zygote) -> None:
    work = session(zygote, "def loop():\n    while True: pass", seconds=1.0, total_seconds=2.5)
    try:
        for _ in range(9):
            student = Student(work)
            with pytest.raises(TimedOut):
                student.read(student.name("loop")())
        assert work.spent < 4
        student = Student(work)
        with pytest.raises(TimedOut, match="used up"):
            student.read(student.name("loop")())
    finally:
        work.close()


def test_output_without_end_is_cut(zygote: Zygote) -> None:
    work = session(zygote, "while True: print('x' * 1000)", "y = 1")
    try:
        assert number(work, "y") == 1
        assert len(work.reports[1].printed) < 21_000
    finally:
        work.close()


def test_random_numbers_are_the_same_in_each_worker(zygote: Zygote) -> None:
    source = "import random\ndef draw(): return random.random()"
    drawn = []
    for _ in range(2):
        work = session(zygote, source)
        for _ in range(2):
            student = Student(work)
            drawn.append(student.number(student.name("draw")()))
        work.close()
    assert len(set(drawn)) == 1


def test_a_stubborn_submission_is_given_up(zygote: Zygote) -> None:
    work = session(zygote, *["import os; os._exit(0)"] * 60)
    try:
        with pytest.raises(Crashed, match="was not run"):
            work.start()
    finally:
        work.close()


def test_a_script_is_imported_and_a_notebook_is_main(zygote: Zygote) -> None:
    script = Session(
        Submission("math.py", script_cells("math.py", "import math\nroot = math.sqrt(4)\nname = __name__")), zygote, Limits(), 1
    )
    try:
        student = Student(script)
        assert student.read(student.name("root"), student.name("name")) == [2.0, "__submission__"]
    finally:
        script.close()


def test_modules_import_one_another(zygote: Zygote) -> None:
    modules = {
        "mine.__init__": "",
        "mine.engine": "x = 3",
        "mine.nn": "from .engine import x\ny = x + 1",
        "math": "raise SystemError",
    }
    work = Submission("mine", (Cell(1, "nn", "from mine.nn import *\nimport math"),), modules)
    both = Session(work, zygote, Limits(), 1)
    try:
        assert number(both, "y") == 4
        assert both.trouble == ""
    finally:
        both.close()


def test_guarded_imports_fail_and_bare_ones_stand_in(zygote: Zygote) -> None:
    work = session(
        zygote,
        "try:\n    import torch\n    found = 1\nexcept ImportError:\n    found = 0",
        "import numpy as np\nimport matplotlib.pyplot as plt\nplt.plot([1]); figure, axes = plt.subplots(); axes.plot([2])\nok = 1",
        "y = np.tanh(0.5) * 2",
    )
    try:
        assert number(work, "found") == 0 and number(work, "ok") == 1
        assert "numpy is not installed where this is graded" in work.reports[3].error
    finally:
        work.close()

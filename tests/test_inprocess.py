"""The suite of 03_mul says the same through a worker process and inside this one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support import ROOT

from autograder.exercise import load_exercise
from autograder.grading import grade_submission, policy
from autograder.inprocess import InProcess
from autograder.sandbox import Zygote
from autograder.submission import read_submission
from autograder.suite import hidden_suite, run_suite

GOLDEN = ROOT / "tests" / "golden"
SAME = [
    "right_dispatch",
    "right_list_parents",
    "right_subclasses",
    "wrong_overwrites",
    "wrong_missing_return",
    "wrong_not_attached",
]


@pytest.mark.parametrize("case", SAME)
def test_both_transports_agree(case: str) -> None:
    exercise = load_exercise("03_mul")
    work = read_submission(GOLDEN / case)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    here = InProcess(namespace)
    for cell in work.cells:
        here.run(cell)
    names = set(namespace)
    inside = run_suite(hidden_suite("03_mul"), exercise, here, exercise.seed)
    with Zygote(policy(exercise)) as zygote:
        outside = grade_submission(work, exercise, zygote)
    assert [(outcome.name, outcome.status, outcome.message) for outcome in inside] == [
        (test.name, test.status, test.message) for test in outside.tests
    ]
    assert set(namespace) == names


def test_a_loop_without_end_ends(tmp_path: Path) -> None:
    exercise = load_exercise("03_mul")
    here = InProcess({"__name__": "__main__"}, seconds=0.2)
    for cell in read_submission(GOLDEN / "wrong_loop_in_mul").cells:
        here.run(cell)
    outcomes = run_suite(hidden_suite("03_mul"), exercise, here, exercise.seed, select=["mul-graph"])
    assert {outcome.status for outcome in outcomes} == {"timed-out"}

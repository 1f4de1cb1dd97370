"""The same submission gets the same score in every process, even where its gradients hang on a set's order."""

from __future__ import annotations

from support import ROOT

from autograder.exercise import load_exercise
from autograder.grading import grade_submission, policy
from autograder.sandbox import Zygote
from autograder.submission import read_submission


def test_a_set_has_the_same_order_every_time() -> None:
    exercise = load_exercise("03_mul")
    work = read_submission(ROOT / "tests" / "golden" / "wrong_lost_operand")
    seen = set()
    for _ in range(6):
        with Zygote(policy(exercise)) as zygote:
            seen.add(tuple(test.status for test in grade_submission(work, exercise, zygote).tests))
    assert len(seen) == 1

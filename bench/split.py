"""What judging from outside costs: 200 gradient checks of one submission in a worker, beside the same in one process.

Both run the same suite through pytest in this process; only the transport differs. Each is a whole grading, from
reading the file to the outcomes, with the fork server already running, as it is in a class. Run in turns, A B A B.
"""

from __future__ import annotations

import platform
import statistics
import tempfile
import time
from pathlib import Path

from autograder.exercise import Exercise, Limits, Part
from autograder.grading import policy
from autograder.inprocess import InProcess
from autograder.sandbox import Zygote
from autograder.session import Session
from autograder.submission import read_submission
from autograder.suite import run_suite

ROUNDS = 21
CHECKS = 200
WORK = Path(__file__).parent.parent / "tests" / "golden" / "right_dispatch" / "micrograd.py"
SUITE = f'''
import pytest
from autograder.gradcheck import assert_gradients
from autograder.plugin import grade


def shared(a, b, c):
    t = a * b
    return t + t * c + a * a * 3 + (t + c) * b


@grade("all", points={CHECKS})
@pytest.mark.parametrize("block", range(10))
def test_gradients(student, rng, block):
    """Twenty gradients, each with its own message."""
    for _ in range({CHECKS // 10}):
        assert_gradients(student, shared, at=[rng.uniform(1, 2) for _ in range(3)])
'''
EXERCISE = Exercise("bench", "Bench", 1, 7, (Part("all", "All", CHECKS, ("none",)),), Limits())


def split(suite: Path, zygote: Zygote) -> None:
    session = Session(read_submission(WORK), zygote, EXERCISE.limits, EXERCISE.seed)
    assert {outcome.status for outcome in run_suite(suite, EXERCISE, session, EXERCISE.seed)} == {"passed"}
    session.close()


def together(suite: Path) -> None:
    here = InProcess({"__name__": "__main__"})
    for cell in read_submission(WORK).cells:
        here.run(cell)
    assert {outcome.status for outcome in run_suite(suite, EXERCISE, here, EXERCISE.seed)} == {"passed"}


def main() -> None:
    rows: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder, Zygote(policy(EXERCISE)) as zygote:
        suite = Path(folder)
        (suite / "test_bench.py").write_text(SUITE)
        for _ in range(ROUNDS + 1):
            began = time.perf_counter()
            split(suite, zygote)
            middle = time.perf_counter()
            together(suite)
            rows.append((middle - began, time.perf_counter() - middle))
    # The first round warms caches up and does not count.
    pairs = rows[1:]
    ratios = sorted(a / b for a, b in pairs)
    print(f"{CHECKS} gradient checks of one submission, {ROUNDS} rounds, medians")
    print(f"{platform.platform()}, Python {platform.python_version()}")
    print(f"in a confined worker  {statistics.median(a for a, _ in pairs) * 1000:7.1f} ms")
    print(f"in this process       {statistics.median(b for _, b in pairs) * 1000:7.1f} ms")
    print(f"ratio                 {statistics.median(ratios):7.2f}    (lowest {ratios[0]:.2f}, highest {ratios[-1]:.2f})")


if __name__ == "__main__":
    main()

"""How much naming the mistake adds to a submission: `python bench/naming.py [--every 4]`.

Each submission of tests/mutants is graded by its hidden suite; the time between the suite's last test and the outcomes
is the naming's. Wall time and processor time of the grader; the best of three, since other work disturbs both.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from dataclasses import dataclass, field

from mutants import MUTANTS, Case, cases

from autograder.exercise import load_exercise
from autograder.grading import policy
from autograder.plugin import Grading
from autograder.sandbox import Zygote
from autograder.session import Session
from autograder.submission import read_submission
from autograder.suite import hidden_suite, run_suite

TIMES = 3


@dataclass
class Cost:
    """Seconds of one submission: the naming's wall and processor time, and the messages that it sent."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    asked: int = 0


def measured(case: Case, zygote: Zygote) -> Cost:
    cost = Cost()
    name_now = Grading.pytest_sessionfinish

    def timed(grading: Grading) -> None:
        before, wall, processor = session.worker.asked if session.worker else 0, time.perf_counter(), time.process_time()
        name_now(grading)
        cost.wall.append(time.perf_counter() - wall)
        cost.processor.append(time.process_time() - processor)
        cost.asked = (session.worker.asked if session.worker else 0) - before

    exercise = load_exercise(case.assignment)
    Grading.pytest_sessionfinish = timed  # type: ignore[method-assign]
    try:
        for _ in range(TIMES):
            session = Session(read_submission(MUTANTS / case.file, case.assignment), zygote, exercise.limits, exercise.seed)
            run_suite(hidden_suite(case.assignment), exercise, session, exercise.seed)
            session.close()
    finally:
        Grading.pytest_sessionfinish = name_now  # type: ignore[method-assign]
    return cost


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--every", type=int, default=4, help="measure one submission of so many")
    every = parser.parse_args().every
    chosen = cases()
    faulty = [case for case in chosen if case.mistakes][::every]
    right = [case for case in chosen if not case.mistakes][::every]
    print(f"{platform.machine()}, Python {platform.python_version()}, best of {TIMES}\n")
    print("| submissions | number | median wall s | most wall s | most processor s | questions |")
    print("|---|---|---|---|---|---|")
    with Zygote(policy(load_exercise("03_mul"))) as zygote:
        for label, some in (("with a mistake", faulty), ("right", right)):
            costs = {case.file: measured(case, zygote) for case in some}
            walls = [min(cost.wall) for cost in costs.values()]
            most = max(min(cost.processor) for cost in costs.values())
            asked = max(cost.asked for cost in costs.values())
            print(f"| {label} | {len(some)} | {statistics.median(walls):.3f} | {max(walls):.3f} | {most:.3f} | {asked} |")
            slow = sorted(costs, key=lambda file: -min(costs[file].wall))[:3]
            print(f"<!-- slowest: {', '.join(f'{file} {min(costs[file].wall):.3f}' for file in slow)} -->")


if __name__ == "__main__":
    main()

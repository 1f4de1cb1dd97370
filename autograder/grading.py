"""One submission graded: read, confined, run through the hidden suite, scored."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from .errors import StudentFault
from .exercise import Exercise
from .sandbox import Policy, Zygote
from .score import Score, score_tests
from .session import Session
from .submission import Submission
from .suite import hidden_suite, run_suite


def grade_submission(
    submission: Submission, exercise: Exercise, zygote: Zygote, seed: int | None = None, suite: Path | None = None
) -> Score:
    """Grade with a running fork server, as a batch does for one submission after the other.

    `suite` is the assignment's hidden one where it is not given.
    """
    began = time.monotonic()
    chosen = exercise.seed if seed is None else seed
    session = Session(submission, zygote, exercise.limits, chosen)
    try:
        # Where the cells leave no worker to ask, each test will say so again; the reports are kept.
        with contextlib.suppress(StudentFault):
            session.start()
        outcomes = run_suite(suite or hidden_suite(exercise.slug), exercise, session, chosen)
    finally:
        session.close()
    tests, parts = score_tests(exercise, outcomes)
    cells = tuple(report for _, report in sorted(session.reports.items()))
    seconds = round(time.monotonic() - began, 3)
    return Score(exercise.slug, submission.name, chosen, tests, parts, cells, session.obtained, seconds)


def policy(exercise: Exercise, without: frozenset[str] = frozenset(), required: bool = True) -> Policy:
    """How this assignment's workers are confined."""
    cpu = int(exercise.limits.total_seconds) + 20
    return Policy(memory=exercise.limits.memory, cpu=cpu, without=without, required=required)

"""What a notebook calls: check("mul-gradient") runs a part's public tests on the caller's own names."""

from __future__ import annotations

import sys

from .inprocess import InProcess
from .public import PartResult, find_part, run_public


class NotRight(AssertionError):
    """A part of which a test did not pass; what a notebook shows of it is one line."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


class NotAttemptedYet(NotImplementedError):
    """A part that is as the skeleton left it."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def check(part: str, assignment: str = "") -> None:
    """Run the public tests of one part on your own code, as it stands in this notebook or script."""
    exercise, found = find_part(part, assignment)
    namespace = sys._getframe(1).f_globals
    (result,) = run_public(exercise, InProcess(namespace, exercise.limits.seconds), [found.id])
    print(as_text(result))
    if result.status == "not-attempted":
        raise NotAttemptedYet(f"{found.id}: not attempted yet")
    if result.status != "passed":
        raise NotRight(f"{found.id}: not right yet")


def as_text(result: PartResult) -> str:
    """The part and each test, with the words for what did not pass."""
    lines = [f"{result.part.title}: {result.status}"]
    for outcome in result.outcomes:
        lines.append(f"  {outcome.status}: {outcome.title}")
        if outcome.status != "passed":
            lines += [f"      {line}" for line in outcome.message.splitlines()]
    return "\n".join(lines)

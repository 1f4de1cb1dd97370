"""A grade as Gradescope's results.json: only fields that its specification names, no number missing, no value null.

Source: gradescope-autograders.readthedocs.io, "Autograder Specifications". Every text is sent as `text`, which
Gradescope shows as it is; `html`, `md` and the default of the top-level output would render what a student wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from ..exercise import Exercise
from ..score import Score, TestScore, rounded
from .text import visible

VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")
NOT_GRADED = (
    "This submission has not been graded, and this 0 is not a grade. The grader was stopped, or failed, before its end; "
    "that says nothing about your work. Your instructor can grade it again with Rerun Autograder."
)


@dataclass(frozen=True)
class Display:
    """What students see: when, with a leaderboard or not, and of how many attempts (0: of all)."""

    visibility: str = VISIBILITIES[0]
    leaderboard: bool = False
    attempts: int = 0

    def shows(self, attempt: int) -> bool:
        return not self.attempts or attempt <= self.attempts


def graded(score: Score, display: Display, attempt: int) -> dict[str, Any]:
    """The results of a grade; `attempt` counts a student's graded submissions from 1."""
    shown = display.shows(attempt)
    lines = [f"Graded: {score.submission}"]
    for cell in score.cells:
        if cell.error:
            lines.append(f"{cell.place} stopped with {cell.error}")
        if cell.left_out:
            lines.append(f"{cell.file}: left out, not Python: {'; '.join(cell.left_out)}")
    tests = list(_tests(score))
    extra = {
        "assignment": score.assignment,
        "seed": score.seed,
        "parts": {part.part: part.score for part in score.parts},
        "sandbox": {"layers": list(score.sandbox.layers), "missing": score.sandbox.missing},
    }
    results = _results(score.score, lines if shown else [], tests, display, attempt, extra)
    results["execution_time"] = score.seconds
    if display.leaderboard and shown:
        passed = sum(test.status == "passed" for test in score.tests)
        results["leaderboard"] = [{"name": "Points", "value": score.score}, {"name": "Checks passed", "value": passed}]
    return results


def refused(exercise: Exercise, reason: str, display: Display, attempt: int) -> dict[str, Any]:
    """The results of a submission that holds nothing to grade: 0 points, and why."""
    told = visible(f"Nothing was graded: {reason}")
    tests = [
        {**_test(str(number), part.title, 0.0, part.points, "failed", told), "tags": [part.id], "extra_data": {"part": part.id}}
        for number, part in enumerate(exercise.parts, 1)
    ]
    return _results(0.0, [told], tests, display, attempt, {"assignment": exercise.slug})


def not_graded(exercise: Exercise) -> dict[str, Any]:
    """What stands in results.json until there is a grade: a zero that says that it is none."""
    test = _test("1", "Not graded", 0.0, exercise.max_score, "failed", NOT_GRADED)
    results = _results(0.0, [NOT_GRADED], [{**test, "tags": ["not-graded"], "extra_data": {}}], Display(), 1, {})
    return {**results, "extra_data": {"assignment": exercise.slug, "graded": False}}


def _results(
    score: float, lines: list[str], tests: list[dict[str, Any]], display: Display, attempt: int, extra: dict[str, Any]
) -> dict[str, Any]:
    visibility, note = display.visibility, []
    if display.attempts:
        note = [f"Attempt {attempt}; the results of the first {display.attempts} are shown at once."]
    if not display.shows(attempt):
        visibility = "hidden" if visibility == "hidden" else "after_published"
        note.append("This one is graded as well, and counts; its results are shown when the grades are published.")
    return {
        "score": score,
        "output": visible("\n".join(note + lines)),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": visibility,
        "stdout_visibility": "hidden",
        "extra_data": {"graded": True, **extra},
        "tests": [{**test, "visibility": visibility} for test in tests],
    }


def _tests(score: Score) -> Iterator[dict[str, Any]]:
    for number, part in enumerate(score.parts, 1):
        own = [test for test in score.tests if test.part == part.part]
        for place, test in enumerate(own, 1):
            case = f" [{test.name.partition('[')[2]}" if "[" in test.name else ""
            status = "passed" if test.status == "passed" else "failed"
            words = "" if test.status == "passed" else test.words
            entry = _test(f"{number}.{place}", f"{part.title}: {test.title}{case}", test.score, test.max_score, status, words)
            yield {**entry, "tags": [test.part, test.status], "extra_data": _extra(test)}


def _extra(test: TestScore) -> dict[str, Any]:
    extra: dict[str, Any] = {"test": test.name, "part": test.part, "status": test.status}
    return {**extra, "misconception": asdict(test.finding)} if test.finding else extra


def _test(number: str, name: str, score: float, most: float, status: str, words: str) -> dict[str, Any]:
    return {
        "number": number,
        "name": visible(name),
        "name_format": "text",
        "score": rounded(score),
        "max_score": rounded(most),
        "status": status,
        "output": visible(words),
        "output_format": "text",
    }

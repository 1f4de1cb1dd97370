"""Outcomes and an Exercise make a Score; what is missing scores nothing and is listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .errors import CourseError
from .exercise import Exercise
from .finding import Finding
from .gradcheck import Observation
from .plugin import Outcome
from .sandbox import Obtained
from .session import CellReport

SLACK = 1e-9


@dataclass(frozen=True)
class TestScore:
    name: str
    title: str
    part: str
    score: float
    max_score: float
    status: str
    message: str
    finding: Finding | None = None
    smallest: Observation | None = None

    @property
    def words(self) -> str:
        """The message with one hint: the suite's own, or that of the mistake which was found out."""
        hinted = self.finding is None or "\nHint: " in self.message
        return self.message if hinted or self.finding is None else f"{self.message}\nHint: {self.finding.hint}"


@dataclass(frozen=True)
class PartScore:
    part: str
    title: str
    score: float
    max_score: float


@dataclass(frozen=True)
class Score:
    """One submission's grade; `seconds` is the wall time that grading took."""

    assignment: str
    submission: str
    seed: int
    tests: tuple[TestScore, ...]
    parts: tuple[PartScore, ...]
    cells: tuple[CellReport, ...]
    sandbox: Obtained
    seconds: float

    @property
    def score(self) -> float:
        return rounded(sum(part.score for part in self.parts))

    @property
    def max_score(self) -> float:
        return rounded(sum(part.max_score for part in self.parts))


def rounded(points: float) -> float:
    """Points as people write them: shares of a parametrized test add up to whole points again."""
    return round(points, 6)


def score_tests(exercise: Exercise, outcomes: Sequence[Outcome]) -> tuple[tuple[TestScore, ...], tuple[PartScore, ...]]:
    """Each test's and each part's points. Raises CourseError where a part's tests are worth more than the part."""
    tests: list[TestScore] = []
    parts: list[PartScore] = []
    for part in exercise.parts:
        own = [outcome for outcome in outcomes if outcome.part == part.id]
        tests += [_test(outcome) for outcome in own]
        lost = part.points - sum(outcome.points for outcome in own)
        if lost < -SLACK:
            raise CourseError(f"{exercise.slug}: the tests of {part.id} are worth more than its {part.points:g} points")
        if lost > SLACK:
            words = "No check was found for these points; tell your instructor."
            tests.append(TestScore(f"{part.id} (missing)", part.title, part.id, 0.0, rounded(lost), "not-run", words))
        got = sum(outcome.points for outcome in own if outcome.status == "passed")
        parts.append(PartScore(part.id, part.title, rounded(got), rounded(part.points)))
    return tuple(tests), tuple(parts)


def _test(outcome: Outcome) -> TestScore:
    got = outcome.points if outcome.status == "passed" else 0.0
    return TestScore(
        outcome.name,
        outcome.title,
        outcome.part,
        rounded(got),
        rounded(outcome.points),
        outcome.status,
        outcome.message,
        outcome.finding,
        outcome.smallest,
    )

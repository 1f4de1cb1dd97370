"""The public suite of an assignment: which part is whose, and what each part's tests came to."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import CourseError, InputError, StudentFault
from .exercise import COURSE, Exercise, Part, assignments, load_exercise

if TYPE_CHECKING:
    from .gradcheck import Observation
    from .plugin import Outcome
    from .student import Transport


@dataclass(frozen=True)
class PartResult:
    """One part, the outcomes of its public tests in the order of the suite, and the smallest expression that is wrong."""

    part: Part
    outcomes: tuple[Outcome, ...]
    smallest: Observation | None = None

    @property
    def status(self) -> str:
        """passed where every test passed, not-attempted where none got further than that, else failed."""
        statuses = {outcome.status for outcome in self.outcomes}
        if statuses <= {"passed"}:
            return "passed"
        return "not-attempted" if statuses <= {"not-attempted", "not-run"} else "failed"


def find_part(name: str, assignment: str = "", course: Path = COURSE) -> tuple[Exercise, Part]:
    """The part called `name` and its assignment, which need not be given while the name stands once in the course.

    Raises InputError where there is no such part, or more than one.
    """
    exercises = [load_exercise(assignment, course)] if assignment else _readable(course)
    found = [(exercise, part) for exercise in exercises for part in exercise.parts if part.id == name]
    if len(found) == 1:
        return found[0]
    if found:
        where = " and ".join(exercise.slug for exercise, _ in found)
        raise InputError(f"{where} each have a part called {name}: add assignment={found[0][0].slug!r}")
    known = [part.id for exercise in exercises for part in exercise.parts]
    near = difflib.get_close_matches(name, known)
    raise InputError(f"no part is called {name!r}; {'did you mean' if near else 'there are'} {', '.join(near or known)}")


def _readable(course: Path) -> list[Exercise]:
    """Every assignment but those whose file is wrong: one author's slip must not stop the checks of the others."""
    exercises = []
    for slug in assignments(course):
        with contextlib.suppress(CourseError):
            exercises.append(load_exercise(slug, course))
    return exercises


def run_public(exercise: Exercise, transport: Transport, parts: Sequence[str] = (), course: Path = COURSE) -> list[PartResult]:
    """Run the assignment's public suite, or some parts of it, against `transport`.

    Raises CourseError where the assignment has no public suite or no test for a part.
    """
    # pytest takes a tenth of a second to import, which a notebook's first cell need not wait for.
    from .suite import run_suite

    suite = course / exercise.slug
    if not any(suite.glob("test_*.py")):
        raise CourseError(f"{exercise.slug} has no public suite in {suite}: run `autograder build`, or install again")
    outcomes = run_suite(suite, exercise, transport, exercise.seed, parts)
    results = []
    for part in exercise.parts:
        if not parts or part.id in parts:
            own = tuple(outcome for outcome in outcomes if outcome.part == part.id)
            if not own:
                raise CourseError(f"{exercise.slug}: no public test belongs to {part.id}")
            results.append(PartResult(part, own, _smallest(own, transport)))
    return results


def _smallest(outcomes: Sequence[Outcome], transport: Transport) -> Observation | None:
    """The wrong expression with the fewest nodes, with the gradient of each where it still runs."""
    from .gradcheck import WrongGradient, observe_nodes
    from .student import Student

    seen = [outcome.smallest for outcome in outcomes if outcome.smallest]
    seen = seen or [outcome.fault.observation for outcome in outcomes if isinstance(outcome.fault, WrongGradient)]
    best = min(seen, key=lambda one: len(one.traced.order()), default=None)
    if best is None or best.nodes:
        return best
    try:
        return observe_nodes(Student(transport), best)
    except StudentFault:
        return best

"""Gradients by numerical differentiation, on plain numbers; never from the graded code.

Complex step (Squire and Trapp, 1998) is exact to rounding where every operation is analytic; elsewhere central
differences with Richardson extrapolation, refused where they do not converge (a kink is too near).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .errors import CourseError
from .expression import ANALYTIC, COMPLEX, Trace, evaluate, point, text

# Two steps: where both do not give the same, the point is one at which no derivative exists.
COMPLEX_STEPS = 1e-30, 1e-60
FIRST_STEP = 2**-8
LEVELS = 5
AGREEMENT = 1e-9


@dataclass(frozen=True)
class Truth:
    """The output's value and its derivative by each input, in the order of the inputs."""

    data: float
    gradient: tuple[float, ...]


def differentiate(traced: Trace, at: Sequence[float]) -> Truth:
    """The expression's value and gradient at `at`.

    Raises CourseError where either is undefined or not finite there.
    """
    data = evaluate(traced, at)[id(traced.output)]
    analytic = all(node.kind in ANALYTIC for node in traced.order())
    rule = complex_step if analytic else richardson
    gradient = tuple(rule(traced, at, which) for which in range(len(at)))
    if isinstance(data, complex) or not all(math.isfinite(number) for number in (data, *gradient)):
        raise CourseError(f"{text(traced)} has no finite value or gradient at {point(traced, at)}: move the point")
    return Truth(float(data), gradient)


def complex_step(traced: Trace, at: Sequence[float], which: int) -> float:
    slopes = []
    for step in COMPLEX_STEPS:
        shifted = [complex(number, step if index == which else 0.0) for index, number in enumerate(at)]
        slopes.append(complex(evaluate(traced, shifted, COMPLEX)[id(traced.output)]).imag / step)
    if not math.isclose(*slopes, rel_tol=AGREEMENT, abs_tol=AGREEMENT):
        raise CourseError(f"{text(traced)} has no derivative at {point(traced, at)}: move the point")
    return slopes[0]


def richardson(traced: Trace, at: Sequence[float], which: int) -> float:
    def central(step: float) -> float:
        sides = []
        for sign in (1.0, -1.0):
            shifted = [number + sign * step if index == which else number for index, number in enumerate(at)]
            sides.append(float(evaluate(traced, shifted)[id(traced.output)]))
        return (sides[0] - sides[1]) / (2 * step)

    scale = FIRST_STEP * max(1.0, abs(at[which]))
    table = [[central(scale)]]
    for level in range(1, LEVELS):
        row = [central(scale / 2**level)]
        for order in range(1, level + 1):
            row.append(row[-1] + (row[-1] - table[-1][order - 1]) / (4**order - 1))
        table.append(row)
    best, before = table[-1][-1], table[-2][-1]
    if not math.isclose(best, before, rel_tol=AGREEMENT, abs_tol=AGREEMENT):
        raise CourseError(f"{text(traced)} has a kink near {point(traced, at)}: move the point away from it")
    return best

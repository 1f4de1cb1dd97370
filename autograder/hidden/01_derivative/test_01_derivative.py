"""The hidden suite of 01_derivative.

Expected slopes are the same quotients on plain numbers, with nudges so large that no two rules agree.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from autograder.checks import assert_number, assert_numbers
from autograder.errors import WrongAnswer
from autograder.expression import Expr, Trace, evaluate, text, trace
from autograder.gradcheck import beside, close
from autograder.numeric import differentiate
from autograder.plugin import grade
from autograder.protocol import encode
from autograder.student import Remote, Student, as_number, describe

Rule = Callable[[Trace, float, float], float]


def value(f: Trace, *at: float) -> float:
    return float(evaluate(f, at)[id(f.output)])


def forward(f: Trace, x: float, h: float) -> float:
    return (value(f, x + h) - value(f, x)) / h


def both_sides(f: Trace, x: float, h: float) -> float:
    return (value(f, x + h) - value(f, x - h)) / (2 * h)


def partial(f: Trace, point: Sequence[float], h: float, which: int) -> float:
    above = [number + h * (index == which) for index, number in enumerate(point)]
    below = [number - h * (index == which) for index, number in enumerate(point)]
    return (value(f, *above) - value(f, *below)) / (2 * h)


def cubic(rng: random.Random) -> Trace:
    p, q, r, s = (rng.choice((-1, 1)) * rng.randint(2, 9) for _ in range(4))
    return trace(lambda x: p * x * x * x + q * x * x + r * x + s, 1)


def curved(rng: random.Random) -> list[Trace]:
    """Curves of several kinds, none a polynomial."""
    k, m = rng.uniform(1, 2), rng.uniform(0.5, 1)
    return [trace(lambda x: (x * k).sin() + 2 * x, 1), trace(lambda x: (x * m).exp() - x, 1), trace(lambda x: k / x, 1)]


def assert_rule(student: Student, name: str, rule: Rule, f: Trace, x: float, h: float) -> None:
    assert_number(student, student.name(name)(student.function(f), x, h), rule(f, x, h), text(f, "f(x)"))


def the_bowl() -> Trace:
    return trace(lambda x: 3 * x**2 - 4 * x + 5, 1)


def steps_for(rng: random.Random) -> list[float]:
    return [rng.uniform(0.2, 0.4), rng.uniform(0.5, 0.8)]


@grade("derivative", points=0.5)
@pytest.mark.parametrize("x", [3.0, -3.0, 2 / 3], ids=["3", "-3", "two-thirds"])
def test_one_nudge_on_the_bowl(student: Student, x: float) -> None:
    """On the bowl, one nudge of h gives the slope plus 3*h."""
    for h in (0.001, 0.25):
        assert_rule(student, "derivative", forward, the_bowl(), x, h)


@grade("derivative", points=1)
def test_one_nudge_on_other_curves(student: Student, rng: random.Random) -> None:
    """One nudge measures the slope of any curve, at any place, with the h that is asked for."""
    for f in (cubic(rng), *curved(rng)):
        for h in steps_for(rng):
            assert_rule(student, "derivative", forward, f, rng.uniform(1, 3), h)


@grade("derivative", points=0.5)
def test_one_nudge_upward_only(student: Student) -> None:
    """The nudge goes upward by h: at a corner, the slope on the right counts."""
    for x, expected in ((1.0, 2.0), (0.75, 1.0)):
        corner = student.function(trace(lambda x: 2 * (x - 1).relu(), 1))
        call = student.name("derivative")(corner, x, 0.5)
        assert_number(student, call, expected, "f(x) = 2*max(x - 1, 0)")


@grade("central", points=0.5)
def test_two_nudges_on_the_bowl(student: Student) -> None:
    """On the bowl, two nudges give the slope itself for every h."""
    for x, slope in ((3.0, 14.0), (-3.0, -22.0), (2 / 3, 0.0)):
        assert_number(student, student.name("central")(student.function(the_bowl()), x, 0.5), slope, text(the_bowl(), "f(x)"))


@grade("central", points=1.5)
def test_two_nudges_on_other_curves(student: Student, rng: random.Random) -> None:
    """Two nudges measure from h below x to h above x, on any curve."""
    for f in (cubic(rng), *curved(rng)):
        for h in steps_for(rng):
            assert_rule(student, "central", both_sides, f, rng.uniform(1, 3), h)


def distances(student: Student, result: Remote, expected: list[float], where: str) -> None:
    """Check a list or tuple of numbers, its length first."""
    (got,) = student.read(result)
    if not isinstance(got, (list, tuple)):
        raise WrongAnswer(f"at {where}\n{result._text}: expected a list of numbers, got {describe(got)}")
    if len(got) != len(expected):
        raise WrongAnswer(f"at {where}\n{result._text}: expected {len(expected)} numbers, got {len(got)}")
    numbers = [as_number(number, f"{result._text}[{index}]") for index, number in enumerate(got)]
    pairs = enumerate(zip(expected, numbers, strict=True))
    wrong = [
        beside(f"number {index + 1} of {len(numbers)}", want, number) for index, (want, number) in pairs if not close(number, want)
    ]
    if wrong:
        raise WrongAnswer("\n".join([f"at {where}", result._text, *wrong]))


@grade("errors", points=1)
def test_distances_have_no_sign(student: Student, rng: random.Random) -> None:
    """Each error is a distance: as large for a slope that is too small as for one that is too large."""
    rule = student.function(trace(lambda f, x, h: x + h, 3), "rule")
    f = student.function(cubic(rng))
    x, exact = rng.uniform(1, 2), rng.uniform(3, 4)
    steps = [rng.uniform(0.1, 0.9) for _ in range(3)] + [rng.uniform(4, 6), rng.uniform(0.1, 0.9)]
    result = student.name("errors")(rule, f, x, exact, steps)
    distances(student, result, [abs(x + h - exact) for h in steps], "rule(f, x, h) = x + h")


@grade("errors", points=1)
def test_the_rule_that_was_handed_in(student: Student, rng: random.Random) -> None:
    """The rule, the place, the truth and the steps are the ones that the caller gives."""
    f = student.function(cubic(rng))
    rules: list[tuple[str, Callable[..., Expr], Callable[[float, float], float]]] = [
        ("3*x - h*h", lambda f, x, h: 3 * x - h * h, lambda x, h: 3 * x - h * h),
        ("x*h", lambda f, x, h: x * h, lambda x, h: x * h),
    ]
    for words, traced, plain in rules:
        x, exact = rng.uniform(-3, -1), rng.uniform(-2, 2)
        steps = [rng.uniform(0.1, 2) for _ in range(rng.randint(2, 6))]
        result = student.name("errors")(student.function(trace(traced, 3), "rule"), f, x, exact, steps)
        distances(student, result, [abs(plain(x, h) - exact) for h in steps], f"rule(f, x, h) = {words}")


def assert_slopes(student: Student, f: Trace, point: list[float], h: float) -> None:
    result = student.name("gradient")(student.function(f), point, h)
    expected = [partial(f, point, h, which) for which in range(len(point))]
    distances(student, result, expected, text(f, f"f({', '.join(node.name for node in f.inputs)})"))


@grade("gradient", points=0.5)
def test_the_three_dials(student: Student) -> None:
    """d = a*b + c at a=2, b=-3, c=10 has the gradient (-3, 2, 1)."""
    assert_slopes(student, trace(lambda a, b, c: a * b + c, 3), [2.0, -3.0, 10.0], 0.5)


@grade("gradient", points=1)
def test_one_input_at_a_time(student: Student, rng: random.Random) -> None:
    """Each input is nudged alone, to both sides, while the others stay where they are."""
    k = rng.uniform(1, 3)
    shapes = [
        trace(lambda a, b: a * b, 2),
        trace(lambda a, b, c: a * b * c, 3),
        trace(lambda a, b: a * a * a + k * a * b * b, 2),
        trace(lambda a, b, c: (a * b).sin() + c * c * c * b, 3),
    ]
    for f in shapes:
        assert_slopes(student, f, [rng.uniform(1, 2) for _ in f.inputs], rng.uniform(0.3, 0.6))


@grade("gradient", points=0.5)
def test_any_number_of_inputs(student: Student, rng: random.Random) -> None:
    """It works for one input, and for five."""
    assert_slopes(student, cubic(rng), [rng.uniform(1, 3)], 0.5)
    five = trace(lambda a, b, c, d, e: a * b - c * d * e + e * a * a * a, 5)
    assert_slopes(student, five, [rng.uniform(-2, 2) for _ in range(5)], 0.25)


@grade("gradient", points=0.5)
def test_numbers_that_are_alike(student: Student) -> None:
    """Two inputs that hold the same number are still two inputs."""
    assert_slopes(student, trace(lambda a, b, c: a * b * b + c, 3), [2.0, 2.0, 2.0], 0.5)


@grade("gradient", points=0.5)
def test_the_callers_list_stays_as_it_is(student: Student) -> None:
    """The list that the caller hands over is the same afterwards."""
    before = [2.0, -3.0, 10.0]
    point = student.record("point", "lit", encode(before))
    slopes = student.name("gradient")(student.function(trace(lambda a, b, c: a * b + c, 3)), point, 0.3)
    slopes._text = "gradient(f, point, 0.3)"
    # A nudge that is taken back may leave the last bit of a float different; that is no other list.
    assert_numbers(student, [(slopes[0], -3.0), *((point[index], number) for index, number in enumerate(before))])


def wild(a: Expr, b: Expr, c: Expr) -> Expr:
    return -(a**3) + (3 * b).sin() - 1 / c + b**2.5 - a**0.5


def points_for(rng: random.Random) -> list[tuple[float, ...]]:
    return [(2.0, 3.0, 4.0), *(tuple(rng.uniform(0.5, 4) for _ in range(3)) for _ in range(3))]


@grade("wild", points=1)
def test_the_wild_machine(student: Student, rng: random.Random) -> None:
    """wild(a, b, c) gives w: 6.336362190988558 at a=2, b=3, c=4, and other numbers elsewhere."""
    f = trace(wild, 3)
    assert_numbers(student, [(student.name("wild")(*at), value(f, *at)) for at in points_for(rng)])


@grade("wild", points=2)
@pytest.mark.parametrize("which", [0, 1, 2], ids=["by-a", "by-b", "by-c"])
def test_a_slope_of_the_wild_machine(student: Student, rng: random.Random, which: int) -> None:
    """Each slope by formula agrees with nudging, in all digits that there are."""
    pairs = []
    for at in points_for(rng):
        slope = student.name("wild_gradient")(*at)[which]
        slope._text = f"the slope by {'abc'[which]} at a={at[0]:.6g}, b={at[1]:.6g}, c={at[2]:.6g}"
        pairs.append((slope, differentiate(trace(wild, 3), at).gradient[which]))
    assert_numbers(student, pairs)

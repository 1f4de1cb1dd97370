"""The hidden suite of 03_mul."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from autograder.checks import assert_number, assert_numbers, assert_parents, assert_value
from autograder.errors import WrongAnswer
from autograder.expression import Expr
from autograder.gradcheck import assert_gradients
from autograder.plugin import grade
from autograder.student import Student


@grade("mul-data", points=0.5)
def test_two_values(student: Student, rng: random.Random) -> None:
    """The data of a * b is the product of the two numbers."""
    for _ in range(4):
        a, b = rng.uniform(-4, 4), rng.uniform(-4, 4)
        left, right = student.values(a, b)
        assert_number(student, (left * right).data, a * b, f"a={a:.6g}, b={b:.6g}")


@grade("mul-data", points=0.5)
def test_the_running_example(student: Student) -> None:
    """With a=2, b=-3, c=10, f=-2: e = a*b is -6, d = e + c is 4, L = d*f is -8."""
    a, b, c = student.values(2.0, -3.0, 10.0)
    f = student.value(-2.0, label="f")
    e = a * b
    d = e + c
    e._text, d._text, result = "e", "d", d * f
    result._text = "L"
    assert_numbers(student, [(e.data, -6.0), (d.data, 4.0), (result.data, -8.0)], "a=2, b=-3, c=10, f=-2")


@grade("mul-data", points=0.5)
def test_a_plain_number_on_the_right(student: Student) -> None:
    """a * 3 works: a plain number counts as a Value."""
    (a,) = student.values(-2.5)
    assert_numbers(student, [((a * 3).data, -7.5), ((a * 0.5).data, -1.25), ((a * 0).data, 0.0)], "a=-2.5")


@grade("mul-data", points=0.5)
def test_the_factors_stay_as_they_are(student: Student) -> None:
    """Multiplying gives a new Value and leaves its factors' data alone."""
    a, b = student.values(2.0, -3.0)
    product = a * b
    assert_value(student, product)
    assert_numbers(student, [(product.data, -6.0), (a.data, 2.0), (b.data, -3.0)])
    made, *factors = student.read(product, a, b)
    if made in factors:
        raise WrongAnswer("a * b: expected a new Value, got one of its own factors")


@grade("mul-graph", points=1)
def test_the_product_remembers_both_factors(student: Student) -> None:
    """a * b remembers a and b, the same objects, as its parents."""
    a, b = student.values(2.0, -3.0)
    assert_parents(student, a * b, [a, b])
    e = a * b
    e._text = "e"
    assert_parents(student, e * a, [e, a])
    assert_parents(student, b * e, [b, e])


@grade("mul-graph", points=0.5)
def test_equal_numbers_are_two_parents(student: Student) -> None:
    """Two Values that hold the same number are still two parents."""
    a, b = student.values(-2.25, -2.25)
    assert_parents(student, a * b, [a, b])


@grade("mul-graph", points=0.5)
def test_a_square_has_one_parent(student: Student) -> None:
    """a * a has a as its only parent."""
    (a,) = student.values(3.0)
    assert_parents(student, a * a, [a])


def left_in_a_product(a: Expr, b: Expr, c: Expr) -> Expr:
    return a * b * c


def right_in_a_product(a: Expr, b: Expr, c: Expr) -> Expr:
    return a * (b * c)


def times_a_number(a: Expr, b: Expr) -> Expr:
    return a * b * 3.0


def in_a_sum(a: Expr, b: Expr, c: Expr) -> Expr:
    return (a * b + c) * b


def square(a: Expr) -> Expr:
    return a * a


def cube(a: Expr) -> Expr:
    return a * a * a


def twice(a: Expr, b: Expr) -> Expr:
    return a * b + a * b


def sum_first(a: Expr, b: Expr, c: Expr) -> Expr:
    t = a * b
    return t + t * c


def product_first(a: Expr, b: Expr, c: Expr) -> Expr:
    t = a * b
    return t * c + t


def shared_on_the_right(a: Expr, b: Expr, c: Expr) -> Expr:
    t = a * b
    return c * t + t


def shared_by_both_factors(a: Expr, b: Expr, c: Expr) -> Expr:
    t = a * b
    return (t + c) * t


def diamond(a: Expr, b: Expr) -> Expr:
    t = a + b
    return (t * a) * (b * t)


@grade("mul-gradient", points=0.5)
def test_each_factor_gets_the_other_ones_data(student: Student, rng: random.Random) -> None:
    """Each factor's gradient is the other factor's data."""
    assert_gradients(student, lambda a, b: a * b, at=(2.0, -3.0))
    assert_gradients(student, lambda a, b: a * b, at=(rng.uniform(-4, -1), rng.uniform(1, 4)))
    assert_gradients(student, lambda a: a * 3.0, at=(rng.uniform(1, 4),))


ABOVE = [left_in_a_product, right_in_a_product, times_a_number, in_a_sum]
SHARED = [square, cube, twice, sum_first, product_first, shared_on_the_right, shared_by_both_factors, diamond]


def called(form: Callable[..., Expr]) -> str:
    return form.__name__


@grade("mul-gradient", points=0.5)
@pytest.mark.parametrize("form", ABOVE, ids=called)
def test_what_arrives_from_above(student: Student, rng: random.Random, form: Callable[..., Expr]) -> None:
    """A product inside a longer expression passes on what arrives from above."""
    assert_gradients(student, form, at=somewhere(rng, form))


@grade("mul-gradient", points=1)
@pytest.mark.parametrize("form", SHARED, ids=called)
def test_a_value_used_more_than_once(student: Student, rng: random.Random, form: Callable[..., Expr]) -> None:
    """A Value that is used more than once collects a gradient from each use."""
    assert_gradients(student, form, at=somewhere(rng, form))


def somewhere(rng: random.Random, form: Callable[..., Expr]) -> list[float]:
    """A point at which no input and no intermediate result is near 0 or 1, where wrong rules look right."""
    return [rng.uniform(1.25, 3) for _ in range(form.__code__.co_argcount)]

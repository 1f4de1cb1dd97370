"""The public suite of 03_mul: read it, run it, add to it."""

import pytest

from autograder.checks import assert_numbers, assert_parents, assert_value
from autograder.gradcheck import assert_gradients
from autograder.plugin import grade


@grade("mul-data", points=1)
def test_the_running_example(student):
    """With a=2, b=-3, c=10, f=-2: e = a*b is -6, d = e + c is 4, L = d*f is -8."""
    a, b, c = student.values(2.0, -3.0, 10.0)
    f = student.value(-2.0, label="f")
    e = a * b
    d = e + c
    assert_value(student, e)
    assert_numbers(student, [(e.data, -6.0), (d.data, 4.0), ((d * f).data, -8.0)], "a=2, b=-3, c=10, f=-2")


@grade("mul-data", points=1)
def test_a_plain_number_on_the_right(student):
    """a * 4 works: a plain number counts as a Value."""
    (a,) = student.values(2.0)
    assert_numbers(student, [((a * 4).data, 8.0), ((a * 0.5).data, 1.0), (a.data, 2.0)], "a=2")


@grade("mul-graph", points=1)
def test_the_product_remembers_both_factors(student):
    """a * b remembers a and b, the same objects, as its parents."""
    a, b = student.values(2.0, -3.0)
    assert_parents(student, a * b, [a, b])


@grade("mul-graph", points=1)
def test_equal_numbers_and_squares(student):
    """Two Values with equal numbers are two parents; a * a has one."""
    a, b = student.values(1.5, 1.5)
    assert_parents(student, a * b, [a, b])
    assert_parents(student, a * a, [a])


@grade("mul-gradient", points=1)
def test_each_factor_gets_the_other_ones_data(student):
    """Each factor's gradient is the other factor's data, times what arrives from above."""
    assert_gradients(student, lambda width, length: width * length, at=(3.0, 5.0))
    assert_gradients(student, lambda width, length: width * length * 20, at=(3.0, 5.0))


def square(x):
    return x * x


def shared(x, y):
    t = x * y
    return t * x + t


@grade("mul-gradient", points=1)
@pytest.mark.parametrize("form, at", [(square, (3.0,)), (shared, (2.0, 3.0))], ids=["square", "shared"])
def test_a_value_used_more_than_once(student, form, at):
    """A Value that is used more than once collects a gradient from each use."""
    assert_gradients(student, form, at=at)

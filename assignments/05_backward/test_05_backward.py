"""The public suite of 05_backward: read it, run it, add to it."""

import pytest

from autograder.checks import assert_numbers
from autograder.errors import WrongAnswer
from autograder.gradcheck import assert_gradients, beside, close
from autograder.plugin import grade
from autograder.student import as_number, describe


@grade("by-hand", points=2)
def test_the_gradients_of_the_running_example(student):
    """At a=2, b=-3, c=10, f=-2 each of the six gradients is right."""
    result = student.name("by_hand")(2.0, -3.0, 10.0, -2.0)
    (got,) = student.read(result)
    if not isinstance(got, dict):
        raise WrongAnswer(f"{result._text}: expected a dict of six gradients, got {describe(got)}")
    expected = {"a": 6.0, "b": -4.0, "c": -2.0, "d": -2.0, "e": -2.0, "f": 4.0}
    for name, gradient in expected.items():
        number = as_number(got.get(name), f"the gradient of {name}")
        if not close(number, gradient):
            raise WrongAnswer(beside(f"the gradient of {name}", gradient, number))


@grade("add-rule", points=1)
def test_both_terms_of_a_sum(student):
    """Each term of a sum gets the sum's gradient."""
    assert_gradients(student, lambda x, y: x + y, at=(2.0, 5.0))
    assert_gradients(student, lambda x: x + 3, at=(2.0,))


@grade("mul-rule", points=1)
def test_both_factors_of_a_product(student):
    """Each factor's gradient is the other factor's data."""
    assert_gradients(student, lambda x, y: x * y, at=(2.0, 5.0))
    assert_gradients(student, lambda x: x * 3, at=(2.0,))


@grade("chain", points=2)
def test_longer_expressions(student):
    """What arrives from above is multiplied by the local slope."""
    assert_gradients(student, lambda x: (x + 3) * 7, at=(2.0,))
    assert_gradients(student, lambda x: (x * 3) * 7, at=(2.0,))
    assert_gradients(student, lambda a, b, c, f: (a * b + c) * f, at=(2.0, -3.0, 10.0, -2.0))


def shared(a, b, c):
    t = a * b
    return t + t * c


@grade("collect", points=2)
@pytest.mark.parametrize(
    "form, at", [(lambda a: a + a, (3.0,)), (lambda a: a * a, (3.0,)), (shared, (2.0, 3.0, 4.0))], ids=["a+a", "a*a", "t+t*c"]
)
def test_a_value_used_more_than_once(student, form, at):
    """A Value that is used more than once collects a gradient from each use."""
    assert_gradients(student, form, at=at)


@grade("nudge", points=1)
def test_a_nudge_along_the_gradient(student):
    """nudge moves each leaf's data by the step times its gradient."""
    a, b = student.values(2.0, -3.0)
    a.set("grad", 6.0)
    b.set("grad", -4.0)
    student.name("nudge")([a, b], 0.01)
    assert_numbers(student, [(a.data, 2.06), (b.data, -3.04)], "a=2, a.grad=6, b=-3, b.grad=-4, step=0.01")


@grade("nudge", points=1)
def test_the_predicted_rise(student):
    """For gradients 6 and -4 and a step of 0.01 the promise is 0.52, and nothing moves."""
    a, b = student.values(2.0, -3.0)
    a.set("grad", 6.0)
    b.set("grad", -4.0)
    rise = student.name("predicted_rise")([a, b], 0.01)
    assert_numbers(student, [(rise, 0.52), (a.data, 2.0), (b.data, -3.0)], "a.grad=6, b.grad=-4, step=0.01")

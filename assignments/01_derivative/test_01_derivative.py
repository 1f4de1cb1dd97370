"""The public suite of 01_derivative: read it, run it, add to it."""

from autograder.checks import assert_number, assert_numbers
from autograder.expression import trace
from autograder.plugin import grade


def bowl(x):
    return 3 * x**2 - 4 * x + 5


def bowl_in(student):
    """The bowl as a plain function, on the side where your code runs."""
    return student.function(trace(bowl, 1), "f")


@grade("derivative", points=2)
def test_one_nudge_on_the_bowl(student):
    """On the bowl 3*x**2 - 4*x + 5, one nudge of h gives the slope plus 3*h."""
    f, derivative = bowl_in(student), student.name("derivative")
    pairs = [(derivative(f, 3, 0.1), 14.3), (derivative(f, 3, 0.5), 15.5), (derivative(f, -3, 0.5), -20.5)]
    assert_numbers(student, pairs, "f(x) = 3*x**2 - 4*x + 5")


@grade("central", points=2)
def test_two_nudges_on_the_bowl(student):
    """On the bowl, two nudges give the slope itself, whatever h is: 14 at 3, -22 at -3."""
    f, central = bowl_in(student), student.name("central")
    pairs = [(central(f, 3, 0.5), 14), (central(f, -3, 0.25), -22), (central(f, 1, 2), 2)]
    assert_numbers(student, pairs, "f(x) = 3*x**2 - 4*x + 5")


@grade("errors", points=2)
def test_the_distance_for_each_step(student):
    """A rule that gives x + h, at x = 13 with 14 as the truth, is off by the distance of h from 1."""
    rule = student.function(trace(lambda f, x, h: x + h, 3), "rule")
    result = student.name("errors")(rule, bowl_in(student), 13, 14, [4.0, 1.5, 0.25])
    assert_numbers(student, [(result[0], 3), (result[1], 0.5), (result[2], 0.75)], "rule(f, x, h) = x + h")


@grade("gradient", points=3)
def test_the_three_dials(student):
    """d = a*b + c at a=2, b=-3, c=10 has the gradient (-3, 2, 1)."""
    f = student.function(trace(lambda a, b, c: a * b + c, 3), "f")
    result = student.name("gradient")(f, [2.0, -3.0, 10.0], 0.5)
    assert_numbers(student, [(result[0], -3), (result[1], 2), (result[2], 1)], "f(a, b, c) = a*b + c")


@grade("wild", points=1)
def test_the_wild_machine(student):
    """At a=2, b=3, c=4 the wild machine gives 6.336362190988558."""
    assert_number(student, student.name("wild")(2.0, 3.0, 4.0), 6.336362190988558)


@grade("wild", points=2)
def test_the_wild_gradient(student):
    """At a=2, b=3, c=4 its slopes are -12.353553390593273, 10.25699027111255 and 0.0625."""
    result = student.name("wild_gradient")(2.0, 3.0, 4.0)
    assert_numbers(student, [(result[0], -12.353553390593273), (result[1], 10.25699027111255), (result[2], 0.0625)])

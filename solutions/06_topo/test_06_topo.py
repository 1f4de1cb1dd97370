"""The public suite of 06_topo: read it, run it, add to it."""

import pytest

from autograder.checks import assert_numbers
from autograder.errors import WrongAnswer
from autograder.gradcheck import assert_gradients
from autograder.plugin import grade
from autograder.student import describe


def assert_order(order, parents):
    """Check that a list of names is a topological order; `parents` says what each one was made from."""
    for name in parents:
        if order.count(name) != 1:
            raise WrongAnswer(f"{name} should stand in the order once, and stands there {order.count(name)} times: {order}")
    for name in order:
        for parent in parents[name]:
            if order.index(parent) > order.index(name):
                raise WrongAnswer(f"{name} stands before {parent}, which it was made from: {order}")


def listed(student, function, values):
    """The names of what a function of the submission lists for the last of `values`, a dict of remotes."""
    got, *objects = student.read(student.name(function)(list(values.values())[-1]), *values.values())
    if not isinstance(got, list):
        raise WrongAnswer(f"{function} should return a list, and returned {describe(got)}")
    names = dict(zip(objects, values, strict=True))
    if any(one not in names for one in got):
        raise WrongAnswer(f"{function} lists something that is no part of this graph")
    return [names[one] for one in got]


@grade("order", points=1)
def test_the_order_of_the_running_example(student):
    """Any order of L will do, as long as each Value stands once and after its parents."""
    a, b, c = student.values(2.0, -3.0, 10.0)
    f = student.value(-2.0, label="f")
    e = a * b
    d = e + c
    values = {"a": a, "b": b, "c": c, "f": f, "e": e, "d": d, "L": d * f}
    parents = {"a": "", "b": "", "c": "", "f": "", "e": "ab", "d": "ec", "L": "df"}
    assert_order(listed(student, "topological_order", values), parents)


@grade("order", points=2)
def test_the_order_of_a_shared_value(student):
    """In t + t*c, t stands once, before t*c; and so it does when asked again."""
    a, b, c = student.values(2.0, 3.0, 4.0)
    t = a * b
    m = t * c
    values = {"a": a, "b": b, "c": c, "t": t, "m": m, "L": t + m}
    parents = {"a": "", "b": "", "c": "", "t": "ab", "m": "tc", "L": "tm"}
    for _ in range(2):
        assert_order(listed(student, "topological_order", values), parents)


@grade("backward", points=1)
def test_the_gradients_of_the_running_example(student):
    """The gradients of L: a 6, b -4, c -2, d -2, e -2, f 4, and L itself 1."""
    a, b, c = student.values(2.0, -3.0, 10.0)
    f = student.value(-2.0, label="f")
    e = a * b
    d = e + c
    e._text, d._text, result = "e", "d", d * f
    result._text = "L"
    result.backward()
    expected = [(a, 6.0), (b, -4.0), (c, -2.0), (d, -2.0), (e, -2.0), (f, 4.0), (result, 1.0)]
    assert_numbers(student, [(value.grad, gradient) for value, gradient in expected], "a=2, b=-3, c=10, f=-2")


def sum_first(a, b, c):
    t = a * b
    return t + t * c


def product_first(a, b, c):
    t = a * b
    return t * c + t


@grade("backward", points=2)
@pytest.mark.parametrize("form, at", [(sum_first, (2.0, 3.0, 4.0)), (product_first, (2.0, 3.0, 4.0)), (lambda a: a + a, (3.0,))])
def test_a_value_used_more_than_once(student, form, at):
    """A Value's rule runs once, when everything that uses the Value has run."""
    assert_gradients(student, form, at=at)


def front_page(a, b):
    c = a + b
    d = a * b + b**3
    c = c + (c + 1)
    c = c + (1 + c + (-a))
    d = d + (d * 2 + (b + a).relu())
    d = d + (3 * d + (b - a).relu())
    e = c - d
    f = e**2
    return f / 2.0 + 10.0 / f


@grade("backward", points=1)
def test_the_front_page(student):
    """The long expression: g is 24.7041, a.grad 138.8338, b.grad 645.5773."""
    assert_gradients(student, front_page, at=(-4.0, 2.0))


@grade("second-call", points=2)
def test_a_second_call(student):
    """With the leaf back at 0, a second z.backward() gives the same as the first."""
    (x,) = student.values(3.0)
    y = x * 2
    z = y * 5
    y._text = "y"
    for _ in range(2):
        x.set("grad", 0.0)
        z.backward()
        assert_numbers(student, [(y.grad, 5.0), (x.grad, 10.0)], "y = x*2, z = y*5")


@grade("deep", points=1)
def test_an_order_without_recursion(student):
    """deep_order gives an order of t + t*c, and of a chain of 5,000."""
    a, b, c = student.values(2.0, 3.0, 4.0)
    t = a * b
    m = t * c
    values = {"a": a, "b": b, "c": c, "t": t, "m": m, "L": t + m}
    assert_order(listed(student, "deep_order", values), {"a": "", "b": "", "c": "", "t": "ab", "m": "tc", "L": "tm"})
    chain = [student.value(1.0, label="x0")]
    for number in range(1, 5001):
        chain.append(chain[-1] * chain[-1])
        chain[-1]._text = f"x{number}"
    got, *expected = student.read(student.name("deep_order")(chain[-1]), *chain)
    if got != expected:
        raise WrongAnswer("in a chain of 5,000 each Value should stand right after the one it was made from")

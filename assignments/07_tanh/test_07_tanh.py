"""The public suite of 07_tanh: read it, run it, add to it."""

import contextlib

import pytest

from autograder.checks import assert_numbers, assert_value
from autograder.errors import Crashed
from autograder.gradcheck import assert_gradients, four_forms
from autograder.plugin import grade


def each(forms):
    """One test for each form of an operation: f(a), f(a)*k, f(a)+f(a), f(a*b)."""
    return pytest.mark.parametrize("form", [form for _, form in forms], ids=[name for name, _ in forms])


def point(form, *numbers):
    """As many of the numbers as the form has inputs."""
    return numbers[: form.__code__.co_argcount]


@grade("tanh", points=1)
def test_tanh_of_a_number(student):
    """a.tanh() is a new Value; at 0.5 its data is 0.4621."""
    (a,) = student.values(0.5)
    t = a.tanh()
    assert_value(student, t)
    assert_numbers(student, [(t.data, 0.46211715726000975), (a.data, 0.5)], "a=0.5")


@grade("tanh", points=1)
@each(four_forms(lambda x: x.tanh(), 10.0))
def test_slope_of_tanh(student, form):
    """The slope of tanh, on its own and inside longer expressions."""
    assert_gradients(student, form, at=point(form, 2.0, -0.4))


@grade("tanh", points=1)
@pytest.mark.parametrize("number", [1000.0, -1000.0])
def test_tanh_of_a_large_number(student, number):
    """tanh(1000) is 1 with slope 0, and tanh(-1000) is -1."""
    assert_gradients(student, lambda a: a.tanh(), at=(number,))


@grade("neuron", points=1)
def test_the_lessons_neuron(student):
    """At x=(2, 0), w=(-3, 1), b=6.88...: o is 0.7071, the gradients are -1.5, 1, 0.5 and 0."""
    numbers = {"x1": 2.0, "x2": 0.0, "w1": -3.0, "w2": 1.0, "b": 6.8813735870195432}
    x1, x2, w1, w2, b = (student.value(number, label=name) for name, number in numbers.items())
    o = student.name("neuron")(x1, x2, w1, w2, b)
    assert_value(student, o)
    o.backward()
    wanted = [(o.data, 0.5**0.5), (x1.grad, -1.5), (w1.grad, 1.0), (x2.grad, 0.5), (w2.grad, 0.0), (b.grad, 0.5)]
    assert_numbers(student, wanted, "x1=2, x2=0, w1=-3, w2=1, b=6.88")


@grade("exp", points=2)
@each(four_forms(lambda x: x.exp(), 2.0))
def test_exp(student, form):
    """exp and its slope, on its own and inside longer expressions."""
    assert_gradients(student, form, at=point(form, 2.0, 0.3))


@grade("pow", points=2)
@pytest.mark.parametrize("base, exponent", [(2.0, 3), (3.0, 2), (4.0, -1), (4.0, 0.5), (-3.0, 2)])
def test_power(student, base, exponent):
    """a**k and its slope, for the five lines of the lesson's table."""
    for _, form in four_forms(lambda x: x**exponent, 10.0):
        assert_gradients(student, form, at=point(form, base, 2.0))


@grade("pow", points=1)
def test_exponent_that_is_a_value(student):
    """a**b with a Value b: refused with an error, or else b gets its gradient too."""
    assert_gradients(student, lambda a: a**2, at=(3.0,))
    with contextlib.suppress(Crashed):
        assert_gradients(student, lambda a, b: a**b, at=(3.0, 2.0))


@grade("sub", points=0.5)
@each(four_forms(lambda x: -x, 10.0))
def test_neg(student, form):
    """-a and its slope, on its own and inside longer expressions."""
    assert_gradients(student, form, at=point(form, 5.0, 2.0))


@grade("sub", points=1.5)
@pytest.mark.parametrize("k", [1, 10.0])
def test_minus(student, k):
    """a - b, a - a and a - 1 with their slopes, also where something arrives from above."""
    assert_gradients(student, lambda a, b: (a - b) * k, at=(5.0, 2.0))
    assert_gradients(student, lambda a, b, c: (a * b - b * c) * k, at=(5.0, 2.0, 3.0))
    assert_gradients(student, lambda a: (a - a) * k, at=(5.0,))
    assert_gradients(student, lambda a: (a - 1) * k, at=(5.0,))


@grade("div", points=2)
@pytest.mark.parametrize("k", [1, 10.0])
def test_division(student, k):
    """a / b, a / a and a / 4 with their slopes, also where something arrives from above."""
    assert_gradients(student, lambda a, b: (a / b) * k, at=(6.0, 4.0))
    assert_gradients(student, lambda a, b, c: (a * b / (b * c)) * k, at=(6.0, 4.0, 5.0))
    assert_gradients(student, lambda a: (a / a) * k, at=(6.0,))
    assert_gradients(student, lambda a: (a / 4) * k, at=(6.0,))


@grade("reflected", points=1.5)
@pytest.mark.parametrize(
    "operation",
    [lambda x: 5 + x, lambda x: 2 * x, lambda x: 1 - x, lambda x: 1 / x],
    ids=["5 + a", "2 * a", "1 - a", "1 / a"],
)
def test_a_number_on_the_left(student, operation):
    """A plain number may stand on the left."""
    for _, form in four_forms(operation, 10.0):
        assert_gradients(student, form, at=point(form, 2.0, 3.0))


@grade("reflected", points=0.5)
def test_sum(student):
    """sum([a, b]) works: it starts with 0 + a."""
    assert_gradients(student, lambda a, b: sum([a, b]), at=(2.0, 3.0))


@grade("tanh-pieces", points=1)
def test_pieces_give_the_same(student):
    """tanh_in_pieces at 0.5: 0.4621, with slope 0.7864."""
    (x,) = student.values(0.5)
    t = student.name("tanh_in_pieces")(x)
    assert_value(student, t)
    t.backward()
    assert_numbers(student, [(t.data, 0.46211715726000975), (x.grad, 0.7864477329659274)], "x=0.5")


@grade("relu", points=2)
@pytest.mark.parametrize("number", [3.0, -2.0])
def test_relu(student, number):
    """relu passes a positive number and its gradient, whatever sign that has, and stops a negative one."""
    for k in (5.0, -5.0):
        for _, form in four_forms(lambda x: x.relu(), k):
            assert_gradients(student, form, at=point(form, number, 2.0))

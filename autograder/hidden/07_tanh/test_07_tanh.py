"""The hidden suite of 07_tanh: each operation by its numbers, in many forms, and where it is easy to get wrong."""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from autograder.checks import assert_numbers, assert_value
from autograder.errors import Crashed, WrongAnswer
from autograder.expression import Expr, number_text, trace
from autograder.gradcheck import assert_gradients, four_forms
from autograder.numeric import differentiate
from autograder.plugin import grade
from autograder.student import Remote, Student

Form = Callable[..., Expr]
FACTOR = -3.0
BIAS = 6.8813735870195432


def named(forms: Sequence[tuple[str, Form]]) -> pytest.MarkDecorator:
    """One case for each form, called by the form's own name."""
    return pytest.mark.parametrize("form", [form for _, form in forms], ids=[name for name, _ in forms])


def assert_two_operands(student: Student, rng: random.Random, group: str, operation: Callable[[Expr, Expr], Expr]) -> None:
    """The forms that tell apart what two operands can get wrong: `inputs`, results as operands (`made`), `shared` ones."""

    def alone(a: Expr, b: Expr) -> Expr:
        return operation(a, b)

    def scaled(a: Expr, b: Expr) -> Expr:
        return operation(a, b) * FACTOR

    def made_left(a: Expr, b: Expr, c: Expr) -> Expr:
        return operation(a * b, c)

    def made_right(a: Expr, b: Expr, c: Expr) -> Expr:
        return operation(a, b * c)

    def twice(a: Expr, b: Expr) -> Expr:
        return operation(a, b) + operation(a, b)

    def same(a: Expr) -> Expr:
        return operation(a, a)

    def same_made(a: Expr, b: Expr) -> Expr:
        t = a * b
        return operation(t, t) * a

    def crossed(a: Expr, b: Expr, c: Expr) -> Expr:
        t = a * b
        return operation(t, c) * operation(c, t) + t

    groups: dict[str, list[Form]] = {
        "inputs": [alone, scaled],
        "made": [made_left, made_right],
        "shared": [twice, same, same_made, crossed],
    }
    for form in groups[group]:
        assert_gradients(student, form, at=anywhere(form, rng))


def anywhere(form: Form, rng: random.Random, low: float = 0.4, high: float = 1.8) -> list[float]:
    """A point for the form, away from 0; its inputs are all unlike, and half of them are negative."""
    return [rng.uniform(low, high) * rng.choice((-1, 1)) for _ in range(form.__code__.co_argcount)]


def positive(form: Form, rng: random.Random) -> list[float]:
    return [rng.uniform(1.2, 2.4) for _ in range(form.__code__.co_argcount)]


def assert_function(student: Student, name: str, form: Form, at: Sequence[float]) -> tuple[list[Remote], Remote]:
    """Check the data and gradients of a function of Values that the submission defines."""
    traced = trace(form, len(at))
    truth = differentiate(traced, at)
    inputs = [student.value(number, label=node.name) for node, number in zip(traced.inputs, at, strict=True)]
    output = student.name(name)(*inputs)
    assert_value(student, output)
    output.backward()
    wanted = [(output.data, truth.data)]
    wanted += [(leaf.grad, slope) for leaf, slope in zip(inputs, truth.gradient, strict=True)]
    where = ", ".join(f"{node.name}={number_text(number)}" for node, number in zip(traced.inputs, at, strict=True))
    assert_numbers(student, wanted, where)
    return inputs, output


# tanh


@grade("tanh", points=0.5)
def test_tanh_of_a_number(student: Student, rng: random.Random) -> None:
    """a.tanh() is a new Value with the tanh of a's data, and a stays as it is."""
    for number in (rng.uniform(0.3, 2), rng.uniform(-2, -0.3), 0.0, 2):
        (a,) = student.values(number)
        t = a.tanh()
        assert_value(student, t)
        assert_numbers(student, [(t.data, math.tanh(number)), (a.data, number)], f"a={number_text(number)}")


@grade("tanh", points=2)
@named(four_forms(lambda x: x.tanh(), FACTOR))
def test_slope_of_tanh(student: Student, rng: random.Random, form: Form) -> None:
    """The slope of tanh, on its own and inside longer expressions."""
    for _ in range(2):
        assert_gradients(student, form, at=anywhere(form, rng))
    assert_gradients(student, form, at=[2.0, -0.8][: form.__code__.co_argcount])


@grade("tanh", points=0.5)
@pytest.mark.parametrize("number", [1000.0, -1000.0, 400.0], ids=["1000", "-1000", "400"])
def test_tanh_of_a_large_number(student: Student, number: float) -> None:
    """tanh(1000) is 1 with slope 0: no step on the way may overflow."""
    assert_gradients(student, lambda a: a.tanh() * 2.0, at=(number,))


# The neuron


def neuron(x1: Expr, x2: Expr, w1: Expr, w2: Expr, b: Expr) -> Expr:
    return (x1 * w1 + x2 * w2 + b).tanh()


@grade("neuron", points=0.5)
def test_the_lessons_neuron(student: Student) -> None:
    """At x=(2, 0), w=(-3, 1), b=6.88...: o is 0.7071, the gradients are -1.5, 1, 0.5 and 0."""
    assert_function(student, "neuron", neuron, at=(2.0, 0.0, -3.0, 1.0, BIAS))


@grade("neuron", points=0.5)
def test_any_neuron(student: Student, rng: random.Random) -> None:
    """The neuron is right for other inputs, weights and biases too."""
    for _ in range(3):
        assert_function(student, "neuron", neuron, at=anywhere(neuron, rng, 0.2, 1.2))


# exp


@grade("exp", points=0.4)
def test_exp_of_a_number(student: Student, rng: random.Random) -> None:
    """a.exp() is a new Value with e to the power of a's data, and a stays as it is."""
    for number in (rng.uniform(0.3, 3), rng.uniform(-3, -0.3), 0.0, 2):
        (a,) = student.values(number)
        e = a.exp()
        assert_value(student, e)
        assert_numbers(student, [(e.data, math.exp(number)), (a.data, number)], f"a={number_text(number)}")


def exp_beside(a: Expr) -> Expr:
    return a.exp() + a


def exp_meets_itself(a: Expr, b: Expr) -> Expr:
    t = (a * b).exp()
    return t + t * a


@grade("exp", points=1.6)
@named([*four_forms(lambda x: x.exp(), FACTOR), ("f(a)+a", exp_beside), ("t+t*a", exp_meets_itself)])
def test_slope_of_exp(student: Student, rng: random.Random, form: Form) -> None:
    """The slope of exp, on its own and inside longer expressions."""
    for _ in range(2):
        assert_gradients(student, form, at=anywhere(form, rng))


# pow


@grade("pow", points=0.4)
def test_power_of_a_number(student: Student, rng: random.Random) -> None:
    """a**k is a new Value, for an exponent that is an int or a float, and a stays as it is."""
    number = rng.uniform(1.5, 3)
    for exponent in (2, 3, -1, 0.5, 2.0, -1.5):
        (a,) = student.values(number)
        result = a**exponent
        assert_value(student, result)
        assert_numbers(student, [(result.data, number**exponent), (a.data, number)], f"a={number_text(number)}")


def power(exponent: float) -> Callable[[Expr], Expr]:
    return lambda x: x**exponent


@grade("pow", points=1.6)
@pytest.mark.parametrize("number", range(4), ids=["f(a)", "f(a)*k", "f(a)+f(a)", "f(a*b)"])
def test_slope_of_a_power(student: Student, rng: random.Random, number: int) -> None:
    """The slope of a**k, on its own and inside longer expressions."""
    for exponent in (2, 3, -1, 0.5, -1.5, 1):
        _, form = four_forms(power(exponent), FACTOR)[number]
        assert_gradients(student, form, at=positive(form, rng))


@grade("pow", points=0.5)
@pytest.mark.parametrize("exponent", [2, 3, -1, -2, 2.0], ids=str)
def test_negative_base(student: Student, rng: random.Random, exponent: float) -> None:
    """(-3)**2 is 9 and has a slope: a negative base is nothing special."""
    assert_gradients(student, lambda a: a**exponent, at=(-3.0,))
    assert_gradients(student, lambda a, b: (a * b) ** exponent * FACTOR, at=(rng.uniform(-2.4, -1.2), rng.uniform(1.2, 2.4)))


@grade("pow", points=0.2)
def test_zero_squared(student: Student) -> None:
    """0**2 is 0, and flat there."""
    assert_gradients(student, lambda a: a**2 * 5.0, at=(0.0,))


@grade("pow", points=0.3)
def test_exponent_that_is_a_value(student: Student) -> None:
    """a**b with a Value b: either refused with an error, or b gets its gradient too."""
    assert_gradients(student, lambda a: a**3, at=(2.0,))
    with contextlib.suppress(Crashed):
        assert_gradients(student, lambda a, b: a**b, at=(2.0, 3.0))


# Minus


@grade("sub", points=0.3)
def test_minus_of_numbers(student: Student, rng: random.Random) -> None:
    """-a, a - b, a - 1 are new Values, and their operands stay as they are."""
    left, right = rng.uniform(1, 3), rng.uniform(-3, -1)
    a, b = student.values(left, right)
    wanted = [(-a, -left), (a - b, left - right), (b - a, right - left), (a - 1, left - 1), (b - 2.5, right - 2.5)]
    for result, _ in wanted:
        assert_value(student, result)
    numbers = [(result.data, number) for result, number in wanted]
    assert_numbers(student, [*numbers, (a.data, left), (b.data, right)], f"a={number_text(left)}, b={number_text(right)}")


@grade("sub", points=0.4)
def test_slope_of_neg(student: Student, rng: random.Random) -> None:
    """The slope of -a, on its own and inside longer expressions."""
    for _, form in four_forms(lambda x: -x, FACTOR):
        assert_gradients(student, form, at=anywhere(form, rng))


@grade("sub", points=0.3)
def test_slopes_of_minus(student: Student, rng: random.Random) -> None:
    """Both slopes of a - b, also where something arrives from above."""
    assert_two_operands(student, rng, "inputs", lambda x, y: x - y)


@grade("sub", points=0.4)
def test_minus_of_results(student: Student, rng: random.Random) -> None:
    """a - b passes gradients on to operands that were computed themselves."""
    assert_two_operands(student, rng, "made", lambda x, y: x - y)


@grade("sub", points=0.4)
def test_minus_of_shared_values(student: Student, rng: random.Random) -> None:
    """a - a, and a - b used twice: each use adds its share to the gradient."""
    assert_two_operands(student, rng, "shared", lambda x, y: x - y)


@grade("sub", points=0.2)
def test_slope_of_minus_a_number(student: Student, rng: random.Random) -> None:
    """The slope of a - 1.5, on its own and inside longer expressions."""
    for _, form in four_forms(lambda x: x - 1.5, FACTOR):
        assert_gradients(student, form, at=anywhere(form, rng))


# Division


@grade("div", points=0.3)
def test_division_of_numbers(student: Student, rng: random.Random) -> None:
    """a / b and a / 4 are new Values, and their operands stay as they are."""
    left, right = rng.uniform(1, 3), rng.uniform(-3, -1.5)
    a, b = student.values(left, right)
    wanted = [(a / b, left / right), (b / a, right / left), (a / 4, left / 4), (b / 2.5, right / 2.5)]
    for result, _ in wanted:
        assert_value(student, result)
    numbers = [(result.data, number) for result, number in wanted]
    assert_numbers(student, [*numbers, (a.data, left), (b.data, right)], f"a={number_text(left)}, b={number_text(right)}")


@grade("div", points=0.4)
def test_slopes_of_division(student: Student, rng: random.Random) -> None:
    """Both slopes of a / b, also where something arrives from above."""
    assert_two_operands(student, rng, "inputs", lambda x, y: x / y)


@grade("div", points=0.5)
def test_division_of_results(student: Student, rng: random.Random) -> None:
    """a / b passes gradients on to operands that were computed themselves."""
    assert_two_operands(student, rng, "made", lambda x, y: x / y)


@grade("div", points=0.5)
def test_division_of_shared_values(student: Student, rng: random.Random) -> None:
    """a / a, and a / b used twice: each use adds its share to the gradient."""
    assert_two_operands(student, rng, "shared", lambda x, y: x / y)


@grade("div", points=0.3)
def test_slope_of_division_by_a_number(student: Student, rng: random.Random) -> None:
    """The slope of a / 4, on its own and inside longer expressions."""
    for _, form in four_forms(lambda x: x / 4, FACTOR):
        assert_gradients(student, form, at=anywhere(form, rng))


# A plain number on the left


def plus_on_the_left(x: Any) -> Any:
    return 5 + x


def times_on_the_left(x: Any) -> Any:
    return 2.5 * x


def minus_on_the_left(x: Any) -> Any:
    return 1 - x


def divide_on_the_left(x: Any) -> Any:
    return 3 / x


@grade("reflected", points=1.6)
@pytest.mark.parametrize(
    "operation",
    [plus_on_the_left, times_on_the_left, minus_on_the_left, divide_on_the_left],
    ids=["5 + a", "2.5 * a", "1 - a", "3 / a"],
)
def test_a_number_on_the_left(student: Student, rng: random.Random, operation: Callable[[Any], Any]) -> None:
    """A plain number may stand on the left, with the operands in their right order."""
    (a,) = student.values(2.0)
    assert_value(student, operation(a))
    for _, form in four_forms(operation, FACTOR):
        assert_gradients(student, form, at=anywhere(form, rng))


def added_up(a: Expr, b: Expr, c: Expr) -> Expr:
    return a * sum([a, b, c, a])


@grade("reflected", points=0.4)
def test_sum(student: Student, rng: random.Random) -> None:
    """sum([a, b, c, a]) works: it starts with 0 + a."""
    assert_gradients(student, added_up, at=anywhere(added_up, rng))


# tanh, taken apart


def bent(x: Expr) -> Expr:
    return x.tanh()


@grade("tanh-pieces", points=0.7)
def test_pieces_give_the_same(student: Student, rng: random.Random) -> None:
    """tanh_in_pieces has tanh's data and tanh's slope."""
    for number in (0.8813735870195432, rng.uniform(0.3, 1.5), rng.uniform(-1.5, -0.3)):
        assert_function(student, "tanh_in_pieces", bent, at=(number,))


@grade("tanh-pieces", points=0.3)
def test_pieces_are_pieces(student: Student) -> None:
    """tanh_in_pieces takes several operations, so x is not the result's direct parent."""
    (x,), output = assert_function(student, "tanh_in_pieces", bent, at=(0.7,))
    parents, leaf = student.read(getattr(output, student.names.parents), x)
    if isinstance(parents, (list, tuple, frozenset)) and leaf in parents:
        raise WrongAnswer("tanh_in_pieces(x): x is the direct parent of the result, so it is one operation and not pieces")


# relu


@grade("relu", points=0.4)
def test_relu_of_a_number(student: Student, rng: random.Random) -> None:
    """a.relu() is a Value: a's data where that is positive, 0 where it is not."""
    for number in (rng.uniform(0.5, 3), rng.uniform(-3, -0.5), 4, -4):
        (a,) = student.values(number)
        r = a.relu()
        assert_value(student, r)
        assert_numbers(student, [(r.data, max(number, 0)), (a.data, number)], f"a={number_text(number)}")


def mixed(a: Expr, b: Expr) -> Expr:
    t = a * b
    return t.relu() * t + (t * FACTOR).relu() * a


@grade("relu", points=1.6)
@named([*four_forms(lambda x: x.relu(), FACTOR), ("mixed", mixed)])
def test_gate_of_relu(student: Student, rng: random.Random, form: Form) -> None:
    """Gradients pass where a positive number came in, whatever their own sign, and nowhere else."""
    count = form.__code__.co_argcount
    size = [rng.uniform(0.8, 2) for _ in range(count)]
    for signs in [(1, 1), (-1, 1), (-1, -1), (1, -1)][: 2 * count]:
        assert_gradients(student, form, at=[sign * number for sign, number in zip(signs, size, strict=False)])

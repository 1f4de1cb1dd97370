"""The hidden suite of 05_backward."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from autograder.checks import assert_numbers
from autograder.errors import WrongAnswer
from autograder.expression import Expr, trace
from autograder.gradcheck import assert_gradients, beside, close
from autograder.numeric import differentiate
from autograder.plugin import grade
from autograder.student import Student, as_number, describe

Form = Callable[..., Expr]


def called(form: Form) -> str:
    return form.__name__


def somewhere(rng: random.Random, count: int) -> list[float]:
    """A point away from 0 and 1, where wrong rules look right; its numbers are of either sign."""
    return [rng.choice((-1, 1)) * rng.uniform(1.25, 3) for _ in range(count)]


def assert_six(student: Student, at: list[float]) -> None:
    """Check by_hand at one point against the slopes of L by the inputs, by e and by d."""
    a, b, c, f = at
    inputs = differentiate(trace(lambda a, b, c, f: (a * b + c) * f, 4), at).gradient
    of_e = differentiate(trace(lambda e, c, f: (e + c) * f, 3), [a * b, c, f]).gradient[0]
    of_d = differentiate(trace(lambda d, f: d * f, 2), [a * b + c, f]).gradient[0]
    expected = dict(zip("abcfed", [*inputs, of_e, of_d], strict=True))
    result = student.name("by_hand")(*at)
    (got,) = student.read(result)
    if not isinstance(got, dict):
        raise WrongAnswer(f"{result._text}: expected a dict of six gradients, got {describe(got)}")
    where = f"at a={a:.6g}, b={b:.6g}, c={c:.6g}, f={f:.6g}"
    wrong = []
    for name in "abcdef":
        if name not in got:
            raise WrongAnswer(f"{where}\nthe dict that by_hand gave has no {name!r}")
        number = as_number(got[name], f"the gradient of {name}")
        if not close(number, expected[name]):
            wrong.append(beside(f"the gradient of {name}", expected[name], number))
    if wrong:
        raise WrongAnswer("\n".join([where, *wrong]))


@grade("by-hand", points=1)
def test_the_running_example_by_hand(student: Student) -> None:
    """At a=2, b=-3, c=10, f=-2 each of the six gradients is right."""
    assert_six(student, [2.0, -3.0, 10.0, -2.0])


@grade("by-hand", points=1)
def test_other_numbers_by_hand(student: Student, rng: random.Random) -> None:
    """The walk from the right to the left works for other numbers too."""
    for _ in range(3):
        assert_six(student, somewhere(rng, 4))


@grade("add-rule", points=0.5)
def test_both_terms_of_a_sum(student: Student, rng: random.Random) -> None:
    """Each term of a sum gets the sum's gradient."""
    assert_gradients(student, lambda a, b: a + b, at=somewhere(rng, 2))
    assert_gradients(student, lambda a, b, c: a + b + c, at=somewhere(rng, 3))
    assert_gradients(student, lambda a, b, c: a + (b + c), at=somewhere(rng, 3))


@grade("add-rule", points=0.5)
def test_a_number_as_a_term(student: Student, rng: random.Random) -> None:
    """a + 3 works, and a gets its gradient."""
    assert_gradients(student, lambda a: a + 3, at=somewhere(rng, 1))
    assert_gradients(student, lambda a, b: a + 0.5 + b, at=somewhere(rng, 2))


@grade("mul-rule", points=0.5)
def test_both_factors_of_a_product(student: Student, rng: random.Random) -> None:
    """Each factor's gradient is the other factor's data."""
    assert_gradients(student, lambda a, b: a * b, at=(2.0, -3.0))
    assert_gradients(student, lambda a, b: a * b, at=somewhere(rng, 2))


@grade("mul-rule", points=0.5)
def test_a_number_as_a_factor(student: Student, rng: random.Random) -> None:
    """a * 3 works, and a gets its gradient."""
    assert_gradients(student, lambda a: a * 3, at=somewhere(rng, 1))
    assert_gradients(student, lambda a: a * -0.5, at=somewhere(rng, 1))


def sum_scaled(a: Expr, b: Expr, c: Expr) -> Expr:
    return (a + b) * c


def scaled_by_a_sum(a: Expr, b: Expr, c: Expr) -> Expr:
    return a * (b + c)


def product_in_a_product(a: Expr, b: Expr, c: Expr) -> Expr:
    return a * b * c


def right_product_in_a_product(a: Expr, b: Expr, c: Expr) -> Expr:
    return a * (b * c)


def scaled_by_numbers(a: Expr, b: Expr) -> Expr:
    return ((a + b) * 3 + 2) * -0.5


def product_times_a_number(a: Expr, b: Expr) -> Expr:
    return (a * b) * 7


def product_in_a_sum(a: Expr, b: Expr, c: Expr, d: Expr) -> Expr:
    return a + (b + c * d) * 3


def running_example(a: Expr, b: Expr, c: Expr, f: Expr) -> Expr:
    return (a * b + c) * f


CHAINS = [
    sum_scaled,
    scaled_by_a_sum,
    product_in_a_product,
    right_product_in_a_product,
    scaled_by_numbers,
    product_times_a_number,
    product_in_a_sum,
    running_example,
]


@grade("chain", points=2)
@pytest.mark.parametrize("form", CHAINS, ids=called)
def test_what_arrives_from_above(student: Student, rng: random.Random, form: Form) -> None:
    """What arrives from above is multiplied by the local slope."""
    assert_gradients(student, form, at=somewhere(rng, form.__code__.co_argcount))


def double(a: Expr) -> Expr:
    return a + a


def square(a: Expr) -> Expr:
    return a * a


def cube(a: Expr) -> Expr:
    return a * (a * a)


def sum_twice(a: Expr, b: Expr) -> Expr:
    t = a + b
    return t + t


def sum_squared(a: Expr, b: Expr) -> Expr:
    t = a + b
    return t * t


def term_then_product(a: Expr, b: Expr) -> Expr:
    return a + a * b


def product_then_term(a: Expr, b: Expr) -> Expr:
    return a * b + a


def term_after_right_factor(a: Expr, b: Expr) -> Expr:
    return b * a + a


def right_term_then_product(a: Expr, b: Expr) -> Expr:
    return (b + a) * (a * b)


def left_in_two_products(a: Expr, b: Expr, c: Expr) -> Expr:
    return a * b + a * c


def right_in_two_products(a: Expr, b: Expr, c: Expr) -> Expr:
    return b * a + c * a


def left_in_two_sums(a: Expr, b: Expr, c: Expr) -> Expr:
    return (a + b) * (a + c)


def right_in_two_sums(a: Expr, b: Expr, c: Expr) -> Expr:
    return (b + a) * (c + a)


def sum_first(a: Expr, b: Expr, c: Expr) -> Expr:
    t = a * b
    return t + t * c


def product_first(a: Expr, b: Expr, c: Expr) -> Expr:
    t = a * b
    return t * c + t


def two_diamonds(a: Expr, b: Expr) -> Expr:
    t = a * b + a
    u = t * b + t
    return u * a + u


SHARED = [
    double,
    square,
    cube,
    sum_twice,
    sum_squared,
    term_then_product,
    product_then_term,
    term_after_right_factor,
    right_term_then_product,
    left_in_two_products,
    right_in_two_products,
    left_in_two_sums,
    right_in_two_sums,
    sum_first,
    product_first,
    two_diamonds,
]


@grade("collect", points=2)
@pytest.mark.parametrize("form", SHARED, ids=called)
def test_a_value_used_more_than_once(student: Student, rng: random.Random, form: Form) -> None:
    """A Value that is used more than once collects a gradient from each use."""
    assert_gradients(student, form, at=somewhere(rng, form.__code__.co_argcount))


@grade("nudge", points=1)
@pytest.mark.parametrize("count", [1, 4])
def test_a_nudge_along_the_gradient(student: Student, rng: random.Random, count: int) -> None:
    """nudge moves each leaf's data by the step times its gradient."""
    data, grads, step = somewhere(rng, count), somewhere(rng, count), rng.uniform(0.01, 0.1)
    leaves = student.values(*data)
    for leaf, grad in zip(leaves, grads, strict=True):
        leaf.set("grad", grad)
    student.name("nudge")(leaves, step)
    told = [f"{leaf._text}={x:.6g} with grad {g:.6g}" for leaf, x, g in zip(leaves, data, grads, strict=True)]
    pairs = [(leaf.data, x + step * g) for leaf, x, g in zip(leaves, data, grads, strict=True)]
    assert_numbers(student, pairs, f"{', '.join(told)}, step={step:.6g}")


@grade("nudge", points=1)
@pytest.mark.parametrize("count", [1, 4])
def test_the_predicted_rise(student: Student, rng: random.Random, count: int) -> None:
    """predicted_rise adds up what each leaf's move does to the result, and moves nothing."""
    data, grads, step = somewhere(rng, count), somewhere(rng, count), rng.uniform(0.01, 0.1)
    leaves = student.values(*data)
    for leaf, grad in zip(leaves, grads, strict=True):
        leaf.set("grad", grad)
    rise = student.name("predicted_rise")(leaves, step)
    told = f"gradients {', '.join(f'{grad:.6g}' for grad in grads)}, step={step:.6g}"
    pairs = [(leaf.data, x) for leaf, x in zip(leaves, data, strict=True)]
    assert_numbers(student, [(rise, step * sum(grad * grad for grad in grads)), *pairs], told)

"""Numerical differentiation is right, says when it cannot be, and a wrong derivative does not get past the check."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.errors import CourseError
from autograder.expression import Expr, evaluate, text, trace
from autograder.gradcheck import Observation, four_forms, mistakes
from autograder.numeric import Truth, complex_step, differentiate, richardson

OPERATIONS: dict[str, tuple[Callable[[Expr], Expr], Callable[[float], float]]] = {
    "tanh": (lambda a: a.tanh(), lambda x: 1 - math.tanh(x) ** 2),
    "exp": (lambda a: a.exp(), math.exp),
    "log": (lambda a: a.log(), lambda x: 1 / x),
    "sin": (lambda a: a.sin(), math.cos),
    "relu": (lambda a: a.relu(), lambda x: float(x > 0)),
    "square": (lambda a: a**2, lambda x: 2 * x),
    "root": (lambda a: a**0.5, lambda x: 0.5 * x**-0.5),
    "inverse": (lambda a: 1 / a, lambda x: -1 / x**2),
    "negative": (lambda a: 1 - a, lambda x: -1.0),
}


@pytest.mark.parametrize("name", OPERATIONS)
@given(x=st.floats(0.25, 4))
def test_both_methods_agree_with_the_derivative_by_hand(name: str, x: float) -> None:
    operation, derivative = OPERATIONS[name]
    traced = trace(lambda a: operation(a), 1)
    assert differentiate(traced, (x,)).gradient[0] == pytest.approx(derivative(x), rel=1e-9)
    assert richardson(traced, (x,), 0) == pytest.approx(derivative(x), rel=1e-8)
    if name != "relu":
        assert complex_step(traced, (x,), 0) == pytest.approx(derivative(x), rel=1e-13)


@given(st.floats(-3, 3), st.floats(-3, 3))
def test_negative_bases_have_integer_powers(a: float, b: float) -> None:
    truth = differentiate(trace(lambda a, b: (a * b) ** 3 + a**2 * b, 2), (a, b))
    assert truth.gradient[0] == pytest.approx(3 * a**2 * b**3 + 2 * a * b, rel=1e-12, abs=1e-12)


def test_tanh_far_out_is_flat_and_finite() -> None:
    assert differentiate(trace(lambda a: a.tanh(), 1), (1000.0,)) == Truth(1.0, (0.0,))


@pytest.mark.parametrize(
    ("function", "at"),
    [
        (lambda a: 1 / a, (0.0,)),
        (lambda a: a**0.5, (-1.0,)),
        (lambda a: a**0.5, (0.0,)),
        (lambda a: a.exp(), (1000.0,)),
        (lambda a: a.relu(), (1e-12,)),
        (lambda a: 3, (1.0,)),
        (lambda a, b: a, (1.0,)),
    ],
)
def test_points_without_a_derivative_are_the_authors_fault(function: Callable[..., Any], at: tuple[float, ...]) -> None:
    with pytest.raises(CourseError):
        differentiate(trace(function, len(at)), at)


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_wrong_derivative_is_caught(name: str) -> None:
    operation, _ = OPERATIONS[name]
    for _, form in four_forms(operation):
        count = form.__code__.co_argcount
        traced = trace(form, count)
        truth = differentiate(traced, (1.25, 0.75)[:count])
        for wrong in (2.0, -1.0, 0.0, 1 + 1e-6):
            gradient = tuple(number * wrong for number in truth.gradient)
            assert mistakes(Observation(traced, (1.25, 0.75)[:count], truth, truth.data, gradient))
        assert mistakes(Observation(traced, (1.25, 0.75)[:count], truth, truth.data + 1e-6, truth.gradient))
        assert not mistakes(Observation(traced, (1.25, 0.75)[:count], truth, truth.data, truth.gradient))


def test_text_names_what_is_shared_and_keeps_the_order_of_operations() -> None:
    def shared(a: Expr, b: Expr, c: Expr) -> Expr:
        t = a * b
        return t + t * c

    assert text(trace(shared, 3)) == "L = t + t*c  with t = a*b"
    assert text(trace(lambda a, b, c: a - (b - c) / -a, 3)) == "L = a - (b - c)/-a"
    assert text(trace(lambda a, b: (a + b).tanh() ** 2 * 3, 2)) == "L = (a + b).tanh()**2*3"
    assert text(trace(lambda a: (-a) ** 2, 1)) == "L = (-a)**2"


@given(st.integers(1, 5), st.integers(0, 3), st.randoms(use_true_random=False))
def test_text_means_what_was_traced(leaves: int, steps: int, random: Any) -> None:
    def build(*inputs: Expr) -> Expr:
        nodes: list[Expr] = [*inputs]
        for _ in range(steps + 1):
            left, right = random.choice(nodes), random.choice(nodes)
            nodes.append(random.choice([left + right, left - right, left * right, -left, left * 2 - right]))
        return nodes[-1]

    traced = trace(build, leaves)
    at = [random.uniform(1, 2) for _ in range(leaves)]
    line, _, shared = text(traced).removeprefix("L = ").partition("  with ")
    scope = {node.name: value for node, value in zip(traced.inputs, at, strict=True)}
    for step in shared.split(", ") if shared else []:
        name, _, formula = step.partition(" = ")
        scope[name] = eval(formula, {}, scope)
    assert eval(line, {}, scope) == pytest.approx(evaluate(traced, at)[id(traced.output)])

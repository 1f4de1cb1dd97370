"""The public suite of the capstone: a few of the checks, for any names and any design."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autograder.discover import PARAMETERS, Network
from autograder.errors import NotAttempted, WrongAnswer
from autograder.expression import Expr
from autograder.gradcheck import assert_gradients, four_forms
from autograder.plugin import grade
from autograder.student import Names, Student


@pytest.fixture
def student(student: Student, names: Names) -> Student:
    """The handle of a submission that names things as it likes."""
    return Student(student.transport, names)


def there(student: Student, *kinds: str) -> list[str]:
    return [kind for kind in kinds if kind in student.names.methods or kind in student.names.functions]


@grade("operators", points=4)
@pytest.mark.parametrize("symbol", "+-*/")
def test_two_operands(student: Student, symbol: str) -> None:
    """a + b, a - b, a * b and a / b, once and twice, and with a plain number on either side."""
    operations: dict[str, Callable[[Any, Any], Any]] = {
        "+": lambda x, y: x + y,
        "-": lambda x, y: x - y,
        "*": lambda x, y: x * y,
        "/": lambda x, y: x / y,
    }
    act = operations[symbol]
    assert_gradients(student, lambda a, b: act(a, b), [2.0, -3.0])
    assert_gradients(student, lambda a, b: act(a, b) + act(a, b) * 2.0, [2.0, -3.0])
    assert_gradients(student, lambda a: act(act(2, a), 3.0), [1.5])


@grade("operators", points=2)
def test_minus_and_powers(student: Student) -> None:
    """-a, a ** 3 and a ** -1, in four forms."""
    for operation in (lambda x: -x, lambda x: x**3, lambda x: x**-1):
        for _, form in four_forms(operation):
            assert_gradients(student, form, [1.5, -2.0][: form.__code__.co_argcount])


@grade("functions", points=3)
def test_functions(student: Student) -> None:
    """tanh or relu is there; each of tanh, relu, exp and log that is there is right in four forms."""
    if not there(student, "tanh", "relu"):
        raise WrongAnswer("neither tanh nor relu was found, as a method of the class or as a function beside it")
    for kind in there(student, "tanh", "relu", "exp", "log"):
        for _, form in four_forms(lambda x, kind=kind: getattr(x, kind)()):
            assert_gradients(student, form, [0.75, 0.5][: form.__code__.co_argcount])


def shared(a: Expr, b: Expr, c: Expr) -> Any:
    t = a * b
    return t + t * c


def diamond(a: Expr, b: Expr, c: Expr) -> Any:
    t = a + b
    return (t * a) * (t - c)


@grade("graphs", points=4)
@pytest.mark.parametrize("shape", [shared, diamond], ids=["shared", "diamond"])
def test_shapes(student: Student, shape: Callable[..., Any]) -> None:
    """A graph in which a value is used more than once."""
    assert_gradients(student, shape, [2.0, 3.0, 4.0])


@grade("readme", points=2)
def test_the_long_expression(student: Student) -> None:
    """The expression of micrograd's README at a = -4, b = 2; relu's part in it is written out."""

    def long(a: Expr, b: Expr) -> Any:
        c = a + b
        d = a * b + b**3
        c = c + (c + 1)
        c = c + (1 + c + (-a))
        d = d + d * 2
        d = d + (3 * d + (b - a))
        f = (c - d) ** 2
        return f / 2.0 + 10.0 / f

    assert_gradients(student, long, [-4.0, 2.0])


@grade("network", points=5)
def test_the_network(student: Student, network: Network) -> None:
    """MLP(3, [4, 4, 1]) has 41 parameters of its own, and its output moves their gradients."""
    model = network.build(student)
    held = network.held(student, model)
    getattr(network.output(student, model, [2.0, 3.0, -1.0]), student.names.backward)()
    objects, slopes = student.read(held, held.each(student.names.grad))
    count = len(set(objects)) if isinstance(objects, list) else 0
    if count != PARAMETERS:
        raise WrongAnswer(f"a network of 3, 4, 4, 1: expected {PARAMETERS} different parameters, got {count}")
    if not isinstance(slopes, list) or not any(slopes):
        raise WrongAnswer("every parameter's gradient is 0: is the output connected to the parameters?")


@grade("beyond", points=0)
def test_tanh_of_a_large_number(student: Student) -> None:
    """tanh(1000) is 1 and its slope 0."""
    if not there(student, "tanh"):
        raise NotAttempted("tanh", "not there")
    assert_gradients(student, lambda a: a.tanh(), [1000.0])

"""`assert_gradients`: student code's data and every gradient beside numerical differentiation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .errors import WrongAnswer
from .expression import Expr, Trace, evaluate, number_text, point, text, trace
from .numeric import Truth, differentiate
from .student import Remote, Student, as_number

RELATIVE = 1e-9
# Below this a gradient counts as 0: sums in another order differ in their last bits.
ABSOLUTE = 1e-11


@dataclass(frozen=True)
class NodeGradient:
    """dL/dnode at one node of an expression: the truth beside what was read, None where nothing readable was there.

    `name` is the input's name, L for the output, or the operation as text; `data` is the node's true value.
    """

    node: Expr
    name: str
    data: float
    truth: float
    got: float | None

    @property
    def wrong(self) -> bool:
        return self.got is None or not close(self.got, self.truth)


@dataclass(frozen=True)
class Observation:
    """What one expression gave at one point: the truth beside what was read.

    `nodes` is filled for an expression that is to be shown (see `observe_nodes`): every node but plain numbers, in
    the order of the backward pass, the output first.
    """

    traced: Trace
    at: tuple[float, ...]
    truth: Truth
    data: float
    gradient: tuple[float, ...]
    nodes: tuple[NodeGradient, ...] = ()

    @property
    def first_wrong(self) -> NodeGradient | None:
        """Of `nodes`, the one nearest to the output whose gradient is wrong: the pass went astray there."""
        return next((one for one in self.nodes if one.wrong), None)


class WrongGradient(WrongAnswer):
    """An expression whose data or gradient is wrong; keeps what was observed."""

    def __init__(self, message: str, observation: Observation) -> None:
        super().__init__(message)
        self.observation = observation


def close(got: float, expected: float, relative: float = RELATIVE) -> bool:
    return math.isclose(got, expected, rel_tol=relative, abs_tol=ABSOLUTE)


def beside(what: str, expected: float, got: float) -> str:
    """`a.grad: expected 15, got 18`, with all digits where six would look alike."""
    shown = number_text(expected), number_text(got)
    if shown[0] == shown[1]:
        shown = repr(expected), repr(got)
    return f"{what}: expected {shown[0]}, got {shown[1]}"


def observe(student: Student, traced: Trace, at: Sequence[float]) -> Observation:
    """Run one expression and its backward pass in student code, in one message.

    Raises StudentFault where it does not run, or gives anything but plain finite numbers that stay the same.
    """
    truth = differentiate(traced, at)
    inputs = [student.value(number, label=node.name) for node, number in zip(traced.inputs, at, strict=True)]
    output = student.play(traced, inputs)
    output._text = text(traced)
    getattr(output, student.names.backward)()
    wanted = [_named(output, student.names.data, "L")]
    wanted += [_named(one, student.names.grad, node.name) for node, one in zip(traced.inputs, inputs, strict=True)]
    again = [_named(output, student.names.data, "L")]
    again += [_named(one, student.names.grad, node.name) for node, one in zip(traced.inputs, inputs, strict=True)]
    first, second = _halves(student.read(*wanted, *again))
    head = f"{text(traced)}   at {point(traced, at)}\n"
    numbers = [as_number(value, head + remote._text) for value, remote in zip(first, wanted, strict=True)]
    for value, remote, number in zip(second, wanted, numbers, strict=True):
        if as_number(value, head + remote._text) != number:
            raise WrongAnswer(f"{head}{remote._text} changes from one reading to the next: store a plain number")
    return Observation(traced, tuple(at), truth, numbers[0], tuple(numbers[1:]))


def observe_nodes(student: Student, seen: Observation) -> Observation:
    """The observation with every node's gradient, from one more run of the same expression.

    Raises StudentFault where it does not run any more.
    """
    traced, names = seen.traced, student.names
    inputs = [student.value(number, label=node.name) for node, number in zip(traced.inputs, seen.at, strict=True)]
    made = student.played(traced, inputs)
    getattr(made[id(traced.output)], names.backward)()
    shown = [node for node in reversed(traced.order()) if node.kind != "number"]
    values = student.read(*[getattr(made[id(node)], names.grad) for node in shown])
    data = evaluate(traced, seen.at)
    nodes = []
    for node, value in zip(shown, values, strict=True):
        readable = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        name = "L" if node is traced.output else text(Trace(traced.inputs, node)).removeprefix("L = ")
        got = float(value) if readable and isinstance(value, (int, float)) else None
        nodes.append(NodeGradient(node, name, float(data[id(node)]), _slope(traced, seen.at, node), got))
    return replace(seen, nodes=tuple(nodes))


def _slope(traced: Trace, at: Sequence[float], node: Expr) -> float:
    """dL/dnode: the node becomes one more input, at the value that it has, and its own arguments fall away."""
    free = Expr("input", name="x")
    copies: dict[int, Expr] = {id(node): free, **{id(one): one for one in traced.inputs if one is not node}}
    for one in traced.order():
        if id(one) not in copies:
            copies[id(one)] = Expr(one.kind, tuple(copies[id(arg)] for arg in one.args), one.value, one.name)
    values = evaluate(traced, at)
    return differentiate(Trace((*traced.inputs, free), copies[id(traced.output)]), (*at, values[id(node)])).gradient[-1]


def _named(owner: Remote, attribute: str, name: str) -> Remote:
    read: Remote = getattr(owner, attribute)
    read._text = f"{name}.{attribute}"
    return read


def _halves(values: list[Any]) -> tuple[list[Any], list[Any]]:
    middle = len(values) // 2
    return values[:middle], values[middle:]


def mistakes(seen: Observation, relative: float = RELATIVE) -> list[str]:
    """A line for each number that is wrong; the data alone where that is wrong already."""
    if not close(seen.data, seen.truth.data, relative):
        return [beside("L.data", seen.truth.data, seen.data)]
    rows = zip(seen.traced.inputs, seen.truth.gradient, seen.gradient, strict=True)
    return [beside(f"{node.name}.grad", want, got) for node, want, got in rows if not close(got, want, relative)]


def assert_gradients(
    student: Student, function: Callable[..., Any], at: Sequence[float], relative: float = RELATIVE
) -> Observation:
    """Check the data and every input's gradient of `function` at the point `at`, one float for each parameter.

    `function` is traced once; the same graph runs in student code and, on plain numbers, here.
    Raises WrongGradient with the expression, its inputs, expected and got; StudentFault where it does not run.
    """
    seen = observe(student, trace(function, len(at)), at)
    if mistakes(seen, relative):
        raise WrongGradient(written(seen, relative), seen)
    return seen


def written(seen: Observation, relative: float = RELATIVE) -> str:
    """The expression with its inputs, then a line for each number that is wrong."""
    return "\n".join([f"{text(seen.traced)}   at {point(seen.traced, seen.at)}", *mistakes(seen, relative)])


def four_forms(operation: Callable[[Expr], Expr], factor: float = 3.0) -> list[tuple[str, Callable[..., Any]]]:
    """The forms that tell local rules apart: f(a), f(a)*k, f(a) + f(a), f(a*b)."""

    def alone(a: Expr) -> Expr:
        return operation(a)

    def scaled(a: Expr) -> Expr:
        return operation(a) * factor

    def twice(a: Expr) -> Expr:
        return operation(a) + operation(a)

    def inside(a: Expr, b: Expr) -> Expr:
        return operation(a * b)

    return [("f(a)", alone), ("f(a)*k", scaled), ("f(a)+f(a)", twice), ("f(a*b)", inside)]

"""Tracing of plain Python expressions, and their values and derivatives on plain numbers.

`trace` calls a function once with tracers and records the graph that it computes. The graph is then sent to
student code as operations, evaluated here on floats, differentiated numerically, and written out as text.
"""

from __future__ import annotations

import cmath
import inspect
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, Union

from .errors import CourseError

Number: TypeAlias = Union[int, float]
SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**", "neg": "-"}
PRECEDENCE = {"add": 1, "sub": 1, "mul": 2, "truediv": 2, "neg": 3, "pow": 4}
SHARED_NAMES = "tuvwpqrs"


class Expr:
    """One node of a traced graph: an operation's name and its arguments, in order.

    Two nodes are the same only by identity, so that sharing in the traced function is kept.
    """

    def __init__(self, kind: str, args: tuple[Expr, ...] = (), value: Number = 0, name: str = "") -> None:
        self.kind, self.args, self.value, self.name = kind, args, value, name

    def __add__(self, other: Operand) -> Expr:
        return Expr("add", (self, lift(other)))

    def __radd__(self, other: Operand) -> Expr:
        return Expr("add", (lift(other), self))

    def __sub__(self, other: Operand) -> Expr:
        return Expr("sub", (self, lift(other)))

    def __rsub__(self, other: Operand) -> Expr:
        return Expr("sub", (lift(other), self))

    def __mul__(self, other: Operand) -> Expr:
        return Expr("mul", (self, lift(other)))

    def __rmul__(self, other: Operand) -> Expr:
        return Expr("mul", (lift(other), self))

    def __truediv__(self, other: Operand) -> Expr:
        return Expr("truediv", (self, lift(other)))

    def __rtruediv__(self, other: Operand) -> Expr:
        return Expr("truediv", (lift(other), self))

    def __pow__(self, other: Operand) -> Expr:
        return Expr("pow", (self, lift(other)))

    def __neg__(self) -> Expr:
        return Expr("neg", (self,))

    def tanh(self) -> Expr:
        return Expr("tanh", (self,))

    def exp(self) -> Expr:
        return Expr("exp", (self,))

    def log(self) -> Expr:
        return Expr("log", (self,))

    def sin(self) -> Expr:
        return Expr("sin", (self,))

    def relu(self) -> Expr:
        return Expr("relu", (self,))

    def __bool__(self) -> bool:
        raise CourseError("a traced expression has no truth value: let the test choose the branch, not the data")


Operand: TypeAlias = Union[Expr, int, float]


def lift(value: Operand) -> Expr:
    """The node of an operand; a plain number becomes a constant of its own type."""
    return value if isinstance(value, Expr) else Expr("number", value=value)


@dataclass(frozen=True)
class Trace:
    """A function's graph: its inputs, in the order of the parameters, and its output."""

    inputs: tuple[Expr, ...]
    output: Expr

    def order(self) -> list[Expr]:
        """Every node once, inputs first, each after its arguments. Iterative: graphs may be deep."""
        done = list(self.inputs)
        seen = {id(node) for node in done}
        stack = [(self.output, False)]
        while stack:
            node, ready = stack.pop()
            if id(node) in seen:
                continue
            if ready:
                seen.add(id(node))
                done.append(node)
            else:
                stack.append((node, True))
                stack.extend((argument, False) for argument in reversed(node.args))
        return done


def trace(function: Callable[..., Any], count: int) -> Trace:
    """Record what `function` computes from `count` inputs, named as its parameters are.

    Raises CourseError where it takes another number of inputs or does not give an expression.
    """
    names = list(inspect.signature(function).parameters)
    parameters = inspect.signature(function).parameters.values()
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        names = [f"x{number}" for number in range(1, count + 1)]
    if len(names) != count:
        raise CourseError(f"the expression takes {len(names)} inputs and `at` gives {count}: make them agree")
    inputs = tuple(Expr("input", name=name) for name in names)
    output = function(*inputs)
    if not isinstance(output, Expr):
        raise CourseError(f"the expression gave a {type(output).__name__}: it must compute with its inputs")
    return Trace(inputs, output)


def _relu(x: Any) -> Any:
    return x if x.real > 0 else 0 * x


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "truediv": lambda x, y: x / y,
    "pow": lambda x, y: x**y,
    "neg": lambda x: -x,
    "relu": _relu,
}
REAL: dict[str, Callable[..., Any]] = {**FUNCTIONS, "tanh": math.tanh, "exp": math.exp, "log": math.log, "sin": math.sin}
COMPLEX: dict[str, Callable[..., Any]] = {**FUNCTIONS, "tanh": cmath.tanh, "exp": cmath.exp, "log": cmath.log, "sin": cmath.sin}
ANALYTIC = {"input", "number", *COMPLEX} - {"relu"}


def evaluate(traced: Trace, at: Sequence[Any], functions: dict[str, Callable[..., Any]] = REAL) -> dict[int, Any]:
    """Every node's value at the given inputs, by the node's id; floats with REAL, complex with COMPLEX.

    Raises CourseError where the expression is undefined there.
    """
    values: dict[int, Any] = {id(node): number for node, number in zip(traced.inputs, at, strict=True)}
    for node in traced.order()[len(traced.inputs) :]:
        arguments = [values[id(argument)] for argument in node.args]
        try:
            values[id(node)] = node.value if node.kind == "number" else functions[node.kind](*arguments)
        except (ArithmeticError, ValueError) as error:
            raise CourseError(f"{text(traced)} is undefined at {point(traced, at)}: {error}") from None
    return values


def number_text(value: Number) -> str:
    """Six digits, as a reader would write them: 15, -0.5, 1.2e-07."""
    return f"{value:.6g}"


def point(traced: Trace, at: Sequence[Any]) -> str:
    return ", ".join(f"{node.name}={number_text(value)}" for node, value in zip(traced.inputs, at, strict=True))


def text(traced: Trace, root: str = "L") -> str:
    """The expression as a reader would write it: `L = t + t*c  with t = a*b`."""
    uses = Counter(id(argument) for node in traced.order() for argument in node.args)
    names: dict[int, str] = {}
    steps = []
    for node in traced.order():
        if node.kind not in ("input", "number") and uses[id(node)] > 1:
            name = SHARED_NAMES[len(names) % len(SHARED_NAMES)] + ("" if len(names) < len(SHARED_NAMES) else str(len(names)))
            steps.append(f"{name} = {_written(node, names)}")
            names[id(node)] = name
    whole = f"{root} = {_written(traced.output, names)}"
    return f"{whole}  with {', '.join(steps)}" if steps else whole


def _written(node: Expr, names: dict[int, str], level: int = 0) -> str:
    if id(node) in names:
        return names[id(node)]
    if node.kind == "input":
        return node.name
    if node.kind == "number":
        return f"({number_text(node.value)})" if node.value < 0 and level else number_text(node.value)
    own = PRECEDENCE.get(node.kind)
    if own is None:
        return f"{_written(node.args[0], names, 5)}.{node.kind}()"
    if node.kind == "neg":
        written = f"-{_written(node.args[0], names, own)}"
    else:
        left, right = node.args
        symbol = SYMBOLS[node.kind] if own > 1 else f" {SYMBOLS[node.kind]} "
        # A power binds to the right, the others to the left.
        sides = (own + 1, own) if node.kind == "pow" else (own, own + 1)
        written = f"{_written(left, names, sides[0])}{symbol}{_written(right, names, sides[1])}"
    return f"({written})" if own < level else written

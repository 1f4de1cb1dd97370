"""A node as a student's engine would hold it, with the right value and the right local rule of each operation."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(eq=False)
class Node:
    """A node as a student's engine would hold it. `rule` is the node whose rule this one runs, None for none."""

    kind: str
    args: tuple[Node, ...]
    data: float
    exponent: float = 0.0
    grad: float = 0.0
    parents: list[Node] = field(default_factory=list)
    pushes: list[tuple[Node, int]] = field(default_factory=list)
    rule: Node | None = None
    fixed: tuple[float, ...] | None = None


DATA: dict[str, Callable[..., float]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "truediv": lambda x, y: x / y,
    "pow": lambda x, k: x**k,
    "neg": lambda x: -x,
    "tanh": math.tanh,
    "exp": math.exp,
    "log": math.log,
    "sin": math.sin,
    "relu": lambda x: max(x, 0.0),
}


def slopes(node: Node) -> tuple[float, ...]:
    """The right local rule: one slope for each operand of `node`."""
    x = node.args[0].data
    y = node.args[1].data if len(node.args) > 1 else node.exponent
    if node.kind == "add":
        return 1.0, 1.0
    if node.kind == "sub":
        return 1.0, -1.0
    if node.kind == "mul":
        return y, x
    if node.kind == "truediv":
        return 1 / y, -x / y**2
    if node.kind == "pow":
        return (y * x ** (y - 1), math.log(x) * node.data if x > 0 else 0.0)[: len(node.args)]
    unary = {"neg": -1.0, "tanh": 1 - node.data**2, "exp": node.data, "relu": 1.0 if x > 0 else 0.0}
    if node.kind in unary:
        return (unary[node.kind],)
    return (1 / x if node.kind == "log" else math.cos(x),)

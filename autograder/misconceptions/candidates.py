"""Every mistake that numbers can show, as one or more changes to the reference interpreter.

One mistake often has several forms: both operands or one, a rule in a closure or slopes kept beside the parents.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .engine import Change, Stop
from .node import Node, slopes

SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**", "neg": "neg"}
BINARY = ("add", "sub", "mul", "truediv")


@dataclass(frozen=True)
class Candidate:
    """One form of one mistake. `kind` is the traced operation that it belongs to, "" for the pass as a whole."""

    id: str
    kind: str
    change: Change

    @property
    def op(self) -> str:
        return SYMBOLS.get(self.kind, self.kind)


# Mistakes that any operation can have, and those that need a second operand.
FORMS: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("overwrite-gradient", {"assign": frozenset(slots)}) for slots in ((0, 1), (0,), (1,))),
    *(("upstream-ignored", {"bare": frozenset(slots)}) for slots in ((0, 1), (0,), (1,))),
    ("backward-not-attached", {"reach": ()}),
    ("backward-on-self", {"on-self": "closure"}),
    ("backward-on-self", {"on-self": "stored"}),
    ("result-detached", {"keep": ()}),
    ("result-detached", {"keep": (), "reach": ()}),
    ("backward-called-at-build", {"called": True}),
    ("missing-return", {"none": True}),
)
BINARY_FORMS: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("lost-operand", {"keep": (slot,)}) for slot in (0, 1)),
    *(("lost-operand", {"keep": (slot,), "reach": (slot,)}) for slot in (0, 1)),
    *(("rewraps-values", {"copies": slots}) for slots in ((1,), (0,), (0, 1))),
    ("no-coercion", {"number": True}),
    ("late-binding", {"late": True}),
)


def candidates(kinds: Sequence[str]) -> list[Candidate]:
    """The mistakes that a submission with these operations can have."""
    pairs = [kind for kind in kinds if kind in BINARY]
    made = list(_of_the_pass())
    for forms, having in ((FORMS, kinds), (BINARY_FORMS, pairs)):
        for name, settings in forms:
            # In code that all operations share, the same slip is everywhere at once and belongs to none of them.
            wide = {(kind, aspect): setting for kind in having for aspect, setting in settings.items()}
            made.append(Candidate(name, "", wide))
            made += [Candidate(name, kind, {(kind, aspect): s for aspect, s in settings.items()}) for kind in having]
    return made + [one for one in SPECIAL if one.kind in kinds]


def _of_the_pass() -> Iterator[Candidate]:
    def one(name: str, aspect: str, *settings: Any) -> Iterator[Candidate]:
        yield from (Candidate(name, "", {("", aspect): setting}) for setting in settings)

    yield from one("missing-seed", "seed", "none")
    yield from one("seed-is-data", "seed", "data")
    yield from one("unreversed-order", "order", "unreversed")
    yield from one("no-visited-guard", "order", "depth-first")
    yield from one("recursive-backward", "order", "depth-first-guarded", "edge-by-edge", "rule-for-each", "seeded")
    yield from one("breadth-first-order", "order", "breadth-first", "breadth-first-unguarded")
    yield from one("operand-keyed-gradient", "keyed", "parents", "items")
    yield from one("unhashable-values", "equal", True)


def _refuse_negative(x: float, *rest: float) -> None:
    if x <= 0:
        raise Stop("ValueError", "TypeError", late=None)


def _overflow(x: float) -> None:
    if x > 354:
        raise Stop("OverflowError")


def _relu_by(gate: str) -> Any:
    def local(node: Node) -> tuple[float, ...]:
        operand = node.args[0]
        chosen = {"output": node.data >= 0, "own": operand.grad > 0, "above": node.grad > 0}[gate]
        return (1.0 if chosen else 0.0,)

    return local


def _power(slope: Any) -> Any:
    def local(node: Node) -> tuple[float, ...]:
        exponent = node.args[1].data if len(node.args) > 1 else node.exponent
        return (slope(node.args[0].data, exponent), *slopes(node)[1:])

    return local


SPECIAL = (
    Candidate("mul-own-operand", "mul", {("mul", "slopes"): lambda node: (node.args[0].data, node.args[1].data)}),
    Candidate("sub-sign-lost", "sub", {("sub", "slopes"): lambda node: (1.0, 1.0)}),
    Candidate("rsub-swapped", "sub", {("sub", "swapped"): True}),
    Candidate("pow-exponent-not-reduced", "pow", {("pow", "slopes"): _power(lambda x, k: k * x**k)}),
    Candidate("pow-factor-missing", "pow", {("pow", "slopes"): _power(lambda x, k: x ** (k - 1))}),
    Candidate("pow-always-logs", "pow", {("pow", "raises"): _refuse_negative}),
    Candidate("pow-value-exponent", "pow", {("pow", "slopes"): lambda node: (*slopes(node)[:1], 0.0)[: len(node.args)]}),
    Candidate("tanh-derivative-of-input", "tanh", {("tanh", "slopes"): lambda node: (1 - math.pow(node.args[0].data, 2),)}),
    Candidate("tanh-overflow", "tanh", {("tanh", "raises"): _overflow}),
    Candidate("exp-derivative-is-input", "exp", {("exp", "slopes"): lambda node: (node.args[0].data,)}),
    *(Candidate("relu-gate-on-gradient", "relu", {("relu", "gate"): _relu_by(gate)}) for gate in ("own", "above")),
    Candidate("relu-gate-on-gradient", "relu", {("relu", "built"): _relu_by("own")}),
    Candidate("relu-gate-on-output", "relu", {("relu", "slopes"): _relu_by("output")}),
)

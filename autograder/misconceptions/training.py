"""Mistakes in training, by where the numbers end: each function of the lesson is called on a small case.

A descent that goes wrong in a known way ends at numbers of its own: uphill, on piled up gradients, or where it began.
"""

from __future__ import annotations

import cmath
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from ..errors import Crashed, StudentFault
from ..expression import Expr, trace
from ..finding import Finding
from ..gradcheck import close
from ..numeric import differentiate
from ..protocol import Object, Plain
from ..student import Remote, Student
from .catalogue import found

Ask = Callable[[], Student]
Slopes = Callable[[Sequence[float]], Sequence[float]]
RATE, STEPS = 0.0625, 3
OUTPUTS, GOALS = (0.5, -0.25, 0.875), (1.0, -1.0, 1.0)
SIZES = (2, 2, 1)
KNOBS = (0.5, -0.7, 0.3, 0.2, 0.6, -0.4, 0.8, -0.6, 0.1)
EXAMPLES = (((0.5, -1.0), 1.0), ((-0.8, 0.6), -1.0))
STEP = 1e-30


def training(ask: Ask) -> Iterator[Finding]:
    """The mistakes in the lesson's functions, each on its own; `train` as a whole where these are right."""
    seen: list[Finding] = []
    for question in (targets, loss, zero_grad, step, descend):
        with suppress(StudentFault):
            seen += [one for one in question(ask) if one not in seen]
    if not seen:
        with suppress(StudentFault):
            seen += train(ask)
    yield from seen


def targets(ask: Ask) -> Iterator[Finding]:
    """Whether targets lie beyond what tanh can give."""
    student = ask()
    (got,) = student.read(student.name("targets")([3, 8, 8, 3]))
    if isinstance(got, (list, tuple)) and any(isinstance(one, (int, float)) and abs(one) > 1 for one in got):
        yield found("targets-out-of-reach")


def loss(ask: Ask) -> Iterator[Finding]:
    """Whether a loss adds up bare errors, and whether a gradient comes through it."""
    student = ask()
    leaves = student.values(*OUTPUTS)
    total = student.name("loss")(list(leaves), list(GOALS))
    (kind,) = student.read(total)
    errors = [output - goal for output, goal in zip(OUTPUTS, GOALS, strict=True)]
    if not isinstance(kind, Object):
        if isinstance(kind, float) and close(kind, sum(error * error for error in errors)):
            yield found("loss-from-data")
        return
    (data,) = student.read(getattr(total, student.names.data))
    if isinstance(data, (int, float)) and any(close(data, sign * sum(errors)) for sign in (1, -1)):
        yield found("loss-not-squared")
        return
    getattr(total, student.names.backward)()
    if not any(student.read(*[getattr(leaf, student.names.grad) for leaf in leaves])):
        yield found("loss-from-data")


def zero_grad(ask: Ask) -> Iterator[Finding]:
    """Whether gradients are still there afterwards."""
    student = ask()
    leaves = _leaves(student, (0.5, -1.5), (2.0, -3.0))
    student.name("zero_grad")(leaves)
    if student.read(*[getattr(leaf, student.names.grad) for leaf in leaves]) == [2.0, -3.0]:
        yield found("no-zero-grad")


def step(ask: Ask) -> Iterator[Finding]:
    """Where one step takes two parameters."""
    student = ask()
    start, slopes = (0.5, -1.5), (2.0, -3.0)
    leaves = _leaves(student, start, slopes)
    student.name("step")(leaves, RATE)
    yield from _ended(student.read(*[getattr(leaf, student.names.data) for leaf in leaves]), start, lambda at: slopes, 1)


def _leaves(student: Student, numbers: Sequence[float], grads: Sequence[float]) -> list[Remote]:
    leaves = student.values(*numbers)
    for leaf, grad in zip(leaves, grads, strict=True):
        leaf.set(student.names.grad, grad)
    return leaves


def descend(ask: Ask) -> Iterator[Finding]:
    """Where one Value goes on a parabola."""

    def bowl(x: Expr) -> Expr:
        return (x - 3) * (x - 3)

    traced = trace(bowl, 1)
    student = ask()
    x = student.value(0.5)
    student.name("descend")(student.function(traced), x, STEPS, RATE)
    try:
        ends = student.read(getattr(x, student.names.data))
    except Crashed as crash:
        yield from _node_as_number(crash)
        return
    yield from _ended(ends, (0.5,), lambda at: differentiate(traced, at).gradient, STEPS)


def train(ask: Ask) -> Iterator[Finding]:
    """Where training takes the knobs of a network of 2, 2 and 1 neurons."""
    student = ask()
    model = student.name("MLP")(SIZES[0], list(SIZES[1:]))
    knobs = []
    for depth, (nin, nout) in enumerate(itertools.pairwise(SIZES)):
        for at in range(nout):
            neuron = model.layers[depth].neurons[at]
            knobs += [*(neuron.w[which] for which in range(nin)), neuron.b]
    for knob, number in zip(knobs, KNOBS, strict=True):
        knob.set(student.names.data, number)
    student.name("train")(model, [list(x) for x, _ in EXAMPLES], [y for _, y in EXAMPLES], STEPS, RATE)
    try:
        ends = student.read(*[getattr(knob, student.names.data) for knob in knobs])
    except Crashed as crash:
        yield from _node_as_number(crash)
        return
    yield from _ended(ends, KNOBS, _network_slopes, STEPS)


def _node_as_number(crash: Crashed) -> Iterator[Finding]:
    """A Value in place of a number stops the next operation that needs a number."""
    if crash.kind == "TypeError" and "must be real number, not" in crash.text:
        yield found("value-in-data")


def _network_slopes(knobs: Sequence[float]) -> list[float]:
    """The derivative of the sum of squared errors by each knob, by complex step."""
    found_slopes = []
    for which in range(len(knobs)):
        shifted = [complex(number, STEP if at == which else 0.0) for at, number in enumerate(knobs)]
        found_slopes.append(sum((_output(shifted, x) - y) ** 2 for x, y in EXAMPLES).imag / STEP)
    return found_slopes


def _output(knobs: Sequence[complex], x: Sequence[complex]) -> complex:
    left = iter(knobs)
    for nin, nout in itertools.pairwise(SIZES):
        rows = [([next(left) for _ in range(nin)], next(left)) for _ in range(nout)]
        x = [cmath.tanh(sum(w * one for w, one in zip(weights, x, strict=True)) + bias) for weights, bias in rows]
    return x[0]


def _ended(ends: Sequence[Plain], start: Sequence[float], slopes: Slopes, steps: int) -> Iterator[Finding]:
    """Which way of going wrong ends at these numbers."""
    if any(isinstance(one, Object) for one in ends):
        yield found("value-in-data")
        return
    numbers = [float(one) for one in ends if isinstance(one, (int, float))]
    if len(numbers) < len(ends) or _alike(numbers, _walk(start, slopes, steps, -RATE, keep=False)):
        return
    for name, rate, keep in (("uphill", RATE, False), ("no-zero-grad", -RATE, True)):
        if _alike(numbers, _walk(start, slopes, steps, rate, keep)):
            yield found(name)
            return
    if numbers == list(start):
        yield found("parameter-rebound")


def _walk(start: Sequence[float], slopes: Slopes, steps: int, rate: float, keep: bool) -> list[float]:
    at, piled = list(start), [0.0] * len(start)
    for _ in range(steps):
        piled = [keep * old + new for old, new in zip(piled, slopes(at), strict=True)]
        at = [number + rate * slope for number, slope in zip(at, piled, strict=True)]
    return at


def _alike(some: Sequence[float], others: Sequence[float]) -> bool:
    return all(close(one, other, 1e-7) for one, other in zip(some, others, strict=True))

"""Mistakes in Neuron, Layer and MLP, by what they answer: counted, compared and called with numbers that do not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from ..errors import Crashed, StudentFault
from ..finding import Finding
from ..protocol import Object
from ..student import Student
from .catalogue import found

Ask = Callable[[], Student]
SIZES = (3, [4, 4, 1])
KNOBS, BIASES = 41, 9
REFUSALS = ("ValueError", "AssertionError", "TypeError", "IndexError")


def network(ask: Ask) -> Iterator[Finding]:
    """The mistakes that the submission's network shows; nothing where it has none."""
    for question in (parameters, start, one_output, wrong_size):
        with suppress(StudentFault):
            yield from question(ask)


def parameters(ask: Ask) -> Iterator[Finding]:
    """How many parameters an MLP lists, and how many objects they are."""
    student = ask()
    (listed,) = student.read(student.name("MLP")(*SIZES).parameters())
    if not isinstance(listed, (list, tuple)) or not all(isinstance(one, Object) for one in listed):
        return
    distinct = len(set(listed))
    if len(listed) in (KNOBS, KNOBS - BIASES) and distinct < len(listed):
        yield found("shared-neurons")
    if len(listed) == KNOBS - BIASES:
        yield found("bias-missing")


def start(ask: Ask) -> Iterator[Finding]:
    """Whether all of a layer's weights start alike, or one neuron's, or each neuron like the next."""
    student = ask()
    neurons = student.name("Layer")(3, 4).neurons
    read = student.read(*[neurons[at] for at in range(4)], *[neurons[at].w.each(student.names.data) for at in range(4)])
    objects, weights = read[:4], read[4:]
    rows = [tuple(row) for row in weights if isinstance(row, (list, tuple))]
    alike = any(len(set(row)) == 1 for row in rows) or len(set(rows)) < len(rows)
    if len(rows) == 4 and len(set(_hashed(objects))) == 4 and alike:
        yield found("symmetric-init")


def _hashed(objects: Sequence[Any]) -> list[Any]:
    return [one for one in objects if isinstance(one, Object)]


def one_output(ask: Ask) -> Iterator[Finding]:
    """What a layer of one neuron gives."""
    for name, sizes in (("Layer", (2, 1)), ("MLP", (2, [3, 1]))):
        student = ask()
        (got,) = student.read(student.name(name)(*sizes)([0.5, -1.0]))
        if isinstance(got, (list, tuple)) and len(got) == 1:
            yield found("layer-always-list")
            return


def wrong_size(ask: Ask) -> Iterator[Finding]:
    """Whether a neuron of three inputs answers when it gets two, and when it gets five."""
    answers = []
    for x in ([1.0, 2.0], [1.0, 2.0, 3.0, 4.0, 5.0]):
        student = ask()
        try:
            (got,) = student.read(student.name("Neuron")(3)(x))
        except Crashed as crash:
            if crash.kind not in REFUSALS:
                return
            continue
        answers.append(got)
    if any(isinstance(got, Object) for got in answers):
        yield found("input-size-unchecked")

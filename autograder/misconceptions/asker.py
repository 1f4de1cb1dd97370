"""Puts the battery to one submission, and says which operations it has."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ..errors import Crashed, NotAttempted
from ..expression import trace
from ..protocol import Object
from ..student import Remote, Student
from .battery import BINARY, KINDS, UNARY, A, B, Probe, Seen, battery
from .engine import Raised, Result

ABSENT = re.compile(r"unsupported operand|bad operand type|has no attribute '(tanh|exp|log|relu)'")


def known_kinds(student: Callable[[], Student]) -> list[str]:
    """The operations that the submission has; one that is not there raises in Python's own words, or was not attempted."""
    there = []
    for kind in KINDS:
        asked = student()
        operation = trace(UNARY[kind], 1) if kind in UNARY else trace(BINARY[kind], 2)
        output = asked.play(operation, asked.values(A, B)[: len(operation.inputs)])
        try:
            asked.read(output)
        except NotAttempted:
            continue
        except Crashed as crash:
            if ABSENT.search(crash.text) or not crash.during:
                continue
        there.append(kind)
    return there


# What a process says that is gone: asking it further costs a new one each time.
ENDINGS = ("SystemExit", "nonsense")


PARENTS = ("parents", "_parents", "prev", "children", "_children", "inputs", "_inputs", "operands", "args")


class Asker:
    """Puts probes to one submission. `parents` is where a result keeps what it remembers, "" where that is nowhere to be read.

    Raises TimedOut where the code hangs, and Crashed where its process ended.
    """

    def __init__(self, student: Callable[[], Student]) -> None:
        self.student, self.names = student, student().names
        self.kinds = known_kinds(student)
        self.parents = ""
        direct = {probe.kinds: probe for probe in battery(frozenset(self.kinds)) if probe.direct}
        some = list(direct.values())[-3:]
        self.parents = next((name for name in (self.names.parents, *PARENTS) if self._remembers(name, some)), "")

    def _remembers(self, name: str, probes: Sequence[Probe]) -> bool:
        """Whether the results of any of these operations keep their operands under this name."""
        self.parents = name
        answers = [self._alone(probe).got for probe in probes]
        return any(isinstance(got, Result) and got.parents is not None for got in answers)

    def ask(self, probes: Sequence[Probe]) -> list[Seen]:
        """Every probe's answer, in any order: all in one message, or in halves where something raises."""
        return self._halved(sorted(probes, key=lambda probe: sorted(probe.kinds - {"add", "mul"})))

    def _halved(self, probes: Sequence[Probe]) -> list[Seen]:
        if len(probes) == 1:
            return [self._alone(probes[0])]
        try:
            return self._together(probes)
        except Crashed:
            middle = len(probes) // 2
            return [*self._halved(probes[:middle]), *self._halved(probes[middle:])] if probes else []

    def _alone(self, probe: Probe) -> Seen:
        try:
            return self._together([probe])[0]
        except Crashed as crash:
            if crash.kind in ENDINGS:
                raise
            return Seen(probe, Raised((crash.kind,), crash.during.endswith(f".{self.names.backward}()")), crash)

    def _together(self, probes: Sequence[Probe]) -> list[Seen]:
        student = self.student()
        names, wanted, counts = student.names, list[Remote](), []
        for probe in probes:
            inputs = [student.value(number) for number in probe.at]
            for one in inputs if probe.preset else []:
                one.set(names.grad, probe.preset)
            output = student.play(probe.traced, inputs)
            output._text = "L"
            reads = [getattr(output, names.data)]
            getattr(output, names.backward)()
            reads += [getattr(one, names.grad) for one in (output, *inputs)]
            if self.parents and probe.direct:
                reads += [getattr(output, self.parents), *inputs]
            wanted += reads
            counts.append(len(reads))
        values = student.read(*wanted)
        seen = []
        for probe, count in zip(probes, counts, strict=True):
            seen.append(Seen(probe, _result(values[:count], len(probe.at))))
            values = values[count:]
        return seen


def _result(values: list[Any], inputs: int) -> Result | Raised:
    numbers = [float(value) if isinstance(value, (int, float)) else None for value in values[: inputs + 2]]
    data, root, *gradient = numbers
    if data is None or None in gradient:
        return Raised(("NoNumber",))
    parents = None
    if len(values) > len(numbers):
        held, *operands = values[len(numbers) :]
        if isinstance(held, (list, tuple, frozenset)) and all(isinstance(one, Object) for one in held):
            slots = frozenset(slot for slot, one in enumerate(operands) if one in held)
            parents = (slots, any(one not in operands for one in held))
    return Result(data, tuple(number for number in gradient if number is not None), root, parents)

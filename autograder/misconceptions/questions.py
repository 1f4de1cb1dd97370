"""Mistakes that no expression of the battery shows: each is asked for on its own, where a failed test gives cause.

Every function gives the findings of one kind; none where there is nothing, or where the answer does not decide.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from ..errors import Crashed, StudentFault, WrongAnswer
from ..finding import Finding
from ..gradcheck import close
from ..student import Student
from .catalogue import found

Ask = Callable[[], Student]
REFLECTED = {"+": "__radd__", "*": "__rmul__", "-": "__rsub__", "/": "__rtruediv__"}
NAMES = {"+": "add", "*": "mul", "-": "sub", "/": "truediv"}
UNSUPPORTED = re.compile(
    r"unsupported operand type\(s\) for (\S+)(?: or \S+)?: '(?:int|float)' and '(?!NoneType|int|float|str|list)"
)
LEFT = 2.5


def reflected(ask: Ask, faults: Sequence[BaseException]) -> Iterator[Finding]:
    """A plain number on the left: refused (where a test met that), without end, or the wrong way round."""
    crashes = [fault for fault in faults if isinstance(fault, Crashed)]
    asked_for = {match[1] for crash in crashes if (match := UNSUPPORTED.search(crash.text))}
    seen: set[tuple[str, str]] = set()
    for symbol, method in REFLECTED.items():
        student = ask()
        (a,) = student.values(0.7)
        try:
            data = student.number(getattr(student.operate(NAMES[symbol], LEFT, a), student.names.data))
        except Crashed as crash:
            missing = UNSUPPORTED.search(crash.text)
            if missing and missing[1] in asked_for and missing[1] in REFLECTED:
                seen.add(("missing-reflected", REFLECTED[missing[1]]))
            if crash.kind == "RecursionError":
                inner = crash.frames[-1].function if crash.frames else method
                seen.add(("reflected-recursion", inner if inner in REFLECTED.values() else method))
            continue
        except WrongAnswer:
            continue
        if symbol == "-" and close(data, 0.7 - LEFT):
            seen.add(("rsub-swapped", "-"))
    yield from (found(name, op) for name, op in sorted(seen))


def unhashable(crashes: Sequence[Crashed]) -> Iterator[Finding]:
    """Python's own words for a class with __eq__ and no __hash__."""
    if any("unhashable type" in crash.text for crash in crashes):
        yield found("unhashable-values")


def second_pass(ask: Ask) -> Iterator[Finding]:
    """backward() once more on the same graph, the leaves back at 0: what the root and the inner nodes still hold."""

    def grown(length: int) -> float:
        student = ask()
        leaves = student.values(*(0.7, 1.9, -1.3, 0.45)[:length])
        result = leaves[0]
        for leaf in leaves[1:]:
            result = result * leaf
        for _ in range(2):
            for leaf in leaves:
                leaf.set(student.names.grad, 0.0)
            getattr(result, student.names.backward)()
        slope = 1.0
        for number in (1.9, -1.3, 0.45)[: length - 1]:
            slope *= number
        return student.number(getattr(leaves[0], student.names.grad)) / slope

    root, inner = grown(2), grown(4)
    if close(root, 2.0):
        yield found("seed-accumulates")
    if inner > root and not close(inner, root):
        yield found("stale-inner-gradients")


def deep(ask: Ask, faults: Sequence[BaseException]) -> Iterator[Finding]:
    """A pass or a function that ends in RecursionError in a test, and does not on a graph of three nodes."""
    for crash in faults:
        if not isinstance(crash, Crashed) or crash.kind != "RecursionError":
            continue
        student = ask()
        a, b = student.values(0.7, 1.9)
        small = a * b + a
        function = re.match(r"(\w+)\(", crash.during)
        with suppress(StudentFault):
            if crash.during.endswith(f".{student.names.backward}()"):
                student.read(getattr(small, student.names.backward)())
                yield found("recursion-depth")
                return
            if function:
                student.read(student.name(function[1])(small))
                yield found("recursion-depth")
                return


def recursive_rules(ask: Ask) -> bool | None:
    """Whether rules run inside one another: an unusable gradient at the end of a chain shows who was still waiting.

    None where it does not show: a design that clears it first, a kernel that keeps no source.
    """
    student = ask()
    a, b, c, d = student.values(0.7, 1.9, -1.3, 0.45)
    a.set(student.names.grad, None)
    result = ((a * b) * c) * d
    try:
        student.read(getattr(result, student.names.backward)())
    except Crashed as crash:
        return max(Counter(frame.function for frame in crash.frames).values()) >= 3 if crash.frames else None
    except StudentFault:
        pass
    return None

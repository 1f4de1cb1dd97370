"""The smallest expression that still goes wrong: from the small ones already asked, or shrunk from a test's own."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from ..errors import CourseError, StudentFault
from ..expression import Expr, Trace, evaluate
from ..finding import Finding
from ..gradcheck import Observation, WrongGradient, mistakes, observe, observe_nodes
from ..student import Student
from .diagnose import explains
from .naming import Diagnosis, Failed

Ask = Callable[[], Student]
NAMES = "abcdefghijklm"
EXAMPLES = 200
SECONDS = 0.2


def smallest(
    ask: Ask, diagnosis: Diagnosis, findings: Sequence[Finding], failed: Sequence[Failed], seconds: float = SECONDS
) -> list[Observation | None]:
    """For each failed test the smallest wrong expression that shows its finding, with every node's gradient.

    It is found once for each finding, in at most `seconds` where it has to be shrunk; None where no expression shows it.
    """
    shown: dict[Finding, Observation | None] = {}
    for finding, test in sorted(zip(findings, failed, strict=True), key=lambda pair: not _own(pair[1])):
        if finding not in shown:
            own = _own(test)
            seen = _known(diagnosis, finding) or (shrunk(ask, own, seconds) if own else None)
            shown[finding] = _with_nodes(ask, seen) if seen else None
    return [shown[finding] for finding in findings]


def _own(test: Failed) -> Observation | None:
    return test.fault.observation if isinstance(test.fault, WrongGradient) else None


def _with_nodes(ask: Ask, seen: Observation) -> Observation:
    try:
        return observe_nodes(ask(), seen)
    except (StudentFault, CourseError):
        return seen


def _known(diagnosis: Diagnosis, finding: Finding) -> Observation | None:
    """The first wrong answer of the battery, which asks small expressions first; by one mistake alone where there are two."""
    change = diagnosis.changes.get(finding)
    alone = change is None or len(diagnosis.changes) < 2
    for one in diagnosis.small:
        seen = one.observation()
        if seen and mistakes(seen) and (alone or explains(change or {}, one)):
            return seen
    return None


def shrunk(ask: Ask, seen: Observation, seconds: float = SECONDS) -> Observation:
    """A part of the expression that goes wrong as well and of which nothing can be left out.

    A part is a root among its operations and the operations below that are kept; what is cut off becomes an input at
    the value that it has. Hypothesis finds and shrinks it; after `seconds` the smallest so far is taken.
    """
    # Only a failure that no small expression shows pays for this import.
    from hypothesis import HealthCheck, Phase, find, settings
    from hypothesis import strategies as st
    from hypothesis.errors import NoSuchExample

    operations = [node for node in seen.traced.order() if node.args]
    last = time.monotonic() + seconds
    best, wrong = seen, dict[tuple[int, frozenset[int]], bool]()
    index = st.integers(0, len(operations) - 1)

    def fails(part: tuple[int, frozenset[int]]) -> bool:
        nonlocal best
        root, kept = part
        # What stands above the root cannot be kept: the same part under another name.
        key = root, frozenset(one for one in kept if one < root)
        if key not in wrong:
            if time.monotonic() > last:
                return False
            got = _observed(ask, seen, operations[root], {id(operations[one]) for one in key[1]})
            wrong[key] = got is not None
            if got and len(got.traced.order()) <= len(best.traced.order()):
                best = got
        return wrong[key]

    quiet = settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    try:
        find(st.tuples(index, st.frozensets(index, max_size=6)), fails, settings=quiet, random=random.Random(0))
    except NoSuchExample:
        return seen
    return best


def _observed(ask: Ask, seen: Observation, root: Expr, kept: set[int]) -> Observation | None:
    """What a part of the expression gives, if that is wrong."""
    values = evaluate(seen.traced, seen.at)
    inputs: list[tuple[Expr, float]] = []
    copies: dict[int, Expr] = {}

    def copy(node: Expr) -> Expr:
        if id(node) not in copies:
            if node.kind == "number":
                copies[id(node)] = node
            elif node is root or id(node) in kept:
                copies[id(node)] = Expr(node.kind, tuple(copy(arg) for arg in node.args))
            else:
                copies[id(node)] = Expr("input", name=NAMES[len(inputs) % len(NAMES)])
                inputs.append((copies[id(node)], float(values[id(node)])))
        return copies[id(node)]

    output = copy(root)
    try:
        part = observe(ask(), Trace(tuple(node for node, _ in inputs), output), [number for _, number in inputs])
    except (StudentFault, CourseError):
        return None
    return part if mistakes(part) else None

"""One submission's mistakes, named once after its suite has run, and given to the tests that they explain."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..errors import Crashed, StudentFault
from ..expression import trace
from ..finding import Finding
from ..gradcheck import Observation, WrongGradient
from ..student import Student
from . import questions
from .asker import ENDINGS, Asker
from .battery import Seen, battery, probe_of
from .candidates import Candidate, candidates
from .catalogue import UNKNOWN, found
from .diagnose import Explanation, explains, explanations
from .engine import Change, Result
from .network import network
from .training import training

Ask = Callable[[], Student]
ORDERS = {"recursive-backward", "no-visited-guard", "breadth-first-order"}
# An expression of a test counts as evidence up to this many operations: larger ones have too many orders.
LARGEST = 6


class Failed(Protocol):
    """What is known of a test that did not pass."""

    message: str
    fault: BaseException | None


@dataclass
class Diagnosis:
    """What was found out about one submission.

    `changes` holds, for a finding, the change that explains the numbers; with `rest` there is more wrong than that.
    """

    findings: list[Finding] = field(default_factory=list)
    changes: dict[Finding, Change] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    rest: bool = False

    @property
    def small(self) -> Iterator[Seen]:
        """The wrong answers to small expressions, smallest first."""
        return (one for one in sorted(self.seen, key=lambda one: len(one.probe.traced.order())) if not one.right)


def diagnose(ask: Ask, failed: Sequence[Failed]) -> Diagnosis:
    """The mistakes of a submission of which these tests failed. `ask` gives a fresh handle on it each time.

    Raises StudentFault where it hangs or ends its process.
    """
    faults = [test.fault for test in failed if test.fault is not None]
    diagnosis = Diagnosis()
    asker = Asker(ask)
    if asker.kinds:
        diagnosis.seen = asker.ask(battery(frozenset(asker.kinds))) + _overflow(asker, faults)
        _from_numbers(diagnosis, asker, faults)
        crashes = [one.crash for one in diagnosis.seen if one.crash] + [one for one in faults if isinstance(one, Crashed)]
        _add(diagnosis, questions.unhashable(crashes))
        _add(diagnosis, questions.reflected(ask, faults))
        if not any(one.crash and one.crash.kind == "RecursionError" for one in diagnosis.seen):
            _add(diagnosis, questions.deep(ask, faults))
    if not diagnosis.findings:
        _add(diagnosis, itertools.chain(network(ask), training(ask)))
    right = all(one.right for one in diagnosis.seen)
    if asker.kinds and right and not diagnosis.findings and any(_fits_a_second_pass(test) for test in failed):
        _add(diagnosis, questions.second_pass(ask))
    return diagnosis


def _add(diagnosis: Diagnosis, findings: Iterator[Finding]) -> None:
    try:
        diagnosis.findings += [one for one in findings if one not in diagnosis.findings]
    except Crashed:
        # The question itself could not be answered: it decides nothing.
        return


def _overflow(asker: Asker, faults: Sequence[BaseException]) -> list[Seen]:
    """tanh far out, where a test met an OverflowError: not every assignment asks for it."""
    met = any(isinstance(fault, Crashed) and fault.kind == "OverflowError" for fault in faults)
    return asker.ask([probe_of(trace(lambda a: a.tanh(), 1), (1000.0,))]) if met and "tanh" in asker.kinds else []


def _from_numbers(diagnosis: Diagnosis, asker: Asker, faults: Sequence[BaseException]) -> None:
    evidence = [one for one in (_evidence(fault) for fault in faults) if one and one.probe.kinds <= set(asker.kinds)]
    seen = diagnosis.seen + evidence
    if all(one.right for one in seen) or any("unhashable" in str(one.crash) for one in seen if one.crash):
        return
    known = candidates(asker.kinds)
    sets = explanations(seen, known, asker.kinds)
    if not sets and any(not one.right for one in diagnosis.seen):
        # What the tests' own expressions add may be another mistake, which is not known.
        sets, diagnosis.rest = explanations(diagnosis.seen, known, asker.kinds), True
    for one, built in _agreed(sets, asker.student):
        finding = found(one.id, one.op)
        diagnosis.findings.append(finding)
        diagnosis.changes[finding] = {**built, **one.change}


def _evidence(fault: BaseException) -> Seen | None:
    """What a test's own expression showed, where it is small."""
    if not isinstance(fault, WrongGradient):
        return None
    seen = fault.observation
    probe = probe_of(seen.traced, seen.at)
    return Seen(probe, Result(seen.data, seen.gradient)) if _small(seen) else None


def _kinds(change: Change) -> set[str]:
    return {kind for kind, aspect in change if aspect != "lower"}


def _small(seen: Observation) -> bool:
    return sum(node.kind not in ("input", "number") for node in seen.traced.order()) <= LARGEST


def _agreed(sets: list[Explanation], ask: Ask) -> list[tuple[Candidate, Change]]:
    """The mistakes that every explanation has in common, once it is settled how the pass walks."""
    sure = [one for one in sets if all(mistake.id != "unhashable-values" for mistake in one.mistakes)] or sets
    if not sure:
        return []
    walks = any(mistake.id in ORDERS for one in sure for mistake in one.mistakes)
    recursive = questions.recursive_rules(ask) if walks else None
    named = [[_walk(mistake, recursive) for mistake in one.mistakes] for one in sure]
    common = set.intersection(*[{(mistake.id, mistake.op) for mistake in mistakes} for mistakes in named])
    return [(mistake, sure[0].built) for mistake in named[0] if (mistake.id, mistake.op) in common]


def _walk(one: Candidate, recursive: bool | None) -> Candidate:
    """Set orders can make a recursion and a wrong list look alike in numbers; who calls whom does not."""
    if one.id not in ORDERS or recursive is None:
        return one
    if recursive:
        return Candidate("recursive-backward", "", one.change)
    return Candidate("breadth-first-order", "", one.change) if one.id == "recursive-backward" else one


def explain(diagnosis: Diagnosis, test: Failed) -> list[Finding]:
    """The findings that may explain one failed test, or the unknown one: several where it takes more than one."""
    fault = test.fault
    if isinstance(fault, WrongGradient):
        return _of_numbers(diagnosis, fault.observation) or [found(UNKNOWN)]
    fitting = [one for one in diagnosis.findings if _fits(one, test)]
    named = [one for one in fitting if one.op.isidentifier() and _speaks_of(test, one.op)]
    return named or fitting or [found(UNKNOWN)]


def _speaks_of(test: Failed, op: str) -> bool:
    """Whether the failure is about a named operation; of a reflected one Python's words hold the sign."""
    refused = questions.UNSUPPORTED.search(test.message)
    return questions.REFLECTED.get(refused[1]) == op if refused else op in test.message


def _of_numbers(diagnosis: Diagnosis, seen: Observation) -> list[Finding]:
    changed = [one for one in diagnosis.findings if one in diagnosis.changes]
    if len(changed) > 1 or (diagnosis.rest and changed and _small(seen)):
        answer = Seen(probe_of(seen.traced, seen.at), Result(seen.data, seen.gradient))
        alone = [one for one in changed if explains(diagnosis.changes[one], answer)]
        if diagnosis.rest:
            return alone[:1]
        kinds = {"", *answer.probe.kinds}
        touching = [one for one in changed if _kinds(diagnosis.changes[one]) & kinds]
        changed = alone[:1] or touching or changed
    return changed or [one for one in diagnosis.findings if one.id not in NOT_IN_ONE_PASS]


# What one expression and one backward pass cannot show.
NOT_IN_ONE_PASS = {"seed-accumulates", "stale-inner-gradients", "missing-reflected", "reflected-recursion", "recursion-depth"}
# What shows as an exception and as nothing else, what may show as one, and what no single pass shows.
RAISING = {"missing-reflected", "reflected-recursion", "recursion-depth", "no-coercion", "tanh-overflow"}
MAY_RAISE = {
    "backward-called-at-build",
    "missing-return",
    "pow-always-logs",
    "unhashable-values",
    "layer-always-list",
    "value-in-data",
    "loss-from-data",
    "input-size-unchecked",
}
SECOND = {"seed-accumulates", "stale-inner-gradients"}


def _fits(finding: Finding, test: Failed) -> bool:
    """Whether a finding can be what a test without an expression met."""
    if isinstance(test.fault, Crashed):
        return finding.id in RAISING | MAY_RAISE
    if finding.id in SECOND:
        return _fits_a_second_pass(test)
    return finding.id not in RAISING


def _fits_a_second_pass(test: Failed) -> bool:
    """Whether a test may have called backward() more than once: a wrong gradient that is not one expression's."""
    return not isinstance(test.fault, (Crashed, WrongGradient)) and ".grad" in test.message


def says_all(fault: BaseException | None) -> bool:
    """Whether a failure needs no explanation: a name that is not there, a process that has ended."""
    return isinstance(fault, Crashed) and fault.kind in ("NameError", *ENDINGS)


def name_mistakes(ask: Ask, failed: Sequence[Failed]) -> tuple[Diagnosis, list[Finding]]:
    """The diagnosis, and the finding of each failed test."""
    try:
        diagnosis = diagnose(ask, failed)
    except StudentFault:
        diagnosis = Diagnosis()
    options = [explain(diagnosis, test) for test in failed]
    times = Counter(some[0] for some in options if len(some) == 1)
    chosen = []
    for some in options:
        # A test that takes two mistakes names the one that is heard of less.
        chosen.append(min(some, key=lambda one: times[one]))
        times[chosen[-1]] += len(some) > 1
    return diagnosis, chosen

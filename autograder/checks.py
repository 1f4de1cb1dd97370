"""What a suite asserts besides gradients: numbers, identity, parents; each says expected and got."""

from __future__ import annotations

from .errors import WrongAnswer
from .gradcheck import beside, close
from .protocol import Object
from .student import Remote, Student, as_number, describe


def assert_number(student: Student, remote: Remote, expected: float, where: str = "") -> None:
    """Check one number to a relative 1e-9; `where` says what the inputs were."""
    assert_numbers(student, [(remote, expected)], where)


def assert_numbers(student: Student, pairs: list[tuple[Remote, float]], where: str = "") -> None:
    """Check several numbers in one message; the failure lists every wrong one."""
    values = student.read(*[remote for remote, _ in pairs])
    wrong = []
    for value, (remote, expected) in zip(values, pairs, strict=True):
        got = as_number(value, remote._text)
        if not close(got, expected):
            wrong.append(beside(remote._text, expected, got))
    if wrong:
        raise WrongAnswer("\n".join([f"at {where}", *wrong] if where else wrong))


def assert_parents(student: Student, result: Remote, parents: list[Remote]) -> None:
    """Check that `result` remembers just these objects, in any of set, tuple, list, each once or more."""
    remembered = getattr(result, student.names.parents)
    held, *wanted = student.read(remembered, *parents)
    if not isinstance(held, (list, tuple, frozenset)):
        raise WrongAnswer(f"{remembered._text}: expected a set, tuple or list of its operands, got {describe(held)}")
    names = {one: parent._text for one, parent in zip(wanted, parents, strict=True) if isinstance(one, Object)}
    if set(held) == set(names):
        return
    shown = ", ".join(sorted({names.get(one, "another object") if isinstance(one, Object) else describe(one) for one in held}))
    raise WrongAnswer(f"{remembered._text}: expected {{{', '.join(sorted(names.values()))}}}, got {{{shown}}}")


def assert_value(student: Student, result: Remote) -> None:
    """Check that an operation gave an object of the student's, not a plain number and not None."""
    (got,) = student.read(result)
    if not isinstance(got, Object):
        raise WrongAnswer(f"{result._text}: expected a {student.names.cls}, got {describe(got)}")

"""The trusted handle on student code: records operations, sends them in one message, reads plain numbers.

What a suite holds are `Remote`s: names for objects in the worker. Arithmetic on them, calls and attributes are
recorded, and nothing runs before `Student.read`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as member
from typing import Any, Protocol

from .errors import Crashed, GraderError, NotAttempted, TimedOut, WrongAnswer
from .expression import SYMBOLS, Expr, Trace, number_text
from .protocol import Failure, Plain, ProtocolError, encode, failure, field, plain

LONGEST = 80


class Transport(Protocol):
    """Whatever carries a message to student code and brings the reply: a worker process or this process."""

    @property
    def trouble(self) -> str:
        """What went wrong when the code was first run, in words; "" where all of it ran."""
        ...

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """One reply to one request; raises StudentFault where the code ended, hung or wrote nonsense."""
        ...


@dataclass(frozen=True)
class Names:
    """What this submission calls the class and its members.

    `methods` and `functions` say which operations (tanh, relu...) go by what name, on the class or beside it; an
    operation in neither is a method of its own name.
    """

    cls: str = "Value"
    data: str = "data"
    grad: str = "grad"
    backward: str = "backward"
    parents: str = "_prev"
    methods: Mapping[str, str] = member(default_factory=dict)
    functions: Mapping[str, str] = member(default_factory=dict)


class Student:
    """One test's view of one submission."""

    def __init__(self, transport: Transport, names: Names = Names()) -> None:
        self.transport, self.names = transport, names
        self.pending: list[list[Any]] = []
        self.texts: list[str] = []
        self.fresh = True
        self.known: dict[str, Remote] = {}

    def record(self, text: str, code: str, *args: Any) -> Remote:
        """Add one operation to the next message; its result's handle is the operation's number in this test."""
        self.pending.append([code, *args])
        self.texts.append(text)
        return Remote(self, len(self.texts) - 1, text)

    def name(self, name: str) -> Remote:
        """What the submission calls `name` at its top level."""
        if name not in self.known:
            self.known[name] = self.record(name, "name", name)
        return self.known[name]

    def value(self, number: float, label: str = "", **kwargs: Any) -> Remote:
        """A fresh leaf `Value(number)`, called `label` in messages."""
        made = self.name(self.names.cls)(number, **kwargs)
        made._text = label or made._text
        return made

    def values(self, *numbers: float) -> list[Remote]:
        return [self.value(number, label="abcdefghijklm"[at % 13]) for at, number in enumerate(numbers)]

    def read(self, *wanted: Remote) -> list[Plain]:
        """Run what was recorded and give the plain form of each remote asked for.

        Raises Crashed, NotAttempted or TimedOut with the operation that did not come to an end.
        """
        first = len(self.texts) - len(self.pending)
        request = {"ops": self.pending, "reads": [remote._handle for remote in wanted], "reset": self.fresh}
        self.pending, self.fresh = [], False
        reply = self.transport.ask(request)
        if "error" in reply:
            raise self._fault(failure(reply["error"]), first)
        try:
            reads = [plain(form) for form in field(reply, "reads", list)]
        except ProtocolError as error:
            raise Crashed("nonsense", f"the reply cannot be read ({error})") from None
        if len(reads) != len(wanted):
            raise Crashed("nonsense", "the reply does not match the question")
        return reads

    def _fault(self, failed: Failure, first: int) -> Exception:
        place = first + failed.op if failed.op is not None else -1
        during = self.texts[place] if 0 <= place < len(self.texts) else ""
        if failed.late:
            return TimedOut(f"{during or 'your code'} was {failed.text or 'still running'}: does a loop or a recursion end?")
        if failed.missing:
            return NotAttempted(failed.kind, failed.text, failed.frames, during)
        text = failed.text
        if failed.kind == "KeyError" and during == text.strip("'"):
            reason = self.transport.trouble or "keep the name that the assignment gives"
            return Crashed("NameError", f"nothing is called {during}: {reason}")
        return Crashed(failed.kind, text, failed.frames, during)

    def number(self, remote: Remote) -> float:
        """The plain finite number behind one remote."""
        (value,) = self.read(remote)
        return as_number(value, remote._text)

    def play(self, traced: Trace, inputs: list[Remote]) -> Remote:
        """Carry out a traced expression on remotes; nothing runs yet."""
        output = self.played(traced, inputs)[id(traced.output)]
        if not isinstance(output, Remote):
            raise GraderError("an expression of numbers alone was traced")
        return output

    def played(self, traced: Trace, inputs: list[Remote]) -> dict[int, Any]:
        """The remote, or the plain number, of every node of a traced expression, by the node's id."""
        made: dict[int, Any] = {id(node): remote for node, remote in zip(traced.inputs, inputs, strict=True)}
        for node in traced.order()[len(inputs) :]:
            made[id(node)] = node.value if node.kind == "number" else self._apply(node, [made[id(arg)] for arg in node.args])
        return made

    def _apply(self, node: Expr, args: list[Any]) -> Remote:
        if node.kind in SYMBOLS:
            return self.operate(node.kind, *args)
        if node.kind in self.names.functions:
            return self.name(self.names.functions[node.kind])(*args)
        made: Remote = getattr(args[0], self.names.methods.get(node.kind, node.kind))()
        return made

    def function(self, traced: Trace, text: str = "f") -> Remote:
        """A plain Python function of numbers, made in the worker from a traced expression."""
        places = {id(node): at for at, node in enumerate(traced.inputs)}
        steps: list[Any] = []
        for node in traced.order()[len(traced.inputs) :]:
            if node.kind != "number":
                args = [encode(arg.value) if arg.kind == "number" else places[id(arg)] for arg in node.args]
                places[id(node)] = len(traced.inputs) + len(steps)
                steps.append([node.kind, args])
        return self.record(text, "function", len(traced.inputs), steps)

    def operate(self, name: str, *args: Any) -> Remote:
        """Python's own operator on remotes and numbers, whichever side each stands."""
        shown = [argument._text if isinstance(argument, Remote) else number_text(argument) for argument in args]
        # Operands are written out in full, shared ones each time: a graph of 25 nodes can have 2**24 of them.
        shown = ["(...)" if len(text) > LONGEST else f"({text})" if " " in text else text for text in shown]
        symbol = SYMBOLS.get(name, name)
        text = f"{symbol}{shown[0]}" if len(args) == 1 else f"{shown[0]} {symbol} {shown[1]}"
        return self.record(text, "op", name, *[argument_form(argument) for argument in args])


class Remote:
    """A handle on an object in the worker. It has no value here: compare what `Student.read` gives."""

    def __init__(self, student: Student, handle: int, text: str) -> None:
        self._student, self._handle, self._text = student, handle, text

    def __getattr__(self, name: str) -> Remote:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._student.record(f"{_bracketed(self._text)}.{name}", "attr", self._handle, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Remote:
        shown = ", ".join([*map(_shown, args), *(f"{name}={_shown(value)}" for name, value in kwargs.items())])
        named = {name: argument_form(value) for name, value in kwargs.items()}
        text = f"{self._text}({shown})"
        return self._student.record(text, "call", self._handle, [argument_form(value) for value in args], named)

    def set(self, name: str, value: Any) -> None:
        """Record `remote.name = value`."""
        text = f"{self._text}.{name} = {_shown(value)}"
        self._student.record(text, "set", self._handle, name, argument_form(value))

    def each(self, name: str) -> Remote:
        """The attribute `name` of every element, as a list."""
        return self._student.record(f"[x.{name} for x in {self._text}]", "each", self._handle, name)

    def str(self, form: str = "repr") -> Remote:
        return self._student.record(f"{form}({self._text})", "str", self._handle, form)

    def __getitem__(self, index: int) -> Remote:
        text = f"{self._text}[{index}]"
        return self._student.record(text, "op", "getitem", self._handle, encode(index))

    def __add__(self, other: Any) -> Remote:
        return self._student.operate("add", self, other)

    def __radd__(self, other: Any) -> Remote:
        return self._student.operate("add", other, self)

    def __sub__(self, other: Any) -> Remote:
        return self._student.operate("sub", self, other)

    def __rsub__(self, other: Any) -> Remote:
        return self._student.operate("sub", other, self)

    def __mul__(self, other: Any) -> Remote:
        return self._student.operate("mul", self, other)

    def __rmul__(self, other: Any) -> Remote:
        return self._student.operate("mul", other, self)

    def __truediv__(self, other: Any) -> Remote:
        return self._student.operate("truediv", self, other)

    def __rtruediv__(self, other: Any) -> Remote:
        return self._student.operate("truediv", other, self)

    def __pow__(self, other: Any) -> Remote:
        return self._student.operate("pow", self, other)

    def __neg__(self) -> Remote:
        return self._student.operate("neg", self)

    def _nothing_here(self, *args: object) -> Any:
        raise GraderError(f"{self._text} is in the worker: read it before comparing it")

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __iter__ = __len__ = __float__ = _nothing_here
    __hash__ = object.__hash__


def _bracketed(text: str) -> str:
    return f"({text})" if " " in text and not text.endswith((")", "]")) else text


def _shown(value: Any) -> str:
    if isinstance(value, Remote):
        return value._text
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(_shown, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    return number_text(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else repr(value)


def argument_form(value: Any) -> Any:
    """A message's form of an argument: a remote is its handle, all else a tagged value."""
    if isinstance(value, Remote):
        return value._handle
    if isinstance(value, (list, tuple)):
        return {"l" if isinstance(value, list) else "t": [argument_form(item) for item in value]}
    return encode(value)


def as_number(value: Plain, what: str) -> float:
    """The finite float behind a read value; `what` names it in the message.

    Raises WrongAnswer for anything that is not exactly an int or a float, and for NaN and infinity.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise WrongAnswer(f"{what}: expected a number, got {describe(value)}")
    try:
        number = float(value)
    except OverflowError:
        raise WrongAnswer(f"{what}: expected a number, got an integer beyond every float") from None
    if not math.isfinite(number):
        raise WrongAnswer(f"{what}: expected a finite number, got {number}")
    return number


def describe(value: Plain) -> str:
    """A few words for what was read, for messages."""
    kind = getattr(value, "kind", None)
    if kind is not None:
        return f"an object of class {kind}"
    return "None" if value is None else f"{type(value).__name__} {value!r}"[:80]

"""What a submission is asked after its first failure: small expressions, smallest first, and what it answered.

No point holds equal numbers, a kink, or a value at which two local rules agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from ..errors import Crashed
from ..expression import Expr, Trace, trace
from ..gradcheck import Observation, close
from ..numeric import Truth, differentiate
from .engine import Anything, Raised, Result

A, B, C, D = 0.7, 1.9, -1.3, 0.45
UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": lambda x: -x,
    "pow": lambda x: x**3,
    "tanh": lambda x: x.tanh(),
    "exp": lambda x: x.exp(),
    "log": lambda x: x.log(),
    "relu": lambda x: x.relu(),
}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x + y,
    "mul": lambda x, y: x * y,
    "sub": lambda x, y: x - y,
    "truediv": lambda x, y: x / y,
}
KINDS = (*BINARY, *UNARY)


@dataclass(frozen=True)
class Probe:
    """One expression at one point, with its truth; `preset` is what the inputs' gradients hold before it is built."""

    traced: Trace
    at: tuple[float, ...]
    truth: Truth
    kinds: frozenset[str]
    preset: float = 0.0

    @property
    def direct(self) -> bool:
        """Whether it is a single operation on inputs, so that its parents say how the operation remembers."""
        return all(node.kind == "input" for node in self.traced.output.args)


@dataclass(frozen=True)
class Seen:
    """A probe and its answer; `crash` is the exception where there was one."""

    probe: Probe
    got: Result | Raised
    crash: Crashed | None = None

    @cached_property
    def right(self) -> bool:
        truth, starts = self.probe.truth, {self.probe.preset, 0.0}
        expected = [tuple(start + slope for slope in truth.gradient) for start in starts]
        return any(matches(self.got, Result(truth.data, gradient, 1.0)) for gradient in expected)

    def observation(self) -> Observation | None:
        """The answer as numbers beside the truth; None where there is nothing to show."""
        if isinstance(self.got, Raised) or self.probe.preset:
            return None
        return Observation(self.probe.traced, self.probe.at, self.probe.truth, self.got.data, self.got.gradient)


def matches(got: Result | Raised, expected: Result | Raised | Anything) -> bool:
    """Whether the answer is the expected one, to the tolerance of every check."""
    if isinstance(expected, Anything):
        return True
    if isinstance(got, Raised) or isinstance(expected, Raised):
        both = isinstance(got, Raised) and isinstance(expected, Raised)
        return both and got.kinds[0] in expected.kinds and got.late == expected.late  # type: ignore[union-attr]
    pairs = [(got.data, expected.data), *zip(got.gradient, expected.gradient, strict=True)]
    if got.parents is not None and expected.parents is not None and got.parents != expected.parents:
        return False
    if got.root is not None and expected.root is not None:
        pairs.append((got.root, expected.root))
    return all(close(one, other) for one, other in pairs)


@cache
def battery(kinds: frozenset[str]) -> tuple[Probe, ...]:
    """The probes that need no other operations than these, those of few operations first."""
    probes = []
    for function, at in _expressions():
        traced = trace(function, len(at))
        used = frozenset(node.kind for node in traced.order()) - {"input", "number"}
        if used <= kinds:
            probes.append(probe_of(traced, at))
    if "relu" in kinds:
        probes.append(replace(probe_of(trace(lambda a: a.relu(), 1), (A,)), preset=1.0))
    return tuple(sorted(probes, key=lambda probe: len(probe.traced.order())))


def probe_of(traced: Trace, at: Sequence[float]) -> Probe:
    used = frozenset(node.kind for node in traced.order()) - {"input", "number"}
    return Probe(traced, tuple(at), differentiate(traced, at), used)


def _expressions() -> Iterator[tuple[Callable[..., Expr], tuple[float, ...]]]:
    for f in UNARY.values():
        yield from _of_one(f)
    for g in BINARY.values():
        yield from _of_two(g)
    yield from _of_points()
    yield from _of_shapes()


def _of_one(f: Callable[[Any], Any]) -> Iterator[tuple[Callable[..., Expr], tuple[float, ...]]]:
    def beside(a: Expr, b: Expr) -> Any:
        t = a * b
        return f(t) + t * 3.0

    yield lambda a: f(a), (A,)
    yield lambda a: f(a) * 3.0, (B,)
    yield lambda a: f(a) * -2.0, (A,)
    yield lambda a: f(a) + f(a), (A,)
    yield lambda a: f(a) + a, (A,)
    yield lambda a, b: f(a * b), (A, B)
    yield lambda a, b: f(a) * b, (A, B)
    yield lambda a, b: f(a + b), (A, B)
    yield beside, (A, B)


def _of_two(g: Callable[[Any, Any], Any]) -> Iterator[tuple[Callable[..., Expr], tuple[float, ...]]]:
    def beside(a: Expr, b: Expr, c: Expr) -> Any:
        t = a * b
        return g(t, c) + t * 3.0

    def behind(a: Expr, b: Expr, c: Expr) -> Any:
        t = a * b
        return g(c, t) + t * 3.0

    yield lambda a, b: g(a, b), (A, B)
    yield lambda a, b: g(a, b), (B, C)
    yield lambda a: g(a, a), (B,)
    yield lambda a: g(a, 3.0), (A,)
    yield lambda a, b: g(a, b) * 3.0, (A, B)
    yield lambda a, b: g(a, b) + 3.0, (A, B)
    yield lambda a, b: g(a, b) * -2.0, (A, B)
    yield lambda a, b: g(a, b) + a, (A, B)
    yield lambda a, b: g(a, b) + b, (A, B)
    yield lambda a, b, c: g(a, b) + c, (A, B, C)
    yield lambda a, b, c: g(a + b, c), (A, B, C)
    yield lambda a, b, c: g(c, a + b), (A, B, C)
    yield lambda a, b, c: g(a * b, c), (A, B, C)
    yield lambda a, b, c: g(c, a * b), (A, B, C)
    yield beside, (A, B, C)
    yield behind, (A, B, C)


def _of_points() -> Iterator[tuple[Callable[..., Expr], tuple[float, ...]]]:
    yield lambda a: a.relu(), (C,)
    yield lambda a: a.relu() * 3.0, (C,)
    yield lambda a: a.relu() * -2.0, (C,)
    yield lambda a, b: (a * b).relu(), (A, C)
    yield lambda a: a**2, (C,)
    yield lambda a: a**-1, (B,)
    yield lambda a: a**0.5, (B,)
    yield lambda a: a.tanh(), (-B,)
    yield lambda a: a.exp(), (C,)


def _of_shapes() -> Iterator[tuple[Callable[..., Expr], tuple[float, ...]]]:
    def twice(a: Expr, b: Expr) -> Expr:
        t = a * b
        return t + t

    def left(a: Expr, b: Expr, c: Expr) -> Expr:
        t = a * b
        return t + t * c

    def right(a: Expr, b: Expr, c: Expr) -> Expr:
        t = a * b
        return t * c + t

    def sums(a: Expr, b: Expr, c: Expr) -> Expr:
        t = a + b
        return t + (t + c)

    def sums_turned(a: Expr, b: Expr, c: Expr) -> Expr:
        t = a + b
        return (t + c) + t

    def deep_left(a: Expr, b: Expr, c: Expr, d: Expr) -> Expr:
        t = a * b
        return t + (t * c) * d

    def deep_right(a: Expr, b: Expr, c: Expr, d: Expr) -> Expr:
        t = a * b
        return (t * c) * d + t

    def fork(a: Expr, b: Expr, c: Expr, d: Expr) -> Expr:
        t = a * b
        return t * c + t * d

    def diamond(a: Expr, b: Expr) -> Expr:
        t = a + b
        return (t * a) * (t * b)

    def equal(a: Expr, b: Expr) -> Expr:
        return (a * 3.0) * b + (a * 3.0) * (b + 1.0)

    for shape in (twice, left, right, sums, sums_turned, deep_left, deep_right, fork, diamond, equal):
        yield shape, (A, B, C, D)[: shape.__code__.co_argcount]
    yield lambda a, b: a + b, (B, B)
    yield lambda a, b: a * b, (B, B)
    yield lambda a, b: a * 2.0 + b * 2.0, (B, B)

"""A reference interpreter of traced expressions in which each mistake is a small change.

A `Change` maps (operation, aspect) to a setting; "" stands for what belongs to no operation. Where a mistake makes
the answer depend on the order of a set, `outcomes` gives every answer that some order gives.

| aspect | setting | what it changes |
|---|---|---|
| slopes | function of the node | the local rule: one slope for each operand |
| gate | function of the node | a local rule that looks at gradients, which an order may have changed |
| built | function of the node | the same, looked at once, when the operation is carried out |
| assign | slots | `=` in place of `+=` for these operands |
| bare | slots | the local slope without what arrives from above |
| keep | slots | the operands that become parents |
| reach | slots | the operands that the rule still writes to |
| on-self | closure, stored | the rule is kept by the first operand |
| copies | slots | these operands are wrapped anew |
| late | True | every contribution of the rule goes the last one's way |
| none | True | the operation returns nothing |
| number | True | a plain number as operand is refused |
| swapped | True | a plain number on the left is taken for the second operand |
| raises | function of the operands' data | the exceptions that the operation ends in |
| called | True | None was stored in place of the rule |
| lower | an operation | it is built from that one, as neg from mul |
| seed, order, keyed, equal | see `_seed`, `orders`, `_keyed`, `_built` | the pass as a whole; of "" |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..expression import Expr, Trace
from .node import DATA, Node, slopes
from .orders import Step, programs

Change: TypeAlias = Mapping[tuple[str, str], Any]


@dataclass(frozen=True)
class Result:
    """What was or would be read: the output's data, each input's gradient, the output's own gradient.

    `parents`: which inputs the output remembers, and whether it remembers anything else. None is what was not read.
    """

    data: float
    gradient: tuple[float, ...]
    root: float | None = None
    parents: tuple[frozenset[int], bool] | None = None


@dataclass(frozen=True)
class Raised:
    """An exception of one of these types, while the expression was built or in its backward pass."""

    kinds: tuple[str, ...]
    late: bool = False


@dataclass(frozen=True)
class Anything:
    """The mistake shows here, in a way that depends on too much else."""


class Stop(Exception):
    """The changed engine raises here; `late` in the backward pass, None at either time."""

    def __init__(self, *kinds: str, late: bool | None = False) -> None:
        self.kinds, self.late = kinds, late


class Engine:
    """One run of one expression with some changes."""

    def __init__(self, change: Change) -> None:
        self.change = change
        self.nodes: list[Node] = []
        self.equal = False

    def setting(self, kind: str, aspect: str, default: Any = None) -> Any:
        return self.change.get((kind, aspect), default)

    def leaf(self, kind: str, data: float) -> Node:
        self.nodes.append(Node(kind, (), float(data)))
        return self.nodes[-1]

    def apply(self, kind: str, *args: Node) -> Node:
        """The node that the student's operation gives. Raises Stop where the changed one would raise."""
        if any(arg.kind == "nothing" for arg in args):
            raise Stop("AttributeError", "TypeError")
        if args[0].kind == "number" and self.setting(kind, "swapped"):
            args = args[::-1]
        if kind in ("neg", "pow") and args[0].kind == "number":
            return self.leaf("number", DATA[kind](*[arg.data for arg in args]))
        if raises := self.setting(kind, "raises"):
            raises(*[arg.data for arg in args])
        if lower := self.setting(kind, "lower"):
            return LOWERED[kind, lower](self, *args)
        if kind != "pow" and self.setting(kind, "number") and any(arg.kind == "number" for arg in args):
            raise Stop("AttributeError", "TypeError")
        constant = kind == "pow" and args[1].kind == "number"
        exponent = args[1].data if constant else 0.0
        data = DATA[kind](*[arg.data for arg in args])
        args = args[:1] if constant else args
        copies = self.setting(kind, "copies", ())
        args = tuple(self.leaf("copy", arg.data) if slot in copies else arg for slot, arg in enumerate(args))
        node = Node(kind, args, data, exponent)
        self.nodes.append(node)
        if built := self.setting(kind, "built"):
            node.fixed = built(node)
        self._remember(node)
        return Node("nothing", (), 0.0) if self.setting(kind, "none") else node

    def _remember(self, node: Node) -> None:
        slots = range(len(node.args))
        node.parents = [node.args[slot] for slot in self.setting(node.kind, "keep", slots) if slot in slots]
        reach = [slot for slot in self.setting(node.kind, "reach", slots) if slot in slots]
        if self.setting(node.kind, "late"):
            reach = [max(slots) for _ in reach]
        node.pushes = [(node.args[slot], slot) for slot in reach]
        node.rule = node
        holder, kept = node.args[0], self.setting(node.kind, "on-self")
        if kept == "closure":
            node.rule, holder.rule = None, node
        elif kept == "stored":
            # What its first operand holds now goes, slope by slope, to that operand's own parents.
            node.rule = None
            pushes = [(parent, slot) for slot, parent in enumerate(holder.parents) if slot in slots]
            holder.rule = Node(node.kind, node.args, node.data, node.exponent, pushes=pushes, rule=holder)

    def seed(self, root: Node) -> float:
        kind = self.setting("", "seed")
        return 0.0 if kind == "none" else root.data if kind == "data" else 1.0

    def run(self, node: Node, slot: int | None = None) -> None:
        """Run a node's rule, or its push to one operand."""
        rule = node.rule
        if rule is None:
            return
        if self.setting(rule.kind, "called"):
            raise Stop("TypeError", late=True)
        above = node.grad if rule.rule is node else rule.grad
        local = rule.fixed or self.setting(rule.kind, "gate", self.setting(rule.kind, "slopes", slopes))(rule)
        for place, at in rule.pushes if slot is None else rule.pushes[slot : slot + 1]:
            share = local[self._keyed(rule, at)] * (1.0 if at in self.setting(rule.kind, "bare", ()) else above)
            place.grad = share if at in self.setting(rule.kind, "assign", ()) else place.grad + share
            if self.setting("", "keyed") == "items" and rule.args.count(place) > 1:
                break

    def _keyed(self, rule: Node, slot: int) -> int:
        """Which slope is found for an operand: by its place, or the last one that was stored for that object."""
        if self.setting("", "keyed") and rule.args.count(rule.args[slot]) > 1:
            return len(rule.args) - 1
        return slot


def _tanh(engine: Engine, x: Node) -> Node:
    power = engine.apply("exp", engine.apply("mul", x, engine.leaf("number", 2.0)))
    one = engine.leaf("number", 1.0)
    return engine.apply("truediv", engine.apply("sub", power, one), engine.apply("add", power, one))


LOWERED: dict[tuple[str, str], Callable[..., Node]] = {
    ("sub", "neg"): lambda engine, x, y: engine.apply("add", x, engine.apply("neg", y)),
    ("neg", "mul"): lambda engine, x: engine.apply("mul", x, engine.leaf("number", -1.0)),
    ("truediv", "pow"): lambda engine, x, y: engine.apply("mul", x, engine.apply("pow", y, engine.leaf("number", -1.0))),
    ("tanh", "exp"): _tanh,
}


def outcomes(traced: Trace, at: Sequence[float], change: Change, preset: float = 0.0) -> Iterator[Result | Raised | Anything]:
    """Every outcome of the expression and its backward pass that the changed engine can have.

    `preset` is what the inputs' gradients hold before the expression is built.
    """
    engine = Engine(change)
    try:
        inputs, output = _built(engine, traced, at, preset)
        if output.kind == "nothing":
            raise Stop("AttributeError", "TypeError")
        if engine.setting("", "equal") and engine.equal:
            yield Anything()
            return
        free = any(aspect in ("assign", "keep", "on-self", "gate") for _, aspect in change)
        seen = set()
        for program in programs(output, engine.setting("", "order", "topological"), free):
            for start in {preset, 0.0}:
                # Where gradients are cleared before the pass, what was there is gone.
                result = _pass(engine, inputs, output, program, start)
                if result not in seen:
                    seen.add(result)
                    yield result
    except Stop as stop:
        yield from (Raised(stop.kinds, late) for late in ((True, False) if stop.late is None else (stop.late,)))
    except (ArithmeticError, ValueError) as error:
        yield Raised((type(error).__name__,))


def _built(engine: Engine, traced: Trace, at: Sequence[float], preset: float) -> tuple[list[Node], Node]:
    made: dict[int, Node] = {}
    for node, number in zip(traced.inputs, at, strict=True):
        made[id(node)] = engine.leaf("input", number)
        made[id(node)].grad = preset
    for node in traced.order()[len(traced.inputs) :]:
        made[id(node)] = _node(engine, node, made)
    held = [node.data for node in made.values() if node.kind != "number"]
    engine.equal = len(set(held)) < len(held)
    return [made[id(node)] for node in traced.inputs], made[id(traced.output)]


def _node(engine: Engine, node: Expr, made: dict[int, Node]) -> Node:
    if node.kind == "number":
        return engine.leaf("number", node.value)
    return engine.apply(node.kind, *[made[id(arg)] for arg in node.args])


def _pass(engine: Engine, inputs: list[Node], output: Node, program: Sequence[Step[Node]], start: float) -> Result:
    for node in engine.nodes:
        node.grad = start if node.kind == "input" else 0.0
    output.grad = engine.seed(output)
    for action, node, slot in program:
        if action == "seed":
            node.grad = 1.0
        else:
            engine.run(node, slot)
    slots = frozenset(slot for slot, node in enumerate(inputs) if any(node is parent for parent in output.parents))
    others = any(all(node is not parent for node in inputs) for parent in output.parents)
    return Result(output.data, tuple(node.grad for node in inputs), output.grad, (slots, others))

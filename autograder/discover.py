"""What a submission calls the class, its members and its network: found by what they do, by name only where that fails.

Numbers go in and numbers are looked for: the attribute that holds what the constructor was given, the method after
which two leaves hold the slopes of their product. A faulty engine is found too, so that its checks can say why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .errors import NotAttempted, StudentFault, WrongAnswer
from .protocol import Object, Plain
from .student import Names, Remote, Student, Transport

# Numbers that binary holds exactly, far from anything that a counter or a setting of an object would be.
FIRST, SECOND = 0.8125, -1.75
SLOPES = (("mul", SECOND, FIRST), ("sub", 1.0, -1.0), ("add", 1.0, 1.0))
INPUTS = (2.0, 3.0, -1.0)
SIZES = (3, 4, 4, 1)
PARAMETERS = 41
CALLABLE = ("method", "function", "builtin_function_or_method", "partial")

MADE = "it is made as Value(2.0), keeps the number in an attribute and has a method that runs the backward pass"
BUILT = "it is made as MLP(3, [4, 4, 1]), called with a list of three numbers, and has parameters()"

# Which of several is meant, and what a name says where the numbers are wrong; compared without case and underscores.
CLASSES = ("value", "scalar", "variable", "node", "var", "val", "tensor", "number", "num")
DATA = ("data", "value", "val", "v", "x", "item", "number", "num", "scalar")
GRADS = ("grad", "gradient", "derivative", "deriv", "adjoint", "slope", "g")
BACKWARDS = ("backward", "backprop", "backpropagate", "backpropagation", "back", "backwards", "backwardpass")
NETWORKS = ("mlp", "multilayerperceptron", "network", "neuralnetwork", "neuralnet", "net", "nn", "perceptron", "model")
PARAMS = ("parameters", "params", "getparameters", "weights", "parameterlist")
FUNCTIONS = {"tanh": ("tanh",), "relu": ("relu", "rectify"), "exp": ("exp", "exponential"), "log": ("log", "ln")}


@dataclass(frozen=True)
class Network:
    """How a submission's network is made for sizes 3, 4, 4, 1, called, and asked for its parameters.

    `form` is nested for Net(3, [4, 4, 1]), flat for Net([3, 4, 4, 1]), spread for Net(3, 4, 4, 1). `forward` is the
    method that takes the inputs, "" where the object itself is called. `listed` says that one output comes in a list.
    """

    cls: str
    form: str
    forward: str
    parameters: str
    called: bool
    listed: bool

    def build(self, student: Student, sizes: tuple[int, ...] = SIZES) -> Remote:
        return _built(student, self.cls, self.form, sizes)

    def outputs(self, model: Remote, inputs: list[float]) -> Remote:
        """What the model gives for the inputs, as it comes."""
        out: Remote = (getattr(model, self.forward) if self.forward else model)(inputs)
        return out

    def output(self, student: Student, model: Remote, inputs: list[float]) -> Remote:
        """The one output of a model that has one."""
        out = self.outputs(model, inputs)
        return out[0] if self.listed else out

    def held(self, student: Student, model: Remote) -> Remote:
        """The model's parameters, as a list whatever the submission keeps them in."""
        return _listed(student, model, self.parameters, self.called)


def find_names(transport: Transport) -> Names:
    """The class whose objects hold one number and learn its gradient, with the names of its members.

    Raises WrongAnswer where no class takes one number and keeps it, NotAttempted where there is no class yet.
    """
    likely: Names | None = None
    classes = _classes(transport)
    for cls in _by_rank(classes, CLASSES):
        names, proven = _members(transport, cls)
        if names and proven:
            return _with_functions(transport, names)
        likely = likely or names
    if likely:
        return _with_functions(transport, likely)
    raise _none(transport, "a class that holds a number and its gradient", MADE, classes)


def find_network(transport: Transport, names: Names) -> Network:
    """The class of the network. Raises as `find_names` does where none takes these sizes and three inputs."""
    likely: Network | None = None
    classes = [cls for cls in _classes(transport) if cls != names.cls]
    for cls in _by_rank(classes, NETWORKS):
        for form in ("nested", "flat", "spread"):
            network, count = _network(transport, names, cls, form)
            if network and count == PARAMETERS:
                return network
            likely = likely or (network if _plain(cls) in NETWORKS else None)
    if likely:
        return likely
    raise _none(transport, "the class of a network", BUILT, classes)


def _none(transport: Transport, what: str, wanted: str, classes: list[str]) -> StudentFault:
    """Why nothing was found: nothing is written yet, a cell stopped before it, or nothing there is made as it should be."""
    trouble = transport.trouble
    if not classes and (not trouble or "NotImplementedError" in trouble):
        return NotAttempted("not written yet", what)
    seen = f"looked at {', '.join(classes[:12])}" if classes else "no class to look at"
    return WrongAnswer(f"{what}: not found ({seen}); {wanted}" + (f"; {trouble}" if trouble else ""))


def _classes(transport: Transport) -> list[str]:
    student = Student(transport)
    (found,) = student.read(student.record("classes", "classes"))
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def _by_rank(names: list[str], known: tuple[str, ...]) -> list[str]:
    """Known names first, in their order; then names that hold a known one; then the others, as they came."""

    def rank(name: str) -> tuple[int, bool]:
        low = _plain(name)
        within = any(len(one) > 3 and one in low for one in known)
        return known.index(low) if low in known else len(known) + (not within), name.startswith("_")

    return sorted(names, key=rank)


def _dir(student: Student, thing: Remote) -> list[str]:
    """The names of an object's attributes, without Python's own."""
    (found,) = student.read(student.record("dir", "call", student.record("dir", "attr", thing._handle, "__dir__")._handle, [], {}))
    names = found if isinstance(found, list) else []
    return [name for name in names if isinstance(name, str) and not name.startswith("__")]


def _attributes(student: Student, things: list[Remote]) -> dict[str, tuple[Plain, ...]]:
    """Each attribute that all of the objects have, with its value in each; what cannot be read is left out."""
    names = _dir(student, things[0])
    with_all = [getattr(thing, name) for name in names for thing in things]
    try:
        values = student.read(*with_all)
    except StudentFault:
        return dict(_one_by_one(student, things, names))
    return {name: tuple(values[at * len(things) : (at + 1) * len(things)]) for at, name in enumerate(names)}


def _one_by_one(student: Student, things: list[Remote], names: list[str]) -> Iterator[tuple[str, tuple[Plain, ...]]]:
    for name in names:
        try:
            yield name, tuple(student.read(*[getattr(thing, name) for thing in things]))
        except StudentFault:
            continue


def _is(value: Plain, number: float) -> bool:
    return type(value) in (int, float) and value == number


def _members(transport: Transport, cls: str) -> tuple[Names | None, bool]:
    """The members of a class that keeps the number it is made from, and whether the numbers prove them."""
    student = Student(transport)
    try:
        held = _attributes(student, [student.name(cls)(FIRST)])
    except StudentFault:
        return None, False
    data = _by_rank([name for name, (value,) in held.items() if _is(value, FIRST)], DATA)
    if not data:
        return None, False
    calls = [name for name, (value,) in held.items() if isinstance(value, Object) and value.kind in CALLABLE]
    methods = _by_rank(calls, BACKWARDS)
    for method in methods:
        for operator, left, right in SLOPES:
            grads = _moved(transport, cls, method, operator, (left, right))
            if grads:
                return Names(cls, data[0], grads[0], method), True
    grads = [name for name in _by_rank(list(held), GRADS) if _plain(name) in GRADS]
    methods = [name for name in methods if _plain(name) in BACKWARDS]
    if not methods:
        return None, False
    return Names(cls, data[0], grads[0] if grads else "grad", methods[0]), False


def _moved(transport: Transport, cls: str, method: str, operator: str, slopes: tuple[float, float]) -> list[str]:
    """The attributes of two leaves that come to hold the slopes of an operation on them once `method` has run."""
    student = Student(transport)
    leaves = [student.name(cls)(FIRST), student.name(cls)(SECOND)]
    output = student.operate(operator, *leaves)
    try:
        before = _attributes(student, leaves)
        getattr(output, method)()
        after = _attributes(student, leaves)
    except StudentFault:
        return []
    hold = [name for name, values in after.items() if all(map(_is, values, slopes))]
    return _by_rank([name for name in hold if before.get(name) != after[name]], GRADS)


def _with_functions(transport: Transport, names: Names) -> Names:
    """The names with those of tanh, relu, exp and log: methods of the class, else functions beside it."""
    student = Student(transport)
    owned = _dir(student, student.name(names.cls)(FIRST))
    methods: dict[str, str] = {}
    functions: dict[str, str] = {}
    for kind, known in FUNCTIONS.items():
        found = [name for name in _by_rank(owned, known) if _plain(name) in known and not name.startswith("_")]
        if found:
            methods[kind] = found[0]
            continue
        for name in (spelling for word in known for spelling in (word, word.capitalize(), word.upper(), "ReLU")):
            if _plain(name) in known and _gives_value(transport, names, name):
                functions[kind] = name
                break
    return Names(names.cls, names.data, names.grad, names.backward, names.parents, methods, functions)


def _gives_value(transport: Transport, names: Names, name: str) -> bool:
    student = Student(transport, names)
    try:
        student.number(getattr(student.name(name)(student.value(FIRST)), names.data))
    except StudentFault:
        return False
    return True


def _built(student: Student, cls: str, form: str, sizes: tuple[int, ...] = SIZES) -> Remote:
    first, *rest = sizes
    arguments: dict[str, tuple[Any, ...]] = {"nested": (first, rest), "flat": ([*sizes],), "spread": sizes}
    return student.name(cls)(*arguments[form])


def _listed(student: Student, model: Remote, parameters: str, called: bool) -> Remote:
    held: Remote = getattr(model, parameters)
    held = held() if called else held
    return student.record(held._text, "list", held._handle)


def _network(transport: Transport, names: Names, cls: str, form: str) -> tuple[Network | None, int]:
    """How a class serves as a network, and how many parameters it then says it has; None where it does not."""
    student = Student(transport)
    try:
        members = _dir(student, _built(student, cls, form))
    except StudentFault:
        return None, 0
    called = _call(transport, names, cls, form, members)
    if called is None:
        return None, 0
    forward, listed = called
    likely = [name for name in _by_rank(members, PARAMS) if "param" in _plain(name) or _plain(name) in PARAMS]
    counts = {(name, call): _count(transport, names, _built, (cls, form), name, call) for name in likely for call in (True, False)}
    best = max(counts, key=lambda one: (counts[one] == PARAMETERS, counts[one] > 0), default=None)
    if best is None or not counts[best]:
        return Network(cls, form, forward, "parameters", True, listed), 0
    return Network(cls, form, forward, *best, listed), counts[best]


def _call(transport: Transport, names: Names, cls: str, form: str, members: list[str]) -> tuple[str, bool] | None:
    """The method that takes the inputs ("" is the object's own call), and whether its one output is in a list."""
    for forward in ("", *(name for name in ("forward", "predict") if name in members)):
        for listed in (False, True):
            student = Student(transport)
            network = Network(cls, form, forward, "", False, listed)
            try:
                student.number(getattr(network.output(student, network.build(student), list(INPUTS)), names.data))
            except StudentFault:
                continue
            return forward, listed
    return None


def _count(transport: Transport, names: Names, build: Any, made: tuple[str, str], name: str, called: bool) -> int:
    """How many different objects with a number inside one member of a network gives."""
    student = Student(transport)
    held = _listed(student, build(student, *made), name, called)
    try:
        objects, numbers = student.read(held, held.each(names.data))
    except StudentFault:
        return 0
    if not isinstance(objects, list) or not isinstance(numbers, list):
        return 0
    return len({one for one in objects if isinstance(one, Object)})

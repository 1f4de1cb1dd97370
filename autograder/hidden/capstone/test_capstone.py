"""The hidden suite of the capstone: any engine, whatever it calls things and however it is built.

What "complete" asks for is what every known micrograd has in common: + - * / ** and the minus sign, numbers on either
side, one function that bends (the lecture's engine has tanh and exp, the published one relu alone), an order that
stands any graph, and a network that learns. A function that is there beyond that one has to be right; one that is not
there costs nothing. What the lecture's own code cannot do stands in the part "beyond", whose tests are worth 0 points.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from autograder.discover import FUNCTIONS, PARAMETERS, SIZES, Network
from autograder.errors import Crashed, NotAttempted, WrongAnswer
from autograder.expression import Expr
from autograder.gradcheck import assert_gradients, beside, close, four_forms
from autograder.plugin import grade
from autograder.student import Names, Remote, Student, as_number

ABSENT = "is not installed where this is graded"
EXAMPLES = [([2.0, 3.0, -1.0], 1.0), ([3.0, -1.0, 0.5], -1.0), ([0.5, 1.0, 1.0], -1.0), ([1.0, 1.0, -1.0], 1.0)]
MODELS, STEPS, ENOUGH, NUDGE = 3, 40, 1.0, 2.0**-20
# A unit of relu may be dead for all examples, in one network out of a few; in this many, no knob is dead in all.
UNLUCKY = 20
SEVERAL, PAIR = (2, 3, 2), [0.6, -0.4]


@pytest.fixture
def student(student: Student, names: Names) -> Student:
    """The handle of a submission that names things as it likes."""
    return Student(student.transport, names)


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
}


def binary_forms(operation: Callable[[Any, Any], Any]) -> list[Callable[..., Any]]:
    """The four forms of an operation on two, and the two operands being one."""

    def alone(a: Expr, b: Expr) -> Any:
        return operation(a, b)

    def scaled(a: Expr, b: Expr) -> Any:
        return operation(a, b) * 3.0

    def twice(a: Expr, b: Expr) -> Any:
        return operation(a, b) + operation(a, b)

    def inside(a: Expr, b: Expr, c: Expr) -> Any:
        return operation(a * c, b)

    def other_inside(a: Expr, b: Expr, c: Expr) -> Any:
        return operation(a, b * c)

    def itself(a: Expr) -> Any:
        return operation(a, a)

    return [alone, scaled, twice, inside, other_inside, itself]


def anywhere(rng: random.Random, count: int) -> list[float]:
    """Points of both signs, away from 0, at which no two rules agree."""
    return [rng.uniform(0.6, 2.4) * rng.choice((-1, 1)) for _ in range(count)]


def inputs_of(function: Callable[..., Any]) -> int:
    return function.__code__.co_argcount


@grade("operators", points=3)
@pytest.mark.parametrize("symbol", BINARY)
def test_two_operands(student: Student, rng: random.Random, symbol: str) -> None:
    """a + b, a - b, a * b and a / b: number and gradients, alone, scaled, twice, on a product, and with itself."""
    for form in binary_forms(BINARY[symbol]):
        assert_gradients(student, form, anywhere(rng, inputs_of(form)))


@grade("operators", points=1)
@pytest.mark.parametrize("symbol", BINARY)
def test_a_plain_number_on_either_side(student: Student, rng: random.Random, symbol: str) -> None:
    """A plain number, whole or not, can stand on either side of + - * /."""
    operation = BINARY[symbol]
    for number in (2, round(rng.uniform(1.2, 3.4), 3)):

        def on_the_right(a: Expr, number: float = number) -> Any:
            return operation(a, number)

        def on_the_left(a: Expr, number: float = number) -> Any:
            return operation(number, a)

        for side in (on_the_right, on_the_left):
            for _, form in four_forms(side):
                assert_gradients(student, form, anywhere(rng, inputs_of(form)))


@grade("operators", points=0.5)
def test_the_sign_changed(student: Student, rng: random.Random) -> None:
    """-a, in the four forms."""
    for _, form in four_forms(lambda x: -x):
        assert_gradients(student, form, anywhere(rng, inputs_of(form)))


@grade("operators", points=1)
@pytest.mark.parametrize("exponent", [2, 3, -1, 0.5, -1.5])
def test_powers(student: Student, rng: random.Random, exponent: float) -> None:
    """a ** k for a plain number k, in the four forms; a may be negative where k is whole."""
    for _, form in four_forms(lambda x: x**exponent):
        at = anywhere(rng, inputs_of(form))
        assert_gradients(student, form, at if isinstance(exponent, int) else [abs(number) for number in at])


@grade("operators", points=0.5)
@pytest.mark.parametrize(("exponent", "at_zero"), [(0, False), (2, True)], ids=["to the power of 0", "of 0"])
def test_powers_at_the_edge(student: Student, rng: random.Random, exponent: int, at_zero: bool) -> None:
    """a ** 0 is 1 and flat; a ** 1 and a ** 2 have slopes 1 and 0 where a is 0."""
    for _, form in four_forms(lambda x: x**exponent):
        at = anywhere(rng, inputs_of(form))
        assert_gradients(student, form, [0.0, *at[1:]] if at_zero else at)
    if at_zero:
        assert_gradients(student, lambda a: a**1, [0.0])


def forms_of(kind: str) -> list[Callable[..., Any]]:
    return [form for _, form in four_forms(lambda x: getattr(x, kind)())]


def has(names: Names, kind: str) -> bool:
    return kind in names.methods or kind in names.functions


def runnable(student: Student, kind: str) -> bool:
    """Whether a function is there, and does not stand on a package that is not here."""
    if not has(student.names, kind):
        return False
    try:
        assert_gradients(student, forms_of(kind)[0], [0.75])
    except Crashed as fault:
        return ABSENT not in fault.text
    except WrongAnswer as fault:
        return ABSENT not in str(fault)
    return True


@grade("functions", points=1)
def test_a_function_that_bends(student: Student) -> None:
    """The engine has tanh or relu, without which layers of neurons are one straight line."""
    if not any(runnable(student, kind) for kind in ("tanh", "relu")):
        raise WrongAnswer("neither tanh nor relu was found, as a method of the class or as a function beside it")


@grade("functions", points=2)
@pytest.mark.parametrize("which", range(4), ids=["alone", "scaled", "twice", "inside"])
def test_every_function_that_is_there(student: Student, rng: random.Random, which: int) -> None:
    """Each of tanh, relu, exp and log that the engine has is right, on both sides of 0 where it is defined there."""
    there = [kind for kind in FUNCTIONS if runnable(student, kind)]
    if not {"tanh", "relu"} & set(there):
        raise WrongAnswer("neither tanh nor relu was found, as a method of the class or as a function beside it")
    for kind in there:
        form = forms_of(kind)[which]
        for sign in (1, -1):
            at = [rng.uniform(0.3, 1.4) for _ in range(inputs_of(form))]
            at[0] *= sign if kind != "log" else 1
            assert_gradients(student, form, at)


def shared_first(a: Expr, b: Expr, c: Expr) -> Any:
    t = a * b
    return t + t * c


def shared_last(a: Expr, b: Expr, c: Expr) -> Any:
    t = a * b
    return t * c + t


def itself_taken_away(a: Expr) -> Any:
    return a - a


def itself_squared(a: Expr, b: Expr) -> Any:
    t = a * b
    return t * t + t


def diamond(a: Expr, b: Expr) -> Any:
    t = a + b
    return (t * a) * (t - b)


def late_leaf(a: Expr, b: Expr) -> Any:
    return ((a * b + a) * b + a) * a


def long_way_round(a: Expr, b: Expr) -> Any:
    t = a * b
    u = t + 1.0
    v = u * u - t
    return v * t + u


def crossed(a: Expr, b: Expr, c: Expr) -> Any:
    p, q = a * b, b * c
    r, s = p + q, p - q
    return r * s * p + s * q


def wide(a: Expr, b: Expr) -> Any:
    t = a * b
    return sum(t * number for number in range(1, 12))


def doubling(a: Expr, b: Expr) -> Any:
    """Each level uses the one below twice: 2**24 ways lead down, over 25 nodes."""
    t = a * b
    for _ in range(24):
        t = (t + t) * 0.5 if _ % 2 else t * 0.5 + t * 0.5
    return t


SHAPES = [shared_first, shared_last, itself_taken_away, itself_squared, diamond, late_leaf, long_way_round, crossed, wide, doubling]


@grade("graphs", points=2)
@pytest.mark.parametrize("shape", SHAPES, ids=[shape.__name__ for shape in SHAPES])
def test_shapes(student: Student, rng: random.Random, shape: Callable[..., Any]) -> None:
    """Graphs in which a value is used more than once, by ways of different length."""
    assert_gradients(student, shape, anywhere(rng, inputs_of(shape)))


def grown(rng: random.Random, operations: int) -> Callable[..., Any]:
    """A graph that draws every operation's operands from all that came before it."""
    plan = [(rng.choice("++-**"), rng.random(), rng.random(), rng.uniform(1.1, 1.9)) for _ in range(operations)]

    def random_graph(a: Expr, b: Expr, c: Expr) -> Any:
        made: list[Any] = [a, b, c]
        for symbol, first, second, number in plan:
            left, right = made[int(first * len(made))], made[int(second * len(made))]
            made.append(BINARY[symbol](left, right) * 0.5 + number)
        return sum(made[4:], made[3])

    return random_graph


@grade("graphs", points=1)
@pytest.mark.parametrize("number", range(4))
def test_random_graphs(student: Student, rng: random.Random, number: int) -> None:
    """Graphs grown at random, in which anything can be anything's operand."""
    for operations in range(3, 11):
        assert_gradients(student, grown(rng, operations), [rng.uniform(0.5, 1.5) for _ in range(3)])


def assert_chain(student: Student, links: int) -> None:
    """a + a + a + ..., one term after the other; described in words, for its text would be as long."""
    (a,) = student.values(1.5)
    output = a
    for _ in range(links):
        output = output + a
        output._text = "t"
    getattr(output, student.names.backward)()
    data, grad = student.read(getattr(output, student.names.data), getattr(a, student.names.grad))
    slope = 1.0 + links
    rows = [("L.data", slope * 1.5, as_number(data, "L.data")), ("a.grad", slope, as_number(grad, "a.grad"))]
    wrong = [beside(*row) for row in rows if not close(row[2], row[1])]
    if wrong:
        raise WrongAnswer("\n".join([f"L = a + a + a + ..., {links} additions   at a=1.5", *wrong]))


@grade("graphs", points=0.5)
def test_a_chain_of_200(student: Student) -> None:
    """A sum of 201 terms, one after the other."""
    assert_chain(student, 200)


@grade("graphs", points=0.5)
def test_a_second_graph_on_the_same_leaves(student: Student) -> None:
    """With the leaves' gradients set to 0, another graph on the same leaves starts afresh, and data can be changed."""
    names = student.names
    a, b = student.values(2.0, -3.0)
    getattr(a * b, names.backward)()
    for leaf, number in ((a, 1.5), (b, 0.5)):
        leaf.set(names.grad, 0.0)
        leaf.set(names.data, number)
    getattr(a * b + a, names.backward)()
    values = student.read(getattr(a, names.grad), getattr(b, names.grad))
    got = [as_number(value, f"{name}.{names.grad}") for name, value in zip("ab", values, strict=True)]
    wrong = [
        beside(f"{name}.{names.grad}", want, one)
        for name, want, one in zip("ab", (1.5, 1.5), got, strict=True)
        if not close(one, want)
    ]
    if wrong:
        raise WrongAnswer("\n".join(["L = a*b + a   at a=1.5, b=0.5, after L = a*b at other numbers on the same leaves", *wrong]))


def readme(a: Any, b: Any, below: Callable[[Any], Any], above: Callable[[Any], Any]) -> Any:
    """The expression of micrograd's README; `below` and `above` stand for relu where it gets -2 and 6."""
    c = a + b
    d = a * b + b**3
    c = c + (c + 1)
    c = c + (1 + c + (-a))
    d = d + (d * 2 + below(b + a))
    d = d + (3 * d + above(b - a))
    e = c - d
    f = e**2
    return f / 2.0 + 10.0 / f


def readme_for(student: Student) -> Callable[[Expr, Expr], Any]:
    """With relu where the engine has it, else with what relu comes to on that side of 0."""
    if runnable(student, "relu"):
        return lambda a, b: readme(a, b, lambda x: x.relu(), lambda x: x.relu())
    return lambda a, b: readme(a, b, lambda x: x * 0.0, lambda x: x * 1.0)


@grade("readme", points=1)
def test_the_long_expression(student: Student) -> None:
    """The expression of micrograd's README at a = -4, b = 2: g is 24.7041, the slopes 138.8338 and 645.5773."""
    seen = assert_gradients(student, readme_for(student), [-4.0, 2.0])
    shown = [round(number, 4) for number in (seen.data, *seen.gradient)]
    if shown != [24.7041, 138.8338, 645.5773]:
        raise WrongAnswer(f"g, a.grad, b.grad: expected 24.7041, 138.8338, 645.5773, got {shown}")


@grade("readme", points=1)
def test_the_long_expression_elsewhere(student: Student, rng: random.Random) -> None:
    """The same expression at other numbers."""
    for _ in range(3):
        # Upwards alone: c - d falls from -7 on, away from the 0 that 10 / f cannot stand.
        assert_gradients(student, readme_for(student), [-4.0 + rng.uniform(0.05, 0.4), 2.0 + rng.uniform(0.05, 0.4)])


class Training:
    """One model of the submission's, its parameters, and the loss on the four examples; numbers stay on this side."""

    def __init__(self, student: Student, network: Network, sizes: tuple[int, ...] = SIZES) -> None:
        self.student, self.network = student, network
        self.model = network.build(student, sizes)
        held = network.held(student, self.model)
        self.data = self._numbers(held.each(student.names.data))
        self.parameters = [held[at] for at in range(len(self.data))]

    def _numbers(self, listed: Remote) -> list[float]:
        (values,) = self.student.read(listed)
        if not isinstance(values, list):
            raise WrongAnswer("parameters: expected a list of the model's parameters")
        return [as_number(value, "a parameter") for value in values]

    def loss(self, data: list[float]) -> tuple[float, list[float]]:
        """The sum of squared differences with the parameters set to `data`, and its gradient."""
        return self._measured(data, self._loss, "the loss")

    def output(self, data: list[float], which: int) -> tuple[float, list[float]]:
        """One of several outputs for the two numbers of PAIR, and its gradient."""
        return self._measured(data, lambda: self.network.outputs(self.model, PAIR)[which], f"output {which + 1}")

    def _loss(self) -> Remote:
        outputs = [self.network.output(self.student, self.model, inputs) - target for inputs, target in EXAMPLES]
        squares = [out * out for out in outputs]
        return squares[0] + squares[1] + squares[2] + squares[3]

    def _measured(self, data: list[float], forward: Callable[[], Remote], what: str) -> tuple[float, list[float]]:
        names = self.student.names
        for parameter, number in zip(self.parameters, data, strict=True):
            parameter.set(names.data, number)
            parameter.set(names.grad, 0.0)
        total = forward()
        getattr(total, names.backward)()
        total._text = what
        grads = [getattr(parameter, names.grad) for parameter in self.parameters]
        value, *slopes = self.student.read(getattr(total, names.data), *grads)
        return as_number(value, what), [as_number(slope, f"a parameter's {names.grad}") for slope in slopes]


def assert_foretold(
    data: list[float], slopes: list[float], measured: Callable[[list[float]], tuple[float, list[float]]], what: str
) -> None:
    """A small step of all parameters along `slopes`, not all 0, changes what is measured by as much as these say."""
    length = sum(slope * slope for slope in slopes)
    step = NUDGE / length**0.5
    ahead, _ = measured([number + step * slope for number, slope in zip(data, slopes, strict=True)])
    back, _ = measured([number - step * slope for number, slope in zip(data, slopes, strict=True)])
    if not close((ahead - back) / (2 * step), length, 1e-4):
        raise WrongAnswer(beside(f"change of {what} for a step along the gradients", length, (ahead - back) / (2 * step)))


@grade("network", points=1)
def test_forty_one_parameters(student: Student, network: Network) -> None:
    """A network of 3 inputs and layers of 4, 4 and 1 has 41 parameters, each an object of its own."""
    held = network.held(student, network.build(student))
    (objects,) = student.read(held)
    count = len(set(objects)) if isinstance(objects, list) else 0
    if count != PARAMETERS:
        raise WrongAnswer(f"a network of {', '.join(map(str, SIZES))}: expected {PARAMETERS} different parameters, got {count}")


@grade("network", points=0.5)
def test_neurons_start_different(student: Student, network: Network) -> None:
    """The weights are drawn at random, so that two neurons of a layer can learn different things."""
    distinct = len(set(Training(student, network).data))
    if distinct < 12:
        raise WrongAnswer(f"the 41 parameters start with {distinct} different numbers: what tells two neurons of a layer apart?")


@grade("network", points=0.5)
def test_the_output_depends_on_every_input(student: Student, network: Network) -> None:
    """Each of the three inputs makes a difference to the output of some network."""
    base = [0.6, -0.4, 0.3]
    moved = [[number + (at == which) * 0.9 for at, number in enumerate(base)] for which in range(3)]
    differs = set()
    for _ in range(MODELS):
        model = network.build(student)
        outputs = [getattr(network.output(student, model, inputs), student.names.data) for inputs in (base, *moved)]
        start, *ends = [as_number(value, "the output") for value in student.read(*outputs)]
        differs |= {which for which, end in enumerate(ends) if end != start}
    if len(differs) < 3:
        missing = ", ".join(f"x{which + 1}" for which in range(3) if which not in differs)
        raise WrongAnswer(f"the output stays the same when {missing} changes: are all inputs used?")


@grade("network", points=0.5)
def test_every_parameter_is_used(student: Student, network: Network) -> None:
    """Each of the 41 parameters has a slope that is not 0, for some example and some network."""
    used: set[int] = set()
    for _ in range(UNLUCKY):
        training = Training(student, network)
        used |= {at for at, slope in enumerate(training.loss(training.data)[1]) if slope}
        if len(used) == len(training.data):
            return
    unused = len(training.data) - len(used)
    raise WrongAnswer(f"{unused} of {len(training.data)} parameters have slope 0 in each of {UNLUCKY} networks: what uses them?")


def outputs_given(student: Student, network: Network) -> int | None:
    """How many outputs a network of SEVERAL gives, None where it gives one alone."""
    (given,) = student.read(network.outputs(network.build(student, SEVERAL), PAIR))
    return len(given) if isinstance(given, (list, tuple)) else None


@grade("network", points=0.5)
def test_several_outputs(student: Student, network: Network) -> None:
    """Where a network of 2 inputs and layers of 3 and 2 gives both outputs, each has weights of its own and right slopes."""
    count = outputs_given(student, network)
    if count is None:
        return
    if count != SEVERAL[-1]:
        raise WrongAnswer(f"a network of {', '.join(map(str, SEVERAL))}: expected {SEVERAL[-1]} outputs, got {count}")
    for _ in range(UNLUCKY):
        training = Training(student, network, SEVERAL)
        both = [training.output(training.data, which)[1] for which in range(count)]
        if all(map(any, both)):
            break
    else:
        raise WrongAnswer(f"an output has slope 0 by every parameter in each of {UNLUCKY} networks: what is it computed from?")
    first, second = ({at for at, slope in enumerate(slopes) if slope} for slopes in both)
    if first == second:
        raise WrongAnswer("both outputs come from the same weights: has each neuron of the last layer its own?")
    for which, slopes in enumerate(both):
        assert_foretold(training.data, slopes, partial(training.output, which=which), f"output {which + 1}")


@grade("network", points=1)
def test_a_small_step_downhill(student: Student, network: Network) -> None:
    """A small step of all parameters against their gradients lowers the loss by as much as the gradients foretell."""
    for _ in range(MODELS):
        training = Training(student, network)
        _, slopes = training.loss(training.data)
        if any(slopes):
            break
    else:
        raise WrongAnswer("every parameter's gradient of the loss is 0: is the loss connected to the parameters?")
    assert_foretold(training.data, slopes, training.loss, "the loss")


def trained(training: Training) -> tuple[float, float]:
    """The loss before and after gradient descent, which ends where it is low enough.

    A step that does not pay is taken again at half its length, so that no step size has to suit all designs.
    """
    data, rate = training.data, 0.1
    loss, slopes = training.loss(data)
    first = loss
    for _ in range(STEPS):
        if loss < ENOUGH:
            break
        tried = [number - rate * slope for number, slope in zip(data, slopes, strict=True)]
        reached, there = training.loss(tried)
        if reached < loss:
            data, loss, slopes, rate = tried, reached, there, rate * 1.2
        else:
            rate /= 2
    return first, loss


@grade("network", points=1)
def test_training(student: Student, network: Network) -> None:
    """Gradient descent on the four examples brings the loss under 1; the best of three fresh networks counts."""
    reached = []
    for _ in range(MODELS):
        reached.append(trained(Training(student, network)))
        if reached[-1][1] < ENOUGH:
            return
    tries = ", ".join(f"{first:.3g} -> {last:.3g}" for first, last in reached)
    raise WrongAnswer(f"the loss after {STEPS} steps: expected below 1, got {tries}")


@grade("beyond", points=0)
@pytest.mark.parametrize("kind", FUNCTIONS)
def test_function(student: Student, kind: str) -> None:
    """One of the functions that an engine may have: whether this one has it, and gets it right."""
    if not has(student.names, kind):
        raise NotAttempted(kind, "not there; an engine has tanh or relu, and needs none of the others here")
    assert_gradients(student, forms_of(kind)[3], [0.75, 0.5])


@grade("beyond", points=0)
def test_a_network_of_several_outputs(student: Student, network: Network) -> None:
    """A network whose last layer has two neurons gives both outputs, in a list or a tuple."""
    if outputs_given(student, network) != SEVERAL[-1]:
        raise WrongAnswer(f"a network of {', '.join(map(str, SEVERAL))}: expected a list of {SEVERAL[-1]} outputs")


@grade("beyond", points=0)
@pytest.mark.parametrize("links", [900, 2500])
def test_a_deep_chain(student: Student, links: int) -> None:
    """A sum of many terms, one after the other: an order that recurses ends where Python's stack does."""
    assert_chain(student, links)


@grade("beyond", points=0)
def test_tanh_of_a_large_number(student: Student) -> None:
    """tanh(1000) is 1 and its slope 0; e**2000 is more than a float holds."""
    if not has(student.names, "tanh"):
        raise NotAttempted("tanh", "not there")
    assert_gradients(student, lambda a: a.tanh(), [1000.0])


@grade("beyond", points=0)
def test_a_value_as_exponent(student: Student) -> None:
    """a ** b with a Value b has gradients for both, or says that it is not for that."""
    assert_gradients(student, lambda a, b: a**b, [2.0, 3.0])


@grade("beyond", points=0)
def test_softmax(student: Student) -> None:
    """Softmax and negative log likelihood of the logits 0, 3, -2, 1 out of exp, / and log."""
    for kind in ("exp", "log"):
        if not has(student.names, kind):
            raise NotAttempted(kind, "not there")

    def loss(a: Expr, b: Expr, c: Expr, d: Expr) -> Any:
        powers = [x.exp() for x in (a, b, c, d)]
        return -(powers[3] / (powers[0] + powers[1] + powers[2] + powers[3])).log()

    assert_gradients(student, loss, [0.0, 3.0, -2.0, 1.0])


@grade("beyond", points=0)
def test_backward_again_on_the_same_graph(student: Student) -> None:
    """A second backward() on the same graph, with the leaves set to 0, gives the same gradients again."""
    names = student.names
    a, b = student.values(2.0, -3.0)
    output = (a * b) * a
    getattr(output, names.backward)()
    for leaf in (a, b):
        leaf.set(names.grad, 0.0)
    getattr(output, names.backward)()
    a_grad, b_grad = student.read(getattr(a, names.grad), getattr(b, names.grad))
    got = as_number(a_grad, "a.grad"), as_number(b_grad, "b.grad")
    if not (close(got[0], -12.0) and close(got[1], 4.0)):
        raise WrongAnswer(f"L = a*b*a   at a=2, b=-3: expected slopes -12 and 4 again, got {got[0]:g} and {got[1]:g}")

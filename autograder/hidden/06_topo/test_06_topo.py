"""The hidden suite of 06_topo."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from autograder.checks import assert_numbers
from autograder.errors import WrongAnswer
from autograder.expression import Expr, Trace, text, trace
from autograder.gradcheck import assert_gradients, beside, close
from autograder.numeric import differentiate
from autograder.plugin import grade
from autograder.protocol import Plain
from autograder.student import Remote, Student, as_number, describe

Form = Callable[..., Expr]
STEPS, ROUNDS = 100, 500


def called(form: Form) -> str:
    return form.__name__


def somewhere(rng: random.Random, form: Form) -> list[float]:
    """A point away from 0 and 1, where wrong orders look right; all positive, so that nothing cancels by chance."""
    return [rng.uniform(1.25, 2) for _ in range(form.__code__.co_argcount)]


def running_example(a: Expr, b: Expr, c: Expr, f: Expr) -> Expr:
    return (a * b + c) * f


def steps_in_a_row(a: Expr, b: Expr) -> Expr:
    return ((((a * b) + a) * b) + b) * a


def shared_twice_the_same(a: Expr, b: Expr) -> Expr:
    t = a * b
    return t + t


def shared_squared(a: Expr, b: Expr) -> Expr:
    t = a + b
    return (t * t) * b


def sum_first(a: Expr, b: Expr, c: Expr) -> Expr:
    t = a * b
    return t + t * c


def product_first(a: Expr, b: Expr, c: Expr) -> Expr:
    t = a * b
    return t * c + t


def fork(a: Expr, b: Expr, c: Expr, d: Expr) -> Expr:
    # Whichever side a walk from the root enters first, it comes to t before the other side is done.
    t = a * b
    return t * c + t * d


def wide_fork(a: Expr, b: Expr, c: Expr) -> Expr:
    t = a + b
    return (t * a) * (t * b) + (b * t + c * t)


def short_and_long_way(a: Expr, b: Expr, c: Expr) -> Expr:
    # Level by level, t comes before t*c in any order of a set.
    t = a * b
    return t + (t * c) * b


def long_and_short_way(a: Expr, b: Expr, c: Expr) -> Expr:
    t = a * b
    return ((t * c) * b) * c + t


def two_diamonds(a: Expr, b: Expr) -> Expr:
    t = a * b + a
    u = t * b + t
    return u * a + u


def difference_of_the_same(a: Expr, b: Expr, c: Expr) -> Expr:
    t = a * b
    return (t + (t * c) * b) + t * c


def ladder(a: Expr, b: Expr) -> Expr:
    low, high = a, a * b
    for _ in range(6):
        low, high = high, high * b + low
    return high


SHAPES: list[Form] = [
    running_example,
    steps_in_a_row,
    shared_twice_the_same,
    shared_squared,
    sum_first,
    product_first,
    fork,
    wide_fork,
    short_and_long_way,
    long_and_short_way,
    two_diamonds,
    difference_of_the_same,
    ladder,
]


def any_graph(rng: random.Random) -> Form:
    """Sums and products at random, in which old results are used again and none is left out."""

    def build(a: Expr, b: Expr, c: Expr) -> Expr:
        made = [a, b, c]
        for _ in range(9):
            pair = [rng.choice(made[-3:]), rng.choice(made)]
            rng.shuffle(pair)
            made.append(pair[0] + pair[1] if rng.random() < 0.6 else pair[0] * pair[1])
        used = {id(argument) for node in made for argument in node.args}
        result, *others = [node for node in made if id(node) not in used]
        for other in others:
            result = result + other
        return result

    return build


def assert_order(student: Student, function: str, form: Form, times: int = 1) -> None:
    """Check that `function` lists the graph of `form`: each Value once, after its parents.

    The point does not matter here, and equal numbers show an order that goes by them.
    """
    count = form.__code__.co_argcount
    traced = trace(form, count)
    made = student.played(traced, [student.value(1.5, label=node.name) for node in traced.inputs])
    nodes = traced.order()
    order = student.name(function)
    lists = [order(made[id(traced.output)]) for _ in range(times)]
    read = student.read(*lists, *[made[id(node)] for node in nodes])
    for got in read[:times]:
        _judge(function, traced, nodes, got, read[times:])


def _judge(function: str, traced: Trace, nodes: Sequence[Expr], got: Plain, objects: Sequence[Plain]) -> None:
    head = f"{text(traced)}\n{function}(L)"
    if not isinstance(got, (list, tuple)):
        raise WrongAnswer(f"{head}: expected a list of Values, got {describe(got)}")
    known = {thing: id(node) for thing, node in zip(objects, nodes, strict=True)}
    if any(thing not in known for thing in got):
        raise WrongAnswer(f"{head} lists something else than L and the Values that L was made from")
    listed = [known[thing] for thing in got]
    often = Counter(listed)
    for node in nodes:
        if often[id(node)] != 1:
            raise WrongAnswer(f"{head} lists {_name(traced, node)}: expected once, got {often[id(node)]} times")
    place = {node: at for at, node in enumerate(listed)}
    for node in nodes:
        for parent in node.args:
            if place[id(parent)] > place[id(node)]:
                raise WrongAnswer(f"{head} lists {_name(traced, node)} before {_name(traced, parent)}, which it was made from")


def _name(traced: Trace, node: Expr) -> str:
    return "L" if node is traced.output else text(Trace(traced.inputs, node), "it").removeprefix("it = ")


@grade("order", points=0.5)
def test_a_value_made_from_nothing(student: Student) -> None:
    """The order of a Value that was typed in is a list of that Value alone."""
    (a,) = student.values(2.0)
    got, leaf = student.read(student.name("topological_order")(a), a)
    if not isinstance(got, (list, tuple)) or list(got) != [leaf]:
        raise WrongAnswer(f"topological_order(a) with a = Value(2.0): expected [a], got {describe(got)}")


@grade("order", points=1.5)
@pytest.mark.parametrize("form", SHAPES, ids=called)
def test_each_value_once_and_parents_first(student: Student, form: Form) -> None:
    """Each Value stands in the order once, after its parents."""
    assert_order(student, "topological_order", form)


@grade("order", points=0.5)
def test_the_order_asked_for_again(student: Student) -> None:
    """A second call gives a full order again, and so does a call for another graph."""
    assert_order(student, "topological_order", sum_first, times=2)
    assert_order(student, "topological_order", running_example, times=2)


@grade("order", points=0.5)
@pytest.mark.parametrize("number", range(4))
def test_the_order_of_any_graph(student: Student, rng: random.Random, number: int) -> None:
    """Graphs of sums and products made at random have their order too."""
    assert_order(student, "topological_order", any_graph(rng))


@grade("backward", points=0.5)
def test_backward_of_a_value_made_from_nothing(student: Student) -> None:
    """The gradient of a Value by itself is 1, and its data stays."""
    (a,) = student.values(-2.5)
    a.backward()
    assert_numbers(student, [(a.grad, 1.0), (a.data, -2.5)], "a=-2.5, after a.backward()")


@grade("backward", points=0.5)
def test_the_gradients_of_the_running_example(student: Student) -> None:
    """The gradients of L on other numbers, those in the middle too, and L itself 1."""
    a, b, c = student.values(-1.5, 4.0, 2.5)
    f = student.value(3.0, label="f")
    e = a * b
    d = e + c
    e._text, d._text, result = "e", "d", d * f
    result._text = "L"
    result.backward()
    expected = [(a, 12.0), (b, -4.5), (c, 3.0), (d, 3.0), (e, 3.0), (f, -3.5), (result, 1.0)]
    assert_numbers(student, [(value.grad, gradient) for value, gradient in expected], "a=-1.5, b=4, c=2.5, f=3")


@grade("backward", points=1.5)
@pytest.mark.parametrize("form", SHAPES, ids=called)
def test_the_gradients_of_many_shapes(student: Student, rng: random.Random, form: Form) -> None:
    """A rule runs once, when all that uses its Value has run, whatever the shape of the graph."""
    assert_gradients(student, form, at=somewhere(rng, form))


def same_twice(a: Expr) -> Expr:
    return a + a


def same_squared(a: Expr) -> Expr:
    return a * a


def taken_away_again(a: Expr, b: Expr) -> Expr:
    t = a * b
    return t + t * -1


def taken_away_first(a: Expr, b: Expr) -> Expr:
    t = a * b
    return (t * -1) * a + t * a


@grade("backward", points=0.5)
@pytest.mark.parametrize("form", [same_twice, same_squared, taken_away_again, taken_away_first], ids=called)
def test_the_same_value_on_both_sides(student: Student, rng: random.Random, form: Form) -> None:
    """a + a has the gradient 2, and what is added and taken away again has the gradient 0."""
    assert_gradients(student, form, at=somewhere(rng, form))


@grade("backward", points=0.5)
@pytest.mark.parametrize("number", range(4))
def test_the_gradients_of_any_graph(student: Student, rng: random.Random, number: int) -> None:
    """Graphs of sums and products made at random get their gradients."""
    form = any_graph(rng)
    assert_gradients(student, form, at=somewhere(rng, form))


@grade("backward", points=0.5)
def test_the_front_page(student: Student) -> None:
    """The long expression: g is 24.7041, a.grad 138.8338, b.grad 645.5773."""

    def front_page(a: Expr, b: Expr) -> Expr:
        c, d = a + b, a * b + b**3
        c = c + (c + 1)
        c = c + (1 + c + (-a))
        d = d + (d * 2 + (b + a).relu())
        d = d + (3 * d + (b - a).relu())
        e = c - d
        f = e**2
        return f / 2.0 + 10.0 / f

    assert_gradients(student, front_page, at=(-4.0, 2.0))


def leaves_only(a: Expr, b: Expr) -> Expr:
    return a * b


AGAIN = [leaves_only, running_example, steps_in_a_row, sum_first, product_first, fork, two_diamonds]


@grade("second-call", points=1)
@pytest.mark.parametrize("form", AGAIN, ids=called)
def test_a_second_call(student: Student, rng: random.Random, form: Form) -> None:
    """With the leaves back at 0, a second and a third L.backward() give the same as the first."""
    at = somewhere(rng, form)
    traced = trace(form, len(at))
    leaves = [student.value(number, label=node.name) for node, number in zip(traced.inputs, at, strict=True)]
    result = student.play(traced, leaves)
    for _ in range(3):
        for leaf in leaves:
            leaf.set("grad", 0.0)
        result.backward()
    _assert_grads(student, traced, at, leaves, "L.backward() three times, the leaves' grads set to 0 before each")


@grade("second-call", points=0.5)
def test_a_root_that_becomes_a_part(student: Student, rng: random.Random) -> None:
    """A result whose backward() was called can become a part of a larger one."""
    at = somewhere(rng, sum_first)
    leaves = student.values(*at)
    part = student.play(trace(sum_first, 3), leaves)
    part._text = "M"
    part.backward()
    for leaf in leaves:
        leaf.set("grad", 0.0)
    (part * leaves[0] + part).backward()
    traced = trace(lambda a, b, c: sum_first(a, b, c) * a + sum_first(a, b, c), 3)
    _assert_grads(student, traced, at, leaves, "M = t + t*c, t = a*b; M.backward(), leaves to 0, then L = M*a + M")


@grade("second-call", points=0.5)
def test_two_results_of_one_part(student: Student, rng: random.Random) -> None:
    """Two results that share a part do not disturb each other."""
    at = somewhere(rng, fork)
    leaves = student.values(*at)
    a, b, c, d = leaves
    shared = a * b
    shared._text = "t"
    (shared * c).backward()
    for leaf in leaves:
        leaf.set("grad", 0.0)
    (shared * d).backward()
    traced = trace(lambda a, b, c, d: a * b * d + c * 0, 4)
    _assert_grads(student, traced, at, leaves, "t = a*b; (t*c).backward(), leaves to 0, then L = t*d")


def _assert_grads(student: Student, traced: Trace, at: Sequence[float], leaves: Sequence[Remote], story: str) -> None:
    """Check the leaves' grads, which `story` says how they came about, against the slopes of the expression."""
    truth = differentiate(traced, at).gradient
    grads = student.read(*[leaf.grad for leaf in leaves])
    numbers = [as_number(grad, f"{node.name}.grad") for node, grad in zip(traced.inputs, grads, strict=True)]
    rows = zip(traced.inputs, truth, numbers, strict=True)
    wrong = [beside(f"{node.name}.grad", want, got) for node, want, got in rows if not close(got, want)]
    if wrong:
        head = f"{text(traced)}   at {', '.join(f'{node.name}={x:.6g}' for node, x in zip(traced.inputs, at, strict=True))}"
        raise WrongAnswer("\n".join([head, story, *wrong]))


@grade("deep", points=0.5)
def test_the_other_order_of_any_shape(student: Student, rng: random.Random) -> None:
    """deep_order lists each Value once, after its parents, in graphs of any shape."""
    forms: list[Form] = [*SHAPES, any_graph(rng), any_graph(rng)]
    for form in forms:
        assert_order(student, "deep_order", form)


@grade("deep", points=0.5)
def test_an_order_50000_deep(student: Student, rng: random.Random) -> None:
    """deep_order gives the order of a chain of 50,000 squares."""

    def squares(x: Expr) -> Expr:
        for _ in range(STEPS):
            x = x * x
        return x

    # The loops run in the worker: fifty thousand operations in messages would take longer than the order itself.
    many = student.function(trace(squares, 1), "squares")
    first = last = student.value(1.0, label="x")
    for _ in range(ROUNDS):
        last = many(last)
        last._text = "x"
    order = student.name("deep_order")(last)
    depth = STEPS * ROUNDS
    # The chain has one order only: each Value right after the one that it is the square of.
    places = sorted(rng.sample(range(1, depth), 50))
    wanted = [order[0], order[depth], order[-1], first, last]
    wanted += [one for at in places for one in (order[at - 1], order[at]._prev)]
    start, at_depth, end, leaf, root, *pairs = student.read(*wanted)
    if start != leaf:
        raise WrongAnswer("a chain of 50,000 squares: expected the leaf at the start of the order, got another Value")
    if end != root or at_depth != root:
        raise WrongAnswer("a chain of 50,000 squares: expected 50,001 Values with the root as the last, got another length or end")
    for before, parents in zip(pairs[::2], pairs[1::2], strict=True):
        if not isinstance(parents, (list, tuple, frozenset)) or set(parents) != {before}:
            raise WrongAnswer("a chain of 50,000 squares: expected each Value right after the one it was made from")

"""The hidden suite of 09_train."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from autograder.checks import assert_numbers, assert_value
from autograder.errors import WrongAnswer
from autograder.expression import Expr, trace
from autograder.gradcheck import beside, close
from autograder.numeric import differentiate
from autograder.plugin import grade
from autograder.protocol import Object
from autograder.student import Remote, Student, as_number, describe

XS = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
YS = [1.0, -1.0, -1.0, 1.0]
SIZES = [3, 4, 4, 1]
# Rounding grows from step to step; a mistake is many orders larger.
RELATIVE = 1e-7
UPHILL = "Hint: uphill or downhill?"
REBOUND = "Hint: did the model's own object change?"
UNMOVED = f"{REBOUND} And was there a gradient when it was to move?"
NO_ZERO = "Hint: what was in grad before this step?"


def number_of(value: Any, what: str) -> float:
    """A plain finite number; a Value in its place is a mistake of its own."""
    if isinstance(value, Object):
        raise WrongAnswer(f"{what}: expected a plain number, got {describe(value)}\nHint: a number, or a node?")
    return as_number(value, what)


def numbers_of(student: Student, result: Remote, count: int, what: str) -> list[float]:
    """A list of `count` plain numbers."""
    (got,) = student.read(result)
    if not isinstance(got, (list, tuple)):
        raise WrongAnswer(f"{what}: expected a list of {count} numbers, got {describe(got)}")
    numbers = [number_of(one, f"{what}, entry {at}") for at, one in enumerate(got)]
    if len(numbers) != count:
        raise WrongAnswer(f"{what}: expected {count} numbers, one for each, got {len(numbers)}")
    return numbers


def differ(got: Sequence[float], expected: Sequence[float], relative: float = RELATIVE) -> int | None:
    """Where two rows of numbers differ first; None where they do not."""
    pairs = enumerate(zip(got, expected, strict=True))
    return next((at for at, (one, want) in pairs if not math.isclose(one, want, rel_tol=relative, abs_tol=1e-9)), None)


# Gradient descent on plain numbers, right and in the ways in which it goes wrong.


Slope = Callable[[Sequence[float]], tuple[float, list[float]]]


def descent(slope: Slope, start: Sequence[float], steps: int, rate: float, keep: bool = False) -> tuple[list[float], list[float]]:
    """The values before each step, and where the numbers end; with `keep`, gradients pile up."""
    at, piled = list(start), [0.0] * len(start)
    values = []
    for _ in range(steps):
        value, gradient = slope(at)
        values.append(value)
        piled = [old + new if keep else new for old, new in zip(piled, gradient, strict=True)]
        at = [number - rate * one for number, one in zip(at, piled, strict=True)]
    return values, at


def assert_descent(
    what: str, slope: Slope, start: Sequence[float], steps: int, rate: float, got: tuple[list[float], list[float]]
) -> None:
    """Check the values and the end of a descent; a known way to go wrong that gives the same numbers is hinted at."""
    values, ends = got
    expected, goal = descent(slope, start, steps, rate)
    if differ(ends, goal) is None and differ(values, expected) is None:
        return
    hint = ""
    if differ(ends, goal) is None:
        hint = "Hint: the numbers end where they should. Is each value in the list the one from before its step?"
    elif differ(ends, start) is None:
        hint = UNMOVED
    elif differ(ends, descent(slope, start, steps, -rate)[1]) is None:
        hint = UPHILL
    elif differ(ends, descent(slope, start, steps, rate, keep=True)[1]) is None:
        hint = NO_ZERO
    place = differ(values, expected)
    lines = [what]
    if place is not None:
        lines.append(beside(f"value before step {place}", expected[place], values[place]))
    place = differ(ends, goal)
    if place is not None:
        lines.append(beside(f"parameter {place} after {steps} step(s)", goal[place], ends[place]))
    raise WrongAnswer("\n".join([*lines, hint] if hint else lines))


def bowl(x: Expr) -> Expr:
    return (x - 3) ** 2


def quartic(x: Expr) -> Expr:
    return x**4 * 0.25 + x * x - x


def reflected(x: Expr) -> Expr:
    return 2 - x + x * x * 0.5


def assert_descends(student: Student, form: Callable[[Expr], Expr], start: float, steps: int, rate: float) -> None:
    traced = trace(form, 1)

    def slope(at: Sequence[float]) -> tuple[float, list[float]]:
        truth = differentiate(traced, at)
        return truth.data, list(truth.gradient)

    x = student.value(start, label="x")
    what = f"descend(f, x, {steps}, {rate:.4g}) from x={start:.4g}"
    values = student.name("descend")(student.function(traced), x, steps, rate)
    got = numbers_of(student, values, steps, what)
    (data,) = student.read(x.data)
    assert_descent(what, slope, [start], steps, rate, (got, [number_of(data, "x.data after descend")]))


@grade("descend", points=0.5)
def test_the_pencil_example(student: Student) -> None:
    """From 0, with f(x) = (x - 3)**2 and rate 0.25, x is at 1.5 after one step and at 2.25 after two."""
    for steps in (1, 2):
        assert_descends(student, bowl, 0.0, steps, 0.25)


@grade("descend", points=1)
@pytest.mark.parametrize("form", [bowl, quartic, reflected], ids=["bowl", "quartic", "reflected"])
def test_any_function_downhill(student: Student, rng: random.Random, form: Callable[[Expr], Expr]) -> None:
    """x itself moves, downhill, by rate times the gradient of this step alone; its data stays a plain number."""
    for steps in (1, 4):
        assert_descends(student, form, rng.choice((-1, 1)) * rng.uniform(1.2, 2.0), steps, rng.uniform(0.05, 0.15))


@grade("descend", points=0.5)
def test_no_step_at_all(student: Student) -> None:
    """With steps=0 nothing moves and the list is empty."""
    assert_descends(student, bowl, 1.25, 0, 0.1)


@grade("targets", points=0.5)
def test_targets_are_within_reach(student: Student) -> None:
    """Every target lies between -1 and 1, where a tanh can come, and the two kinds are told apart by their sign."""
    rows: list[list[int]] = [[3, 8, 8, 3], [0, 1, 0], [1, 2, 2], [-5, 5]]
    for labels in rows:
        given = student.name("targets")(labels)
        got = numbers_of(student, given, len(labels), f"targets({labels})")
        for label, target in zip(labels, got, strict=True):
            if abs(target) > 1:
                hint = "Hint: which range can the output reach?"
                raise WrongAnswer(f"targets({labels}): {label} became {target:.6g}\n{hint}")
        if len({target > 0 for target in got}) != 2:
            hint = "Hint: an output of 0 is a tanh's way to say neither. Which answers would be as sure for both kinds?"
            raise WrongAnswer(f"targets({labels}): expected one kind below 0 and one above, got {got}\n{hint}")


@grade("targets", points=0.5)
def test_targets_follow_the_labels(student: Student, rng: random.Random) -> None:
    """The smaller label becomes -1.0 and the larger one 1.0, whichever comes first."""
    rows: list[list[float]] = [[3, 8, 8, 3], [8, 3, 3], [0, 1, 1, 0, 1], [1, 0], [-2.5, 0.5, 0.5], [-1, -4]]
    low, high = rng.randint(10, 20), rng.randint(30, 40)
    rows.append([high, high, low, high])
    for labels in rows:
        result = student.name("targets")(labels)
        got = numbers_of(student, result, len(labels), f"targets({labels})")
        expected = [1.0 if label == max(labels) else -1.0 for label in labels]
        if got != expected:
            raise WrongAnswer(f"targets({labels}): expected {expected}, got {got}")


@grade("loss", points=1)
@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_sum_of_squares(student: Student, rng: random.Random, count: int) -> None:
    """The loss is the sum of (output - target)**2, as one Value."""
    outputs, goals = [rng.uniform(-1, 1) for _ in range(count)], [rng.choice((-1.0, 1.0)) for _ in range(count)]
    total = student.name("loss")(student.values(*outputs), goals)
    assert_value(student, total)
    (read,) = student.read(total.data)
    got = number_of(read, "loss(outputs, targets).data")
    errors = [output - goal for output, goal in zip(outputs, goals, strict=True)]
    expected = sum(error * error for error in errors)
    if not close(got, expected):
        known = {
            sum(errors): "Hint: can a loss be negative?",
            -sum(errors): "Hint: can a loss be negative?",
            sum(map(abs, errors)): "Hint: an error of 2 counts four times as much as one of 1. Does it here?",
            expected / count: "Hint: the sum is asked for, not the mean.",
        }
        hint = next((f"\n{words}" for number, words in known.items() if close(got, number)), "")
        where = f"at outputs {[round(one, 4) for one in outputs]}, targets {goals}"
        raise WrongAnswer(f"{where}\n{beside('loss.data', expected, got)}{hint}")


@grade("loss", points=0.5)
def test_mistakes_do_not_cancel(student: Student) -> None:
    """Errors of +2 and -2 give a loss of 8, not of 0: a loss is never negative, and mistakes never cancel."""
    total = student.name("loss")(student.values(1.0, -1.0), [-1.0, 1.0])
    again = student.name("loss")(student.values(0.5), [1.0])
    total._text, again._text = "loss of +2 and -2", "loss of -0.5"
    assert_numbers(student, [(total.data, 8.0), (again.data, 0.25)])


@grade("loss", points=0.5)
@pytest.mark.parametrize("count", [1, 2, 5])
def test_backward_goes_through_the_loss(student: Student, rng: random.Random, count: int) -> None:
    """backward() on the loss finds every output: its gradient is twice its error."""
    outputs = [rng.uniform(-0.9, 0.9) for _ in range(count)]
    goals = [rng.choice((-1.0, 1.0)) for _ in range(count)]
    leaves = student.values(*outputs)
    total = student.name("loss")(leaves, goals)
    assert_value(student, total)
    total.backward()
    got = [number_of(value, f"outputs[{at}].grad") for at, value in enumerate(student.read(*[leaf.grad for leaf in leaves]))]
    expected = [2 * (output - goal) for output, goal in zip(outputs, goals, strict=True)]
    place = differ(got, expected, 1e-9)
    if place is not None:
        hint = "\nHint: is the graph connected?" if not any(got) else ""
        raise WrongAnswer(f"{beside(f'outputs[{place}].grad', expected[place], got[place])}{hint}")


def leaves_with(student: Student, numbers: Sequence[float], grads: Sequence[float]) -> list[Remote]:
    leaves = student.values(*numbers)
    for leaf, one in zip(leaves, grads, strict=True):
        leaf.set("grad", one)
    return leaves


def drawn(rng: random.Random, count: int) -> list[float]:
    return [rng.choice((-1, 1)) * rng.uniform(0.3, 2) for _ in range(count)]


@grade("zero-grad", points=1)
@pytest.mark.parametrize("count", [1, 3, 41])
def test_every_gradient_is_zero(student: Student, rng: random.Random, count: int) -> None:
    """Afterwards every parameter's own gradient is 0, and its data is as it was."""
    numbers = drawn(rng, count)
    for form in (list, tuple):
        leaves = leaves_with(student, numbers, drawn(rng, count))
        student.name("zero_grad")(form(leaves))
        for at, (grad, data) in enumerate(pairs(student, leaves)):
            if number_of(grad, f"parameters[{at}].grad") != 0:
                raise WrongAnswer(f"parameters[{at}].grad: expected 0, got {grad!r}")
            if number_of(data, f"parameters[{at}].data") != numbers[at]:
                raise WrongAnswer(beside(f"parameters[{at}].data", numbers[at], as_number(data, "data")))


def pairs(student: Student, leaves: Sequence[Remote]) -> list[tuple[Any, Any]]:
    values = student.read(*[leaf.grad for leaf in leaves], *[leaf.data for leaf in leaves])
    return list(zip(values[: len(leaves)], values[len(leaves) :], strict=True))


@grade("step", points=1)
@pytest.mark.parametrize("count", [1, 3, 41])
def test_every_parameter_moves_downhill(student: Student, rng: random.Random, count: int) -> None:
    """Each parameter itself, the same object, moves by rate times its own gradient, downhill; its data stays a number."""
    for form in (list, tuple):
        numbers, grads, rate = drawn(rng, count), drawn(rng, count), rng.uniform(0.05, 0.5)
        leaves = leaves_with(student, numbers, grads)
        student.name("step")(form(leaves), rate)
        got = [number_of(data, f"parameters[{at}].data") for at, (_, data) in enumerate(pairs(student, leaves))]
        expected = [number - rate * one for number, one in zip(numbers, grads, strict=True)]
        place = differ(got, expected, 1e-9)
        if place is None:
            continue
        hint = ""
        if got == numbers:
            hint = f"\n{REBOUND}"
        elif differ(got, [number + rate * one for number, one in zip(numbers, grads, strict=True)]) is None:
            hint = f"\n{UPHILL}"
        where = f"at data {numbers[place]:.6g}, grad {grads[place]:.6g}, rate {rate:.6g}"
        raise WrongAnswer(f"{where}\n{beside(f'parameters[{place}].data', expected[place], got[place])}{hint}")


@grade("step", points=0.5)
def test_a_step_leaves_gradients_alone(student: Student, rng: random.Random) -> None:
    """A step changes data only: the gradients are what they were."""
    numbers, grads = drawn(rng, 3), drawn(rng, 3)
    leaves = leaves_with(student, numbers, grads)
    student.name("step")(leaves, 0.125)
    for at, (grad, _) in enumerate(pairs(student, leaves)):
        if number_of(grad, f"parameters[{at}].grad") != grads[at]:
            raise WrongAnswer(beside(f"parameters[{at}].grad", grads[at], as_number(grad, "grad")))


@grade("step", points=0.5)
def test_a_hundred_small_steps(student: Student) -> None:
    """step can be called again and again: 100 steps of 0.01 with a gradient of -1 move a parameter by 1."""
    (leaf,) = leaves_with(student, [0.5], [-1.0])
    for _ in range(100):
        student.name("step")([leaf], 0.01)
    (data,) = student.read(leaf.data)
    got = number_of(data, "data after 100 steps")
    if not close(got, 1.5):
        raise WrongAnswer(beside("data after 100 steps", 1.5, got))


# The network on plain numbers: each neuron's knobs are its weights and then its bias.


def loss_and_slopes(
    sizes: Sequence[int], knobs: Sequence[float], xs: Sequence[Sequence[float]], ys: Sequence[float]
) -> tuple[float, list[float]]:
    """The sum of squared errors and its derivative by every knob, layer by layer on floats."""
    shapes = list(itertools.pairwise(sizes))
    starts = [0, *itertools.accumulate((nin + 1) * nout for nin, nout in shapes)]
    value, gradient = 0.0, [0.0] * len(knobs)
    for x, y in zip(xs, ys, strict=True):
        rows = [list(x)]
        for (nin, nout), start in zip(shapes, starts, strict=False):
            own = [knobs[start + at * (nin + 1) : start + (at + 1) * (nin + 1)] for at in range(nout)]
            rows.append(
                [math.tanh(math.fsum(w * one for w, one in zip(one_knobs, [*rows[-1], 1.0], strict=True))) for one_knobs in own]
            )
        error = rows[-1][0] - y
        value += error * error
        arriving = [2 * error]
        for depth in reversed(range(len(shapes))):
            (nin, nout), start = shapes[depth], starts[depth]
            before = [0.0] * nin
            for at in range(nout):
                inner = arriving[at] * (1 - rows[depth + 1][at] ** 2)
                for which, entry in enumerate([*rows[depth], 1.0]):
                    place = start + at * (nin + 1) + which
                    gradient[place] += inner * entry
                    if which < nin:
                        before[which] += inner * knobs[place]
            arriving = before
    return value, gradient


def network(student: Student, sizes: Sequence[int], numbers: Sequence[float]) -> tuple[Remote, list[Remote]]:
    """A model of the given sizes whose knobs hold the given numbers, and the knobs."""
    model = student.name("MLP")(sizes[0], list(sizes[1:]))
    model._text = "model"
    knobs = []
    for depth, (nin, nout) in enumerate(itertools.pairwise(sizes)):
        for at in range(nout):
            neuron = model.layers[depth].neurons[at]
            knobs += [*(neuron.w[which] for which in range(nin)), neuron.b]
    for knob, number in zip(knobs, numbers, strict=True):
        knob.set("data", number)
    return model, knobs


def assert_trains(
    student: Student,
    numbers: Sequence[float],
    examples: tuple[list[list[float]], list[float]],
    steps: int,
    rate: float,
    sizes: Sequence[int] = SIZES,
) -> list[float]:
    """Check a call of train against descent on plain numbers; gives the losses."""
    xs, ys = examples
    model, knobs = network(student, sizes, numbers)
    what = f"train(model, xs, ys, {steps}, {rate:.4g}) with {len(xs)} examples"
    trained = student.name("train")(model, xs, ys, steps, rate)
    trained._text = what
    losses = numbers_of(student, trained, steps, what)
    values = student.read(*[knob.data for knob in knobs])
    ends = [number_of(value, f"the data of parameter {at} after training") for at, value in enumerate(values)]
    assert_descent(what, lambda at: loss_and_slopes(sizes, at, xs, ys), numbers, steps, rate, (losses, ends))
    return losses


def start(rng: random.Random, sizes: Sequence[int] = SIZES) -> list[float]:
    return [rng.uniform(-0.8, 0.8) for _ in range(sum((nin + 1) * nout for nin, nout in itertools.pairwise(sizes)))]


@grade("train", points=1)
def test_one_step_moves_every_knob(student: Student, rng: random.Random) -> None:
    """One step moves each of the 41 knobs by rate times the gradient of the whole loss."""
    assert_trains(student, start(rng), (XS, YS), 1, 0.05)


@grade("train", points=1)
def test_each_step_has_its_own_gradient(student: Student, rng: random.Random) -> None:
    """From the second step on, too, only this step's gradient counts, and outputs are computed anew."""
    assert_trains(student, start(rng), (XS, YS), 2, 0.05)
    assert_trains(student, start(rng), (XS, YS), 5, 0.03)


@grade("train", points=1)
def test_other_examples_and_sizes(student: Student, rng: random.Random) -> None:
    """train uses the model and the examples that it is given, however many there are."""
    sizes = [2, 3, 1]
    for count in (1, 6):
        xs = [[rng.uniform(-1, 1), rng.uniform(-1, 1)] for _ in range(count)]
        ys = [rng.choice((-1.0, 1.0)) for _ in range(count)]
        assert_trains(student, start(rng, sizes), (xs, ys), 3, 0.1, sizes)


@grade("train", points=0.5)
def test_training_goes_on_where_it_stopped(student: Student, rng: random.Random) -> None:
    """A second call of train goes on with the same model: 2 steps and 2 more are the same as 4."""
    numbers = start(rng)
    expected, _ = descent(lambda at: loss_and_slopes(SIZES, at, XS, YS), numbers, 4, 0.05)
    model, _ = network(student, SIZES, numbers)
    train = student.name("train")
    got: list[float] = []
    for call in ("first", "second"):
        got += numbers_of(student, train(model, XS, YS, 2, 0.05), 2, f"the {call} call of train")
    place = differ(got, expected)
    if place is not None:
        raise WrongAnswer(beside(f"two calls of 2 steps each: loss {place}", expected[place], got[place]))


@grade("train", points=0.5)
def test_the_loss_comes_down(student: Student, rng: random.Random) -> None:
    """After 40 steps the loss on the four examples is what plain numbers say, and far below its start."""
    numbers = start(rng)
    losses = assert_trains(student, numbers, (XS, YS), 40, 0.03)
    if losses[-1] > losses[0] / 2:
        raise WrongAnswer(f"expected the loss to fall below half of {losses[0]:.4g}, got {losses[-1]:.4g}\n{UPHILL}")


@grade("train", points=1)
def test_two_moons(student: Student) -> None:
    """train also learns the two moons, with another network: 2 inputs, 6 neurons, 1 output."""
    dice = random.Random(2)
    xs, ys = [], []
    for number in range(16):
        angle, moon = dice.uniform(0, math.pi), number % 2
        across, up = math.cos(angle), math.sin(angle)
        xs.append([1 - across, 0.5 - up] if moon else [across, up])
        ys.append(1.0 if moon else -1.0)
    sizes = [2, 6, 1]
    losses = assert_trains(student, start(dice, sizes), (xs, ys), 12, 0.03, sizes)
    if losses[-1] > losses[0] / 2:
        raise WrongAnswer(f"expected the loss to fall below half of {losses[0]:.4g}, got {losses[-1]:.4g}\n{UPHILL}")

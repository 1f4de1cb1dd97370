"""The hidden suite of 08_mlp."""

from __future__ import annotations

import cmath
import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from autograder.checks import assert_number, assert_numbers, assert_value
from autograder.errors import Crashed, WrongAnswer
from autograder.gradcheck import beside, close
from autograder.plugin import grade
from autograder.protocol import Object
from autograder.student import Remote, Student, as_number, describe

STEP = 1e-30
REFUSALS = ("ValueError", "AssertionError")


def forward(sizes: Sequence[int], knobs: Sequence[complex], x: Sequence[complex]) -> list[complex]:
    """The outputs of a network on plain numbers; each neuron's knobs are its weights and then its bias."""
    left = iter(knobs)
    for nin, nout in itertools.pairwise(sizes):
        neurons = [(list(itertools.islice(left, nin)), next(left)) for _ in range(nout)]
        x = [cmath.tanh(sum(w * one for w, one in zip(weights, x, strict=True)) + bias) for weights, bias in neurons]
    return list(x)


def slopes(sizes: Sequence[int], knobs: Sequence[float], x: Sequence[float]) -> list[float]:
    """The first output's derivative by each knob and then by each input, by complex step."""
    at = [*knobs, *x]
    found = []
    for which in range(len(at)):
        shifted = [complex(number, STEP if place == which else 0.0) for place, number in enumerate(at)]
        found.append(forward(sizes, shifted[: len(knobs)], shifted[len(knobs) :])[0].imag / STEP)
    return found


def shape(sizes: Sequence[int]) -> str:
    return "-".join(map(str, sizes))


def knobs_of(neuron: Remote, nin: int) -> list[Remote]:
    """One neuron's weights and then its bias."""
    return [*(neuron.w[at] for at in range(nin)), neuron.b]


def knobs_of_network(mlp: Remote, sizes: Sequence[int]) -> list[Remote]:
    """Every neuron's knobs in the order that `forward` takes them."""
    found = []
    for depth, (nin, nout) in enumerate(itertools.pairwise(sizes)):
        for at in range(nout):
            found += knobs_of(mlp.layers[depth].neurons[at], nin)
    return found


def turn(knobs: Sequence[Remote], numbers: Sequence[float]) -> None:
    """Put numbers into knobs."""
    for knob, number in zip(knobs, numbers, strict=True):
        knob.set("data", number)


def draw(rng: random.Random, count: int) -> list[float]:
    """Numbers of either sign, away from 0 and 1, small enough that no tanh is flat."""
    return [rng.choice((-1, 1)) * rng.uniform(0.2, 0.9) for _ in range(count)]


def shown(numbers: Sequence[float]) -> str:
    return "(" + ", ".join(f"{number:.4g}" for number in numbers) + ")"


def knob_count(sizes: Sequence[int]) -> int:
    return sum((nin + 1) * nout for nin, nout in itertools.pairwise(sizes))


def listed(student: Student, owner: Remote) -> list[Object]:
    """What parameters() lists, each an object."""
    asked = owner.parameters()
    (got,) = student.read(asked)
    if not isinstance(got, (list, tuple)):
        raise WrongAnswer(f"{asked._text}: expected a list that can be gone through many times, got {describe(got)}")
    for one in got:
        if not isinstance(one, Object):
            hint = "\nHint: a list of lists is not flat." if isinstance(one, (list, tuple)) else ""
            raise WrongAnswer(f"{asked._text}: expected a flat list of Values, got one that holds {described(one)}{hint}")
    return [one for one in got if isinstance(one, Object)]


def assert_own_knobs(student: Student, owner: Remote, knobs: Sequence[Remote]) -> None:
    """Check that parameters() lists just these objects, each once, in any order, and the same ones when asked again."""
    expected = student.read(*knobs)
    asked = f"{owner._text}.parameters()"
    first, second = listed(student, owner), listed(student, owner)
    if len(first) != len(knobs):
        hint = "Hint: count one neuron's knobs." if len(first) < len(knobs) else "Hint: is something listed twice?"
        raise WrongAnswer(f"{asked}: expected {len(knobs)} Values, got {len(first)}\n{hint}")
    if len(set(expected)) != len(expected) or len(set(first)) != len(first):
        count = min(len(set(expected)), len(set(first)))
        raise WrongAnswer(f"{asked}: expected {len(knobs)} different objects, got {count}\nHint: how many objects exist?")
    if set(first) != set(second):
        raise WrongAnswer(f"{asked} gives other objects when it is asked again\nHint: did the model's own object change?")
    if set(first) != set(expected):
        raise WrongAnswer(f"{asked} lists objects that are not the neurons' own w and b: new ones, or copies?")


def assert_refused(student: Student, neuron: Remote, x: Sequence[float], nin: int) -> None:
    """Check that a call with the wrong number of inputs raises what the lesson asks for."""
    answer = neuron(list(x))
    try:
        (got,) = student.read(answer)
    except Crashed as error:
        if error.kind in REFUSALS:
            return
        raise WrongAnswer(f"{len(x)} inputs for {nin} weights: expected a ValueError, got {error.kind}: {error.text}") from None
    hint = "Hint: what does zip drop?"
    raise WrongAnswer(f"{len(x)} inputs for {nin} weights: expected a ValueError, got {describe(got)} as an answer\n{hint}")


def assert_slopes(student: Student, knobs: Sequence[tuple[str, Remote]], expected: Sequence[float], where: str) -> None:
    """Check the grad of each knob after a backward pass."""
    values = student.read(*[knob.grad for _, knob in knobs])
    wrong = []
    for (name, _), want, value in zip(knobs, expected, values, strict=True):
        got = as_number(value, f"{name}.grad")
        if not close(got, want):
            wrong.append(beside(f"{name}.grad", want, got))
    if wrong:
        more = [f"and {len(wrong) - 4} more"] if len(wrong) > 4 else []
        raise WrongAnswer("\n".join([f"at {where}", *wrong[:4], *more]))


@grade("neuron-knobs", points=0.5)
@pytest.mark.parametrize("nin", [1, 3, 7])
def test_a_neuron_of_3_inputs_holds_4_values(student: Student, nin: int) -> None:
    """parameters() lists a neuron's weights and its bias: 4 Values for 3 inputs."""
    neuron = student.name("Neuron")(nin)
    got = len(listed(student, neuron))
    if got != nin + 1:
        raise WrongAnswer(f"Neuron({nin}).parameters(): expected {nin + 1} Values, got {got}\nHint: count one neuron's knobs.")


@grade("neuron-knobs", points=0.5)
def test_each_knob_is_a_value_of_its_own(student: Student) -> None:
    """Every weight is a Value of its own, and so is the bias; each holds a plain number and no gradient yet."""
    neuron = student.name("Neuron")(5)
    knobs = knobs_of(neuron, 5)
    for knob in knobs:
        assert_value(student, knob)
        data, grad = student.read(knob.data, knob.grad)
        as_number(data, f"{knob._text}.data")
        if as_number(grad, f"{knob._text}.grad") != 0:
            raise WrongAnswer(f"{knob._text}.grad: expected 0 before any backward(), got {grad!r}")
    count = len(set(student.read(*knobs)))
    if count != len(knobs):
        raise WrongAnswer(f"w and b of Neuron(5): expected 6 objects, got {count}\nHint: how many objects exist?")


@grade("neuron-knobs", points=0.5)
def test_parameters_are_the_neurons_own(student: Student) -> None:
    """parameters() hands out the neuron's own Values, the same ones each time it is asked."""
    neuron = student.name("Neuron")(4)
    assert_own_knobs(student, neuron, knobs_of(neuron, 4))


@grade("neuron-knobs", points=0.5)
def test_the_weights_start_differently(student: Student) -> None:
    """A neuron's weights start at random numbers, not all at the same one, and the next neuron's at others."""
    neurons = [student.name("Neuron")(6) for _ in range(2)]
    starts = []
    for neuron in neurons:
        values = student.read(*[neuron.w[at].data for at in range(6)])
        starts.append([as_number(value, "a weight's data") for value in values])
    if len(set(starts[0])) == 1:
        hint = "Hint: what tells two inputs apart, and two neurons?"
        raise WrongAnswer(f"all 6 weights of Neuron(6) start at {starts[0][0]:.6g}\n{hint}")
    if starts[0] == starts[1]:
        raise WrongAnswer(f"two neurons start with the same weights {shown(starts[0])}\nHint: what tells two neurons apart?")


@grade("neuron-output", points=0.5)
def test_two_known_neurons(student: Student) -> None:
    """With w=(-3, 1), b=6.8813735870195432 and x=(2, 0) the neuron answers 0.7071."""
    neuron = student.name("Neuron")(2)
    for numbers, x in [((-3.0, 1.0, 6.8813735870195432), [2.0, 0.0]), ((0.5, -1.0, 0.25), [2.0, 1.0])]:
        turn(knobs_of(neuron, 2), numbers)
        answer = neuron(x)
        assert_value(student, answer)
        expected = forward([2, 1], numbers, x)[0].real
        assert_number(student, answer.data, expected, f"w={shown(numbers[:2])}, b={numbers[2]:.6g}, x={shown(x)}")


@grade("neuron-output", points=0.5)
@pytest.mark.parametrize("nin", [1, 2, 3, 6])
def test_any_number_of_inputs(student: Student, rng: random.Random, nin: int) -> None:
    """The answer is tanh(w1*x1 + ... + b), for lists and tuples, numbers and Values."""
    neuron = student.name("Neuron")(nin)
    forms: list[Callable[[list[float]], Any]] = [list, tuple, lambda x: student.values(*x)]
    for form in forms:
        numbers, x = draw(rng, nin + 1), draw(rng, nin)
        turn(knobs_of(neuron, nin), numbers)
        expected = forward([nin, 1], numbers, x)[0].real
        where = f"w={shown(numbers[:-1])}, b={numbers[-1]:.4g}, x={shown(x)}"
        assert_number(student, neuron(form(x)).data, expected, where)


@grade("neuron-output", points=0.5)
def test_the_bias_comes_through(student: Student, rng: random.Random) -> None:
    """With every input at 0 the answer is tanh(b): the bias is added, and added once."""
    for nin in (1, 4):
        neuron = student.name("Neuron")(nin)
        numbers = draw(rng, nin + 1)
        turn(knobs_of(neuron, nin), numbers)
        expected = cmath.tanh(numbers[-1]).real
        assert_number(student, neuron([0.0] * nin).data, expected, f"b={numbers[-1]:.4g}, every input 0")


@grade("neuron-output", points=1)
@pytest.mark.parametrize("nin", [1, 2, 5])
def test_every_knob_and_input_gets_its_gradient(student: Student, rng: random.Random, nin: int) -> None:
    """backward() reaches every weight, the bias and every input, the same objects that were handed in."""
    neuron = student.name("Neuron")(nin)
    numbers, x = draw(rng, nin + 1), draw(rng, nin)
    knobs, inputs = knobs_of(neuron, nin), student.values(*x)
    turn(knobs, numbers)
    neuron(list(inputs)).backward()
    names = [*(f"w{at + 1}" for at in range(nin)), "b", *(f"x{at + 1}" for at in range(nin))]
    where = f"w={shown(numbers[:-1])}, b={numbers[-1]:.4g}, x={shown(x)}"
    assert_slopes(student, list(zip(names, [*knobs, *inputs], strict=True)), slopes([nin, 1], numbers, x), where)


@grade("neuron-output", points=0.5)
def test_a_wrong_number_of_inputs_is_refused(student: Student) -> None:
    """A neuron with 3 weights raises a ValueError when it gets 2 inputs, and when it gets 5."""
    neuron = student.name("Neuron")(3)
    assert_value(student, neuron([1.0, 2.0, 3.0]))
    for x in ([1.0, 2.0], [1.0, 2.0, 3.0, 4.0, 5.0], []):
        assert_refused(student, neuron, x, 3)


@grade("layer", points=1)
@pytest.mark.parametrize("nout", [2, 4])
def test_each_neuron_gives_its_own_answer(student: Student, rng: random.Random, nout: int) -> None:
    """A layer's list holds each neuron's own answer, in the order of the neurons, also where it is made in a loop."""
    layer = student.name("Layer")(3, nout)
    x, expected = draw(rng, 3), []
    for at in range(nout):
        numbers = draw(rng, 4)
        turn(knobs_of(layer.neurons[at], 3), numbers)
        expected += [one.real for one in forward([3, 1], numbers, x)]
    answers = layer(x)
    answers._text = "layer(x)"
    (got,) = student.read(answers)
    if not isinstance(got, (list, tuple)) or len(got) != nout:
        raise WrongAnswer(f"Layer(3, {nout})(x): expected a list of {nout} Values, got {described(got)}")
    pairs = [(answers[at].data, want) for at, want in enumerate(expected)]
    if len(set(student.read(*[answer for answer, _ in pairs]))) == 1:
        hint = "Hint: how many neurons exist? And in a loop, when is each of them looked up?"
        raise WrongAnswer(f"Layer(3, {nout})(x) gives the same answer {nout} times, from {nout} sets of weights\n{hint}")
    assert_numbers(student, pairs, f"x={shown(x)}, each neuron with weights of its own")


@grade("layer", points=0.5)
def test_one_output_is_no_list(student: Student, rng: random.Random) -> None:
    """A layer with one neuron gives a Value, not a list with one Value in it."""
    layer = student.name("Layer")(2, 1)
    numbers, x = draw(rng, 3), draw(rng, 2)
    turn(knobs_of(layer.neurons[0], 2), numbers)
    answer = layer(x)
    (got,) = student.read(answer)
    if isinstance(got, (list, tuple)):
        raise WrongAnswer(f"Layer(2, 1)(x): expected a Value, got {described(got)}\nHint: what shape has one output?")
    assert_value(student, answer)
    assert_number(student, answer.data, forward([2, 1], numbers, x)[0].real, f"x={shown(x)}")


@grade("layer", points=0.5)
def test_a_layer_lists_all_its_knobs(student: Student) -> None:
    """parameters() is one flat list: 4 neurons with 3 inputs give 16 Values, weights and biases."""
    for nin, nout in [(3, 4), (2, 1), (1, 5)]:
        layer = student.name("Layer")(nin, nout)
        got = len(listed(student, layer))
        if got != (nin + 1) * nout:
            words = f"Layer({nin}, {nout}).parameters(): expected {(nin + 1) * nout} Values, got {got}"
            raise WrongAnswer(f"{words}\nHint: count one neuron's knobs.")


@grade("layer", points=0.5)
def test_every_neuron_is_its_own_object(student: Student) -> None:
    """A layer's neurons are different objects, with different Values: turning one knob leaves the others alone."""
    layer = student.name("Layer")(3, 4)
    count = len(set(student.read(*[layer.neurons[at] for at in range(4)])))
    if count != 4:
        raise WrongAnswer(f"Layer(3, 4).neurons: expected 4 objects, got {count}\nHint: how many objects exist?")
    assert_own_knobs(student, layer, [knob for at in range(4) for knob in knobs_of(layer.neurons[at], 3)])


@grade("layer", points=0.5)
def test_the_neurons_start_differently(student: Student) -> None:
    """No two neurons of a layer start with the same weights: alike, they would stay alike for ever."""
    layer = student.name("Layer")(3, 6)
    values = student.read(*[layer.neurons[at].w[which].data for at in range(6) for which in range(3)])
    numbers = [as_number(value, "a weight's data") for value in values]
    starts = [tuple(numbers[at : at + 3]) for at in range(0, 18, 3)]
    if len(set(starts)) != 6:
        words = f"6 neurons start with {len(set(starts))} different sets of weights, the first with {shown(starts[0])}"
        raise WrongAnswer(f"{words}\nHint: what tells two neurons apart?")


@grade("mlp", points=0.5)
def test_the_network_has_41_knobs(student: Student) -> None:
    """MLP(3, [4, 4, 1]) has 41 parameters: 16, 20 and 5."""
    for sizes in ([3, 4, 4, 1], [2, 5, 3], [4, 1]):
        mlp = student.name("MLP")(sizes[0], sizes[1:])
        got = len(listed(student, mlp))
        if got != knob_count(sizes):
            words = f"MLP({sizes[0]}, {sizes[1:]}).parameters(): expected {knob_count(sizes)} Values, got {got}"
            raise WrongAnswer(f"{words}\nHint: count one neuron's knobs, then a layer's.")


@grade("mlp", points=0.5)
def test_the_networks_knobs_are_the_neurons_own(student: Student) -> None:
    """All 41 are different objects, and they are the very w and b that the neurons compute with."""
    sizes = [3, 4, 4, 1]
    mlp = student.name("MLP")(3, [4, 4, 1])
    assert_own_knobs(student, mlp, knobs_of_network(mlp, sizes))


@grade("mlp", points=0.5)
@pytest.mark.parametrize("sizes", [[3, 4, 4, 1], [2, 3, 1], [3, 3, 3, 3, 1]], ids=shape)
def test_each_layer_feeds_the_next(student: Student, rng: random.Random, sizes: list[int]) -> None:
    """Each layer gets what the layer before it gave; one output comes as a Value."""
    mlp = student.name("MLP")(sizes[0], sizes[1:])
    numbers, x = draw(rng, knob_count(sizes)), draw(rng, sizes[0])
    turn(knobs_of_network(mlp, sizes), numbers)
    answer = mlp(x)
    (got,) = student.read(answer)
    if isinstance(got, (list, tuple)):
        hint = "\nHint: what shape has one output?" if len(got) == 1 else ""
        raise WrongAnswer(f"{answer._text}: expected a Value, got {described(got)}{hint}")
    answer._text = f"MLP({sizes[0]}, {sizes[1:]})(x)"
    assert_number(student, answer.data, forward(sizes, numbers, x)[0].real, f"x={shown(x)}")


@grade("mlp", points=0.5)
def test_several_outputs_are_a_list(student: Student, rng: random.Random) -> None:
    """A network whose last layer has 3 neurons gives a list of 3 Values."""
    sizes = [2, 4, 3]
    mlp = student.name("MLP")(2, [4, 3])
    numbers, x = draw(rng, knob_count(sizes)), draw(rng, 2)
    turn(knobs_of_network(mlp, sizes), numbers)
    answers = mlp(tuple(x))
    answers._text = "MLP(2, [4, 3])(x)"
    (got,) = student.read(answers)
    if not isinstance(got, (list, tuple)) or len(got) != 3:
        raise WrongAnswer(f"MLP(2, [4, 3])(x): expected a list of 3 Values, got {described(got)}")
    expected = forward(sizes, numbers, x)
    assert_numbers(student, [(answers[at].data, want.real) for at, want in enumerate(expected)], f"x={shown(x)}")


@grade("mlp", points=1)
@pytest.mark.parametrize("sizes", [[3, 4, 4, 1], [2, 3, 1]], ids=shape)
def test_backward_reaches_all_the_knobs(student: Student, rng: random.Random, sizes: list[int]) -> None:
    """After backward() every one of the knobs, in every layer, holds its own gradient, and so do the inputs."""
    mlp = student.name("MLP")(sizes[0], sizes[1:])
    numbers, x = draw(rng, knob_count(sizes)), draw(rng, sizes[0])
    knobs, inputs = knobs_of_network(mlp, sizes), student.values(*x)
    turn(knobs, numbers)
    mlp(list(inputs)).backward()
    names = [*knob_names(sizes), *(f"x{at + 1}" for at in range(sizes[0]))]
    assert_slopes(student, list(zip(names, [*knobs, *inputs], strict=True)), slopes(sizes, numbers, x), f"x={shown(x)}")


def knob_names(sizes: Sequence[int]) -> Iterator[str]:
    """What messages call the knobs: layers[0].neurons[2].w[1]."""
    for depth, (nin, nout) in enumerate(itertools.pairwise(sizes)):
        for at in range(nout):
            for which in range(nin):
                yield f"layers[{depth}].neurons[{at}].w[{which}]"
            yield f"layers[{depth}].neurons[{at}].b"


def described(got: object) -> str:
    """What came in place of an answer: lists with their length, all else as `describe` has it."""
    if isinstance(got, (list, tuple)):
        return f"a {type(got).__name__} of length {len(got)}"
    return describe(got)  # type: ignore[arg-type]

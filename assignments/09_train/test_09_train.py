"""The public suite of 09_train: read it, run it, add to it."""

import pytest

from autograder.checks import assert_number, assert_numbers, assert_value
from autograder.errors import WrongAnswer
from autograder.expression import trace
from autograder.plugin import grade


def with_gradients(student, *pairs):
    """Values with the given data and grad."""
    values = student.values(*[data for data, _ in pairs])
    for value, (_, grad) in zip(values, pairs):
        value.set("grad", grad)
    return values


def numbers(student, result, count, what):
    """The list of plain numbers that a function gave."""
    (found,) = student.read(result)
    if not isinstance(found, (list, tuple)) or len(found) != count:
        raise WrongAnswer(f"{what}: expected a list of {count} numbers")
    if any(isinstance(one, bool) or not isinstance(one, (int, float)) for one in found):
        raise WrongAnswer(f"{what}: expected plain numbers in the list\nHint: a number, or a node?")
    return found


def small_model(student):
    """MLP(1, [2, 1]) with known knobs, and three of them."""
    model = student.name("MLP")(1, [2, 1])
    first, second, last = model.layers[0].neurons[0], model.layers[0].neurons[1], model.layers[1].neurons[0]
    start = [(first.w[0], 0.5), (first.b, 0.0), (second.w[0], -1.0), (second.b, 0.25)]
    for knob, data in [*start, (last.w[0], 1.0), (last.w[1], 0.5), (last.b, 0.0)]:
        knob.set("data", data)
    return model, [first.w[0], second.b, last.w[1]]


@grade("descend", points=2)
@pytest.mark.parametrize("steps, seen, end", [(1, [9.0], 1.5), (2, [9.0, 2.25], 2.25)], ids=["1 step", "2 steps"])
def test_the_pencil_example(student, steps, seen, end):
    """From 0, with f(x) = (x - 3)**2 and rate 0.25, x is at 1.5 after one step and at 2.25 after two."""
    x = student.value(0.0, label="x")
    f = student.function(trace(lambda x: (x - 3) ** 2, 1))
    found = student.name("descend")(f, x, steps, 0.25)
    found._text = "the list that descend gave"
    numbers(student, found, steps, "descend")
    assert_numbers(student, [(x.data, end), *((found[at], one) for at, one in enumerate(seen))], "x=0, rate 0.25")


@grade("targets", points=1)
def test_targets(student):
    """The smaller label becomes -1.0 and the larger one 1.0; a tanh reaches no further."""
    for labels, expected in [([3, 8, 8, 3], [-1.0, 1.0, 1.0, -1.0]), ([1, 0], [1.0, -1.0])]:
        found = list(numbers(student, student.name("targets")(labels), len(labels), f"targets({labels})"))
        if found != expected:
            raise WrongAnswer(f"targets({labels}): expected {expected}, got {found}")


@grade("loss", points=1)
def test_the_sum_of_squares(student):
    """Outputs 0.5 and -0.5 with targets 1 and -1 give a loss of 0.5; errors of +2 and -2 give 8."""
    total = student.name("loss")(student.values(0.5, -0.5), [1.0, -1.0])
    assert_value(student, total)
    far = student.name("loss")(student.values(1.0, -1.0), [-1.0, 1.0])
    assert_numbers(student, [(total.data, 0.5), (far.data, 8.0)])


@grade("loss", points=1)
def test_backward_goes_through_the_loss(student):
    """backward() on the loss finds every output: its gradient is twice its error."""
    a, b = student.values(0.5, -0.5)
    student.name("loss")([a, b], [1.0, -1.0]).backward()
    assert_numbers(student, [(a.grad, -1.0), (b.grad, 1.0)], "outputs 0.5 and -0.5, targets 1 and -1")


@grade("zero-grad", points=1)
def test_every_gradient_is_zero(student):
    """Afterwards every gradient is 0, and the data is as it was."""
    a, b = with_gradients(student, (1.0, 4.0), (2.0, -3.0))
    student.name("zero_grad")([a, b])
    assert_numbers(student, [(a.grad, 0.0), (b.grad, 0.0), (a.data, 1.0), (b.data, 2.0)])


@grade("step", points=2)
def test_every_parameter_moves_downhill(student):
    """Each parameter itself moves by rate times its own gradient, downhill; its data stays a number."""
    a, b = with_gradients(student, (1.0, 4.0), (2.0, -3.0))
    student.name("step")([a, b], 0.25)
    assert_numbers(student, [(a.data, 0.0), (b.data, 2.75)], "data 1 and 2, grad 4 and -3, rate 0.25")


@grade("train", points=2.5)
def test_one_step(student):
    """One step moves every knob by rate times the gradient of the whole loss."""
    model, knobs = small_model(student)
    losses = student.name("train")(model, [[1.0], [-2.0]], [1.0, -1.0], 1, 0.1)
    losses._text = "the list of losses"
    numbers(student, losses, 1, "train")
    after = [0.746510195391046, 0.29707766751195835, 0.2600372890211435]
    pairs = [(losses[0], 1.2722356222212552), *zip([knob.data for knob in knobs], after)]
    assert_numbers(student, pairs, "x=1 and -2, y=1 and -1, rate 0.1")


@grade("train", points=2.5)
def test_three_steps(student):
    """From the second step on, too, only this step's gradient counts."""
    model, knobs = small_model(student)
    losses = student.name("train")(model, [[1.0], [-2.0]], [1.0, -1.0], 3, 0.1)
    losses._text = "the list of losses"
    numbers(student, losses, 3, "train")
    assert_number(student, losses[1], 0.29249602977187683, "x=1 and -2, y=1 and -1, rate 0.1")
    after = [0.8337634131374783, 0.3099925428265338, 0.14438615138866423]
    pairs = [(losses[2], 0.17840745023374044), *zip([knob.data for knob in knobs], after)]
    assert_numbers(student, pairs, "the same, after 3 steps")

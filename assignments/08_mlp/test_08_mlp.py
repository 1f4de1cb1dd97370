"""The public suite of 08_mlp: read it, run it, add to it."""

import pytest

from autograder.checks import assert_number, assert_numbers, assert_value
from autograder.errors import Crashed, WrongAnswer
from autograder.plugin import grade


def set_knobs(neuron, *numbers):
    """Put numbers into a neuron's weights, and the last one into its bias."""
    for at, number in enumerate(numbers[:-1]):
        neuron.w[at].set("data", number)
    neuron.b.set("data", numbers[-1])


def parameters_of(student, owner, count):
    """The objects that parameters() lists; there must be `count` of them, all different."""
    (found,) = student.read(owner.parameters())
    if not isinstance(found, (list, tuple)):
        raise WrongAnswer("parameters(): expected a list")
    if len(found) != count:
        raise WrongAnswer(f"parameters(): expected {count} Values, got {len(found)}\nHint: count one neuron's knobs.")
    if len(set(map(str, found))) != count:
        raise WrongAnswer(f"parameters(): the {count} entries are not different objects\nHint: how many objects exist?")
    return found


@grade("neuron-knobs", points=1)
def test_a_neuron_of_3_inputs_holds_4_values(student):
    """A neuron with 3 inputs holds 4 Values: 3 weights and a bias."""
    neuron = student.name("Neuron")(3)
    knobs = [neuron.w[0], neuron.w[1], neuron.w[2], neuron.b]
    for knob in knobs:
        assert_value(student, knob)
    listed = parameters_of(student, neuron, 4)
    if any(knob not in listed for knob in student.read(*knobs)):
        raise WrongAnswer("parameters() must list the neuron's own w and b, not new Values")


@grade("neuron-knobs", points=1)
def test_the_weights_start_differently(student):
    """The weights start at different numbers."""
    neuron = student.name("Neuron")(3)
    first, second, third = student.read(*[neuron.w[at].data for at in range(3)])
    if first == second == third:
        raise WrongAnswer(f"all three weights start at {first}\nHint: what tells two neurons apart?")


@grade("neuron-output", points=1)
def test_two_known_neurons(student):
    """With w=(-3, 1), b=6.88... and x=(2, 0) the neuron answers 0.7071; the pencil example gives 0.2449."""
    neuron = student.name("Neuron")(2)
    set_knobs(neuron, -3.0, 1.0, 6.8813735870195432)
    assert_value(student, neuron([2.0, 0.0]))
    assert_number(student, neuron([2.0, 0.0]).data, 0.7071067811865477, "w=(-3, 1), b=6.88..., x=(2, 0)")
    set_knobs(neuron, 0.5, -1.0, 0.25)
    assert_number(student, neuron([2.0, 1.0]).data, 0.24491866240370913, "w=(0.5, -1), b=0.25, x=(2, 1)")


@grade("neuron-output", points=1)
def test_the_neurons_gradients(student):
    """backward() gives the weights, the bias and the inputs the gradients that you know from lesson 07."""
    neuron = student.name("Neuron")(2)
    set_knobs(neuron, -3.0, 1.0, 6.8813735870195432)
    x1, x2 = student.values(2.0, 0.0)
    neuron([x1, x2]).backward()
    expected = [(neuron.w[0].grad, 1.0), (neuron.w[1].grad, 0.0), (neuron.b.grad, 0.5), (x1.grad, -1.5), (x2.grad, 0.5)]
    assert_numbers(student, expected, "w=(-3, 1), b=6.88..., x=(2, 0)")


@grade("neuron-output", points=1)
@pytest.mark.parametrize("x", [[1.0, 2.0], [1.0, 2.0, 3.0, 4.0, 5.0]], ids=["2 for 3", "5 for 3"])
def test_a_wrong_number_of_inputs_is_refused(student, x):
    """A neuron with 3 weights raises a ValueError when it gets 2 inputs, and when it gets 5."""
    neuron = student.name("Neuron")(3)
    assert_value(student, neuron([1.0, 2.0, 3.0]))
    try:
        student.read(neuron(x))
    except Crashed as error:
        if error.kind == "ValueError":
            return
        raise
    raise WrongAnswer(f"{len(x)} inputs for 3 weights gave an answer\nHint: what does zip drop?")


@grade("layer", points=1.5)
def test_a_layer_with_several_neurons(student):
    """Layer(2, 3) gives a list of 3 Values, one from each of its neurons, and has 9 parameters."""
    layer = student.name("Layer")(2, 3)
    parameters_of(student, layer, 9)
    set_knobs(layer.neurons[0], 0.0, 0.0, 0.25)
    set_knobs(layer.neurons[1], 0.5, 0.0, 0.0)
    set_knobs(layer.neurons[2], 0.0, -1.0, 0.0)
    first, second, third = (layer([1.0, 2.0])[at] for at in range(3))
    expected = [(first.data, 0.24491866240370913), (second.data, 0.46211715726000973), (third.data, -0.9640275800758169)]
    assert_numbers(student, expected, "x=(1, 2)")


@grade("layer", points=1.5)
def test_one_output_is_no_list(student):
    """A layer with one neuron gives a Value, not a list with one Value in it."""
    layer = student.name("Layer")(3, 1)
    parameters_of(student, layer, 4)
    assert_value(student, layer([1.0, 2.0, 3.0]))


@grade("mlp", points=1.5)
def test_the_network_has_41_knobs(student):
    """MLP(3, [4, 4, 1]) has 41 parameters, all of them different objects, and gives one Value."""
    mlp = student.name("MLP")(3, [4, 4, 1])
    parameters_of(student, mlp, 41)
    assert_value(student, mlp([2.0, 3.0, -1.0]))


@grade("mlp", points=1.5)
def test_each_layer_feeds_the_next(student):
    """Each layer gets what the layer before it gave, and backward() finds its way to the first one."""
    mlp = student.name("MLP")(1, [2, 1])
    first, second, last = mlp.layers[0].neurons[0], mlp.layers[0].neurons[1], mlp.layers[1].neurons[0]
    set_knobs(first, 0.5, 0.0)
    set_knobs(second, -1.0, 0.25)
    set_knobs(last, 1.0, 0.5, 0.0)
    out = mlp([1.0])
    out.backward()
    expected = [(out.data, 0.1435443994152343), (first.w[0].grad, 0.7702429816722451), (last.b.grad, 0.9793950053965197)]
    assert_numbers(student, expected, "x=1, w=0.5 and -1, then w=(1, 0.5)")

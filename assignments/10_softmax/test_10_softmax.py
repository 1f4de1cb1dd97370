"""The public suite of 10_softmax: read it, run it, add to it."""

import pytest

from autograder.checks import assert_numbers, assert_value
from autograder.gradcheck import assert_gradients, four_forms
from autograder.plugin import grade

LOGITS = (0.0, 3.0, -2.0, 1.0)
LOSS = 2.1755153626167147
GRADIENTS = (0.041772570515350445, 0.8390245074625319, 0.005653302662216329, -0.8864503806400986)


def each(forms):
    """One test for each form of an operation: f(a), f(a)*k, f(a)+f(a), f(a*b)."""
    return pytest.mark.parametrize("form", [form for _, form in forms], ids=[name for name, _ in forms])


def point(form, *numbers):
    """As many of the numbers as the form has inputs."""
    return numbers[: form.__code__.co_argcount]


def assert_loss(student, numbers, label, loss, gradients):
    """Check cross_entropy and the gradient of every logit."""
    logits = student.values(*numbers)
    got = student.name("cross_entropy")(logits, label)
    assert_value(student, got)
    got.backward()
    wanted = [(got.data, loss), *((logit.grad, gradient) for logit, gradient in zip(logits, gradients, strict=True))]
    assert_numbers(student, wanted, f"logits {numbers}, label {label}")


@grade("exp-again", points=1)
@each(four_forms(lambda x: x.exp(), 2.0))
def test_exp(student, form):
    """exp and its slope, on its own and inside longer expressions."""
    assert_gradients(student, form, at=point(form, 1.0, 0.5))


@grade("log", points=2)
@each(four_forms(lambda x: x.log(), 2.0))
def test_log(student, form):
    """log and its slope, on its own and inside longer expressions."""
    assert_gradients(student, form, at=point(form, 4.0, 0.5))


@grade("softmax", points=1.5)
def test_probabilities_of_the_lesson(student):
    """softmax of 0, 3, -2, 1: each one's share of the total of the exps; the logits stay as they are."""
    logits = student.values(*LOGITS)
    p = student.name("softmax")(logits)
    expected = [0.041772570515350445, 0.8390245074625319, 0.005653302662216329, 0.11354961935990125]
    assert_numbers(student, [(p[at].data, number) for at, number in enumerate(expected)], f"logits {LOGITS}")
    assert_numbers(student, [(logit.data, number) for logit, number in zip(logits, LOGITS, strict=True)])


@grade("softmax", points=1.5)
def test_each_probability_depends_on_every_logit(student):
    """P(dog) moves with its own logit, and the other way with each of the others."""
    logits = student.values(*LOGITS)
    student.name("softmax")(logits)[1].backward()
    dog = 0.8390245074625319
    others = [-dog * 0.041772570515350445, -dog * 0.005653302662216329, -dog * 0.11354961935990125]
    expected = [others[0], dog * (1 - dog), others[1], others[2]]
    wanted = [(logit.grad, gradient) for logit, gradient in zip(logits, expected, strict=True)]
    assert_numbers(student, wanted, f"logits {LOGITS}")


@grade("cross-entropy", points=3)
def test_the_lessons_loss(student):
    """The loss of 0, 3, -2, 1 with label 3 is 2.1755, and every logit gets its gradient."""
    assert_loss(student, LOGITS, 3, LOSS, GRADIENTS)


@grade("large-logits", points=2)
@pytest.mark.parametrize("shift", [1000.0, -1000.0])
def test_only_differences_count(student, shift):
    """The lesson's logits, moved by 1000 up or down, have the same loss and the same gradients."""
    assert_loss(student, tuple(number + shift for number in LOGITS), 3, LOSS, GRADIENTS)
    p = student.name("softmax")(student.values(shift, shift + 1, shift - 1))
    expected = [0.24472847105479764, 0.6652409557748218, 0.09003057317038046]
    assert_numbers(student, [(p[at].data, number) for at, number in enumerate(expected)], f"shift {shift:g}")


@grade("far-off", points=1)
def test_a_hopeless_case(student):
    """Logits 0 and 1000 with label 0: the loss is 1000, the gradients are -1 and 1."""
    assert_loss(student, (0.0, 1000.0), 0, 1000.0, (-1.0, 1.0))

"""The hidden suite of 10_softmax: exp and log in many forms, softmax and its loss on many lists of logits."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

import pytest

from autograder.checks import assert_numbers, assert_value
from autograder.errors import WrongAnswer
from autograder.expression import Expr, number_text, trace
from autograder.gradcheck import assert_gradients, four_forms
from autograder.numeric import differentiate
from autograder.plugin import grade
from autograder.protocol import Object
from autograder.student import Remote, Student, describe

Form = Callable[..., Expr]
FACTOR = -3.0
LOGITS = (0.0, 3.0, -2.0, 1.0)


def named(forms: Sequence[tuple[str, Form]]) -> pytest.MarkDecorator:
    """One case for each form, called by the form's own name."""
    return pytest.mark.parametrize("form", [form for _, form in forms], ids=[name for name, _ in forms])


def shares(logits: Sequence[Expr], top: float = 0.0) -> list[Expr]:
    """softmax by its definition; `top` is taken from every logit, which changes no value and no slope."""
    powers = [(logit - top).exp() for logit in logits]
    total = added(powers)
    return [power / total for power in powers]


def surprise(logits: Sequence[Expr], label: int, top: float = 0.0) -> Expr:
    """The loss as the log of the total less the label's logit, both less `top`."""
    return added([(logit - top).exp() for logit in logits]).log() - (logits[label] - top)


def added(terms: Sequence[Expr]) -> Expr:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def assert_same(student: Student, form: Form, at: Sequence[float], compute: Callable[[list[Remote]], Remote]) -> None:
    """Check what `compute` makes of leaves against `form`: the data, and every leaf's gradient."""
    truth = differentiate(trace(form, len(at)), at)
    leaves = [student.value(number, label=f"logits[{place}]") for place, number in enumerate(at)]
    output = compute(leaves)
    assert_value(student, output)
    output.backward()
    slopes = [(leaf.grad, slope) for leaf, slope in zip(leaves, truth.gradient, strict=True)]
    assert_numbers(student, [(output.data, truth.data), *slopes], shown(at))


def shown(at: Sequence[float]) -> str:
    return f"logits {', '.join(number_text(number) for number in at)}"


def probabilities(student: Student, logits: list[Remote]) -> list[Remote]:
    """softmax's result, found to be as many Values as there are logits."""
    result = student.name("softmax")(logits)
    (held,) = student.read(result)
    if not isinstance(held, (list, tuple)):
        raise WrongAnswer(f"softmax(...): expected a list of {student.names.cls}s, got {describe(held)}")
    strange = next((one for one in held if not isinstance(one, Object)), None)
    if strange is not None:
        raise WrongAnswer(f"softmax(...): expected a list of {student.names.cls}s, got {describe(strange)} inside")
    if len(held) != len(logits):
        raise WrongAnswer(f"softmax(...): expected {len(logits)} probabilities, got {len(held)}")
    return [result[place] for place in range(len(logits))]


def some_logits(rng: random.Random, count: int, around: float = 0.0) -> list[float]:
    return [around + rng.uniform(-2, 2) for _ in range(count)]


# exp and log


@grade("exp-again", points=0.2)
def test_exp_of_a_number(student: Student, rng: random.Random) -> None:
    """a.exp() is a new Value with e to the power of a's data, and a stays as it is."""
    for number in (rng.uniform(0.3, 3), rng.uniform(-3, -0.3), 0.0, 2):
        (a,) = student.values(number)
        e = a.exp()
        assert_value(student, e)
        assert_numbers(student, [(e.data, math.exp(number)), (a.data, number)], f"a={number_text(number)}")


@grade("exp-again", points=0.8)
@named(four_forms(lambda x: x.exp(), FACTOR))
def test_slope_of_exp(student: Student, rng: random.Random, form: Form) -> None:
    """The slope of exp, on its own and inside longer expressions."""
    assert_gradients(student, form, at=[rng.uniform(0.4, 1.8) for _ in range(form.__code__.co_argcount)])
    assert_gradients(student, form, at=[rng.uniform(-1.8, -0.4) for _ in range(form.__code__.co_argcount)])


@grade("log", points=0.4)
def test_log_of_a_number(student: Student, rng: random.Random) -> None:
    """a.log() is a new Value with the natural logarithm of a's data, and a stays as it is."""
    for number in (rng.uniform(1.5, 9), rng.uniform(0.1, 0.8), 1.0, 3):
        (a,) = student.values(number)
        result = a.log()
        assert_value(student, result)
        assert_numbers(student, [(result.data, math.log(number)), (a.data, number)], f"a={number_text(number)}")


def log_meets_itself(a: Expr, b: Expr) -> Expr:
    t = (a * b).log()
    return t + t * a


@grade("log", points=1.2)
@named([*four_forms(lambda x: x.log(), FACTOR), ("t+t*a", log_meets_itself)])
def test_slope_of_log(student: Student, rng: random.Random, form: Form) -> None:
    """The slope of log, on its own and inside longer expressions."""
    for low, high in ((0.2, 0.7), (1.5, 4.0)):
        assert_gradients(student, form, at=[rng.uniform(low, high) for _ in range(form.__code__.co_argcount)])


@grade("log", points=0.4)
def test_log_undoes_exp(student: Student, rng: random.Random) -> None:
    """The log of exp(a) is a, with slope 1; the exp of log(a) as well."""
    number = rng.uniform(0.5, 2)
    assert_gradients(student, lambda a: a.exp().log() * 2.0, at=(number,))
    assert_gradients(student, lambda a: a.log().exp() * 2.0, at=(number,))


# softmax


@grade("softmax", points=1)
@pytest.mark.parametrize("count", [1, 2, 4, 7])
def test_shares_of_the_total(student: Student, rng: random.Random, count: int) -> None:
    """Each probability is its exp divided by the sum of all exps; the logits stay as they are."""
    at = list(LOGITS) if count == 4 else some_logits(rng, count)
    logits = student.values(*at)
    got = probabilities(student, logits)
    total = sum(math.exp(number) for number in at)
    assert_numbers(student, [(p.data, math.exp(number) / total) for p, number in zip(got, at, strict=True)], shown(at))
    assert_numbers(student, [(logit.data, number) for logit, number in zip(logits, at, strict=True)], shown(at))


@grade("softmax", points=1)
@pytest.mark.parametrize("which", [0, 1, 2, 3])
def test_each_probability_feels_every_logit(student: Student, rng: random.Random, which: int) -> None:
    """A probability has a gradient by every logit, also when something arrives from above."""
    for factor in (1.0, FACTOR):

        def form(*logits: Expr, factor: float = factor) -> Expr:
            return shares(logits)[which] * factor

        def compute(logits: list[Remote], factor: float = factor) -> Remote:
            return probabilities(student, logits)[which] * factor

        assert_same(student, form, some_logits(rng, 4), compute)


@grade("softmax", points=0.5)
def test_all_probabilities_together(student: Student, rng: random.Random) -> None:
    """A sum of all probabilities, each with its own factor, gives each logit all its shares."""
    factors = [rng.uniform(-3, 3) for _ in range(5)]

    def form(*logits: Expr) -> Expr:
        return added([p * factor for p, factor in zip(shares(logits), factors, strict=True)])

    def compute(logits: list[Remote]) -> Remote:
        scaled = [p * factor for p, factor in zip(probabilities(student, logits), factors, strict=True)]
        return scaled[0] + scaled[1] + scaled[2] + scaled[3] + scaled[4]

    assert_same(student, form, some_logits(rng, 5), compute)


@grade("softmax", points=0.5)
def test_logits_that_were_computed(student: Student, rng: random.Random) -> None:
    """Logits may be results themselves, and one Value may stand at two places."""

    def form(a: Expr, b: Expr) -> Expr:
        t = a * b
        return shares([t, a, t, b])[0] * FACTOR

    def compute(leaves: list[Remote]) -> Remote:
        a, b = leaves
        t = a * b
        return probabilities(student, [t, a, t, b])[0] * FACTOR

    assert_same(student, form, some_logits(rng, 2), compute)


# The loss


def assert_loss(student: Student, at: Sequence[float], label: int, top: float = 0.0) -> None:
    def form(*logits: Expr) -> Expr:
        return surprise(logits, label, top)

    assert_same(student, form, at, lambda logits: student.name("cross_entropy")(logits, label))


@grade("cross-entropy", points=1)
@pytest.mark.parametrize("label", [3, 0, 1, 2])
def test_the_lessons_logits(student: Student, label: int) -> None:
    """The loss of 0, 3, -2, 1 and every logit's gradient, for each label; 2.1755 for label 3."""
    assert_loss(student, LOGITS, label)


@grade("cross-entropy", points=1)
@pytest.mark.parametrize("count", [2, 3, 6])
def test_any_logits(student: Student, rng: random.Random, count: int) -> None:
    """The loss and its gradients are right for other logits, however many."""
    for label in (0, count - 1, rng.randrange(count)):
        assert_loss(student, some_logits(rng, count), label)


@grade("cross-entropy", points=0.5)
def test_mean_of_two_examples(student: Student, rng: random.Random) -> None:
    """The mean loss of two examples that share a weight gives that weight both gradients."""

    def form(w: Expr, a: Expr, b: Expr) -> Expr:
        return (surprise([w * 2.0, a, b], 0) + surprise([a, w * FACTOR, b], 1)) * 0.5

    def compute(leaves: list[Remote]) -> Remote:
        w, a, b = leaves
        loss = student.name("cross_entropy")
        return (loss([w * 2.0, a, b], 0) + loss([a, w * FACTOR, b], 1)) * 0.5

    assert_same(student, form, [rng.uniform(0.2, 1) for _ in range(3)], compute)


@grade("cross-entropy", points=0.5)
def test_the_logits_stay(student: Student, rng: random.Random) -> None:
    """The loss leaves the data of the logits alone, so a second call gives the same."""
    at = some_logits(rng, 3)
    total = sum(math.exp(number) for number in at)
    logits = student.values(*at)
    loss = student.name("cross_entropy")
    first, second = loss(logits, 1), loss(logits, 1)
    expected = math.log(total) - at[1]
    unchanged = [(logit.data, number) for logit, number in zip(logits, at, strict=True)]
    assert_numbers(student, [(first.data, expected), (second.data, expected), *unchanged], shown(at))


# Large logits


@grade("large-logits", points=0.8)
@pytest.mark.parametrize("around", [1000.0, -1000.0, 750.0, -1e4])
def test_probabilities_of_large_logits(student: Student, rng: random.Random, around: float) -> None:
    """Large logits that lie close together have ordinary probabilities, with ordinary gradients."""
    at = some_logits(rng, 3, around)

    def form(*logits: Expr) -> Expr:
        return shares(logits, max(at))[1] * FACTOR

    assert_same(student, form, at, lambda logits: probabilities(student, logits)[1] * FACTOR)


@grade("large-logits", points=0.8)
@pytest.mark.parametrize("around", [1000.0, -1000.0, 750.0, -1e4])
def test_loss_of_large_logits(student: Student, rng: random.Random, around: float) -> None:
    """Large logits that lie close together have an ordinary loss, with ordinary gradients."""
    for label in (0, 2):
        at = some_logits(rng, 3, around)
        assert_loss(student, at, label, max(at))


@grade("large-logits", points=0.4)
@pytest.mark.parametrize("at", [(1000.0, 0.0, -1000.0), (-1000.0, 0.0, 1000.0)], ids=["falling", "rising"])
def test_probabilities_far_apart(student: Student, at: tuple[float, ...]) -> None:
    """With logits 1000, 0 and -1000, the first has probability 1, and the others have 0."""
    logits = student.values(*at)
    got = probabilities(student, logits)
    assert_numbers(student, [(p.data, float(number == 1000.0)) for p, number in zip(got, at, strict=True)], shown(at))
    assert_loss(student, at, at.index(1000.0), 1000.0)


# A probability too small for a float


@grade("far-off", points=1)
@pytest.mark.parametrize(
    ("at", "label"), [((0.0, 1000.0), 0), ((-400.0, 3.0, 401.5), 0), ((1e5, 0.0, 1e5), 1)], ids=["two", "three", "tie"]
)
def test_a_probability_too_small(student: Student, at: tuple[float, ...], label: int) -> None:
    """Where the right answer's probability is too small for a float, the loss is still a number, and so is its slope."""
    assert_loss(student, at, label, max(at))

"""The hidden suite of 02_value."""

from __future__ import annotations

import random
import re

from autograder.checks import assert_number, assert_numbers, assert_parents, assert_value
from autograder.errors import WrongAnswer
from autograder.gradcheck import close
from autograder.plugin import grade
from autograder.protocol import Object
from autograder.student import Remote, Student, as_number, describe

NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")


def draw(rng: random.Random) -> float:
    """A number with a short text, as a reader would type it; never 0."""
    return rng.choice((-1, 1)) * rng.randint(3, 79) / 8


def assert_text(student: Student, remote: Remote, expected: str) -> None:
    (got,) = student.read(remote)
    if got != expected:
        raise WrongAnswer(f"{remote._text}: expected {expected!r}, got {describe(got)}")


def assert_leaf(student: Student, made: Remote) -> None:
    """Check that a Value made from nothing but a number says so: no parents, no sign, no name."""
    assert_parents(student, made, [])
    for name in ("_op", "label"):
        attribute = getattr(made, name)
        (got,) = student.read(attribute)
        if got not in ("", None):
            raise WrongAnswer(f"{attribute._text}: expected an empty text, got {describe(got)}")


@grade("holds", points=0.5)
def test_the_number_and_the_gradient(student: Student, rng: random.Random) -> None:
    """A Value holds the number that it is given, and its gradient starts at 0."""
    for number in (2.0, -3.0, 0.0, draw(rng), draw(rng), 7):
        made = student.name("Value")(number)
        assert_numbers(student, [(made.data, number), (made.grad, 0.0)])


@grade("holds", points=0.5)
def test_the_label(student: Student) -> None:
    """The label is the one that is given, and can be changed later."""
    made = student.value(2.0, label="")
    named = student.name("Value")(2.0, label="height")
    assert_text(student, named.label, "height")
    made.set("label", "width")
    label = made.label
    label._text = 'a.label after a.label = "width"'
    assert_text(student, label, "width")
    assert_text(student, named.label, "height")


@grade("holds", points=0.5)
def test_children_and_sign(student: Student, rng: random.Random) -> None:
    """A Value keeps the children and the sign that it is given, in this order after the data."""
    a, b = student.values(draw(rng), draw(rng))
    number = draw(rng)
    product = student.name("Value")(number, (a, b), "*", "e")
    assert_number(student, product.data, number)
    assert_parents(student, product, [a, b])
    assert_text(student, product._op, "*")
    assert_text(student, product.label, "e")
    assert_number(student, product.grad, 0.0)
    assert_parents(student, student.name("Value")(number, (a,), "-"), [a])


@grade("holds", points=0.5)
def test_each_value_is_its_own(student: Student, rng: random.Random) -> None:
    """A Value that is typed in was made from nothing, and two Values share nothing."""
    first = student.value(draw(rng))
    made = student.name("Value")(draw(rng), (first,), "+")
    made._text = "a"
    second = student.value(draw(rng))
    assert_leaf(student, first)
    first.set("grad", 5.0)
    first.set("data", 9.0)
    assert_leaf(student, second)
    assert_numbers(student, [(second.grad, 0.0), (made.grad, 0.0), (first.grad, 5.0), (first.data, 9.0)], "a.grad = 5, a.data = 9")


def assert_printed(student: Student, made: Remote, number: float, cls: str) -> None:
    shown = made.str("repr")
    (text,) = student.read(shown)
    found = [float(one) for one in NUMBER.findall(str(text))]
    if not any(close(one, number, 1e-3) for one in found):
        raise WrongAnswer(f"{shown._text}: expected {cls}(data={number:g}), got {text}\nIts number is not in that text.")


@grade("prints", points=0.5)
def test_it_prints_its_number(student: Student, rng: random.Random) -> None:
    """A Value prints as text that shows its own number, as it is now."""
    for number in (2.0, -3.0, draw(rng), draw(rng)):
        assert_printed(student, student.name("Value")(number), number, "Value")
    made, number = student.value(draw(rng)), draw(rng)
    made.set("data", number)
    made._text = f"after a.data = {number:g}, a"
    assert_printed(student, made, number, "Value")


@grade("prints", points=0.5)
def test_it_says_what_it_is(student: Student) -> None:
    """The text names the class, so that nobody takes a Value for a number."""
    shown = student.name("Value")(2.5).str("repr")
    (text,) = student.read(shown)
    if "value" not in str(text).lower():
        raise WrongAnswer(f"{shown._text}: expected Value(data=2.5), got {text}")


@grade("sum", points=0.5)
def test_two_values(student: Student, rng: random.Random) -> None:
    """a + b is a new Value, and its data is the sum of the two numbers."""
    for left, right in ((2.0, -3.0), (draw(rng), draw(rng)), (draw(rng), draw(rng))):
        a, b = student.values(left, right)
        assert_value(student, a + b)
        assert_number(student, (a + b).data, left + right, f"a={left:g}, b={right:g}")


@grade("sum", points=0.5)
def test_many_values(student: Student, rng: random.Random) -> None:
    """A sum can be added to again, on either side."""
    numbers = [draw(rng) for _ in range(4)]
    a, b, c, d = student.values(*numbers)
    w, x, y, z = numbers
    pairs = [((a + b + c).data, w + x + y), ((a + (b + c)).data, w + x + y), ((a + b + (c + d)).data, w + x + y + z)]
    assert_numbers(student, pairs, ", ".join(f"{name}={number:g}" for name, number in zip("abcd", numbers, strict=True)))


@grade("sum", points=0.5)
def test_a_value_with_itself(student: Student, rng: random.Random) -> None:
    """a + a is twice a."""
    number = draw(rng)
    a = student.value(number, label="")
    a._text = "a"
    assert_number(student, (a + a).data, 2 * number, f"a={number:g}")


@grade("sum", points=0.5)
def test_the_terms_stay_as_they_are(student: Student, rng: random.Random) -> None:
    """Adding leaves both terms as they were, and gives an object that is neither; its gradient starts at 0."""
    left, right = draw(rng), draw(rng)
    a, b = student.values(left, right)
    a.set("grad", 3.0)
    total = a + b
    result, *terms = student.read(total, a, b)
    if result in terms:
        raise WrongAnswer("a + b gave one of its own terms back: make a new Value for the sum")
    assert_numbers(student, [(a.data, left), (b.data, right), (a.grad, 3.0), (b.grad, 0.0), (total.grad, 0.0)], "a.grad = 3")


@grade("memory", points=0.5)
def test_the_sum_remembers_its_terms(student: Student, rng: random.Random) -> None:
    """a + b remembers a and b, the same objects, and nothing else."""
    a, b, c = student.values(draw(rng), draw(rng), draw(rng))
    assert_parents(student, a + b, [a, b])
    s = a + b
    s._text = "s"
    assert_parents(student, s + c, [s, c])
    assert_parents(student, c + s, [c, s])
    assert_parents(student, a, [])


@grade("memory", points=0.5)
def test_equal_numbers_are_two_parents(student: Student, rng: random.Random) -> None:
    """Two Values that hold the same number are still two parents."""
    number = draw(rng)
    a, b = student.values(number, number)
    assert_parents(student, a + b, [a, b])


@grade("memory", points=0.5)
def test_a_value_with_itself_is_one_parent(student: Student, rng: random.Random) -> None:
    """a + a has a as its only parent."""
    (a,) = student.values(draw(rng))
    assert_parents(student, a + a, [a])


@grade("memory", points=0.5)
def test_the_sign(student: Student) -> None:
    """A sum knows that it is one: its _op is "+"."""
    a, b = student.values(2.0, -3.0)
    sign = (a + b)._op
    (got,) = student.read(sign)
    if not isinstance(got, str) or not ("+" in got or "add" in got.lower()):
        raise WrongAnswer(f'{sign._text}: expected "+", got {describe(got)}')


@grade("plain", points=0.5)
def test_a_plain_number_on_the_right(student: Student, rng: random.Random) -> None:
    """a + 1 works for whole numbers and for others, and gives a Value to go on with."""
    number, more = draw(rng), draw(rng)
    a, b = student.values(number, more)
    assert_value(student, a + 1)
    pairs = [((a + 1).data, number + 1), ((a + 0.5).data, number + 0.5), ((a + 0).data, number)]
    assert_numbers(student, [*pairs, ((a + 1 + b + 2).data, number + more + 3)], f"a={number:g}, b={more:g}")


@grade("plain", points=0.5)
def test_the_number_becomes_a_value(student: Student, rng: random.Random) -> None:
    """In a + 4, the 4 becomes a Value that the sum remembers, beside a itself; a Value stays what it is."""
    number = draw(rng)
    a, b = student.values(number, 4.0)
    remembered = (a + 4)._prev
    held, itself = student.read(remembered, a)
    parents = list(held) if isinstance(held, (frozenset, tuple, list)) else [held]
    others = [one for one in parents if one != itself]
    if len(parents) != 2 or len(others) != 1 or not isinstance(others[0], Object):
        shown = ", ".join(sorted({"a" if one == itself else describe(one) for one in parents})) or "nothing"
        raise WrongAnswer(f"{remembered._text}: expected a itself and a Value that holds 4, got {shown}")
    (numbers,) = student.read(remembered.each("data"))
    assert isinstance(numbers, list)
    data = sorted(as_number(one, f"the data of {remembered._text}") for one in numbers)
    if data != sorted([number, 4.0]):
        raise WrongAnswer(f"{remembered._text}: expected Values that hold {number:g} and 4, got {data}")
    assert_parents(student, a + b, [a, b])


@grade("again", points=0.5)
def test_from_memory_it_holds(student: Student, rng: random.Random) -> None:
    """From memory: a Scalar holds its number, its children, its sign and its label; its grad starts at 0."""
    scalar = student.name("Scalar")
    number = draw(rng)
    a = scalar(number, label="a")
    a._text = "a"
    assert_numbers(student, [(a.data, number), (a.grad, 0.0)], f"a = Scalar({number:g})")
    assert_text(student, a.label, "a")
    made = scalar(draw(rng), (a,), "*", "m")
    made._text = "m"
    assert_parents(student, made, [a])
    assert_text(student, made._op, "*")
    assert_leaf(student, scalar(number))


@grade("again", points=0.5)
def test_from_memory_it_prints(student: Student, rng: random.Random) -> None:
    """From memory: a Scalar prints as text that shows its number."""
    for number in (draw(rng), draw(rng)):
        assert_printed(student, student.name("Scalar")(number), number, "Scalar")


@grade("again", points=0.5)
def test_from_memory_it_adds(student: Student, rng: random.Random) -> None:
    """From memory: a Scalar adds another one and a plain number, and leaves both as they are."""
    scalar = student.name("Scalar")
    left, right = draw(rng), draw(rng)
    a, b = scalar(left), scalar(right)
    a._text, b._text = "a", "b"
    assert_numbers(student, [((a + b).data, left + right), ((a + 1 + b).data, left + right + 1)], f"a={left:g}, b={right:g}")
    assert_numbers(student, [(a.data, left), (b.data, right), ((a + b).grad, 0.0)], f"a={left:g}, b={right:g}")


@grade("again", points=0.5)
def test_from_memory_it_remembers(student: Student, rng: random.Random) -> None:
    """From memory: a sum remembers its two terms themselves, and its sign."""
    scalar = student.name("Scalar")
    number = draw(rng)
    a, b = scalar(number), scalar(number)
    a._text, b._text = "a", "b"
    assert_parents(student, a + b, [a, b])
    assert_parents(student, a + a, [a])
    sign = (a + b)._op
    (got,) = student.read(sign)
    if got in ("", None):
        raise WrongAnswer(f'{sign._text}: expected "+", got nothing')

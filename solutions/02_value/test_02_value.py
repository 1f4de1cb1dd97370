"""The public suite of 02_value: read it, run it, add to it."""

from autograder.checks import assert_number, assert_numbers, assert_parents, assert_value
from autograder.errors import WrongAnswer
from autograder.plugin import grade


@grade("holds", points=1)
def test_the_number_and_the_gradient(student):
    """Value(2.0) holds 2.0, and its gradient starts at 0."""
    (a,) = student.values(2.0)
    assert_numbers(student, [(a.data, 2.0), (a.grad, 0.0)])


@grade("holds", points=1)
def test_where_it_came_from(student):
    """A Value keeps the children, the sign and the label that it is given."""
    a, b = student.values(2.0, -3.0)
    product = student.name("Value")(-6.0, (a, b), "*", label="e")
    assert_parents(student, product, [a, b])
    assert_parents(student, a, [])
    sign, label = student.read(product._op, product.label)
    if (sign, label) != ("*", "e"):
        raise WrongAnswer(f'Value(-6.0, (a, b), "*", label="e"): expected _op "*" and label "e", got {sign!r} and {label!r}')


def assert_printed(student, made, number):
    """Check that repr(made) is a text with the number in it."""
    (text,) = student.read(made.str("repr"))
    if number not in text:
        raise WrongAnswer(f"{made._text} prints as {text}: expected to find {number} in it")


@grade("prints", points=1)
def test_it_prints_its_number(student):
    """Value(2.5) prints as Value(data=2.5), Value(-3.0) with its own number."""
    assert_printed(student, student.name("Value")(2.5), "2.5")
    assert_printed(student, student.name("Value")(-3.0), "-3.0")


@grade("sum", points=2)
def test_two_and_three_values(student):
    """2 + -3 is -1, and + 10 makes 9; a, b and c stay as they are."""
    a, b, c = student.values(2.0, -3.0, 10.0)
    assert_value(student, a + b)
    assert_numbers(student, [((a + b).data, -1.0), ((a + b + c).data, 9.0), (a.data, 2.0), (b.data, -3.0)], "a=2, b=-3, c=10")


@grade("memory", points=2)
def test_the_sum_remembers_its_terms(student):
    """a + b remembers a and b themselves; equal numbers are two parents, a + a has one."""
    a, b, twin = student.values(2.0, -3.0, 2.0)
    assert_parents(student, a + b, [a, b])
    assert_parents(student, a + twin, [a, twin])
    assert_parents(student, a + a, [a])
    s = a + b
    s._text = "s"
    assert_parents(student, s + twin, [s, twin])
    (sign,) = student.read(s._op)
    if sign in ("", None):
        raise WrongAnswer('(a + b)._op: expected "+", got nothing')


@grade("plain", points=1)
def test_a_plain_number_on_the_right(student):
    """a + 1 and a + 0.5 work, and a + b still remembers b itself."""
    a, b = student.values(2.0, -3.0)
    assert_numbers(student, [((a + 1).data, 3.0), ((a + 0.5).data, 2.5)], "a=2")
    assert_parents(student, a + b, [a, b])


@grade("again", points=0.5)
def test_from_memory_it_holds(student):
    """From memory: Scalar(4.0) holds 4.0, and its gradient starts at 0."""
    made = student.name("Scalar")(4.0)
    assert_numbers(student, [(made.data, 4.0), (made.grad, 0.0)])


@grade("again", points=0.5)
def test_from_memory_it_prints(student):
    """From memory: Scalar(4.5) shows its number."""
    assert_printed(student, student.name("Scalar")(4.5), "4.5")


@grade("again", points=0.5)
def test_from_memory_it_adds(student):
    """From memory: a Scalar adds another one, and a plain number."""
    scalar = student.name("Scalar")
    a, b = scalar(4.0), scalar(1.5)
    assert_number(student, (a + b).data, 5.5)
    assert_number(student, (a + 1 + b).data, 6.5)


@grade("again", points=0.5)
def test_from_memory_it_remembers(student):
    """From memory: a sum remembers its two terms themselves."""
    scalar = student.name("Scalar")
    a, b = scalar(4.0), scalar(4.0)
    assert_parents(student, a + b, [a, b])
